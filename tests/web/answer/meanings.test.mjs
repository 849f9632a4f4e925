// Tests the descriptions of fields, which the form and `--explain` show.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';

const defaults = readFileSync(new URL('../../../tests/data/oracle.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => /^\{"id": "[^"]*\/default"/.test(line))
  .map((line) => JSON.parse(line));

/** How the description of a boolean field may begin. Some boolean fields also accept other values, so `Whether` does not always fit. */
const KINDS = /^(Whether|Kind of|Layers? |How |Which |Gate of|Norm of)/;

test('a switch is described as a question with a yes or no answer', () => {
  const seen = new Set();
  for (const { id, config } of defaults) {
    const answer = ledger.count(config);
    if (!answer.ok) continue;
    for (const { name, type, meaning = '' } of answer.fields) {
      if (type !== 'boolean' || meaning === '') continue;
      seen.add(name);
      assert.match(meaning, KINDS, `${id}: ${name}`);
    }
  }
  assert.ok(seen.size > 100, String(seen.size));
});

test('meanings use standard English terms', () => {
  for (const [name, { meaning = '' }] of Object.entries(ledger.catalog().fields))
    assert.doesNotMatch(meaning, /in (the )?place of|Every how many|By how much|of its own|Things that|what is|beside\b.*\bmore\b/, name);
});
