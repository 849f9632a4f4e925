// Explains blocks and tensors in sentences from texts/mechanisms.ts, texts/mechanism-tensors.ts and texts/tensors.ts. A sentence about
// several tensors must be true of each of them.

import { grouped, shapeText } from '../support/numbers.ts';
import { namedIn } from '../texts/mechanism-tensors.ts';
import * as texts from '../texts/mechanisms.ts';
import * as tensorTexts from '../texts/tensors.ts';
import type { BlockFacts, Count, Role } from '../types/index.ts';
import { explainInner } from './overview.ts';
import { isIndex, splitName } from './tensor-names.ts';

/** A tensor of a block. `task`: the purpose of the tensor, such as `query bias`. */
export interface ExplainedTensor {
  readonly name: string;
  readonly shape: readonly (number | Count)[];
  readonly role: Role;
  readonly task: string;
  readonly transposed?: boolean;
}

export interface ExplainedBlock extends BlockFacts {
  readonly part: string;
  readonly tensors: readonly ExplainedTensor[];
}

/** Facts about a model other than its sizes. They come from its configuration, its class or its model type. */
export interface ConfigFacts {
  readonly activation?: string;
  /** Whether the model uses rotary position embeddings. */
  readonly rotary?: boolean;
  /** The model type of the text model. */
  readonly type?: string;
  /** Whether the class predicts masked tokens. */
  readonly masked?: boolean;
  /** Whether the class generates tokens with a key-value cache. */
  readonly caches?: boolean;
  /** The task of a class with a head for question answering, token classification or multiple choice. */
  readonly task?: 'answers' | 'tokens' | 'choices';
  /** True if the model type is `llama`, so that d_ff may follow the rounding rule in Meta's code. */
  readonly meta?: boolean;
}

const BIAS = ' bias';
const SHARED_GATE = 'gate of the shared expert';
/** The cross-attention of Kosmos-2 and Kosmos-2.5: its keys and values include the queries. */
const KOSMOS = /image_to_text_projection\.x_attn/;
const MAX_GROUPS = 5;
const MAX_NAMES = 4;

/** Removes the owner from a task: `expert gate` becomes `gate`, and `cross query` becomes `query`. */
const bareTask = (task: string) => task.replace(/^encoder /, '').replace(/^(cross|shared expert) /, '').replace(/^expert /, ''); // prettier-ignore
/** Whether a tensor computes queries, keys, values or the output of attention, judged by its task or by its name. */
const attends = ({ name, task }: ExplainedTensor) => /^(query|key|value|output)\b/.test(bareTask(task)) || /attn|attention/.test(name);
const isBias = ({ name, task }: ExplainedTensor) => task.endsWith(BIAS) || name.endsWith('.bias');

/** Whether a block of convolutions contains no kernels, only tensors such as the shifts and scales of an affine flow. */
const lacksKernels = ({ part, mechanism = '', tensors }: ExplainedBlock) =>
  part === 'convolution' && mechanism === '' && tensors.length > 0 && tensors.every(({ role }) => role !== 'kernel');

/** Whether a block of the output head has no logits over a vocabulary and no known mechanism. */
const isOutputModule = ({ part, mechanism = '', tensors }: ExplainedBlock) =>
  part === 'output_head' && mechanism === '' && !tensors.some(({ task, role }) => bareTask(task).startsWith('head') || role === 'table');

/** The head of a class for a task, if the outputs of its last matrix fit the task. Any number of outputs fits token classification. */
function findTaskHead(block: ExplainedBlock, { task }: ConfigFacts): { readonly name: string; readonly does: string } | undefined {
  if (task === undefined || !isOutputModule(block)) return undefined;
  const last = block.tensors.filter(({ role }) => role === 'matrix').at(-1);
  const outputs = String(last?.shape[0] ?? '');
  const fits = { answers: last !== undefined && /qa_outputs/.test(last.name) && outputs === '2', tokens: true, choices: outputs === '1' };
  return fits[task] ? texts.taskHeads[task] : undefined;
}

