// Tests parallelism plans: how they are written in addresses and widgets, and how they are passed to the core.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canSplitSequence, isPlan, parsePlan, stepPlan, toDevicesOptions, writePlan } from '../../../web/settings/devices-plan.ts';
import { defaultMemorySetting, parse, write } from '../../../web/settings/memory-setting.ts';

test('a plan is written as it is read; missing sizes are 1', () => {
  assert.deepEqual(parsePlan('8x2x16'), { plan: 'transformers', tensor: '8', pipeline: '2', expert: '16' });
  assert.deepEqual(parsePlan('8'), { plan: 'transformers', tensor: '8', pipeline: '1', expert: '1' });
  assert.deepEqual(parsePlan('megatron-8x2'), { plan: 'megatron', tensor: '8', pipeline: '2', expert: '1' });
  assert.equal(writePlan(parsePlan('8x2')), '8x2x1');
  assert.equal(writePlan(parsePlan('vllm-8x2')), 'vllm-8x2x1');
  for (const text of ['', '0', 'vllm', 'vllm-', 'deepspeed-8', '8x', '8x0x1', '-8', '1.5', '8x2x1x1', 'x', '1e9'])
    assert.equal(isPlan(text), false, text);
});

test('steps double tensors, add stages, and keep experts a multiple of tensors', () => {
  const step = (/** @type {string} */ plan, /** @type {'tensor' | 'pipeline' | 'expert'} */ axis, /** @type {1 | -1} */ direction) => {
    const next = stepPlan(parsePlan(plan), axis, direction);
    return next && writePlan(next);
  };
  assert.equal(step('1x1x1', 'tensor', 1), '2x1x1');
  assert.equal(step('6x1x1', 'tensor', 1), '8x1x1');
  assert.equal(step('6x1x1', 'tensor', -1), '4x1x1');
  assert.equal(step('2x1x1', 'tensor', -1), '1x1x1');
  assert.equal(step('1x1x1', 'tensor', -1), undefined);
  assert.equal(step('8x3x1', 'pipeline', 1), '8x4x1');
  assert.equal(step('8x1x1', 'expert', 1), '8x1x8');
  assert.equal(step('6x1x12', 'expert', 1), '6x1x24');
  assert.equal(step('6x1x12', 'expert', -1), '6x1x6');
  assert.equal(step('6x1x6', 'expert', -1), '6x1x1');
});

test('plans are in the memory view’s address', () => {
  const setting = { ...defaultMemorySetting, use: 'devices', plan: '8x2x16', against: '4x4x1' };
  assert.equal(write(setting), 'use:devices,plan:8x2x16,against:4x4x1');
  assert.deepEqual(parse(write(setting)), setting);
  assert.deepEqual(parse('plan:8x0x1,against:'), defaultMemorySetting);
});

test('the core gets the plan and what runs on it', () =>
  assert.deepEqual(toDevicesOptions({ ...defaultMemorySetting, device: 'h100', weights: 'float8' }, parsePlan('8x1x8')), {
    plan: 'transformers',
    tensor: '8',
    pipeline: '1',
    expert: '8',
    tokens: '32768',
    batch: '1',
    weights: 'float8',
    cache: 'bfloat16',
    room: '80000000000',
  }));

test('training is requested if it is chosen, and never for vLLM', () => {
  const setting = { ...defaultMemorySetting, train: 'yes', data: '4', zero: '1' };
  const { training, data } = toDevicesOptions(setting, parsePlan('megatron-8'));
  assert.deepEqual({ training, data }, { training: { optimizer: 'adamw', precision: 'mixed', stage: 1 }, data: '4' });
  assert.equal('training' in toDevicesOptions(setting, parsePlan('vllm-8')), false);
  assert.equal('data' in toDevicesOptions({ ...setting, train: 'no' }, parsePlan('8')), false);
});

test('sequence parallelism is requested only of Megatron-Core', () => {
  const setting = { ...defaultMemorySetting, sequence: 'yes' };
  assert.equal(toDevicesOptions(setting, parsePlan('megatron-8')).sequence, true);
  assert.equal('sequence' in toDevicesOptions(setting, parsePlan('8')), false);
  assert.equal('sequence' in toDevicesOptions({ ...setting, sequence: 'no' }, parsePlan('megatron-8')), false);
  assert.equal(canSplitSequence({ ...setting, plan: '8', against: 'megatron-8' }), true);
  assert.equal(canSplitSequence({ ...setting, plan: 'vllm-8' }), false);
});
