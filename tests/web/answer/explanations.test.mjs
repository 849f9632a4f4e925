// Tests explanations of blocks and tensors. Their shapes must be true for every model type's default configuration and every model of the
// catalogue. Other statements are tested for selected models.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import { defaults, model, models, step, stepsOf, tensor } from '../steps.mjs';

/** @typedef {import('../../../web/types/index.ts').DerivedStep} Step */

/** Finds the shapes in a sentence, such as `q_proj and o_proj: 4,096 × 4,096`. */
function* shapesIn(/** @type {string} */ why) {
  for (const [, names, shape] of why.matchAll(
    /(?<=^|[;.] )([\w.[\],–-]+(?:, [\w.[\]-]+)*(?: and [\w.[\]-]+(?: more)?)?): (\d[\d,]*(?: × \d[\d,]*)*|one scalar)(?=[;.])/g,
  ))
    yield { names: names.replace(/ and \d+ more$/, '').split(/, (?!\d)| and /), shape };
}

function checkShapes(/** @type {string} */ id, /** @type {Step[]} */ steps) {
  let known = 0;
  for (const { why = '', tensors, kind } of steps) {
    if (kind !== 'part') continue;
    for (const { names, shape } of shapesIn(why))
      for (const name of names) {
        const bare = (/** @type {{ name: string }} */ one) => one.name.replace(/\.weight$/, '');
        const exact = tensors.filter((one) => bare(one) === name);
        const meant = exact.length > 0 ? exact : tensors.filter((one) => bare(one).endsWith(`.${name}`));
        assert.ok(meant.length > 0, `${id}: ${name} is no tensor of: ${why}`);
        for (const one of meant) {
          const own = one.shape.map((side) => BigInt(side).toLocaleString('en')).join(' × ') || 'one scalar';
          assert.equal(own, shape, `${id}: ${one.name} in: ${why}`);
          ++known;
        }
      }
  }
  return known;
}

test('each shape in a sentence is that of every tensor that the sentence names, in every default and every published model', () => {
  let known = 0;
  for (const { id, config } of defaults) {
    const answer = ledger.derive(config);
    if (answer.ok) known += checkShapes(id, answer.sections.flatMap(({ steps }) => steps)); // prettier-ignore
  }
  assert.ok(known > 10_000, String(known));
  for (const { id, config } of models) assert.ok(checkShapes(id, stepsOf(config)) > 0, id);
});

test('each "k of n experts" agrees with the active parameters', () => {
  for (const { id, config } of models) {
    const steps = stepsOf(config);
    const total = ledger.totals(config);
    assert.ok(total.ok);
    const used = steps.filter(({ kind, part }) => kind === 'part' && part === 'experts');
    const said = used.flatMap(({ why = '' }) => [...why.matchAll(/has ([\d,]+) experts; a token uses ([\d,]+) of them/g)]);
    if (used.length !== 1) continue;
    assert.equal(said.length, 1, id);
    const [experts, active] = said[0].slice(1).map((digits) => BigInt(digits.replaceAll(',', '')));
    if (experts === active) continue;
    const layers = steps
      .filter(({ kind, formula }) => kind === 'layer' && /\bexperts\b/.test(formula))
      .reduce((sum, { copies }) => sum + BigInt(copies ?? 0), 0n);
    const idle = step(steps, /^Inactive experts/);
    assert.equal((BigInt(used[0].value) * layers * (experts - active)) / experts, BigInt(idle.value), id);
    assert.ok(idle.why?.includes(`${active} of ${experts} experts`), id);
  }
});

test('every attention and feed-forward block of the catalogue has its paper’s name', () => {
  for (const { id, config } of models)
    for (const { kind, part, says, mechanism, tensors } of stepsOf(config))
      if (
        kind === 'part' &&
        (part === 'attention' || part === 'feed_forward' || part === 'experts') &&
        tensors.some(({ task }) => task !== '' && task !== 'gate of the shared expert')
      )
        assert.ok(mechanism, `${id}: ${says}`);
});

test('routers: a training rule changes their bias, which is not a parameter', () => {
  const steps = stepsOf(model('deepseek-ai/DeepSeek-V3'));
  assert.doesNotMatch(step(steps, /^Buffers/).why ?? '', /does not change/);
  assert.match(step(steps, /^Buffers/).why ?? '', /transformers registers them as buffers/);
  assert.match(tensor(steps, /e_score_correction_bias/).says, /A rule updates it in training/);
  assert.match(step(steps, /^Router/).why ?? '', /A token goes to 8 of 256 experts/);
});

