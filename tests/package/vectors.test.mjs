// Tests the conformance vectors: our answers must agree with them, and the script for testing other calculators must report wrong numbers.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../folder.mjs';
import { loadLedger } from '../../web/dist/package/sync.js';

const dist = new URL('../../web/dist/', import.meta.url);
const text = readFileSync(new URL('vectors.jsonl', dist), 'utf8');
const vectors = text.trim().split('\n').map((line) => JSON.parse(line)); // prettier-ignore

test('each number of the vectors equals our answer', async () => {
  assert.equal(readFileSync(new URL('package/vectors.jsonl', dist), 'utf8'), text);
  assert.ok(vectors.length > 500);
  const ledger = await loadLedger();
  const compared = { active: 0, cache: 0, operations: 0, published: 0 };
  for (const { id, config, class: name, parameters, buffers, active, cache_bytes: kept = {}, operations = {}, published } of vectors) {
    const answer = ledger.totals(config);
    assert.ok(answer.ok, id);
    assert.equal(answer.totals.parameters, String(parameters), id);
    if (published === undefined) assert.equal(answer.architecture, name, id); // some publishers name another class
    if (buffers !== undefined) assert.equal(answer.totals.buffers, String(buffers), id);
    if (active !== undefined) assert.equal((compared.active++, answer.totals.active), String(active), id);
    if (published !== undefined) compared.published++;
    for (const tokens of new Set([...Object.keys(kept), ...Object.keys(operations)])) {
      const { cache, compute } = ledger.memory(config, { tokens });
      if (tokens in kept && cache.known)
        assert.equal((compared.cache++, cache.total.bytes), String(kept[tokens]), `${id}, ${tokens} tokens`);
      if (tokens in operations && compute.known)
        assert.equal((compared.operations++, compute.prompt), String(operations[tokens]), `${id}, ${tokens} tokens`);
    }
  }
  assert.ok(
    compared.active > 50 && compared.cache > 450 && compared.operations > 400 && compared.published > 150,
    JSON.stringify(compared),
  );
});

test('the script names the numbers that a calculator gets wrong', () => {
  const folder = temporaryFolder();
  const [first, second, third] = vectors.filter(({ active }) => active !== undefined);
  writeFileSync(join(folder, 'few.jsonl'), [first, second, third].map((vector) => `${JSON.stringify(vector)}\n`).join(''));
  const script = fileURLToPath(new URL('examples/check-vectors.mjs', dist));
  const grouped = String(second.parameters).replace(/\B(?=(\d{3})+$)/g, ',');
  writeFileSync(
    join(folder, 'calculator.mjs'),
    `import { readFileSync } from 'node:fs';
const type = JSON.parse(readFileSync(0, 'utf8')).model_type;
const answers = { '${first.config.model_type}': '1 parameters', '${second.config.model_type}': 'about ${grouped}.' };
console.log(answers[type] ?? 'unknown');`,
  );
  const checked = (/** @type {string[]} */ ...words) => {
    const { status, stdout } = spawnSync(process.execPath, [script, ...words], { cwd: folder, encoding: 'utf8' });
    return [status, stdout];
  };
  assert.notEqual(first.config.model_type, second.config.model_type);
  const command = `${process.execPath} calculator.mjs`;
  const [status, printed] = checked('few.jsonl', command);
  assert.equal(status, 1);
  assert.match(String(printed), new RegExp(`^${first.id}: 1, not ${first.parameters}$`, 'm'));
  assert.doesNotMatch(String(printed), new RegExp(`^${second.id}:`, 'm'));
  assert.deepEqual(checked('few.jsonl', `${command} > /dev/null; echo ${second.active}`, 'active')[0], 1);
  writeFileSync(join(folder, 'one.jsonl'), JSON.stringify(second));
  assert.deepEqual(checked('one.jsonl', command), [0, '1 equal, 0 different\n']);
  assert.equal(checked('few.jsonl')[0], 2);
});
