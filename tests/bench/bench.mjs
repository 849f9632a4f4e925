// Prints, in one run: what a count costs in Node for a dense and a large sparse model, what of it is nlohmann's bare parse of the same
// text in the same wasm, and the sizes of what is shipped. Needs web/dist and, built with `cmake --build --preset wasm --target core_bench`,
// the core with one more function.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { load } from '../../web/dist/package/param-ledger.js';

const dist = new URL('../../web/dist/', import.meta.url);
const built = new URL('../../.build/wasm/', import.meta.url);
const rounds = 400;

const { count } = await load();
const parse = await bareParse();

/** Configurations as published; a text, as it would be pasted. */
const models = {
  'Llama 3.1 8B': {
    architectures: ['LlamaForCausalLM'],
    attention_bias: false,
    attention_dropout: 0.0,
    bos_token_id: 128000,
    eos_token_id: 128001,
    hidden_act: 'silu',
    hidden_size: 4096,
    initializer_range: 0.02,
    intermediate_size: 14336,
    max_position_embeddings: 131072,
    mlp_bias: false,
    model_type: 'llama',
    num_attention_heads: 32,
    num_hidden_layers: 32,
    num_key_value_heads: 8,
    pretraining_tp: 1,
    rms_norm_eps: 1e-5,
    rope_scaling: { factor: 8.0, low_freq_factor: 1.0, high_freq_factor: 4.0, original_max_position_embeddings: 8192, rope_type: 'llama3' },
    rope_theta: 500000.0,
    tie_word_embeddings: false,
    torch_dtype: 'bfloat16',
    transformers_version: '4.43.0.dev0',
    use_cache: true,
    vocab_size: 128256,
  },
  'DeepSeek-V3': {
    architectures: ['DeepseekV3ForCausalLM'],
    attention_bias: false,
    attention_dropout: 0.0,
    aux_loss_alpha: 0.001,
    bos_token_id: 0,
    eos_token_id: 1,
    ep_size: 1,
    first_k_dense_replace: 3,
    hidden_act: 'silu',
    hidden_size: 7168,
    initializer_range: 0.02,
    intermediate_size: 18432,
    kv_lora_rank: 512,
    max_position_embeddings: 163840,
    model_type: 'deepseek_v3',
    moe_intermediate_size: 2048,
    moe_layer_freq: 1,
    n_group: 8,
    n_routed_experts: 256,
    n_shared_experts: 1,
    norm_topk_prob: true,
    num_attention_heads: 128,
    num_experts_per_tok: 8,
    num_hidden_layers: 61,
    num_key_value_heads: 128,
    num_nextn_predict_layers: 1,
    pretraining_tp: 1,
    q_lora_rank: 1536,
    qk_nope_head_dim: 128,
    qk_rope_head_dim: 64,
    quantization_config: { activation_scheme: 'dynamic', fmt: 'e4m3', quant_method: 'fp8', weight_block_size: [128, 128] },
    rms_norm_eps: 1e-6,
    rope_scaling: {
      beta_fast: 32,
      beta_slow: 1,
      factor: 40,
      mscale: 1.0,
      mscale_all_dim: 1.0,
      original_max_position_embeddings: 4096,
      type: 'yarn',
    },
    rope_theta: 10000,
    routed_scaling_factor: 2.5,
    scoring_func: 'sigmoid',
    seq_aux: true,
    tie_word_embeddings: false,
    topk_group: 4,
    topk_method: 'noaux_tc',
    torch_dtype: 'bfloat16',
    transformers_version: '4.33.1',
    use_cache: true,
    v_head_dim: 128,
    vocab_size: 129280,
  },
};

/** The published core with nlohmann's parse beside it. @returns {Promise<(text: string) => number>} */
async function bareParse() {
  const createCore = createRequire(import.meta.url)(new URL('core_bench.js', built).pathname);
  const program = new WebAssembly.Module(readFileSync(new URL('core_bench.wasm', built)));
  const core = await createCore({
    instantiateWasm: (/** @type {any} */ imports, /** @type {any} */ receive) =>
      receive(new WebAssembly.Instance(program, imports), program),
  });
  const encoder = new TextEncoder();
  return (text) => core.parse_only(encoder.encode(text));
}

/** Microseconds of each task, the median of rounds in which all take turns. @param {Record<string, () => unknown>} tasks */
function medians(tasks) {
  const times = Object.fromEntries(Object.keys(tasks).map((name) => [name, /** @type {number[]} */ ([])]));
  for (let round = -rounds / 4; round < rounds; round++) {
    for (const [name, task] of Object.entries(tasks)) {
      const start = performance.now();
      for (let i = 0; i < 10; i++) task();
      if (round >= 0) times[name].push(((performance.now() - start) / 10) * 1000);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, list.sort((a, b) => a - b)[rounds / 2]]));
}

const texts = Object.entries(models).map(([name, config]) => ({ name, text: JSON.stringify(config, null, 2) }));
const took = medians(
  Object.fromEntries(texts.flatMap(({ name, text }) => [[`${name} count`, () => count(text)], [`${name} parse`, () => parse(text)]])), // prettier-ignore
);

for (const { name, text } of texts) {
  const answer = count(text);
  const what = answer.ok ? `${answer.totals.parameters} parameters, ${answer.tensors.length} rows` : answer.error.message;
  console.log(
    `${name.padEnd(14)} ${took[`${name} count`].toFixed(1).padStart(7)} µs, of which nlohmann's bare parse ${took[`${name} parse`].toFixed(1)} µs  (${text.length} bytes in; ${what})`,
  );
}
const [dense, sparse] = texts.map(({ name }) => took[`${name} count`]);
console.log(`ratio          ${(sparse / dense).toFixed(2).padStart(7)}`);

/** @param {string[]} names */
const sizes = (names) =>
  names
    .map((name) => readFileSync(new URL(name, dist)))
    .reduce(([raw, gz], bytes) => [raw + bytes.length, gz + gzipSync(bytes, { level: 9 }).length], [0, 0]);
const shipped = readdirSync(dist);
for (const [what, names] of Object.entries({
  wasm: shipped.filter((name) => name.endsWith('.wasm')),
  page: shipped.filter((name) => /^(index\.html|.*\.(js|css))$/.test(name)),
  'offline file': ['param-ledger.html'],
  package: ['package/param-ledger.js'],
})) {
  const [raw, gz] = sizes(names);
  console.log(`${what.padEnd(14)} ${String(raw).padStart(7)} bytes, ${gz} gzip`);
}