test('poolers, MLM heads and mask decoders are not said to give a score per row', () => {
  const bert = stepsOf({ model_type: 'bert', architectures: ['BertForMaskedLM'] });
  assert.match(step(bert, /^MLM head/).why ?? '', /dense: 768 × 768/);
  assert.match(step(stepsOf({ model_type: 'bert', architectures: ['BertModel'] }), /^Pooler/).why ?? '', /first position.*768 × 768/);
  assert.match(step(stepsOf({ model_type: 'vit' }), /^Pooler/).why ?? '', /first position/);
  for (const one of [...bert, ...stepsOf({ model_type: 'sam' })]) assert.doesNotMatch(one.why ?? '', /score for each|to 768 logits/);
});

test('SAM has no text model', () => {
  const answer = ledger.derive({ model_type: 'sam' });
  assert.ok(answer.ok);
  assert.ok(!answer.sections.some(({ title }) => title === 'Text model'));
});

test('each embedding table has its own size', () => {
  const gpt2 = step(stepsOf({ model_type: 'gpt2' }), /^Embeddings/).why ?? '';
  assert.match(
    gpt2,
    /wte: one 768-dimensional vector for each of 50,257 vocabulary entries\. wpe: 1,024 position vectors of 768 dimensions\./,
  );
  const bert = step(stepsOf({ model_type: 'bert' }), /^Embeddings/).why ?? '';
  assert.match(bert, /30,522 vocabulary entries.*512 position vectors.*2 token-type vectors/);
  const clip = stepsOf({ model_type: 'clip' });
  assert.match(step(clip, /^Patch embedding/).why ?? '', /patch_embedding: 768 × 3 × 32 × 32/);
  assert.match(
    step(
      clip.filter(({ name }) => name.endsWith('_v')),
      /^Embeddings/,
    ).why ?? '',
    /position_embedding: 50 position vectors of 768 dimensions\. class_embedding: 768\./,
  );
});

test('wav2vec2 has a projection, a convolution and a mask vector, and no mixer', () => {
  const steps = stepsOf({ model_type: 'wav2vec2' });
  assert.doesNotMatch(steps.map(({ why }) => why).join(' '), /for each token|mixer|causal/);
  assert.match(step(steps, /^Input modules/).why ?? '', /projection: 768 × 512/);
  assert.match(step(steps, /^Convolutional stem/).why ?? '', /conv/);
});

test('where only some matrices have a bias, they are named', () => {
  assert.match(
    step(stepsOf({ model_type: 'nemotron3_5_transcribe_asr_audio' }), /^Attention/).why ?? '',
    /Of the matrices(?: and kernels)?, only o_proj has a bias: one value per output\./,
  );
  assert.match(step(stepsOf({ model_type: 'bert' }), /^Multi-head attention/).why ?? '', /Each bias has one value per output\./);
});

test('tables of one shape are told apart', () => {
  const tables = step(stepsOf({ model_type: 'vilt' }), /^Embeddings/).why ?? '';
  assert.match(
    tables,
    /text_embeddings\.token_type_embeddings: 2 token-type vectors.* embeddings\.token_type_embeddings: 2 token-type vectors/,
  );
});

test('a scale that is learned is not said to have no parameters', () => {
  const why = step(stepsOf({ model_type: 'timesfm2_5' }), /attention/).why ?? '';
  assert.match(why, /Softmax has no parameters\..*scaling: 80/);
  assert.doesNotMatch(why, /scaling have no parameters/);
});

test('RWKV-7 has a delta rule, and its channel mixing has no receptance', () => {
  const steps = stepsOf({ model_type: 'rwkv7' });
  assert.match(step(steps, /^RWKV-7 time mixing/).why ?? '', /delta rule/);
  assert.doesNotMatch(step(steps, /^RWKV channel mixing/).why ?? '', /[Rr]eceptance/);
  assert.ok(step(steps, /^GroupNorm/).tensors.every(({ name }) => name.includes('g_norm')));
  assert.match(tensor(steps, /v_lora\.lora\.0\.weight$/).says, /first layer’s values/);
});

test('a feed-forward block with a convolution says so', () => {
  assert.match(step(stepsOf({ model_type: 'pvt_v2' }), /^Feed-forward/).why ?? '', /Between them are a convolution and the activation\./);
});

test('buffers are not said to be learned', () => {
  const said = stepsOf({ model_type: 'kyutai_speech_to_text' }).find(({ kind }) => kind === 'buffers');
  assert.ok(said.tensors.length > 0);
  for (const { says } of said.tensors) assert.doesNotMatch(says, /learned/);
});

test('a step of several lists of layers names its list', () => {
  const titles = stepsOf({ model_type: 'hiera' }).map(({ says }) => says);
  assert.ok(titles.includes('LayerNorm, in layer 0 of encoder.stages.2.layers'));
  assert.ok(titles.includes('Attention, in a layer of encoder.stages.2.layers'));
});

