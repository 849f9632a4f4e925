// Tests conditions on models: which models satisfy them, and how errors are reported.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeColumn, findValidPrefix, parseCondition } from '../../../web/models/condition.ts';

const models = [
  { name: 'Small One', id: 'a/small-1b', type: 'llama', class: 'LlamaForCausalLM', active: 1_235_814_400n, layers: 16n, attention: 136_000n, context: 131_072n, released: '2024-09-25', license: 'llama3.2' },
  { name: 'Large Mixture', id: 'b/large', type: 'qwen3_moe', class: 'Qwen3MoeForCausalLM', active: 22_190_763_008n, layers: 94n, attention: 30_000n, context: 40_960n, released: '2025-04', license: 'apache-2.0' },
  { name: 'No Context', id: 'a/none', type: 'qwen3', class: 'Qwen3ForCausalLM', active: 8_190_735_360n, layers: 36n, attention: 170_000n },
]; // prettier-ignore

/** @param {string} text */
function holding(text) {
  const parsed = parseCondition(text);
  assert.ok(parsed.ok, text);
  return models.filter((model) => parsed.holds(({ name }) => model[name])).map(({ id }) => id); // prettier-ignore
}

test('adjacent terms are combined by and; or, not and parentheses work', () => {
  const [small, large, none] = models.map(({ id }) => id);
  for (const [text, expected] of /** @type {const} */ ([
    ['', [small, large, none]],
    ['active < 10B', [small, none]],
    ['active<10B', [small, none]],
    ['active ≥ 8,190,735,360', [large, none]],
    ['active > 8190735360', [large]],
    ['active = 8.19B', [none]],
    ['active = 8.2B', [none]],
    ['active = 8.18B', []],
    ['active != 8B', [small, large]],
    ['type:qwen3', [large, none]],
    ['type=QWEN3', [none]],
    ['type != qwen3', [small, large]],
    ['layers:36', [none]],
    ['qwen3', [large, none]],
    ['"Large Mix"', [large]],
    ['large mix', [large]],
    ['context >= 128k', [small]],
    ['context < 128K', [large]],
    ['not context >= 128k', [large, none]],
    ['attention > 13.6%', [none]],
    ['attention >= 13.6%', [small, none]],
    ['attention = 14%', [small]],
    ['layers > 20 active < 10B', [none]],
    ['layers > 20 and active < 10B', [none]],
    ['layers < 20 or layers > 90', [small, large]],
    ['layers < 20 or layers > 90 qwen', [small, large]],
    ['(layers < 20 or layers > 90) qwen', [large]],
    ['not (layers < 20 or layers > 90)', [none]],
    ['not not small', [small]],
    ['(small) '.repeat(60), [small]],
    // Columns have aliases.
    ['active_params < 10B depth > 20', [none]],
    ['licence:apache', [large]],
    // Dates are compared at the precision of the less precise one. An unknown date satisfies no comparison.
    ['released < 2025', [small]],
    ['released = 2025', [large]],
    ['released = 2025-04-29', [large]],
    ['released >= 2024-09', [small, large]],
    ['released > 2024-09-24', [small, large]],
    ['released > 2024-09', [large]],
    ['released != 2024', [large]],
  ]))
    // prettier-ignore
    assert.deepEqual(holding(text), expected, text);
});

test('what is not understood is reported with its position', () => {
  for (const [text, message, marked] of /** @type {const} */ ([
    ['llama aktive < 10B', /there is no column aktive\. Did you mean active\?/, 'aktive'],
    ['zzz = 1', /there is no column zzz$/, 'zzz'],
    ['released > july', /released is a date, such as 2024 or 2024-07 or 2024-07-23, not july/, 'july'],
    ['released > 2024-13', /not 2024-13/, '2024-13'],
    ['active < many', /active is a number/, 'many'],
    ['active < 1.5', /active is a number/, '1.5'],
    ['attention > 20', /attention is a share/, '20'],
    ['type < llama', /type is text/, '<'],
    ['active <', /expected a value after active </, 'active <'],
    ['active < < 3', /expected a value/, 'active <'],
    ['< 3', /a condition or a word/, '<'],
    ['llama or', /a condition or a word/, ''],
    ['or llama', /a condition or a word/, 'or'],
    ['not', /a condition or a word/, ''],
    ['(llama', /not closed/, '('],
    ['llama)', /has no opening one/, ')'],
    ['()', /a condition or a word/, ')'],
    ['a "b', /does not end/, '"b'],
    ['('.repeat(1000), /too many/, '('],
    ['not '.repeat(1000), /too many/, 'not'],
  ])) {
    const parsed = parseCondition(text);
    assert.equal(parsed.ok, false, text);
    assert.match(parsed.error.message, message);
    assert.equal(text.slice(parsed.error.from, parsed.error.to), marked, text);
  }
});

test('any text is parsed or refused', () => {
  const pieces = ['active', ' ', '<', '=', ':', '10B', '(', ')', 'or', 'and', 'not', '"', 'é', '!', '%', '😀', '\n'];
  for (let seed = 1; seed <= 3000; seed++) {
    let text = '';
    for (let state = seed * 2654435761; text.length < 24; state = (Math.imul(state, 1103515245) + 12345) >>> 0)
      text += pieces[(state >>> 16) % pieces.length];
    const parsed = parseCondition(text);
    if (parsed.ok) parsed.holds(() => undefined);
    else assert.ok(parsed.error.from <= parsed.error.to && parsed.error.to <= text.length, text);
  }
});

test('the part before an error, or before the unfinished end, applies', () => {
  for (const [text, before] of /** @type {const} */ ([
    ['qwen active < 10B', 'qwen active < 10B'],
    ['qwen aktive < 10B', 'qwen'],
    ['qwen active <', 'qwen'],
    ['qwen or', 'qwen'],
    ['qwen or aktive < 10B', 'qwen'],
    ['qwen (llama or', 'qwen'],
    ['qwen "lla', 'qwen'],
    ['aktive < 10B qwen', ''],
    [') qwen', ''],
    [')', ''],
  ]))
    // prettier-ignore
    assert.equal(findValidPrefix(text), before, text);
});

test('the last word of a condition is completed to matching columns', () => {
  const completed = (/** @type {string} */ text) => completeColumn(text).map((one) => one.text);
  assert.deepEqual(completed('qwen act'), ['qwen active < ']);
  assert.deepEqual(completed('n_kv'), ['kv_heads < ']);
  assert.deepEqual(completed('vocab'), ['vocabulary < ']);
  assert.deepEqual(completed('lic'), ['license:']);
  assert.deepEqual(completed('active < 10'), [], 'a value is no column');
  assert.deepEqual(completed('type:lay'), []);
  assert.deepEqual(completed('llama '), []);
});
