// Tests the core's counts of a model with other design choices.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createParameterCounter } from '../../../web/answer/parameter-counter.ts';
import { setField } from '../../../web/config/config-text.ts';
import { fillMissingSection } from '../../../web/config/missing-section.ts';
import { ledger } from '../ledger.mjs';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(readFileSync(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));

const counting = createParameterCounter(ledger);

/** @param {string | object} config */
function choices(config) {
  const answer = ledger.derive(
    typeof config === 'string' ? (models.find(({ id }) => id === config)?.config ?? assert.fail(config)) : config,
  );
  assert.ok(answer.ok);
  return new Map(answer.counterfactuals.map((one) => [one.id, one]));
}

test('Llama 3.1 8B without grouped queries, gate or RoPE, or with a tied head', () => {
  const llama = choices('meta-llama/Llama-3.1-8B');
  assert.deepEqual(
    ['multi_head', 'multi_query', 'no_gate', 'tied', 'learned_positions', 'norms_with_shift'].map((id) => llama.get(id)?.parameters),
    // Reviewers calculated the first five numbers. The last variant adds a shift to each of 65 norms of 4,096 dimensions.
    ['8835567616', '7795380224', '6151213056', '7504924672', '8567132160', String(8030261248 + 65 * 4096)],
  );
  assert.equal(
    llama.get('multi_head')?.says,
    'With 32 key-value heads instead of 8, one for each query head, the model would have 805,306,368 more parameters.',
  );
});

test('ViLT has learned positions for text and for patches', () => {
  // 40 position vectors for text, and 145 for an image (a class token and 12 × 12 patches), of 768 dimensions each
  assert.equal(choices({ model_type: 'vilt' }).get('no_position_table')?.difference, String(-(40 + 145) * 768));
});

test('what towers keep is not taken from the whole model', () => {
  // The text encoder's 24 layers have 13,312 biases each and the decoder's 24 layers 17,408. The biases in the speech layers do not count.
  assert.equal(
    choices({ model_type: 'seamless_m4t_v2' }).get('no_biases')?.says,
    'Without biases in attention and feed-forward blocks, this part of the model would have 737,280 fewer parameters.',
  );
  assert.match(choices({ model_type: 'gpt2' }).get('no_biases')?.says ?? '', /blocks, the model would have/);
  // Attention sinks are not biases.
  assert.equal(choices({ model_type: 'mimo_v2_flash' }).get('no_biases'), undefined);
});

test('Mixtral with one expert, or with four per token', () => {
  const mixtral = choices('mistralai/Mixtral-8x7B-v0.1');
  const total = 46702792704;
  // 32 layers have 8 experts of 3 × 4,096 × 14,336 parameters and a router of 8 × 4,096. With one expert, seven experts and the router are
  // not needed.
  assert.equal(mixtral.get('one_expert')?.parameters, String(total - 32 * (7 * 3 * 4096 * 14336 + 8 * 4096)));
  assert.equal(mixtral.get('twice_the_active_experts')?.parameters, String(total));
  assert.equal(mixtral.get('twice_the_active_experts')?.active, String(12879925248 + 32 * 2 * 3 * 4096 * 14336));
});

test('no model has the counterfactual of a mechanism that it lacks', () => {
  const gpt2 = choices({ model_type: 'gpt2' });
  for (const id of ['multi_head', 'no_gate', 'learned_positions', 'one_expert', 'no_relative_positions', 'norms_with_shift'])
    assert.ok(!gpt2.has(id), id);
  assert.equal(gpt2.get('no_position_table')?.difference, String(-1024 * 768));
  assert.equal(gpt2.get('norms_without_shift')?.difference, String(-25 * 768));
  assert.ok(choices({ model_type: 't5' }).has('no_cross_attention_and_norms'));
  // BiT and PoolFormer have group norms. The three gates of native sparse attention weight its branches.
  for (const type of ['bit', 'poolformer']) assert.ok(!choices({ model_type: type }).has('norms_without_shift'), type);
  assert.ok(!choices({ model_type: 'nsa' }).has('no_output_gate'));
  // IDEFICS: 32 layers that read the image, each with a feed-forward block, two norms and two gates of one value.
  assert.equal(
    choices({ model_type: 'idefics' }).get('no_cross_attention_layers')?.difference,
    String(-32 * (2 * 4096 * 4096 + 2 * 768 * 4096 + 3 * 4096 * 11008 + 2 * 4096 + 2)),
  );
  // LayoutLMv3: 32 buckets of distances and 64 of offsets in each direction, for 12 heads.
  assert.equal(choices({ model_type: 'layoutlmv3' }).get('no_relative_positions')?.difference, String(-12 * (32 + 2 * 64)));
});