test('transposed matrices are described as such', () => {
  const attention = step(stepsOf({ model_type: 'gpt2' }), /^Multi-head attention/).why ?? '';
  assert.match(attention, /c_attn: 768 × 2,304; c_proj: 768 × 768\..*inputs × outputs/);
  assert.doesNotMatch(step(stepsOf({ model_type: 'llama' }), /attention/).why ?? '', /transposed/);
});

test('a layer norm has a scale and a shift', () => {
  const steps = stepsOf({ model_type: 'gpt2' });
  assert.match(step(steps, /^LayerNorm/).why ?? '', /scale and a learned shift per dimension/);
  assert.match(tensor(steps, /ln_1\.bias$/).says, /shift/);
  assert.match(step(stepsOf(model('meta-llama/Llama-3.1-8B')), /^RMSNorm/).why ?? '', /no shift/);
});

test('gpt-oss stores gate and up in one matrix for each of 32 experts, and widens nothing', () => {
  const why = step(stepsOf(model('openai/gpt-oss-20b')), /^Routed experts/).why ?? '';
  assert.match(why, /Each of these mixture-of-experts layers has 32 experts; a token uses 4 of them\..*2,880 → 2,880.*g·sigmoid/);
  assert.match(why, /gate_up_proj: 32 × 2,880 × 5,760; down_proj: 32 × 2,880 × 2,880/);
});

test('RWKV-7 has no receptance in its channel mixing', () => {
  const why = (/** @type {string} */ type) => step(stepsOf({ model_type: type }), /^RWKV channel mixing/).why ?? '';
  assert.match(why('rwkv'), /receptance gates the result/);
  assert.doesNotMatch(why('rwkv7'), /eceptance/);
});

test('one matrix widens in RWKV, and its receptance gates', () => {
  const why = step(stepsOf({ model_type: 'rwkv' }), /^RWKV channel mixing/).why ?? '';
  assert.match(why, /key projection maps to the inner dimension.*receptance gates/);
  assert.match(why, /receptance: 4,096 × 4,096/);
});

test('Qwen3-Next has Gated DeltaNet, and queries that share a matrix with the output gate', () => {
  const steps = stepsOf({ model_type: 'qwen3_next' });
  assert.match(step(steps, /^Gated DeltaNet/).why ?? '', /Linear attention/);
  assert.match(tensor(steps, /self_attn\.q_proj\.weight$/).says, /half.*output gate/);
  assert.match(step(steps, /^Shared expert/).why ?? '', /every token/);
  assert.ok(!steps.some(({ says }) => /ffn_2|State space/.test(says)));
});

test('latent attention compresses keys and values for the cache', () => {
  const steps = stepsOf(model('deepseek-ai/DeepSeek-V3'));
  assert.match(
    step(steps, /^Multi-head latent attention/).why ?? '',
    /latent vector per token\. For attention, a cache needs only this vector/,
  );
  for (const name of [/q_b_proj\.weight$/, /kv_b_proj\.weight$/]) assert.doesNotMatch(tensor(steps, name).says, /stream|hidden state/);
  const copies = steps.filter(
    ({ kind, tensors }) => kind === 'beside' && tensors.some(({ name }) => /embed_tokens|shared_head\.head/.test(name)),
  );
  assert.equal(copies.length, 2);
  for (const { why } of copies) assert.match(why ?? '', /stored copy/);
});

test('the norm of an MLM head is not the final norm of the layers', () => {
  const steps = stepsOf({ model_type: 'bert', architectures: ['BertForMaskedLM'] });
  assert.doesNotMatch(tensor(steps, /transform\.LayerNorm\.weight$/).says, /last layer|final norm/);
  assert.ok(!steps.some(({ says }) => says === 'Final norm'));
});

test('queries, keys and values mean the same in towers', () => {
  const steps = stepsOf({ model_type: 'siglip' });
  assert.match(tensor(steps, /vision_model.*q_proj\.weight$/).says, /Query projection/);
});

test('a scalar is one parameter, and its shape is not empty', () => {
  const clip = stepsOf({ model_type: 'clip' });
  assert.equal(tensor(clip, /logit_scale$/).value, '1');
  assert.match(step(clip, /^Projections/).why ?? '', /logit_scale: one scalar/);
});

test('Whisper’s encoder has fixed sinusoids', () => {
  assert.match(step(stepsOf({ model_type: 'whisper' }), /^Positions/).why ?? '', /Fixed sinusoids/);
});

test('queries of a wider input are not said to fill the hidden dimension', () => {
  // Zamba 2 concatenates the hidden state and the embedding: attention reads 5,120 dimensions and writes 2,560.
  assert.doesNotMatch(step(stepsOf({ model_type: 'zamba2' }), /^Multi-head attention/).why ?? '', /hidden dimension/);
  assert.match(step(stepsOf({ model_type: 'llama' }), /^Multi-head attention/).why ?? '', /= 4,096, the hidden dimension/);
});
