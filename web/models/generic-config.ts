// Rewrites a counted model as a configuration of `generic`, the core's model type in which every part is a setting. The result is either
// exact or comes with a list of differences. Settings are guessed from fields and from the names and shapes of tensors. The tensors of the
// result are then compared with the model's by kind, shape and layers, whatever their names.

import { parseIndexSet, isIndex, splitName } from '../answer/tensor-names.ts';
import type { ConfigInput, Counter, CountAnswer, MemoryAnswer, MemoryOptions, Refusal, TensorRow } from '../types/index.ts';

/** Tensors that only one of the two models has. */
export interface UnmatchedTensors {
  readonly shape: string;
  readonly copies: string;
  /** Names of all tensors of the same kind, shape and layers in that model, which may be more than `copies` says. */
  readonly names: readonly string[];
}

export interface GenericConfig {
  readonly config: Readonly<Record<string, unknown>>;
  readonly exact: boolean;
  /** Whether the order of dimensions differs for some tensors, although the conversion is otherwise exact. */
  readonly transposed: boolean;
  /** Tensors that the model has and the `generic` configuration lacks, and the reverse. */
  readonly missing: readonly UnmatchedTensors[];
  readonly extra: readonly UnmatchedTensors[];
  /** The message if the core refuses the `generic` configuration. */
  readonly refused?: string;
}

/**
 * The functions of the counter that are used here. `memory` is needed to find the layers with a sliding window, which does not change the
 * shape of any tensor.
 */
export interface Asked extends Pick<Counter, 'count'> {
  memory(config: ConfigInput, options?: MemoryOptions): MemoryAnswer | Refusal;
}

/** Rewrites a counted model for `generic`. `of`: the configuration that was counted. */
export function toGenericConfig(answer: CountAnswer, counter: Asked, of: ConfigInput): GenericConfig {
  const config = withWindows(settingsOf(answer), counter.memory(of, { tokens: BEYOND }));
  const own = counter.count(config);
  if (!own.ok)
    return { config, exact: false, transposed: false, missing: unsaid(answer, undefined, true), extra: [], refused: own.error.message };
  const missing = unsaid(answer, own, true);
  const extra = unsaid(own, answer, true);
  const exact = missing.length === 0 && extra.length === 0;
  return { config, exact, transposed: exact && unsaid(answer, own, false).length > 0, missing, extra };
}

/** A number of tokens that is larger than the sliding windows of published models. */
const BEYOND = '100000000';

/**
 * Adds the layers with a sliding window, if all windows have the same size. They are found in the memory answer for a very long context: a
 * layer with a window caches one token less than the window.
 */
function withWindows(settings: Record<string, unknown>, answer: MemoryAnswer | Refusal): Record<string, unknown> {
  if (!answer.ok || !answer.cache.known) return settings;
  const kept = answer.cache.rows.filter(({ name, shape }) => name.endsWith('.keys') && shape.length === 4 && shape[2] < Number(BEYOND));
  const windows = new Set(kept.map(({ shape }) => shape[2]));
  const types = settings.layer_types ?? 'full_attention';
  if (windows.size !== 1 || typeof types !== 'string') return settings;
  const letters = types === 'full_attention' ? Array<string>(Number(settings.num_hidden_layers)).fill('A') : [...types];
  for (const { name } of kept) {
    const place = splitName(name).find((segment, i) => i > 0 && isIndex(segment));
    for (const [first, last] of place === undefined ? [] : parseIndexSet(place.replace(/[[\]]/g, '')).runs)
      for (let i = Number(first); i <= Number(last); ++i) if (letters[i] === 'A') letters[i] = 'W';
  }
  if (!letters.includes('W')) return settings;
  const all = letters.every((letter) => letter === 'W');
  return { ...settings, layer_types: all ? 'sliding_attention' : letters.join(''), sliding_window: [...windows][0] + 1 };
}

/** The path of the layer list in a row's name, and the indices of the layers: "model.layers" and "0-31". */
function layersOf({ name }: TensorRow): { list: string; word: string } | undefined {
  const path = splitName(name);
  const at = path.findIndex((segment, i) => i > 0 && isIndex(segment));
  return at < 0 ? undefined : { list: path.slice(0, at).join('.'), word: path[at].replace(/[[\]]/g, '') };
}