test('a field that unties more than the head says so', () => {
  assert.equal(
    choices({ model_type: 'llama', tie_word_embeddings: true }).get('untied')?.says,
    'The embedding and the output head are tied. Untied, the model would have 131,072,000 more parameters.',
  );
  // BART's encoder, decoder and head share one table.
  assert.equal(
    choices({ model_type: 'bart' }).get('all_untied')?.says,
    `With tie_word_embeddings = false, no tensors would be tied, and the model would have ${(3 * 50265 * 1024).toLocaleString('en')} more parameters.`,
  );
});

test('for a changed field, the core’s count of that configuration is the same, in every published model', () => {
  let known = 0;
  for (const { id, config } of models) {
    const answer = ledger.derive(config);
    assert.ok(answer.ok, id);
    for (const one of answer.counterfactuals) {
      assert.ok(one.says.length > 20, `${id}: ${one.id}`);
      assert.equal(BigInt(answer.parameters) + BigInt(one.difference), BigInt(one.parameters), `${id}: ${one.id}`);
      assert.ok(one.tensors.length > 0, `${id}: ${one.id}`);
      if (one.field === undefined || one.to === undefined || one.id.startsWith('multi_head')) continue;
      const plain = JSON.stringify(config);
      const counted = ledger.count(plain);
      const full = fillMissingSection(plain, one.field, counted.ok ? counted.fields : [], counting);
      const text = setField(full, one.field, one.to);
      const totals = ledger.totals(text ?? assert.fail(id));
      assert.ok(totals.ok, id);
      assert.equal(totals.totals.parameters, one.parameters, `${id}: ${one.id}`);
      assert.equal(totals.totals.active, one.active, `${id}: ${one.id}`);
      ++known;
    }
  }
  assert.ok(known > 300, String(known));
});

test('cross-attention is left out with its norms, and biases are named by the blocks that have them', () => {
  // T5-small: six decoder layers with four matrices of 512 × 512 and a norm of 512.
  assert.equal(
    choices({ model_type: 't5' }).get('no_cross_attention_and_norms')?.says,
    'Without cross-attention and its norms, the model would have 6,294,528 fewer parameters.',
  );
  // Mllama: 8 layers with cross-attention, a feed-forward block, their two gates, and norms of the layer and of the heads' 128 dimensions.
  assert.equal(
    choices({ model_type: 'mllama' }).get('no_cross_attention_layers')?.difference,
    String(-8 * (2 * 4096 * 4096 + 2 * 1024 * 4096 + 3 * 4096 * 14336 + 2 + 2 * 4096 + 2 * 128)),
  );
  // FNet: 12 layers with biases of 3,072 and 768.
  assert.equal(
    choices({ model_type: 'fnet' }).get('no_feed_forward_biases')?.says,
    'Without biases in feed-forward blocks, the model would have 46,080 fewer parameters.',
  );
  // LightOnOCR: 28 layers lose 7 of 8 key-value heads of 128, twice 1,024 wide. Its text model is not transformers' default Qwen3.
  assert.equal(choices('lightonai/LightOnOCR-2-1B').get('multi_query')?.difference, String(-28 * 2 * 7 * 128 * 1024));
  assert.equal(choices({ model_type: 'fast_vlm' }).get('tied')?.difference, String(-545226752));
  // A token uses 8 of 256 experts; the size of the indexer's pool is 16 and has the same symbol.
  assert.equal(choices({ model_type: 'glm5_next_text' }).get('twice_the_active_experts')?.active, '25198054910');
  // DeepSeek-V4: 20 layers with indexers of 64 × 128 × 1,024 + 64 × 4,096 and a compressor of 2 × 256 × 4,096 + 4 × 256 + 128.
  assert.equal(choices({ model_type: 'deepseek_v4' }).get('no_indexer')?.difference, String(-20 * 10749056));
  // Gemma 3: the shift of the norm between the towers counts for a tower.
  assert.match(choices({ model_type: 'gemma3' }).get('norms_with_shift')?.says ?? '', /this part of the model would have/);
});

