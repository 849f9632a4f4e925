// Prints the speed and the size of the program. Measures a count in Node for a dense and a large sparse model: alone, with every row read,
// and totals only. For comparison, measures nlohmann's parser on the same text, compiled to WebAssembly as well. Also prints the time of a
// derivation, the model type whose count is slowest, the one with the largest answer, the sizes of the shipped files, and how many
// configurations per second the command line counts. Needs web/dist and the parser, which
// `cmake --build --preset wasm --target parse_only` builds.

import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { whole } from '../../web/dist/package/param-ledger.js';

const dist = new URL('../../web/dist/', import.meta.url);
const built = new URL('../../.build/wasm/', import.meta.url);
const rounds = 400;

const { catalog, count, derive, totals } = await whole();
const parse = await bareParse();

/** Published configurations, as the text that a user would paste. */
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

/** Loads nlohmann's parser, which is a separate WebAssembly program. @returns {Promise<(text: string) => number>} */
async function bareParse() {
  const createCore = createRequire(import.meta.url)(new URL('parse_only.js', built).pathname);
  const program = new WebAssembly.Module(readFileSync(new URL('parse_only.wasm', built)));
  const core = await createCore({
    instantiateWasm: (/** @type {any} */ imports, /** @type {any} */ receive) =>
      receive(new WebAssembly.Instance(program, imports), program),
  });
  const encoder = new TextEncoder();
  return (text) => core.parse_only(encoder.encode(text));
}

/**
 * Measures microseconds per task. All tasks take turns in many short rounds, and the minimum counts, which is robust on a busy machine.
 * @param {Record<string, () => unknown>} tasks
 * @param {number} [times]
 */
function least(tasks, times = rounds) {
  const best = Object.fromEntries(Object.keys(tasks).map((name) => [name, Infinity]));
  for (let round = -times / 4; round < times; round++) {
    for (const [name, task] of Object.entries(tasks)) {
      const start = performance.now();
      for (let i = 0; i < 5; i++) task();
      const took = ((performance.now() - start) / 5) * 1000;
      if (round >= 0 && took < best[name]) best[name] = took;
    }
  }
  return best;
}

/** Counts a configuration and reads every part of the answer that is decoded lazily. @param {string} text */
function readAll(text) {
  const answer = count(text);
  return answer.ok ? [answer.tensors, answer.fields, answer.symbols, answer.formula, answer.notes] : [];
}

const texts = Object.entries(models).map(([name, config]) => ({ name, text: JSON.stringify(config, null, 2) }));
/** What is measured for each configuration. @type {Record<string, (text: string) => unknown>} */
const questions = { count, 'all rows': readAll, totals, parse };
const took = least(
  Object.fromEntries(
    texts.flatMap(({ name, text }) => Object.entries(questions).map(([what, ask]) => [`${name} ${what}`, () => ask(text)])),
  ),
);

/** @param {number} microseconds */
const us = (microseconds) => `${microseconds.toFixed(1).padStart(7)} µs`;
for (const { name, text } of texts) {
  const answer = count(text);
  const what = answer.ok ? `${answer.totals.parameters} parameters, ${answer.tensors.length} rows` : answer.error.message;
  const of = (/** @type {string} */ question) => us(took[`${name} ${question}`]);
  console.log(
    `${name.padEnd(14)} ${of('count')}, all rows read ${of('all rows')}, totals ${of('totals')}, nlohmann's bare parse ${of('parse')}  (${text.length} bytes in; ${what})`,
  );
}
const derived = least(Object.fromEntries(texts.map(({ name, text }) => [name, () => derive(text)])), 100);
console.log(`derivations    ${Object.entries(derived).map(([name, took]) => `${name} ${(took / 1000).toFixed(2)} ms`).join(', ')}`); // prettier-ignore
const [dense, sparse] = texts.map(({ name }) => took[`${name} count`]);
console.log(`ratio          ${(sparse / dense).toFixed(2).padStart(7)}`);

