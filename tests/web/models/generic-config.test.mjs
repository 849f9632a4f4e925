// Tests the conversion of models to configurations of the model type `generic`. A conversion is exact if the configuration gives equally
// many tensors of each kind and shape in the same layers, apart from the order of dimensions. Otherwise the differences are listed, or
// the configuration is refused.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { toGenericConfig } from '../../../web/models/generic-config.ts';
import { counted, ledger } from '../ledger.mjs';

const json = (/** @type {string} */ path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

test('each model with settings written by hand is taken apart exactly', () => {
  /** @type {{ name: string, like: object, transposed?: boolean }[]} */
  const rows = json('../../data/generic.json');
  for (const { name, like, transposed = false } of rows) {
    const taken = toGenericConfig(counted(like), ledger, like);
    assert.deepEqual({ name, exact: taken.exact, transposed: taken.transposed, missing: taken.missing, extra: taken.extra }, { name, exact: true, transposed, missing: [], extra: [] }); // prettier-ignore
  }
});

test('most of the catalogue is exact, and exact ones have the same totals', () => {
  /** @type {import('../../../web/config/entry.ts').Published[]} */
  const models = json('../../../web/data/models.json');
  let exact = 0;
  for (const { id, config } of models) {
    const answer = counted(config);
    const taken = toGenericConfig(answer, ledger, config);
    assert.ok(taken.exact || taken.refused !== undefined || taken.missing.length + taken.extra.length > 0, id);
    assert.ok(!Object.values(taken.config).includes(undefined), `${id} has a setting without a value`);
    if (!taken.exact) continue;
    ++exact;
    const { totals } = counted(taken.config);
    for (const name of ['parameters', 'active', 'buffers']) assert.equal(totals[name], answer.totals[name], `${id}: ${name}`);
  }
  assert.ok(exact > 120, `${exact} are exact`);
});

test('layers with a window keep it, so the cache is the model’s', () => {
  for (const model of [
    { model_type: 'gemma2' },
    { model_type: 'gpt_oss' },
    { model_type: 'mistral', sliding_window: 4096 },
    { model_type: 'llama' },
    { model_type: 'cohere2' },
  ]) {
    const { config, exact } = toGenericConfig(counted(model), ledger, model);
    assert.ok(exact, model.model_type);
    for (const tokens of ['100', '50000']) {
      const caches = [model, config].map((one) => {
        const answer = ledger.memory({ ...one, dtype: 'bfloat16' }, { tokens });
        return answer.ok && answer.cache.known ? answer.cache.total.bytes : answer;
      });
      assert.equal(typeof caches[0], 'string');
      assert.equal(caches[1], caches[0], `${model.model_type} ${tokens}`);
    }
  }
});

test('a tower cannot be expressed, and is named', () => {
  const taken = toGenericConfig(counted({ model_type: 'llava' }), ledger, { model_type: 'llava' });
  assert.equal(taken.exact, false);
  assert.ok(taken.missing.some(({ names }) => names.some((name) => name.includes('vision_tower'))));
});