/** Groups rows with the same kind, shape and layers, whatever their names. `sorted` also ignores the order of a shape's dimensions. */
function shapesOf({ tensors }: CountAnswer, sorted: boolean): Map<string, { copies: bigint; names: string[]; shape: string }> {
  const out = new Map<string, { copies: bigint; names: string[]; shape: string }>();
  for (const row of tensors) {
    // Tensors that only some files contain, and the scales of quantised files, are not part of the architecture.
    if (row.kind === 'possible' || (row.kind === 'published' && /scale|zero/.test(row.name))) continue;
    const sizes = row.shape.map(String);
    if (sorted) sizes.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
    const key = `${row.kind} ${sizes.join('×')} ${layersOf(row)?.word ?? ''}`;
    const known = out.get(key);
    if (known) {
      known.copies += BigInt(row.copies);
      known.names.push(row.name);
    } else out.set(key, { copies: BigInt(row.copies), names: [row.name], shape: row.shape.join(' × ') });
  }
  return out;
}

function unsaid(of: CountAnswer, other: CountAnswer | undefined, sorted: boolean): UnmatchedTensors[] {
  const others = other && shapesOf(other, sorted);
  return [...shapesOf(of, sorted)].flatMap(([key, { copies, names, shape }]) => {
    const rest = copies - (others?.get(key)?.copies ?? 0n);
    return rest > 0n ? [{ shape, copies: String(rest), names }] : [];
  });
}

/**
 * Looks up dimensions by symbol. Most symbols have one meaning in all model types. If several fields have the symbol, the one that formulas
 * write with it is used, or else the last of them. `k` stands only for the experts per token.
 */
function dimensionsOf({ symbols, fields }: CountAnswer): (symbol: string) => number | undefined {
  const known = new Map<string, number>();
  for (const { symbol, value } of fields) if (symbol !== undefined && typeof value === 'number') known.set(symbol, value);
  for (const { symbol, value } of symbols) known.set(symbol, Number(value));
  const active = fields.find(({ symbol, group }) => symbol === 'k' && group === 'experts')?.value;
  known.delete('k'); // also the symbol of kernel sizes
  if (typeof active === 'number') known.set('k', active);
  return (symbol) => known.get(symbol);
}

function settingsOf(answer: CountAnswer): Record<string, unknown> {
  const size = dimensionsOf(answer);
  const rows = answer.tensors.filter(({ kind }) => kind !== 'possible' && kind !== 'published');
  const main = mainList(rows);
  const inside = rows.filter((row) => layersOf(row)?.list === main);
  const outside = rows.filter(
    (row) => layersOf(row)?.list !== main && row.part !== 'vision' && row.part !== 'audio' && row.part !== 'projector',
  );
  const table = outside.find(({ part, role }) => part === 'embedding' && role === 'table');
  const d = size('d') ?? Number(table?.shape[1]);
  const layers = size('L') ?? Number(inside.reduce((most, row) => (lastOf(row) > most ? lastOf(row) : most), 0n) + 1n);
  const head = outside.filter(({ part }) => part === 'output_head');
  const positions = outside.find(({ name, role }) => role === 'table' && /wpe|position/i.test(name));
  const norms = outside.filter(
    ({ part, shape, name }) => part === 'norm' && shape.length === 1 && Number(shape[0]) === d && !name.endsWith('.bias'),
  );
  const embedded = norms.some(({ name }) => /emb/i.test(name));
  return {
    model_type: 'generic',
    architectures: [head.length > 0 ? 'GenericForCausalLM' : 'GenericModel'],
    hidden_size: d,
    num_hidden_layers: layers,
    ...given({ vocab_size: table ? Number(table.shape[0]) : size('V') }),
    ...(head.length > 0 && { tie_word_embeddings: head.some(({ kind }) => kind === 'tied') }),
    ...(head.some(({ name, kind }) => name.endsWith('.bias') && kind === 'parameter') && { lm_head_bias: true }),
    ...(positions && { position_embedding: 'learned', max_position_embeddings: Number(positions.shape[0]) }),
    ...normsOf(inside, d),
    ...(embedded && { embedding_norm: true }),
    ...(norms.length === Number(embedded) && { final_norm: false }),
    ...mixersOf(inside, size, d, layers),
    ...blocksOf(inside, size, d, layers),
    ...(answer.tensors.some(({ kind, name }) => kind === 'published' && /eh_proj|enorm/.test(name)) && {
      num_nextn_predict_layers: size('L_p') ?? 1,
    }),
  };
}

const lastOf = (row: TensorRow): bigint => {
  const { word } = layersOf(row) ?? { word: '0' };
  return parseIndexSet(word).runs.reduce((most, [, last]) => (last > most ? last : most), 0n);
};