// The default configuration of every model type or, if it cannot be counted, the type's first recorded case that can be.
const cases = new Map();
for (const file of ['oracle.jsonl', 'own_code.jsonl']) {
  for (const line of readFileSync(new URL(`../data/${file}`, import.meta.url), 'utf8').split('\n')) {
    const [, type] = /"model_type": "([^"]+)"/.exec(line) ?? [];
    const [, config] = /"config": (\{.*?\})(?:, ?"(?:parameters|tensors)"|\}$)/.exec(line) ?? [];
    if (type && config && !cases.has(type) && count(config).ok) cases.set(type, config);
  }
}
for (const { model_type } of catalog().families) {
  const text = JSON.stringify({ model_type });
  if (count(text).ok) cases.set(model_type, text);
}
const all = least(Object.fromEntries([...cases].map(([type, text]) => [type, () => readAll(text)])), 40);
const [slowest, slowestTook] = Object.entries(all).reduce((a, b) => (a[1] > b[1] ? a : b));
/** @param {string} text */
const rowsOf = (text) => {
  const answer = count(text);
  return answer.ok ? answer.tensors.length : 0;
};
const [largest, rows] = [...cases].map(([type, text]) => /** @type {const} */ ([type, rowsOf(text)])).reduce((a, b) => (a[1] > b[1] ? a : b)); // prettier-ignore
console.log(`slowest type   ${us(slowestTook)}, all rows read: ${slowest}, of ${cases.size}; the largest: ${largest}, ${rows} rows`);

/** @param {string[]} names */
const sizes = (names) =>
  names
    .map((name) => readFileSync(new URL(name, dist)))
    .reduce(
      ([raw, gz, br], bytes) => [raw + bytes.length, gz + gzipSync(bytes, { level: 9 }).length, br + brotliCompressSync(bytes).length],
      [0, 0, 0],
    );
/** Lists a file of the package and the files that it imports. @param {string} name @returns {string[]} */
const withImports = (name) => {
  const text = readFileSync(new URL(name, dist), 'utf8');
  const imports = [...text.matchAll(/\b(?:from|import)\s?"(\.[^"]+)"/g)].map(([, path]) => new URL(path, new URL(name, dist)).href);
  return [...new Set([name, ...imports.flatMap((href) => withImports(href.slice(dist.href.length)))])];
};
const shipped = readdirSync(dist);
const first = readFileSync(new URL('index.html', dist), 'utf8');
for (const [what, names] of Object.entries({
  'what counts': shipped.filter((name) => /^count-.*\.wasm$/.test(name)),
  'of published': shipped.filter((name) => /^published-.*\.wasm$/.test(name)),
  'the whole core': shipped.filter((name) => /^core-.*\.wasm$/.test(name)),
  'first view': ['index.html', ...shipped.filter((name) => /\.(js|css)$/.test(name) && first.includes(name))],
  'offline file': ['param-ledger.html'],
  package: [...withImports('package/param-ledger.js'), 'package/core.wasm'],
})) {
  const [raw, gz, br] = sizes(names);
  console.log(`${what.padEnd(14)} ${String(raw).padStart(7)} bytes, ${gz} gzip, ${br} brotli`);
}

// The catalogue's configurations, repeated and written one per line, as input for the command line.
const LINES = 20_000;
/** The shortest and the longest time in milliseconds that transformers takes to build a catalogue model without weights, on two cores. */
const TRANSFORMERS = [15, 56];
const configs = JSON.parse(readFileSync(new URL('package/models.json', dist), 'utf8')).models.map(
  (/** @type {{ config: object }} */ { config }) => JSON.stringify(config),
);
const input = Array.from({ length: LINES }, (_, i) => configs[i % configs.length]).join('\n');
for (const options of [['--totals'], ['--totals', '--jobs', '2']]) {
  const begun = performance.now();
  spawnSync(process.execPath, [new URL('package/cli.js', dist).pathname, '--jsonl', ...options], { input, maxBuffer: 1 << 28 });
  const each = (performance.now() - begun) / LINES;
  console.log(
    `--jsonl ${options.join(' ').padEnd(17)} ${(1000 / each).toFixed(0).padStart(6)} configurations a second, start included; transformers builds ${TRANSFORMERS.map(
      (took) => (1000 / took).toFixed(0),
    )
      .reverse()
      .join(' to ')}`,
  );
}
