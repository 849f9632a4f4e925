// The data flow through blocks: derived by hand from the papers, and complete for every block of the catalogue.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { flowOf } from '../../../web/answer/data-flow.ts';
import { ledger } from '../ledger.mjs';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(readFileSync(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));

/** @param {object} config */
function partsOf(config) {
  const answer = ledger.derive(config);
  assert.ok(answer.ok);
  return answer.sections.flatMap(({ steps }) => steps.filter(({ kind }) => kind === 'part'));
}
const flow = (/** @type {object} */ config, /** @type {string} */ mechanism) => {
  const step = partsOf(config).find((one) => one.mechanism === mechanism) ?? assert.fail(mechanism);
  return flowOf(step, step.tensors)?.map(({ id, from }) => `${id} < ${from.join(' + ')}`);
};

test('queries, keys and values are read in parallel, the output projection after softmax', () => {
  assert.deepEqual(flow({ model_type: 'llama' }, 'multi_head_attention'), [
    'query < input',
    'key < input',
    'value < input',
    'softmax < query + key',
    'sum < softmax + value',
    'output < sum',
  ]);
  assert.deepEqual(flow({ model_type: 'llama' }, 'gated_feed_forward'), [
    'gate < input',
    'up < input',
    'activation < gate',
    'product < activation + up',
    'down < product',
  ]);
});

test('latent attention projects down, through a norm, and up', () => {
  assert.deepEqual(flow({ model_type: 'deepseek_v3' }, 'latent_attention')?.slice(0, 6), [
    'query down < input',
    'query up < query down',
    'key and value down < input',
    'key and value up < key and value down',
    'softmax < query up + key and value up + key and value down',
    'sum < softmax + key and value up',
  ]);
});

test('every matrix with a task in attention and feed-forward blocks of the catalogue is in its flow', () => {
  for (const { id, config } of models)
    for (const step of partsOf(config)) {
      const nodes = flowOf(step, step.tensors);
      if (!nodes || !/attention|feed_forward/.test(step.mechanism ?? '') || !step.tensors.some(({ task }) => /query|up|gate/.test(task)))
        continue;
      const known = new Set(nodes.map(({ id: task }) => task));
      for (const { name, task, role } of step.tensors)
        if (task !== '' && !task.endsWith(' bias') && role === 'matrix' && !/gate of the shared/.test(task))
          assert.ok(known.has(task.replace(/^(encoder )?((shared )?expert |cross )?/, '')), `${id}: ${name} (${task})`);
    }
});
