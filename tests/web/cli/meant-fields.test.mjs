// Tests which fields a mistyped name may stand for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listMeantFields } from '../../../web/cli/meant-fields.ts';

const known = ['hidden_size', 'num_hidden_layers', 'num_attention_heads', 'num_key_value_heads', 'vocab_size'];

test('typos, missing words and short words are understood; others are not', () => {
  for (const [name, meant] of /** @type {const} */ ([
    ['hiden_size', ['hidden_size']],
    ['num_layers', ['num_hidden_layers']],
    ['n_layers', ['num_hidden_layers']],
    ['num_heads', ['num_attention_heads', 'num_key_value_heads']],
    ['n_kv_heads', []],
    ['layers_num', []],
    ['hidden_hidden', []],
    ['um_layers', []],
    ['rms_norm_eps', []],
    ['bos_token_id', []],
    ['size', []],
    ['_', []],
  ]))
    assert.deepEqual(listMeantFields(name, known), meant, name);
});