/** The title of a block: usually the name of its mechanism or, without one, of its part. */
export function nameBlock(block: ExplainedBlock, config: ConfigFacts = {}): string {
  const { part, mechanism = '', owner, tensors } = block;
  if (part === 'norm' && tensors.every(({ task }) => /^(encoder )?last norm/.test(task))) return texts.finalNorm;
  if (tensors.length > 0 && tensors.every(({ task }) => task === SHARED_GATE)) return texts.sharedGate;
  if (isOutputModule(block)) return findTaskHead(block, config)?.name ?? texts.outputModules;
  if (part === 'embedding' && mechanism === '' && tensors.length > 0 && tensors.every(({ role }) => role !== 'table'))
    return texts.inputModules;
  if (lacksKernels(block)) return texts.parts.adapter.name;
  if (part === 'attention' && mechanism === '' && tensors.length > 0 && !tensors.some(attends)) return texts.besideAttention;
  const facts = { ...block, ...config };
  const own = texts.mechanisms[mechanism]?.name(facts) ?? texts.parts[part]?.name ?? part;
  if (owner === 'cross' && part === 'attention') return texts.cross(own);
  if (owner === 'shared_expert') return texts.shared(own, block.shared);
  return part === 'experts' ? texts.experts(own) : own;
}

/** Explains a block: what it does, why it has its size, and the shapes of its tensors. */
export function explainBlock(block: ExplainedBlock, config: ConfigFacts = {}): string {
  const { part, mechanism = '', owner, experts, active, tensors } = block;
  const sizes = isFeedForward(mechanism) ? findWidths(tensors) : {};
  const facts = { ...block, ...config, ...sizes };
  const does = texts.mechanisms[mechanism]?.does(facts) ?? (lacksKernels(block) ? undefined : texts.parts[part]?.does);
  const before = [
    owner === 'cross' && part === 'attention' && (tensors.some(({ name }) => KOSMOS.test(name)) ? texts.latentQueriesWhy : texts.crossWhy),
    owner === 'shared_expert' &&
      texts.sharedWhy(
        grouped(block.shared ?? '1'),
        tensors.every(({ shape }) => shape.length < 3),
      ),
    findTaskHead(block, config)?.does,
    part === 'experts' && experts && texts.expertsWhy(grouped(experts), active && grouped(active)),
  ];
  const clauses = explainTables(tensors);
  const rest = tensors.filter((_, i) => clauses[i] === undefined);
  return [
    ...before,
    does && (part === 'experts' ? texts.ofEach(does) : does),
    mechanism.endsWith('_attention') && !mechanism.endsWith('latent_attention') && owner === undefined && explainHeads(block),
    sizes.width && sizes.inner && explainWidth(BigInt(sizes.width), BigInt(sizes.inner), mechanism, config),
    part === 'norm' && explainPlaces(tensors, config),
    ...clauses.flatMap((clause) => clause ?? []),
    ...tensors
      .filter(({ task, role }) => task === 'token embedding' && role === 'table')
      .map(({ shape }) => explainPadding(String(shape[0]), config)),
    isNormed(part, mechanism) ? undefined : describeShapes(rest, tensors),
    tensors.some(({ transposed, role }) => transposed && role === 'matrix') && texts.transposed,
  ]
    .filter(Boolean)
    .join(' ');
}

const isFeedForward = (mechanism: string) => mechanism === 'gated_feed_forward' || mechanism === 'feed_forward';
/** Whether the block is a norm. The sentence about a norm already states the shape of its tensors. */
const isNormed = (part: string, mechanism: string) => part === 'norm' && /^(rms|unbiased_layer|layer|batch)_norm$/.test(mechanism);

/** Explains d_ff. A plain MLP may use four times the hidden size. A gated MLP is explained only if the model type is `llama`. */
function explainWidth(width: bigint, inner: bigint, mechanism: string, { meta }: ConfigFacts): string | undefined {
  const isGated = mechanism === 'gated_feed_forward';
  return isGated && !meta ? undefined : explainInner(width, inner, isGated);
}

/** Explains attention without its own projection of values, or of keys and values. `isDraft`: whether its section computes no keys. */
export function explainReuse({ part, tensors }: ExplainedBlock, isDraft: boolean): string | undefined {
  if (part !== 'attention') return undefined;
  const tasks = tensors.filter((tensor) => tensor.role === 'matrix' && !isBias(tensor)).map(({ task }) => bareTask(task));
  const projections = [...new Set(tasks)].sort().join(', ');
  if (projections === 'output, query') return texts.reusesKeys(isDraft);
  return projections === 'key, output, query' ? texts.keysAsValues : undefined;
}

