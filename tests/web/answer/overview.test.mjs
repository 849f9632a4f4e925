// Tests the sentences about a whole model: shares and layers, which were calculated by hand, and components without parameters.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explainInner } from '../../../web/answer/overview.ts';
import { ledger } from '../ledger.mjs';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(readFileSync(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));

/** @param {string | object} config */
function derived(config) {
  const answer = ledger.derive(
    typeof config === 'string' ? (models.find(({ id }) => id === config)?.config ?? assert.fail(config)) : config,
  );
  assert.ok(answer.ok);
  return answer;
}

test('a dense model: shares of its parts, and one kind of layer', () => {
  // Of the 8,030,261,248 parameters, 32 × 176,160,768 are in feed-forward blocks, 32 × 41,943,040 in attention, and 525,336,576 in the
  // embedding table.
  assert.deepEqual(derived('meta-llama/Llama-3.1-8B').overview, [
    '70.20% of the parameters are in feed-forward blocks, 16.71% in attention, 6.54% in embeddings and 6.54% in the output head.',
    'Each of the 32 layers has 218,112,000 parameters.',
    'The output head is not tied to the embedding, so both matrices are counted.',
  ]);
});

test('a mixture of experts: how many a token uses, and its kinds of layers', () => {
  const { overview } = derived('deepseek-ai/DeepSeek-V3');
  // 58 layers × 256 experts × 3 × 7,168 × 2,048 = 653,908,770,816 of 671,026,404,352.
  assert.match(
    overview[0],
    /^97\.45% of the parameters sit in 14,848 routed experts; a token uses 8 of 256 per layer with experts, so 37,552,282,624 parameters are active\.$/,
  );
  assert.match(
    overview[1],
    /^There are 2 kinds of layers: 3 with 583,\d{3},\d{3} parameters each and 58 with 11,\d{3},\d{3},\d{3} parameters each\.$/,
  );
});

test('what has no parameters is listed with the reason', () => {
  const llama = derived('meta-llama/Llama-3.1-8B').without_parameters.join(' ');
  assert.match(
    llama,
    /Softmax.*RoPE\) are rotations by fixed angles.*activation \(silu\) is a fixed function.*max_position_embeddings = 131,072/,
  );
  const gpt2 = derived({ model_type: 'gpt2', n_positions: 1024 }).without_parameters.join(' ');
  assert.match(gpt2, /number of heads \(12\) is not in the formula/);
  assert.doesNotMatch(gpt2, /context length|RoPE/);
  const gemma = derived({ model_type: 'gemma2' }).without_parameters.join(' ');
  assert.match(gemma, /13 of 26 layers have a sliding window of 4,096 tokens\. A window limits which keys a query sees/);
  assert.match(derived({ model_type: 'mistral' }).without_parameters.join(' '), /All 32 layers have a sliding window/);
  assert.doesNotMatch(llama, /window|Sinusoidal/);
  const computed = /Sinusoidal position embeddings are computed/;
  assert.match(derived({ model_type: 'm2m_100' }).without_parameters.join(' '), computed);
  assert.doesNotMatch(derived({ model_type: 'whisper' }).without_parameters.join(' '), computed);
  assert.match(derived({ model_type: 'mlcd_vision_model' }).without_parameters.join(' '), /those of the class token are learned/);
  const biases = /ALiBi adds a fixed bias/;
  assert.match(derived({ model_type: 'bloom' }).without_parameters.join(' '), biases);
  assert.match(derived({ model_type: 'falcon', alibi: true }).without_parameters.join(' '), biases);
  assert.doesNotMatch(derived({ model_type: 'falcon' }).without_parameters.join(' '), biases);
  assert.doesNotMatch(derived({ model_type: 'mamba' }).without_parameters.join(' '), /Softmax/);
});

test('inner widths come from the rule in Meta’s code, or are four times the hidden size', () => {
  for (const [width, inner, pattern] of /** @type {const} */ ([
    [4096n, 11008n, /8\/3 of the hidden dimension \(10,922\), rounded up to a multiple of 256\.$/],
    [4096n, 14336n, /\(10,922\) times 1\.3, rounded up to a multiple of 1,024\.$/],
    [8192n, 28672n, /\(21,845\) times 1\.3, rounded up to a multiple of 4,096\.$/],
    [16384n, 53248n, /\(43,690\) times 1\.2, rounded up to a multiple of 4,096\.$/],
    [3072n, 8192n, /^8,192 is 8\/3 of the hidden dimension\.$/],
    [2048n, 8192n, /^8,192 is four times the hidden dimension\.$/],
  ]))
    assert.match(explainInner(width, inner, true) ?? '', pattern);
  assert.equal(explainInner(768n, 3072n, false), '3,072 is four times the hidden dimension.');
  assert.equal(explainInner(768n, 3000n, false), undefined);
  assert.equal(explainInner(4096n, 14000n, true), undefined);
});

