// Tests the answer of ledger.derive: every formula evaluates to its value, every tensor is explained, and every step is right when it is
// checked as a step of a worked article.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { evaluate } from '../../../web/answer/formula.ts';
import { ledger } from '../ledger.mjs';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(readFileSync(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));

/** @param {string | object} config @returns {import('../../../web/types/index.ts').Derivation} */
function derived(config) {
  const answer = ledger.derive(config);
  assert.ok(answer.ok, answer.ok ? '' : answer.error.message);
  return answer;
}

/** @param {import('../../../web/types/index.ts').Derivation} derivation */
const stepsOf = ({ sections }) => sections.flatMap(({ steps }) => steps);

test('every published model of the catalogue is derived, and the judge finds each step right', () => {
  for (const { id, config } of models) {
    const derivation = derived(config);
    const counted = ledger.totals(config);
    assert.equal(derivation.parameters, counted.ok && counted.totals.parameters, id);
    const judged = ledger.article(derivation.article);
    assert.ok(judged.ok, id);
    assert.deepEqual([...new Set(judged.steps.map(({ verdict }) => verdict))], ['right'], id);
    assert.equal(judged.total?.verdict, 'right', id);
    assert.equal(judged.total?.value, judged.model, id);
    for (const { name, value, math, says, tensors } of stepsOf(derivation)) {
      assert.equal(String(evaluate(math, derivation.symbols)), value, `${id}: ${name}`);
      assert.match(says, /\S/, `${id}: ${name}`);
      for (const tensor of tensors) assert.match(tensor.says, /\.$/, `${id}: ${tensor.name}`);
    }
  }
});

test('DeepSeek-V3 is derived in data order, with active parameters and the files’ contents', () => {
  const { config } = models.find(({ id }) => id === 'deepseek-ai/DeepSeek-V3') ?? assert.fail();
  const derivation = derived(config);
  assert.deepEqual(
    derivation.sections.map(({ title }) => title),
    ['The model', 'Total', 'What a token uses', 'What a checkpoint stores'],
  );
  // Calculated by hand from the dimensions in the paper: 61 layers (the first three dense), 256 experts with 8 active per token, and a
  // shared expert.
  const values = Object.fromEntries(stepsOf(derivation).map(({ name, value }) => [name, value]));
  const [d, n, r_q, r_kv, f, f_e] = [7168, 128, 1536, 512, 18432, 2048];
  const attention = d * r_q + r_q * n * (128 + 64) + d * (r_kv + 64) + r_kv * n * (128 + 128) + n * 128 * d;
  const norms = 2 * d + r_q + r_kv;
  assert.equal(values.attention, String(attention));
  assert.equal(values.layer, String(attention + 3 * d * f + norms));
  assert.equal(values.layer_2, String(attention + d * 256 + 256 * 3 * d * f_e + 3 * d * f_e + norms));
  assert.equal(values.idle, String(58 * (256 - 8) * 3 * d * f_e));
  assert.equal(values.parameters, '671026404352');
  const first = stepsOf(derivation)[0];
  assert.equal(first.says, 'Embeddings');
  assert.equal(first.formula, 'V·d');
  assert.equal(first.tensors[0].shape_formula, 'V × d');
});

test('a setting has the origin of each value', () => {
  const { setting } = derived({ model_type: 'llama', hidden_size: 2048, num_attention_heads: 16 });
  const source = Object.fromEntries(setting.map((row) => [row.name, row.source]));
  assert.equal(source.hidden_size, 'given');
  assert.equal(source.vocab_size, 'default');
  assert.equal(source.num_key_value_heads ?? 'derived', 'derived');
});

test('what is refused is refused as in a count', () => {
  assert.deepEqual(ledger.derive({ model_type: 'nothing' }), ledger.count({ model_type: 'nothing' }));
  assert.equal(ledger.derive('{').ok, false);
  // @ts-expect-error: no configuration at all
  assert.equal(ledger.derive(undefined).ok, false);
});

test('a derivation ends on one device: its parts, their sum, an even share, and the excess', () => {
  const config = models.find(({ id }) => id === 'deepseek-ai/DeepSeek-V3')?.config ?? {};
  const plan = { tensor: 8, pipeline: 2, expert: 16 };
  const whole = ledger.derive(config, { devices: plan });
  const held = ledger.devices(config, plan);
  assert.ok(whole.ok && held.ok);
  const section = whole.sections[whole.sections.length - 1];
  assert.deepEqual([section.section, section.title], ['device', 'On one device']);
  for (const { name, value, math, says, tensors } of section.steps) {
    assert.equal(String(evaluate(math, whole.symbols)), value, name);
    assert.match(says, /\S/, name);
    for (const tensor of tensors) {
      assert.match(tensor.says, /\.$/, tensor.name);
      assert.deepEqual(
        tensor.shape_math.map((size) => String(evaluate(size, whole.symbols))),
        tensor.shape.map(String),
      );
    }
  }
  const ofDevice = (/** @type {RegExp} */ name) => section.steps.flatMap(({ tensors }) => tensors).find((one) => name.test(one.name));
  assert.equal(ofDevice(/kv_a_proj_with_mqa\.weight$/)?.shape_formula, '(r_kv + h_rope) × d');
  const divided = ledger.derive({ model_type: 'llama' }, { devices: { tensor: 8 } });
  assert.ok(divided.ok);
  assert.deepEqual(
    divided.sections
      .at(-1)
      ?.steps.flatMap(({ tensors }) => tensors.flatMap(({ name, role }) => (/embed_tokens|^model\.norm/.test(name) ? role : []))),
    ['table', 'vector'],
  );
  const value = (/** @type {string} */ kind) => section.steps.find((step) => step.kind === kind)?.value;
  assert.equal(value('device'), held.ranks[held.heaviest].parameters);
  assert.equal(value('share'), held.share);
  assert.equal(value('beyond'), held.over.parameters);
  // The sections before the last one, which is about one device, must not depend on the plan.
  const alone = derived(config);
  assert.deepEqual(whole.sections.slice(0, -1), alone.sections);
  assert.deepEqual(whole.article, alone.article);
  const refused = ledger.derive(config, { devices: { expert: 7 } });
  assert.ok(!refused.ok && refused.error.field === 'expert');
});