/** Says whether the query heads together are as wide as the hidden state, judged by the query matrix. */
function explainHeads({ heads, mechanism, tensors }: ExplainedBlock): string | undefined {
  const query = tensors.find(({ task, role }) => bareTask(task) === 'query' && role === 'matrix');
  if (query === undefined || heads === undefined || heads === '1' || query.transposed || query.shape.length !== 2) return undefined;
  const [rows, width] = query.shape.map(BigInt);
  const wide = mechanism === 'gated_attention' ? rows / 2n : rows;
  if (wide % BigInt(heads) !== 0n) return undefined;
  // The query matrix reads the hidden state only if the output projection maps back to the same width.
  const output = tensors.find(({ task, role }) => bareTask(task) === 'output' && role === 'matrix');
  if (output !== undefined && !output.transposed && BigInt(output.shape[0]) !== width) return undefined;
  const said = [grouped(heads), grouped(wide / BigInt(heads)), grouped(wide), grouped(width)] as const;
  return wide === width ? texts.headsFill(...said) : texts.headsDiffer(...said);
}

/** Explains embedding tables that are padded to more rows than the tokenizer has tokens. */
function explainPadding(rows: string, { type = '' }: ConfigFacts): string | undefined {
  const known = texts.padded.find(({ types, sizes }) => types.test(type) && sizes.includes(rows));
  return known && BigInt(rows) % PADDED_TO === 0n ? texts.padding(known.tokens, grouped(rows), String(PADDED_TO)) : undefined;
}
const PADDED_TO = 128n;

/** Explains where a layer has its norms. */
function explainPlaces(tensors: readonly ExplainedTensor[], { type = '' }: ConfigFacts): string | undefined {
  const places = new Set(tensors.flatMap(({ task }) => /^norm ((?:before|after) .*?)(?: bias)?$/.exec(bareTask(task))?.[1] ?? []));
  const isKnown = ({ name, task }: ExplainedTensor) =>
    task.includes('norm') || tensorTexts.named[splitName(name.replace(/\.(weight|bias)$/, '')).at(-1) ?? ''] !== undefined;
  const scales = tensors.filter((tensor) => !isBias(tensor) && /^norm (before|after) /.test(bareTask(tensor.task)));
  if (places.size === 0 || scales.length !== places.size || !tensors.every(isKnown)) return undefined;
  const before = [...places].every((place) => place.startsWith('before'));
  const after = [...places].every((place) => place.startsWith('after'));
  if (after && texts.OUTPUT_NORMS.test(type)) return texts.outputNorms;
  return texts.places([...places], before ? texts.preNorm : after ? texts.postNorm : texts.sandwich);
}

/** The hidden size and d_ff, if all matrices of the block agree on them. */
function findWidths(tensors: readonly ExplainedTensor[]): { readonly width?: string; readonly inner?: string } {
  const widths = new Set<string>();
  for (const tensor of tensors) {
    const { shape, transposed, role } = tensor;
    const task = bareTask(tensor.task);
    if (isBias(tensor) || role !== 'matrix' || !/^(gate|up|gate and up|down)$/.test(task)) continue;
    const [rows, columns] = shape.slice(-2).map(BigInt);
    let [out, into] = transposed ? [columns, rows] : [rows, columns];
    if (task === 'gate and up') out /= 2n;
    if (task === 'down') [out, into] = [into, out];
    widths.add(`${into} ${out}`);
  }
  if (widths.size !== 1) return {};
  const [[width, inner]] = [...widths].map((pair) => pair.split(' '));
  return { width, inner };
}

/**
 * A separate clause for each output head and each table with a known purpose; undefined for other tensors. If two clauses are equal, both
 * name their tensors by the last two components of the names.
 */
function explainTables(tensors: readonly ExplainedTensor[]): (string | undefined)[] {
  const clauses = tensors.map((tensor) => explainTable(tensor, shorten(tensor, tensors)));
  return tensors.map((tensor, i) => {
    const isUnique = clauses.filter((clause) => clause === clauses[i]).length === 1;
    return clauses[i] === undefined || isUnique ? clauses[i] : explainTable(tensor, wordsOf(tensor).slice(-2).join('.'));
  });
}

function explainTable(tensor: ExplainedTensor, name: string): string | undefined {
  const { shape, task, role } = tensor;
  if (shape.length !== 2 || isBias(tensor)) return undefined;
  const [rows, width] = shape.map(grouped);
  if (bareTask(task) === 'head' && role === 'matrix') return texts.logits(name, rows, width);
  return role === 'table' ? texts.tables[bareTask(task)]?.(name, rows, width) : undefined;
}

/**
 * States the shapes of tensors, grouped: `q_proj and o_proj: 4,096 × 4,096; k_proj and v_proj: 1,024 × 4,096.` A sentence about biases
 * follows if there are one-dimensional biases other than those of norms.
 */