/** The layer list with the most parameters, apart from those of vision and audio towers. */
function mainList(rows: readonly TensorRow[]): string | undefined {
  const sums = new Map<string, bigint>();
  for (const row of rows) {
    const place = layersOf(row);
    if (place && row.part !== 'vision' && row.part !== 'audio') sums.set(place.list, (sums.get(place.list) ?? 0n) + BigInt(row.total));
  }
  return [...sums].reduce<readonly [string, bigint] | undefined>(
    (best, next) => (best && best[1] >= next[1] ? best : next),
    undefined,
  )?.[0];
}

const isBias = ({ name }: TensorRow) => name.endsWith('.bias') || /_bias$/.test(name);
const isHeadNorm = ({ name }: TensorRow) => /(^|[._])(q|k|query|key)_?(layer)?_?norm/i.test(name);

function normsOf(inside: readonly TensorRow[], d: number): Record<string, unknown> {
  const norms = inside.filter((row) => row.part === 'norm' && !isHeadNorm(row) && row.shape.length === 1 && Number(row.shape[0]) === d);
  const weights = norms.filter((row) => !isBias(row));
  const names = new Set(weights.map(({ name }) => splitName(name).slice(-2).join('.')));
  if (names.size === 0) return { norm: 'none' };
  const has = (pattern: RegExp) => [...names].some((name) => pattern.test(name));
  const attends = inside.some(({ part }) => part === 'attention' || part === 'state_space');
  const feeds = inside.some(({ part }) => part === 'feed_forward');
  const placement = names.size >= 4 ? 'sandwich' : names.size === 1 && attends && feeds ? 'parallel' : has(/post_feed/) && !has(/input|pre_/) ? 'post' : 'pre'; // prettier-ignore
  return { norm: norms.some(isBias) ? 'layer_norm' : 'rms_norm', ...(placement !== 'pre' && { norm_placement: placement }) };
}

/**
 * One letter per layer: that of the first kind with rows in the layer, or `-` if no kind has any. If all layers have the same letter, the
 * word for their kind instead; `none` if that letter is `-` or there are no layers.
 */
function pattern(
  layers: number,
  kinds: readonly (readonly [letter: string, word: string, rows: readonly TensorRow[]])[],
  none: string,
): string {
  const letters = Array.from({ length: layers }, () => '-');
  for (const [letter, , rows] of kinds)
    for (const row of rows) {
      const place = layersOf(row);
      for (const [first, last] of place ? parseIndexSet(place.word).runs : [])
        for (let i = Number(first); i <= Number(last) && i < layers; ++i) if (letters[i] === '-') letters[i] = letter;
    }
  const said = new Set(letters);
  if (said.size > 1) return letters.join('');
  return kinds.find(([letter]) => said.has(letter))?.[1] ?? none;
}

function mixersOf(
  inside: readonly TensorRow[],
  size: (symbol: string) => number | undefined,
  d: number,
  layers: number,
): Record<string, unknown> {
  const attention = inside.filter(({ part }) => part === 'attention');
  const spaces = inside.filter(({ part }) => part === 'state_space');
  const latent = attention.filter(({ name }) => /kv_a_proj/.test(name));
  const delta = spaces.filter(({ name }) => /in_proj_(qkvz|ba|qkv)\b/.test(name));
  const first = spaces.filter(({ name }) => /x_proj/.test(name));
  const second = spaces.filter(({ name }) => /in_proj\b/.test(name) && first.length === 0);
  const kinds = [
    ['L', 'latent_attention', latent],
    ['D', 'linear_attention', delta],
    ['M', 'mamba', first],
    ['S', 'mamba2', second],
    ['A', 'full_attention', latent.length > 0 ? [] : attention],
  ] as const;
  const types = pattern(layers, kinds, 'none');
  return {
    ...(types !== 'full_attention' && { layer_types: types }),
    ...(attention.length > 0 && attentionOf(inside, attention, size, d)),
    ...(latent.length > 0 && latentOf(attention, size)),
    ...(delta.length > 0 && deltaOf(size)),
    ...(first.length > 0 && mambaOf(inside, spaces, size, d)),
    ...(second.length > 0 && mamba2Of(spaces, size)),
  };
}

const given = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && !Number.isNaN(value)));

