// Tests short names of adapter modules, such as `q`. They must resolve to names of the model's modules, because peft matches whole words of
// module names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAdapterModules } from '../../../web/settings/adapter-modules.ts';

const llama = ['q_proj', 'k_proj', 'v_proj', 'o_proj'].map((name) => `model.layers.[0-31].self_attn.${name}.weight`);
const gpt2 = ['attn.c_attn.weight', 'attn.c_attn.bias', 'attn.c_proj.weight'].map((name) => `transformer.h.[0-11].${name}`);

test('short names stand for the model’s modules, each once', () => {
  assert.deepEqual(findAdapterModules('q,v', llama), { modules: ['q_proj', 'v_proj'] });
  assert.deepEqual(findAdapterModules(' Q q_proj, o ', llama), { modules: ['q_proj', 'o_proj'] });
  assert.deepEqual(findAdapterModules('qkv', gpt2), { modules: ['c_attn'] });
  assert.deepEqual(findAdapterModules('self_attn.q_proj', llama), { modules: ['self_attn.q_proj'] });
  assert.deepEqual(findAdapterModules('score', ['score.weight']), { modules: ['score'] });
});

test('a name that the model lacks is reported with those that it has', () => {
  assert.deepEqual(findAdapterModules('gate', llama), { unknown: 'gate', known: ['k_proj', 'o_proj', 'q_proj', 'v_proj'] });
  // peft matches whole words of module names, so `proj` matches none of Llama's modules.
  assert.deepEqual(findAdapterModules('proj', llama), { unknown: 'proj', known: ['k_proj', 'o_proj', 'q_proj', 'v_proj'] });
  assert.deepEqual(findAdapterModules('v', ['h.0.conv.weight']), { unknown: 'v', known: ['conv'] });
});
