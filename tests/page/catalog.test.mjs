import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { loadLedger } from './ledger.mjs';

/** @type {{ id: string, name: string, config: object, parameters: string, source: string }[]} */
const models = JSON.parse(await readFile(new URL('../../web/catalog/models.json', import.meta.url), 'utf8'));
const ledger = await loadLedger();

test('every published model counts to its published number, some with their buffers', () => {
  for (const { id, config, parameters } of models) {
    const answer = ledger.count(config);
    assert.ok(answer.ok, id);
    assert.ok([answer.totals.parameters, answer.totals.stored].includes(parameters), `${id}: ${answer.totals.parameters}, published ${parameters}`);
  }
});

test('the first is the one that the page opens on, and each stands there once', () => {
  assert.equal(models[0].parameters, '8030261248');
  assert.equal(new Set(models.map(({ id }) => id)).size, models.length);
  for (const { id, name, source } of models) assert.ok(id.includes('/') && name && source, id);
});