function attentionOf(
  inside: readonly TensorRow[],
  attention: readonly TensorRow[],
  size: (symbol: string) => number | undefined,
  d: number,
): Record<string, unknown> {
  const n = size('n') ?? 1;
  const matrices = attention.filter(({ role }) => role === 'matrix');
  const isOutput = ({ name }: TensorRow) => /(^|[._])(o_proj|out_proj|c_proj|wo|dense|o|out_lin)\.(weight|bias)$/.test(name);
  const query = matrices.find(({ name }) => /(^|[._])(q_proj|wq|q|query|q_lin)\.weight$/.test(name));
  const fused = matrices.find((row) => !isOutput(row) && /qkv|c_attn|query_key_value|W_pack|in_proj/i.test(row.name));
  const output = matrices.find(isOutput);
  // Assumes that one dimension of the output projection is the hidden size and the other is the width of all heads together.
  const wide = output && (Number(output.shape[0]) === d ? Number(output.shape[1]) : Number(output.shape[0]));
  const h = size('h') ?? (wide === undefined ? undefined : wide / n);
  const gated = query !== undefined && h !== undefined && Number(query.shape[0]) === 2 * n * h && 2 * n * h !== d;
  const key = matrices.find(({ name }) => /(^|[._])(k_proj|wk|k|key|k_lin)\.weight$/.test(name));
  const rowsOfFused = fused && h ? Math.max(...fused.shape.map(Number)) / h - n : undefined;
  const n_kv =
    key && h ? Number(key.shape[0]) / h : rowsOfFused !== undefined && Number.isInteger(rowsOfFused / 2) ? rowsOfFused / 2 : size('n_kv');
  const biased = attention.some((row) => isBias(row) && !isOutput(row) && !isHeadNorm(row));
  const outputBiased = attention.some((row) => isBias(row) && isOutput(row));
  const headNorm = inside.find((row) => isHeadNorm(row) && !isBias(row));
  return given({
    num_attention_heads: n,
    ...(n_kv !== undefined && n_kv !== n && n_kv > 0 && { num_key_value_heads: n_kv }),
    ...(h !== undefined && h * n !== d && { head_dim: h }),
    ...(biased && { attention_bias: true }),
    ...(outputBiased !== biased && { attention_out_bias: outputBiased }),
    ...(fused && !query && { fused_qkv: true }),
    ...(gated && { attn_output_gate: true }),
    ...(headNorm && { qk_norm: Number(headNorm.shape[0]) === h ? 'per_head' : 'whole' }),
    ...(attention.some(({ name }) => /sinks$/.test(name)) && { attention_sinks: true }),
  });
}

function latentOf(attention: readonly TensorRow[], size: (symbol: string) => number | undefined): Record<string, unknown> {
  return given({
    q_lora_rank: attention.some(({ name }) => /q_a_proj/.test(name)) ? size('r_q') : undefined,
    kv_lora_rank: size('r_kv'),
    qk_nope_head_dim: size('h_nope'),
    qk_rope_head_dim: size('h_rope'),
    v_head_dim: size('h_v'),
  });
}

const deltaOf = (size: (symbol: string) => number | undefined) =>
  given({
    linear_conv_kernel_dim: size('K'),
    linear_num_key_heads: size('n_k'),
    linear_key_head_dim: size('h_k'),
    linear_num_value_heads: size('n_v'),
    linear_value_head_dim: size('h_v'),
  });

function mambaOf(
  inside: readonly TensorRow[],
  spaces: readonly TensorRow[],
  size: (symbol: string) => number | undefined,
  d: number,
): Record<string, unknown> {
  const decay = spaces.find(({ name }) => name.endsWith('A_log'));
  const step = spaces.find(({ name }) => name.endsWith('dt_proj.weight'));
  const kernel = spaces.find(({ name }) => name.endsWith('conv1d.weight'));
  return given({
    mamba_expand: decay && Number(decay.shape[0]) / d,
    mamba_d_state: decay && Number(decay.shape[1]),
    mamba_dt_rank: step && Number(step.shape[1]),
    mamba_d_conv: kernel ? Number(kernel.shape[kernel.shape.length - 1]) : size('K'),
    ...(!spaces.some(({ name }) => name.endsWith('conv1d.bias')) && { mamba_conv_bias: false }),
    ...(spaces.some(({ name }) => name.endsWith('in_proj.bias')) && { mamba_proj_bias: true }),
    ...(inside.some(({ name }) => /dt_layernorm/.test(name)) && { mamba_inner_norms: true }),
  });
}