test('the head is said to be tied only if every head is', () => {
  const ties = (/** @type {string} */ type) => derived({ model_type: type }).overview.filter((sentence) => /tied/.test(sentence));
  assert.deepEqual(ties('xlnet'), ['The output head is tied to the embedding, so the table is counted once.']);
  // In two of Bark's models, the head is not tied.
  assert.deepEqual(ties('bark'), []);
});

test('shares name blocks by their mechanism: LSTMs, poolers and stems', () => {
  // The two LSTMs of EnCodec have 8,404,992 of 14,851,810 parameters.
  assert.equal(derived({ model_type: 'encodec' }).overview[0], '56.59% of the parameters are in LSTMs and 43.41% in convolutions.');
  // ALBERT's pooler: 4,096 × 4,096 + 4,096 of 222,595,584.
  assert.match(derived({ model_type: 'albert' }).overview[0], /and 7\.54% in the pooler\.$/);
  assert.match(derived({ model_type: 'wav2vec2' }).overview[0], /9\.45% in convolutions\.$/);
});

test('ALBERT’s layers share their parameters', () => {
  const { overview, without_parameters, sections } = derived({ model_type: 'albert' });
  assert.equal(overview[1], 'All layers share the same 201,379,840 parameters, which are counted once.');
  assert.match(without_parameters.join(' '), /The number of layers \(num_hidden_layers\) is not in the formula/);
  const layers = sections.flatMap(({ steps }) => steps).find(({ kind }) => kind === 'layers');
  assert.match(layers?.why ?? '', /All layers of a group share its parameters/);
  const groups = derived({ model_type: 'albert', num_hidden_groups: 2 });
  assert.equal(groups.overview[1], 'Each of the 2 layers has 201,379,840 parameters.');
});

test('positions without parameters are named as the code computes them', () => {
  const said = (/** @type {object} */ config) => derived(config).without_parameters.join(' ');
  for (const [config, pattern] of /** @type {const} */ ([
    [{ model_type: 'mamba' }, /no position embeddings: a recurrence reads the tokens in order/],
    [{ model_type: 'rwkv' }, /a recurrence reads/],
    [{ model_type: 'zamba2' }, /no position embeddings: the mixers other than attention/],
    [{ model_type: 'zamba2', use_mem_rope: true }, /rotations by fixed angles/],
    [{ model_type: 'xlnet' }, /sinusoids, computed from the distance/],
    [{ model_type: 'detr' }, /Sinusoidal position embeddings/],
    [{ model_type: 'segformer' }, /convolutions that pad the feature map with zeros/],
    [{ model_type: 'phi3small' }, /rotations by fixed angles/],
    [{ model_type: 'fnet' }, /A Fourier transform mixes the tokens/],
    [{ model_type: 'parakeet_tdt' }, /sinusoids, computed from the distance/],
    [{ model_type: 'glm5_next' }, /The text model has no position embeddings/],
    [{ model_type: 'llama4_text' }, /36 of 48 layers attend within chunks of 8,192 tokens/],
    [{ model_type: 'deepseek_v4' }, /Besides compressed entries, each query sees a sliding window of 128 tokens/],
    [{ model_type: 'jamba' }, /no position embeddings: the mixers other than attention/],
  ]))
    assert.match(said(config), pattern, config.model_type);
  assert.doesNotMatch(said({ model_type: 'zamba2', rope_theta: 10000 }), /RoPE/);
  assert.doesNotMatch(said({ model_type: 'timesfm' }), /Sinusoidal/);
  assert.doesNotMatch(said({ model_type: 'retnet' }), /no position embeddings/);
});

test('experts of several sizes: those of the text model', () => {
  assert.match(
    derived({ model_type: 'dots3_note' }).overview[0],
    /in 12,128 routed experts; in the text model, a token uses 8 of 256 per layer with experts, so/,
  );
});

test('what adds nothing does not contradict the steps', () => {
  const without = (/** @type {object} */ config) => derived(config).without_parameters.join(' ');
  assert.doesNotMatch(without({ model_type: 'roformer' }), /RoPE/); // its sinusoids are stored
  assert.doesNotMatch(without({ model_type: 'minimax_m3_vl' }), /activation/); // the gate does not use hidden_act
  assert.doesNotMatch(without({ model_type: 'openai_privacy_filter' }), /activation/);
  assert.match(without({ model_type: 'glm5_next_text' }), /The activation \(silu\)/);
  assert.doesNotMatch(without({ model_type: 'pp_ocrv5_mobile_rec' }), /activation/); // hardswish, with a learned scale and shift
  assert.match(without({ model_type: 'samba' }), /All 9 layers have a sliding window of 2,048 tokens\./);
  assert.match(
    without({ model_type: 'samba', attn: { layers: [1, 3], num_heads: 18, window_size: 512 } }),
    /All 2 layers have a sliding window of 512/,
  );
  assert.doesNotMatch(without({ model_type: 'samba', attn: { layers: [1, 3], num_heads: 18 } }), /window/);
  assert.match(without({ model_type: 'phi3small' }), /Block-sparse attention in some layers limits/);
});