test('a number of key-value heads is that of all attention, or the sentence names the field', () => {
  // Layers with a window have twice as many key-value heads as the field says.
  const mimo = choices({ model_type: 'mimo_v2_flash' });
  for (const id of ['multi_head', 'multi_query', 'multi_head_in_some', 'multi_query_in_some']) assert.ok(!mimo.has(id), id);
  // Values have as many heads as queries, whatever the field says, so such a model would not run.
  assert.ok(!choices({ model_type: 'nemotron3_5_transcribe_asr_audio' }).has('multi_query'));
  // NeuCodec's 12 decoder layers lose 15 of 16 heads of 64 dimensions; the 16 layers of the semantic encoder do not have the field.
  const neucodec = choices({ model_type: 'neucodec' }).get('multi_query_in_some');
  assert.equal(
    neucodec?.says.replace(/^With .*num_key_value_heads/, 'With num_key_value_heads'),
    `With num_key_value_heads = 1 instead of 16, the model would have ${(12 * 2 * 15 * 64 * 1024).toLocaleString('en')} fewer parameters.`,
  );
  assert.ok(neucodec?.tensors.every((name) => name.startsWith('acoustic_decoder.')));
  // EmbeddingGemma 2: the field does not change the global layers, which have one key-value head in either case.
  const gemma = choices({ model_type: 'embedding_gemma2_text' });
  assert.ok(!gemma.has('multi_head'));
  assert.equal(gemma.get('multi_head_in_some')?.difference, '+10485760');
  assert.match(gemma.get('multi_query')?.says ?? '', /^With one key-value head for all query heads, the model/);
});

test('projections of towers have roles, also where they can be clipped or have no head counts of their own', () => {
  // The vision tower of Gemma 4 has gates, and the audio tower of Gemma 3n has heads. These changes leave them as they are.
  assert.match(choices('google/gemma-4-26B-A4B').get('no_gate')?.says ?? '', /this part of the model would have/);
  assert.match(choices({ model_type: 'gemma3n' }).get('multi_query')?.says ?? '', /this part of the model would have/);
  // Parakeet: 24 layers lose 7 of 8 heads of 128 dimensions, with their biases.
  assert.equal(choices({ model_type: 'parakeet_encoder' }).get('multi_query')?.difference, String(-24 * 2 * 7 * 128 * (1024 + 1)));
});

test('a model without key norms loses its query norms alone', () => {
  const text_config = { num_kv_shared_layers: 0, hidden_size_per_layer_input: 0, vocab_size_per_layer_input: 0 };
  const config = { model_type: 'gemma4_assistant', text_config };
  assert.match(choices(config).get('no_query_norms')?.says ?? '', /^Without the norms on queries, the model would have/);
  assert.ok(!choices(config).has('no_query_key_norms'));
});

test('fixed sinusoids are not learned position embeddings', () => {
  const forecasts = { prediction_length: 24 };
  for (const type of ['vit_mae', 'marian', 'pegasus', 'fsmt', 'roformer', 'informer', 'autoformer', 'time_series_transformer'])
    assert.ok(!choices({ model_type: type, ...forecasts }).has('no_position_table'), type);
});
