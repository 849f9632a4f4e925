import assert from 'node:assert/strict';
import { test } from 'node:test';
import { write, firstSetting, optionsOf, parse, trainingOf } from '../../../web/lib/settings/memory-setting.ts';

test('an address says what is not as at first, and gives it back', () => {
  assert.equal(write(firstSetting), '');
  assert.deepEqual(parse(''), firstSetting);
  const setting = { ...firstSetting, context: '131072', weights: 'Q4_K_M', unit: 'gib', rank: '16', modules: 'q_proj self_attn.v_proj' };
  const detail = write(setting);
  assert.equal(detail, 'context:131072,weights:Q4_K_M,unit:gib,rank:16,modules:q_proj*self_attn.v_proj');
  assert.deepEqual(parse(detail), setting);
});

test('what cannot be is as at first', () => {
  for (const detail of [
    'context:0',
    'context:1e9',
    'device:h900',
    'device:toString',
    'weights:',
    'modules:a;b',
    'rank:-1',
    ':::',
    ',,',
    'unit',
  ])
    assert.deepEqual(parse(detail), firstSetting, detail);
});

test('what the core is asked', () => {
  const own = { ...firstSetting, device: 'own', gb: '24', devices: '2' };
  assert.equal(optionsOf(firstSetting).room, '141000000000');
  assert.deepEqual(optionsOf(own), {
    tokens: '32768',
    batch: '1',
    weights: 'published',
    cache: 'bfloat16',
    devices: '2',
    room: '24000000000',
  });
  assert.equal(trainingOf(firstSetting).lora, undefined);
  assert.deepEqual(trainingOf({ ...firstSetting, rank: '8' }).lora, { r: 8, target_modules: ['q_proj', 'v_proj'] });
  assert.deepEqual(trainingOf({ ...firstSetting, rank: '8', modules: 'all-linear' }).lora, { r: 8, target_modules: 'all-linear' });
});
