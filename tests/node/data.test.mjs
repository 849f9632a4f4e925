// Checks the built package with the data of the C++ tests: published models, seeds.json, and the configurations that must be refused or
// accepted.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { whole } from '../../web/dist/package/param-ledger.js';

const ledger = await whole();

/** @param {string} name @returns {any[]} */
const rows = (name) => JSON.parse(readFileSync(new URL(`../data/${name}`, import.meta.url), 'utf8'));

/** @param {string | object} config */
function counted(config) {
  const answer = ledger.count(config);
  assert.ok(answer.ok, answer.ok ? '' : answer.error.message);
  return answer;
}

test('published models are counted exactly', () => {
  for (const { name, config, total = 'parameters', parameters } of [...rows('models.json'), ...rows('models_rest.json')]) {
    assert.equal(counted(config).totals[total], String(parameters), name);
  }
});

test('the seeds’ numbers are exact', () => {
  for (const { what, config, total, value } of rows('seeds.json')) assert.equal(counted(config).totals[total], value, what);
});

test('what is not a configuration is refused with a reason and a position', () => {
  for (const { what, text, code, field, message, line, column } of rows('refusals.json')) {
    const answer = ledger.count(text);
    assert.equal(answer.ok, false, what);
    assert.deepEqual([answer.error.code, answer.error.field], [code, field], what);
    assert.ok(answer.error.message.includes(message), `${what}: ${answer.error.message}`);
    assert.deepEqual([answer.error.line, answer.error.column], [line, column], what);
  }
});

test('unusual but clear configurations are counted', () => {
  for (const { what, text, parameters, note } of rows('accepted.json')) {
    const { totals, notes } = counted(text);
    assert.equal(totals.parameters, parameters, what);
    if (note)
      assert.ok(
        notes.some(({ level, field }) => level === note.level && field === note.field),
        what,
      );
  }
});