function describeShapes(tensors: readonly ExplainedTensor[], all: readonly ExplainedTensor[]): string {
  const groups = new Map<string, { readonly names: Set<string>; readonly size: bigint }>();
  for (const tensor of tensors) {
    if (isBias(tensor)) continue;
    const size = tensor.shape.reduce((product: bigint, side) => product * BigInt(side), 1n);
    const shape = tensor.shape.length === 0 ? texts.scalar : shapeText(tensor.shape);
    const group = groups.get(shape) ?? { names: new Set(), size };
    group.names.add(shorten(tensor, all));
    groups.set(shape, group);
  }
  const sorted = [...groups].sort(([, a], [, b]) => (a.size < b.size ? 1 : a.size > b.size ? -1 : 0));
  const most = sorted.length === MAX_GROUPS + 1 ? sorted.length : MAX_GROUPS; // hiding a single group would save no space
  const shown = sorted.slice(0, most).map(([shape, { names }]) => texts.shape(listNames([...names]), shape));
  const hidden = sorted.slice(most).reduce((sum, [, { names }]) => sum + names.size, 0);
  if (hidden > 0) shown.push(texts.moreShapes(hidden));
  const sentences = shown.length > 0 ? [`${shown.join('; ')}.`] : [];
  const hasPartialBiases = tensors.some(({ name }) => /[qv]_bias$/.test(name)); // biases of a part of a matrix have their own explanations
  if (!hasPartialBiases && tensors.some((tensor) => isBias(tensor) && tensor.shape.length === 1 && !/norm/.test(tensor.task + tensor.name)))
    sentences.push(describeBiases(tensors, all));
  return sentences.join(' ');
}

/**
 * Says which matrices and kernels have biases. Says only that there are biases if all have them, if a bias belongs to no known weight, or
 * if the names would be unclear.
 */
function describeBiases(tensors: readonly ExplainedTensor[], all: readonly ExplainedTensor[]): string {
  const names = new Set(tensors.map(({ name }) => name));
  const weights = tensors.filter((tensor) => !isBias(tensor) && (tensor.role === 'matrix' || tensor.role === 'kernel'));
  const biasOf = ({ name }: ExplainedTensor) => name.replace(/weight$/, 'bias');
  const biased = weights.filter((tensor) => tensor.name.endsWith('weight') && names.has(biasOf(tensor)));
  const known = new Set(biased.map(biasOf));
  if (biased.length === weights.length || tensors.some((tensor) => isBias(tensor) && !known.has(tensor.name))) return texts.biases;
  const shown = [...new Set(biased.map((tensor) => shorten(tensor, all)))];
  const isClear = weights.every((tensor) => biased.includes(tensor) || !shown.includes(shorten(tensor, all)));
  return isClear
    ? texts.someBiases(
        listNames(shown),
        shown.length === 1,
        weights.some(({ role }) => role === 'kernel'),
      )
    : texts.biases;
}

const listNames = (names: readonly string[]) =>
  names.length > MAX_NAMES ? texts.others(names.slice(0, MAX_NAMES - 1), names.length - MAX_NAMES + 1) : texts.list(names);

const wordsOf = ({ name }: ExplainedTensor) => splitName(name.replace(/\.weight$/, ''));

/**
 * The shortest end of a tensor's name that neither a tensor of another shape nor a tensor of another module shares. Modules of one list
 * may share it.
 */
function shorten(tensor: ExplainedTensor, all: readonly ExplainedTensor[]): string {
  const words = wordsOf(tensor);
  const shape = tensor.shape.join();
  const others = all.filter((other) => other.shape.join() !== shape).map(wordsOf);
  const alike = all.filter((other) => other.shape.join() === shape && !isBias(other)).map(wordsOf);
  for (let count = 1; count < words.length; ++count) {
    const last = words.slice(-count);
    if (isIndex(last[0])) continue;
    const text = last.join('.');
    const before = words.at(-count - 1) ?? '';
    const isShared = alike.some(
      (other) => other.slice(-count).join('.') === text && !isIndex(before) && (other.at(-count - 1) ?? before) !== before,
    );
    if (!isShared && others.every((other) => other.slice(-count).join('.') !== text)) return text;
  }
  return words.join('.');
}

