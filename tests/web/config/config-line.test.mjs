// Tests splitting a line of a file of configurations into id and configuration. An unexpected line is passed on whole, and the core refuses
// it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitLine } from '../../../web/config/config-line.ts';

const config = '{"model_type": "gpt2", "n_layer": 12345678901234567890}';

test('id and configuration are kept as written', () => {
  assert.deepEqual(splitLine(`{"id": 12345678901234567890, "config": ${config}}`), { id: '12345678901234567890', config });
  assert.deepEqual(splitLine(`{"config": ${config}, "id": {"a": [1]}}`), { id: '{"a": [1]}', config });
  assert.deepEqual(splitLine(`{"config": ${config}}`), { id: undefined, config });
  assert.deepEqual(splitLine(`{"id": "x", "config": ${JSON.stringify(config)}}`), { id: '"x"', config });
  const infinite = '{"model_type": "gpt2", "a": [Infinity, -Infinity, NaN], "b": "NaN\\""}';
  assert.deepEqual(splitLine(`{"id": 1, "config": ${infinite}}`), { id: '1', config: infinite });
});

test('any other line is kept whole', () => {
  for (const line of [
    config,
    `{"id": 1, "config": ${config}}{"id": 2}`,
    `{"id": 1, "config": ${config}} trailing`,
    `{"id": foo, "config": ${config}}`,
    `{"id": 01, "config": ${config}}`,
    `{"id": 1, "config": ${config},}`,
    `{"id": 1, "config": ${config}`,
    `{"model_type": "gpt2", "config": {}}`,
    '{"config": 5}',
    '["config"]',
  ])
    assert.deepEqual(splitLine(line), { config: line });
});
