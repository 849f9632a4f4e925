// Tests the search requests of the Target size view, and its setting in addresses.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import {
  createTargetSetting,
  findField,
  isUntouched,
  parse,
  toSearchRequest,
  listSearchable,
  listShapes,
  write,
} from '../../../web/settings/target-setting.ts';

const llama = ledger.count({ model_type: 'llama', num_key_value_heads: 8 });
assert.ok(llama.ok);

test('depth and width vary at first, and other fields keep their proportions', () => {
  const request = toSearchRequest(createTargetSetting(llama, llama.totals.parameters), llama);
  assert.deepEqual(request.vary, [
    { field: 'num_hidden_layers', from: 16, to: 64, step: 1 },
    { field: 'hidden_size', from: 2048, to: 8192, step: 128 },
  ]);
  assert.deepEqual(request.tied, [
    { field: 'num_attention_heads', of: 'hidden_size', times: '1/128' },
    { field: 'intermediate_size', of: 'hidden_size', times: '2.688', multiple: 256 },
  ]);
  assert.deepEqual(request.limits, [
    { field: 'hidden_size', over: 'num_attention_heads', least: '64', most: '256' },
    { field: 'intermediate_size', over: 'hidden_size', least: '2', most: '8' },
  ]);
  const answer = ledger.search({ model_type: 'llama', num_key_value_heads: 8 }, request);
  assert.ok(answer.ok && answer.done);
  assert.equal(answer.found.length, 20);
});

test('the fields that may vary are numbers that the count depends on', () => {
  const names = listSearchable(llama).map(({ name }) => name);
  for (const name of ['vocab_size', 'hidden_size', 'num_hidden_layers', 'num_attention_heads', 'num_key_value_heads', 'intermediate_size'])
    assert.ok(names.includes(name), name);
  assert.deepEqual(listShapes(llama), ['head', 'depth', 'ratio']);
  const albert = ledger.count({ model_type: 'albert' });
  assert.ok(albert.ok && listSearchable(albert).some(({ name }) => name === 'num_attention_heads'), 'or that the shape of others follows');
});

test('ranges follow the target size, and limits allow the current model', () => {
  // 405 billion parameters are 4.09³ times 5.93 billion: the model is about four times as deep and wide.
  const wish = createTargetSetting(llama, '405B');
  assert.deepEqual(toSearchRequest(wish, llama).vary, [
    { field: 'num_hidden_layers', from: 65, to: 262, step: 1 },
    { field: 'hidden_size', from: 8320, to: 33536, step: 128 },
  ]);
  assert.ok(isUntouched(llama, wish));
  assert.ok(!isUntouched(llama, { ...wish, target: '400B' }));
  const answer = ledger.search({ model_type: 'llama', num_key_value_heads: 8 }, { ...toSearchRequest(wish, llama), most: 1 });
  assert.ok(answer.ok && answer.done);
  const off = BigInt(answer.found[0].difference.replace('-', ''));
  assert.ok(off * 100n < BigInt(answer.target), 'less than a per cent off');
  const narrow = ledger.count({ model_type: 'llama', num_attention_heads: 128 }); // heads of 32 dimensions
  assert.ok(narrow.ok);
  assert.equal(createTargetSetting(narrow, '7B').limits.head.least, '32');
  assert.equal(createTargetSetting(narrow, 'nothing').limits.head.most, '256');
});

test('a field with the plain symbol comes before one with a subscript that starts with t', () => {
  // These types also have timestamp or temporal layers, with the symbol L_t.
  for (const model_type of ['fun_asr_nano', 'videoprism']) {
    const answer = ledger.count({ model_type });
    assert.ok(answer.ok);
    assert.equal(findField(answer, 'L')?.name, 'text_config.num_hidden_layers', model_type);
  }
});

test('what follows another field comes after it', () => {
  const wish = createTargetSetting(llama, '7B');
  const parts = {
    num_key_value_heads: { mode: /** @type {const} */ ('tied'), of: 'num_attention_heads', times: '1/4' },
    ...wish.parts,
  };
  const fields = toSearchRequest({ ...wish, parts }, llama).tied?.map(({ field }) => field);
  assert.ok(fields && fields.indexOf('num_key_value_heads') > fields.indexOf('num_attention_heads'));
});

test('an address has a setting, or none', () => {
  const wish = createTargetSetting(llama, '7B');
  assert.deepEqual(parse(write(wish)), wish);
  for (const text of ['', '{', '{}', '[]', '{"target": 1, "parts": {}}']) assert.equal(parse(text), undefined);
});

test('an address’s values are typed text, and the request is valid', () => {
  const hostile = [
    '{"target":"7B","parts":{},"limits":{"head":{"least":64}}}',
    '{"target":"7B","parts":{"hidden_size":null,"vocab_size":7,"num_hidden_layers":{"mode":"sideways","from":{}}},"limits":null}',
    '{"target":"7B","parts":[{"mode":"tied"}],"limits":{"head":null,"depth":[],"ratio":{"most":true}}}',
    '{"target":"7B","parts":{"hidden_size":{"mode":"vary","from":64,"to":"128","step":null}},"limits":"x","__proto__":{"a":1}}',
  ];
  for (const text of hostile) {
    const wish = parse(text);
    assert.ok(wish, text);
    const typed = [...Object.values(wish.parts), ...Object.values(wish.limits)].flatMap((one) => Object.values(one));
    assert.ok(typed.every((one) => typeof one === 'string'), text); // prettier-ignore
    assert.deepEqual(Object.keys(wish.limits), ['head', 'depth', 'ratio']);
    toSearchRequest(wish, llama);
  }
  assert.equal(parse(hostile[0])?.limits.head.least, '64');
  assert.equal(parse(hostile[0])?.limits.head.most, '256', 'what is not said is as at first');
  assert.deepEqual(parse(hostile[3])?.parts, { hidden_size: { mode: 'vary', from: '64', to: '128' } });
  assert.deepEqual(toSearchRequest(/** @type {any} */ (parse(hostile[3])), llama).vary, [
    { field: 'hidden_size', from: 64, to: 128, step: 1 },
  ]);
  assert.deepEqual(parse(hostile[1])?.parts.num_hidden_layers, { mode: 'fixed' });
});