/** Explains what one tensor of a block does. */
export function explainTensor(tensor: ExplainedTensor, block: Omit<ExplainedBlock, 'tensors'>, isBuffer = false): string {
  const { part, mechanism = '', heads, kv_heads } = block;
  const { shape, role } = tensor;
  const task = bareTask(tensor.task.replace(/ bias$/, ''));
  const words = wordsOf(tensor);
  const last = words.at(-1) ?? '';
  const isNorm =
    (part === 'norm' && mechanism !== 'adaptive_norm') ||
    task.includes('norm') ||
    /layer_?norm$/i.test(words.at(last === 'bias' ? -2 : -1) ?? '');
  if (mechanism === 'quantization_scales') return tensorTexts.blockScale;
  if (mechanism === 'fixed_values') return tensorTexts.fixedValue;
  const ofMechanism = namedIn[mechanism || part];
  const inMechanism = ofMechanism?.[words.slice(-3).join('.')] ?? ofMechanism?.[last.replace(/_l\d+(_reverse)?$/, '')];
  if (inMechanism !== undefined && !tensor.name.endsWith('.bias')) return inMechanism;
  const ownName = tensorTexts.named[words.slice(-2).join('.')] ?? tensorTexts.named[last.startsWith('[') ? (words.at(-2) ?? '') : last];
  if (isBuffer) return ownName ?? tensorTexts.buffer;
  if (shape.length === 0) return ownName ?? tensorTexts.learnedScalar;
  if (isBias(tensor))
    return isNorm ? tensorTexts.shift : shape.length > 1 && /expert/.test(tensor.name) ? tensorTexts.expertBias : tensorTexts.bias;
  if (ownName !== undefined) return ownName;
  const ownTable = role === 'table' || mechanism === 'relative_position_bias' ? tensorTexts.namedTables[last] : undefined;
  if (ownTable !== undefined)
    return typeof ownTable === 'string' ? ownTable : ownTable({ sides: shape.length, layer: words.find(isIndex) });
  const place = task.startsWith('norm before ') || task.startsWith('norm after ') ? task.slice('norm '.length) : undefined;
  if (place !== undefined) return tensorTexts.normOf(place);
  if (task === 'query' && mechanism === 'gated_attention') return tensorTexts.queryAndGate;
  // In a head or a projector, `up` and `down` do not read and write the hidden state.
  const isInner = mechanism !== '' || part === 'feed_forward' || part === 'experts' || !/^(gate|up|gate and up|down)$/.test(task);
  const own = isInner ? tensorTexts.tasks[task] : undefined;
  const isShared = heads !== undefined && kv_heads !== undefined && heads !== kv_heads;
  if (isShared && (task === 'key' || task === 'value')) return tensorTexts.sharedHeads(task, grouped(kv_heads), grouped(heads));
  if (task === 'down' && part === 'experts') return tensorTexts.expertDown;
  if (own !== undefined) return own;
  if (isNorm && role === 'vector') return tensorTexts.scale;
  if (role === 'vector' && shape.every((side) => Number(side) === 1)) return tensorTexts.learnedScalar;
  if (role === 'kernel' && mechanism === 'patch_embedding') return tensorTexts.patch;
  return explainKernel(tensor) ?? explainSizes(tensor) ?? tensorTexts.storages[role] ?? '';
}

/**
 * Explains a convolution kernel by its size. Undefined for other tensors and for kernels with fewer than three dimensions. Also undefined
 * for kernels of one position and one input channel, unless they are transposed.
 */
function explainKernel({ shape, role, transposed }: ExplainedTensor): string | undefined {
  if (role !== 'kernel' || shape.length < 3) return undefined;
  const size = shape.slice(2).map(grouped).join(' × ');
  const isSingle = Number(shape[1]) === 1;
  if (transposed) return tensorTexts.transposedKernels(size);
  if (shape.slice(2).every((side) => Number(side) === 1)) return isSingle ? undefined : tensorTexts.pointwise;
  return isSingle ? tensorTexts.singleChannel(size) : tensorTexts.kernels(size);
}

/** Explains a matrix or a table from its shape alone; undefined if the shape is not enough. */
function explainSizes({ name, shape, role, transposed }: ExplainedTensor): string | undefined {
  if (shape.length !== 2) return undefined;
  const [rows, columns] = shape.map(grouped);
  if (role === 'table') return tensorTexts.vectorTable(rows, columns);
  if (role !== 'matrix' || !name.endsWith('.weight')) return undefined; // it might not be the weight of a linear layer
  return transposed ? tensorTexts.linear(rows, columns) : tensorTexts.linear(columns, rows);
}