function mamba2Of(spaces: readonly TensorRow[], size: (symbol: string) => number | undefined): Record<string, unknown> {
  const decay = spaces.find(({ name }) => name.endsWith('A_log'));
  const kernel = spaces.find(({ name }) => name.endsWith('conv1d.weight'));
  const out = spaces.find(({ name }) => name.endsWith('out_proj.weight'));
  const heads = decay && Number(decay.shape[0]);
  return given({
    mamba_n_heads: heads,
    mamba_d_head: out && heads ? Number(out.shape[1]) / heads : undefined,
    mamba_n_groups: size('g'),
    mamba_d_state: size('N'),
    mamba_d_conv: kernel ? Number(kernel.shape[kernel.shape.length - 1]) : size('K'),
    ...(!spaces.some(({ name }) => name.endsWith('conv1d.bias')) && { mamba_conv_bias: false }),
    ...(spaces.some(({ name }) => name.endsWith('in_proj.bias')) && { mamba_proj_bias: true }),
  });
}

function blocksOf(
  inside: readonly TensorRow[],
  size: (symbol: string) => number | undefined,
  d: number,
  layers: number,
): Record<string, unknown> {
  const all = inside.filter(({ part }) => part === 'feed_forward');
  const router = inside.filter(({ part }) => part === 'router');
  const isShared = ({ name }: TensorRow) => /shared/.test(name);
  const isExpert = (row: TensorRow) =>
    router.length > 0 && !isShared(row) && /expert|block_sparse_moe|input_linear|output_linear/.test(row.name);
  const dense = all.filter((row) => !isShared(row) && !isExpert(row));
  const types = pattern(
    layers,
    [
      ['E', 'sparse', router],
      ['D', 'dense', dense],
    ],
    'none',
  );
  const block = dense.filter(({ role }) => role === 'matrix');
  const fused = (rows: readonly TensorRow[]) => rows.length === 2 && new Set(rows.flatMap(({ shape }) => shape.map(Number)).filter((width) => width !== d)).size === 2; // prettier-ignore
  const inner = (row: TensorRow | undefined) => row && Number(row.shape.find((width) => Number(width) !== d) ?? d);
  const narrow = block.length === 2 ? Math.min(...block.map((row) => inner(row) ?? 0)) : inner(block[0]);
  const experts = all.filter((row) => isExpert(row) && !isBias(row));
  const isGated =
    block.length === 3 || fused(block) || (block.length === 0 && (experts.length === 3 || (experts.length === 2 && stacks(experts))));
  return given({
    ...(isGated && { gated_mlp: true }),
    ...(fused(block) && { fused_gate_up: true }),
    intermediate_size: block.length > 0 ? narrow : size('f'),
    ...(dense.some(isBias) && { mlp_bias: true }),
    ...(types !== (router.length > 0 ? 'sparse' : 'dense') && { mlp_layer_types: types }),
    ...(router.length > 0 && mixtureOf(all.filter(isExpert), all.filter(isShared), router, size, d)),
  });
}

/** Whether each tensor stacks the matrices of all experts. If there are only two such tensors, one is assumed to fuse gate and up. */
const stacks = (experts: readonly TensorRow[]) => experts.every(({ shape }) => shape.length === 3);

function mixtureOf(
  experts: readonly TensorRow[],
  shared: readonly TensorRow[],
  router: readonly TensorRow[],
  size: (symbol: string) => number | undefined,
  d: number,
): Record<string, unknown> {
  const matrices = experts.filter((row) => !isBias(row));
  const stacked = stacks(matrices);
  const scores = router.find(({ role }) => role === 'matrix');
  const n = scores && Math.max(...scores.shape.map(Number).filter((width) => width !== d), 0);
  const down = matrices[matrices.length - 1];
  const widths = (down?.shape ?? []).slice(stacked ? 1 : 0).map(Number);
  const [gateUp] = matrices;
  const passed = shared.find(({ name, role }) => role === 'matrix' && !/gate\.weight$/.test(name.replace(/gate_proj/, '')));
  const correction = router.find(({ name }) => /correction|expert_bias/.test(name));
  return given({
    num_experts: n,
    num_experts_per_tok: size('k'),
    moe_intermediate_size: widths.find((width) => width !== d) ?? d,
    ...(stacked && { expert_layout: Number(gateUp?.shape[2]) === d && Number(down?.shape[1]) === d ? 'stacked' : 'stacked_transposed' }),
    ...(experts.some(isBias) && { expert_bias: true }),
    ...(router.some((row) => isBias(row) && row !== correction) && { router_bias: true }),
    ...(correction && { router_correction: correction.kind === 'buffer' ? 'buffer' : 'parameter' }),
    ...(passed && { shared_expert_intermediate_size: Number(passed.shape.find((width) => Number(width) !== d) ?? d) }),
    ...(shared.some(({ shape }) => shape.length === 2 && Number(shape[0]) === 1) && { shared_expert_gate: true }),
  });
}
