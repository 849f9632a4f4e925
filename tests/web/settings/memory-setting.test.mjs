import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  normalizeSetting,
  write,
  defaultMemorySetting,
  toMemoryOptions,
  parse,
  toTrainingOptions,
} from '../../../web/settings/memory-setting.ts';

test('an address has the values that differ from the initial ones, and restores them', () => {
  assert.equal(write(defaultMemorySetting), '');
  assert.deepEqual(parse(''), defaultMemorySetting);
  const setting = {
    ...defaultMemorySetting,
    context: '131072',
    weights: 'Q4_K_M',
    unit: 'gib',
    rank: '16',
    modules: 'q_proj self_attn.v_proj',
  };
  const detail = write(setting);
  assert.equal(detail, 'context:131072,weights:Q4_K_M,unit:gib,rank:16,modules:q_proj*self_attn.v_proj');
  assert.deepEqual(parse(detail), setting);
});

test('invalid values become initial ones', () => {
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
    assert.deepEqual(parse(detail), defaultMemorySetting, detail);
});

test('the request to the core', () => {
  const own = { ...defaultMemorySetting, device: 'own', gb: '24', devices: '2' };
  assert.equal(toMemoryOptions(normalizeSetting(defaultMemorySetting, '20400000000')).room, '21600000000');
  assert.equal(toMemoryOptions(normalizeSetting({ ...defaultMemorySetting, device: 'h200' }, '1')).room, '126900000000');
  assert.deepEqual(toMemoryOptions(own), {
    tokens: '32768',
    batch: '1',
    weights: 'published',
    cache: 'bfloat16',
    devices: '2',
    room: '21600000000',
  });
  const llama = ['model.layers.[0-31].self_attn.q_proj.weight', 'model.layers.[0-31].self_attn.v_proj.weight'];
  const bert = ['encoder.layer.[0-11].attention.self.query.weight', 'encoder.layer.[0-11].attention.self.value.weight'];
  const lora = (/** @type {readonly string[]} */ tensors, change = {}) =>
    toTrainingOptions({ ...defaultMemorySetting, rank: '8', ...change }, tensors).lora;
  assert.equal(toTrainingOptions(defaultMemorySetting, llama).lora, undefined);
  assert.deepEqual(lora(llama), { r: 8, target_modules: ['q_proj', 'v_proj'] });
  assert.deepEqual(lora(bert), { r: 8, target_modules: ['query', 'value'] });
  assert.deepEqual(lora(bert, { modules: 'self.query' }), { r: 8, target_modules: ['self.query'] });
  assert.deepEqual(lora(['h.[0-11].attn.c_attn.weight']), { r: 8, target_modules: ['q', 'v'] });
  assert.deepEqual(lora(llama, { modules: 'all-linear' }), { r: 8, target_modules: 'all-linear' });
});

test('the smallest usual devices hold the need and keep a tenth free', () => {
  const of = (/** @type {string} */ need) => Object.values(normalizeSetting(defaultMemorySetting, need)).slice(4, 7).join();
  assert.equal(of('7200000000'), 'rtx4060,24,1', '7.2 of 8 GB');
  assert.equal(of('7200000001'), 'rtx3060,24,1');
  assert.equal(of('673200000000'), 'h200,24,8');
  assert.equal(of('99000000000000'), 'h200,24,32');
});
