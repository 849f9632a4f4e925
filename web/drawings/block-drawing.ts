// One layer as a data flow, from bottom to top. A matrix is as wide as its input and as high as its output, so its area is its
// number of parameters. The input of a step also passes it on the left and is added to its output.

import type { Block, Module, Unit } from '../answer/layer-blocks.ts';
import { type Duty, type Experts, findFlow, findSteps, type Flow, type Settings, type Step } from '../answer/layer-flow.ts';
import { measureText, type Drawing, type Shape } from './drawing.ts';
import { grouped, percent, shapeText, short } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import * as blockTexts from './block-texts.ts';
import type { CountAnswer, Part, SymbolRow, TensorRow } from '../types/index.ts';

/** The x position at which the stream enters a piece below and leaves it above. */
const IN = 8;
const GAP = 16;
const RAIL = 26;
const PADDING = 12;
const NODE = 24;
const LABEL = 30;
/** Limits for the matrices in pixels: the longest side, and the total area. */
const LONGEST = 250;
const AREA = 110_000;
/** Thinner stripes would not be visible. */
const THINNEST_STRIPE = 2;

/** A laid-out piece: data enters below and leaves above, both at `IN`. */
interface Piece {
  readonly width: number;
  readonly height: number;
  /** It begins with a split line of its own. */
  readonly splits?: boolean;
  /** It does not read the input that its neighbours read. */
  readonly apart?: boolean;
  readonly at: (x: number, y: number) => readonly Shape[];
}

/** Settings shared by all pieces of a drawing. */
interface Frame {
  /** Elements per pixel. */
  readonly unit: number;
  readonly symbols: readonly SymbolRow[];
  /** Width of the stream, to recognise transposed matrices. */
  readonly stream?: number;
  readonly type: string;
  readonly settings: Settings;
}

/** `wide`: draws the steps side by side instead of one above another. */
export function drawBlock(
  block: Block,
  answer: Pick<CountAnswer, 'symbols' | 'model_type'>,
  wide = false,
  settings: Settings = {},
): Drawing {
  const steps = findSteps(block, answer.model_type, settings);
  const frame: Frame = {
    unit: chooseUnit(block.modules),
    symbols: answer.symbols,
    stream: streamOf(block),
    type: answer.model_type,
    settings,
  };
  const whole = block.modules.reduce((sum, module) => sum + sumModule(module), 0n);
  const headed = (modules: readonly Module[], piece: Piece) => withHead(describeShare(modules, whole), piece);
  const pieces = steps
    ? steps.map((step) => headed(step.lanes.flat(), stepPiece(step, frame)))
    : block.modules.map((module) => headed([module], modulePiece(module, frame)));
  const { width, height, shapes } = (wide ? placeBeside : placeAbove)(pieces, steps !== undefined);
  const legend = legendOf(frame.unit);
  return {
    width: Math.max(width, legend.width),
    height: height + legend.height,
    title: blockTexts.title(formatUnitName(block), grouped(block.copies)),
    shapes: [...shapes, ...legend.at(0, height)],
  };
}

/** The width of the stream, from the first norm. */
const streamOf = ({ modules }: Block): number | undefined =>
  modules.filter(({ isNorm }) => isNorm).map(({ units }) => Number(units[0].rows[0].shape[0]))[0];

/** Whether arrows show how data passes through the whole layer. */
export const isSettled = (block: Block, type: string, settings: Settings = {}) =>
  findSteps(block, type, settings) !== undefined &&
  block.modules.every((module) => module.isNorm || isVector(module) || findFlow(withoutNorm(module)) !== undefined);

/** A single vector that scales its input. */
const isVector = ({ units, groups }: Module) => groups.length === 0 && units.length === 1 && units[0].rows[0].role === 'vector';

const withoutNorm = (module: Module): Module => ({
  ...module,
  units: module.units.filter(({ name }) => name !== 'output.LayerNorm' && name !== 'layer_norm'),
});

/** `layers.[3-60]`, shortened to what distinguishes blocks. */
export const formatUnitName = ({ list, layers }: Pick<Block, 'list' | 'layers'>) => `${list}.${layers}`;

// --- Sizes -----------------------------------------------------------------------------------------------------------

/** The sides as numbers for the screen. The input of a convolution kernel is its channels times its positions. */
function sidesOf({ shape, role }: TensorRow, { stream }: Pick<Frame, 'stream'> = {}, gives = false): { takes: number; gives: number } {
  const [a = 1, b = 1, ...rest] = shape.map(Number);
  if (shape.length < 2) return { takes: a, gives: 1 };
  if (role !== 'kernel' && shape.length === 3) return { takes: rest[0], gives: b };
  const cells = rest.reduce((product, side) => product * side, b);
  // GPT-2 stores its matrices transposed.
  const turned = stream !== undefined && a !== b && (gives ? b === stream && a !== stream : a === stream && b !== stream);
  return turned ? { takes: a, gives: b } : { takes: cells, gives: a };
}

/** Elements per pixel, chosen so that the largest side and the total area fit. */
function chooseUnit(modules: readonly Module[]): number {
  const units = modules.flatMap(({ units, groups }) => [...units, ...groups.flatMap((group) => group.units)]);
  const sides = units.filter((unit) => !isExpert(unit, modules)).map(({ rows }) => sidesOf(rows[0]));
  const longest = Math.max(1, ...sides.filter(({ gives }) => gives > 1).flatMap(({ takes, gives }) => [takes, gives]));
  const area = Number(modules.reduce((sum, module) => sum + sumModule(module), 0n));
  return Math.max(longest / LONGEST, Math.sqrt(area / AREA));
}

const isExpert = (unit: Unit, modules: readonly Module[]) => modules.some(({ groups }) => groups.some(({ units }) => units.includes(unit)));

/** Parameters of a module in one layer. */
const sumModule = ({ units, groups }: Module) =>
  [{ units, copies: 1n }, ...groups].reduce((sum, group) => sum + group.copies * sumElements(group.units.flatMap(({ rows }) => rows)), 0n);

const sumElements = (rows: readonly TensorRow[]) =>
  rows.reduce((sum, { kind, elements }) => (kind === 'parameter' ? sum + BigInt(elements) : sum), 0n);

function describeShare(modules: readonly Module[], whole: bigint): { part: Part; text: string } {
  const main = modules.filter(({ isNorm }) => !isNorm);
  const [{ part }] = main.length > 0 ? main : modules;
  const own = (main.length > 0 ? main : modules).reduce((sum, module) => sum + sumModule(module), 0n);
  const labels = [...new Set(main.map((module) => partLabel(module.part)))].join(', ') || partLabel(part);
  return { part, text: blockTexts.share(labels, short(String(own)), percent(own, whole)) };
}

/** Its shape as text; for a convolution the kernel size, then the channels. */
export function formatUnitSize({ role, shape }: TensorRow): string {
  if (role !== 'kernel' || shape.length < 3) return shapeText(shape) || texts.table.scalar;
  return blockTexts.kernel(shapeText(shape.slice(2)), shapeText(shape.slice(0, 2)));
}

const formatSize = ({ rows }: Unit) =>
  formatUnitSize(rows[0]) + (rows.length > 1 && rows.some(({ name }) => name.endsWith('.bias')) ? blockTexts.biased : '');

/** The matrices of a layer in data order, side by side and to one scale; experts are a grid. */
export function drawMatrices(block: Block, room: { x: number; y: number; width: number; height: number }): Shape[] {
  const frame: Pick<Frame, 'stream'> = { stream: streamOf(block) };
  const items = block.modules.flatMap((module): { part: Part; wide: number; high: number; experts?: Experts }[] => {
    const flow = findFlow(module);
    const fields = flow?.kind === 'mixture' ? [flow.experts, ...(flow.shared ? [flow.shared] : [])] : [];
    const experts = fields.map((own) => ({ part: own.units[0].part, ...fieldSize(own, 1), experts: own }));
    const rest = flow?.kind === 'mixture' ? [...flow.units.values()] : module.units;
    const matrices = rest.flatMap((unit) => {
      const [row] = unit.rows;
      if (row.shape.length < 2 || row.kind !== 'parameter') return [];
      const { takes, gives } = sidesOf(row, frame, /(^|\.)(c_proj|down_proj|w2|o_proj)$/.test(unit.name));
      return [{ part: row.part, wide: takes, high: gives }];
    });
    return [...matrices, ...experts];
  });
  const gaps = (items.length - 1) * 6;
  const unit = Math.max(
    items.reduce((sum, { wide }) => sum + wide, 0) / (room.width - gaps),
    Math.max(1, ...items.map(({ high }) => high)) / room.height,
  );
  let x = room.x;
  return items.flatMap(({ part, wide, high, experts }): Shape[] => {
    const [width, height] = [Math.max(1.5, wide / unit), Math.max(1.5, high / unit)];
    const y = room.y + room.height - height;
    const left = x;
    x += width + 6;
    if (!experts) return [{ is: 'box', x: left, y, width, height, look: 'matrix', part }];
    const { side, gap, columns } = fieldSize(experts, unit);
    return [{ is: 'field', x: left, y, side, gap, columns, count: experts.count, used: experts.used, part }];
  });
}

// --- Pieces ----------------------------------------------------------------------------------------------------------

/** Stacks pieces from bottom to top, with arrows between them. */
function chain(pieces: readonly Piece[]): Piece {
  if (pieces.length === 1) return pieces[0];
  return {
    width: Math.max(...pieces.map(({ width }) => width)),
    height: pieces.reduce((sum, { height }) => sum + height + GAP, -GAP),
    splits: pieces[0].splits,
    apart: pieces[0].apart,
    at(x, y) {
      let bottom = y + this.height;
      return pieces.flatMap((piece, i) => {
        const top = bottom - piece.height;
        const shapes = [...piece.at(x, top)];
        if (i + 1 < pieces.length) shapes.push({ is: 'line', points: [x + IN, top, x + IN, top - GAP], arrow: !pieces[i + 1].splits });
        bottom = top - GAP;
        return shapes;
      });
    },
  };
}

interface Join {
  readonly text: string;
  /** A second line. */
  readonly more?: string;
  /** Further lines of text, with the start and the height of each column. */
  readonly extra?: (columns: readonly { x: number; top: number; bottom: number }[]) => readonly Shape[];
}

/** Parallel pieces: all read the same input, and a node combines their outputs. */
function fork(columns: readonly Piece[], { text, more, extra }: Join): Piece {
  const high = NODE + (more ? 14 : 0);
  const width = Math.max(
    columns.reduce((sum, piece) => sum + piece.width + GAP, -GAP),
    measureText(text, 'name') + 2 * PADDING,
    measureText(more ?? '', 'small') + 2 * PADDING,
  );
  const inner = Math.max(...columns.map(({ height }) => height));
  return {
    width,
    height: high + GAP + inner + GAP,
    splits: true,
    at(x, y) {
      const bar = y + high;
      const floor = bar + GAP + inner;
      const bus = floor + GAP / 2;
      let left = x;
      const placed = columns.map((piece) => {
        const at = { x: left, top: floor - piece.height, bottom: floor };
        left += piece.width + GAP;
        return at;
      });
      const last = placed[columns.findLastIndex(({ apart }) => !apart)] ?? placed[0];
      const shapes: Shape[] = [{ is: 'line', points: [x + IN, floor + GAP, x + IN, bus, last.x + IN, bus] }];
      for (const [i, at] of placed.entries()) {
        if (!columns[i].apart) shapes.push({ is: 'line', points: [at.x + IN, bus, at.x + IN, floor], arrow: !columns[i].splits });
        shapes.push(...columns[i].at(at.x, at.top));
        shapes.push({ is: 'line', points: [at.x + IN, at.top, at.x + IN, bar], arrow: true });
      }
      shapes.push(...(extra?.(placed) ?? []));
      shapes.push({ is: 'box', x, y, width, height: high, look: 'edge', part: 'other' });
      shapes.push({ is: 'text', x: x + width / 2, y: y + 16, text, face: 'name', anchor: 'middle' });
      if (more) shapes.push({ is: 'text', x: x + width / 2, y: y + 31, text: more, face: 'small', anchor: 'middle' });
      return shapes;
    },
  };
}

/** A node for something without parameters. */
function node(text: string): Piece {
  const width = measureText(text, 'small') + 2 * IN;
  return {
    width,
    height: 20,
    at: (x, y) => [
      { is: 'box', x, y, width, height: 20, look: 'edge', part: 'other' },
      { is: 'text', x: x + width / 2, y: y + 14, text, face: 'small', anchor: 'middle' },
    ],
  };
}

const apart = (piece: Piece): Piece => ({ ...piece, apart: true });

/** A tensor drawn to scale, with its name and shape above. `heads`: draws stripes, in groups of that many. */
function tensor(unit: Unit, frame: Frame, { gives = false, heads = 0, groups = 0 } = {}): Piece {
  const [row] = unit.rows;
  const size = formatSize(unit);
  const room = Math.max(measureText(unit.name, 'code'), measureText(size, 'small')) + IN + 6;
  const sides = sidesOf(row, frame, gives);
  const wide = Math.max(2.5, sides.takes / frame.unit);
  const high = Math.max(2.5, sides.gives / frame.unit);
  return {
    width: Math.max(wide, room + IN),
    height: LABEL + high,
    at(x, y) {
      const left = wide < 2 * IN ? x + IN - wide / 2 : x;
      const [top, bottom] = [y + LABEL, y + LABEL + high];
      const stripe = high / heads;
      const step = stripe >= THINNEST_STRIPE ? 1 : groups > 0 ? heads / groups : heads;
      const stripes =
        heads > 1 && high / (heads / step) >= THINNEST_STRIPE ? Array.from({ length: heads / step - 1 }, (_, i) => i + 1) : [];
      return [
        { is: 'line', points: [x + IN, top, x + IN, y] },
        {
          is: 'box',
          x: left,
          y: top,
          width: wide,
          height: high,
          look: 'matrix',
          part: row.part,
          rows: unit.rows,
          title: titleOf(unit.name, unit.rows),
        },
        ...stripes.map((at): Shape => ({
          is: 'line',
          points: [left, bottom - at * step * stripe, left + wide, bottom - at * step * stripe],
          part: row.part,
          stripe: groups > 0 && (at * step) % (heads / groups) === 0 ? 'group' : 'head',
        })),
        { is: 'text', x: x + IN + 6, y: y + 11, text: unit.name, face: 'code' },
        { is: 'text', x: x + IN + 6, y: y + 24, text: size, face: 'small' },
      ];
    },
  };
}

const titleOf = (name: string, rows: readonly TensorRow[]) => (rows.length === 1 ? `${rows[0].name}: ${shapeText(rows[0].shape)}` : name);

/** How many heads a matrix has in its output, from the names in its formula. */
function countHeads(unit: Unit | undefined, { symbols }: Frame): number {
  const formula = unit?.rows[0].formula ?? '';
  const names = formula.split(/[^\w.]+/);
  const found = symbols.find(
    ({ name }) =>
      names.includes(name) && /^(num_(attention_|key_value_)?heads|num_attention_heads|n_heads?)$/.test(name.split('.').at(-1) ?? ''),
  );
  const heads = Number(found?.value ?? 0);
  return unit && heads > 0 && Number(unit.rows[0].shape[0]) % heads === 0 ? heads : 0;
}

function attentionPiece({ units, across }: Extract<Flow, { kind: 'attention' }>, frame: Frame): Piece {
  const get = (duty: Duty) => units.get(duty);
  const queries = countHeads(get('query') ?? get('query_up'), frame);
  const keys = countHeads(get('key'), frame) || (get('key_value_up') ? countHeads(get('key_value_up'), frame) : 0);
  const grouped = keys > 0 && keys < queries && queries % keys === 0;
  const line = (...duties: Duty[]) =>
    duties.flatMap((duty) => {
      const unit = get(duty);
      if (!unit) return [];
      const stripes = /^query(_up)?$/.test(duty)
        ? { heads: queries, groups: grouped ? keys : 0 }
        : /^(key|value|key_value_up)$/.test(duty)
          ? { heads: keys }
          : {};
      return [tensor(unit, frame, stripes)];
    });
  const rotates = ROTATES.test(frame.type) && !across ? [node(blockTexts.rotary)] : [];
  const fromElsewhere = (pieces: Piece[]) => (across && pieces.length > 0 ? [apart(node(blockTexts.elsewhere)), ...pieces] : pieces);
  const more = queries > 0 ? blockTexts.heads(queries, keys) : undefined;
  const bias = get('score_bias');
  const join = (columns: readonly (readonly Piece[])[]) =>
    fork([...columns.filter(({ length }) => length > 0).map(chain), ...(bias ? [apart(tensor(bias, frame))] : [])], {
      text: blockTexts.attention,
      more,
    });
  const fused = get('query_key_value');
  const normed = [[node('Q'), ...line('query_norm'), ...rotates], [node('K'), ...line('key_norm'), ...rotates], [node('V')]];
  const scores = fused
    ? chain([tensor(fused, frame), join(normed)])
    : join([
        [...line('query', 'query_norm'), ...(get('query') ? rotates : [])],
        line('query_down', 'query_down_norm', 'query_up'),
        fromElsewhere([...line('key', 'key_norm'), ...(get('key') ? rotates : [])]),
        fromElsewhere(line('value')),
        line('key_value_down', 'key_value_down_norm', 'key_value_up'),
      ]);
  const output = get('output') as Unit;
  return chain([
    scores,
    ...(isGated(get('query'), output, frame) ? [node(blockTexts.queryGate)] : []),
    tensor(output, frame, { gives: true }),
  ]);
}

/** Half of the output of Qwen3-Next's query matrix are queries; the other half is a gate. */
const isGated = (query: Unit | undefined, output: Unit, frame: Frame) =>
  query !== undefined && sidesOf(query.rows[0], frame).gives === 2 * sidesOf(output.rows[0], frame, true).takes;

function networkPiece({ units }: Extract<Flow, { kind: 'network' }>, frame: Frame): Piece {
  const get = (duty: Duty) => units.get(duty);
  const one = (duty: Duty) => tensor(get(duty) as Unit, frame);
  const output = get('down') as Unit;
  const scale = get('scale');
  const down = chain([tensor(output, frame, { gives: true }), ...(scale ? [tensor(scale, frame)] : [])]);
  const activation = node(nameActivation(frame.settings));
  if (get('gate_and_up')) return chain([one('gate_and_up'), node(blockTexts.halves), down]);
  const up = get('up') as Unit;
  // In Moonshine and Moshi one matrix gives both.
  const halves = sidesOf(up.rows[0], frame).gives === 2 * sidesOf(output.rows[0], frame, true).takes;
  if (!get('gate')) return chain([one('up'), halves ? node(blockTexts.halves) : activation, down]);
  return chain([fork([chain([one('gate'), activation]), one('up')], { text: blockTexts.product }), down]);
}

/** Named as in the paper, if the whole configuration has a single activation. */
function nameActivation(settings: Settings): string {
  const isNested = Object.values(settings).some((value) => typeof value === 'object' && value !== null && 'hidden_size' in value);
  const name = isNested ? undefined : (settings.hidden_act ?? settings.hidden_activation ?? settings.activation_function);
  return ACTIVATIONS[String(name)] ?? blockTexts.activation;
}

const ACTIVATIONS: Readonly<Record<string, string>> = {
  silu: 'SiLU',
  swish: 'SiLU',
  relu: 'ReLU',
  relu2: 'ReLU²',
  gelu: 'GELU',
  gelu_new: 'GELU',
  gelu_fast: 'GELU',
  gelu_pytorch_tanh: 'GELU',
  quick_gelu: 'quick GELU',
};

/** Types with RoPE on queries and keys in every layer. */
const ROTATES = /^(arcee|cohere|cwm|ernie4_5|ernie4_5_moe|eurobert|flex_olmo|gemma|gemma2|gemma3_text|glm|glm4|glm4_moe|gpt_neox|gpt_neox_japanese|gpt_oss|granite|granitemoe|granitemoeshared|helium|hy_v3|internlm3|jais2|lfm2|llama|mimo_v2_flash|minimax_m2|ministral3|mistral|mixtral|nanochat|olmo|olmo2|olmo3|olmoe|persimmon|phi|phi3|phimoe|qwen2|qwen2_moe|qwen3|qwen3_5_text|qwen3_5_moe_text|qwen3_moe|qwen3_next|seed_oss|solar_open|stablelm|starcoder2|vaultgemma)$/; // prettier-ignore

/**
 * A mixer: one matrix, whose output is split; a convolution along the sequence; a scan; and a gate from another part of the first matrix's
 * output.
 */
function mixerPiece(
  { kind, units }: Extract<Flow, { kind: 'mamba' | 'mamba_2' | 'gated_delta' | 'short_convolution' }>,
  frame: Frame,
): Piece {
  const one = (duty: Duty) => tensor(units.get(duty) as Unit, frame);
  const output = tensor(units.get('output') as Unit, frame, { gives: true });
  const silu = () => node('SiLU');
  const decay = () => apart(one('decay'));
  switch (kind) {
    case 'short_convolution':
      return chain([one('in'), node(blockTexts.thirds), one('kernel'), node(blockTexts.third), output]);
    case 'mamba': {
      const scan = fork(
        [node('x'), chain([one('scan_in'), fork([one('step'), node('B'), node('C')], { text: 'Δ, B, C' })]), decay(), apart(one('skip'))],
        {
          text: blockTexts.scan,
        },
      );
      return chain([
        one('in'),
        fork([chain([one('kernel'), silu(), scan]), chain([node(blockTexts.mambaGate), silu()])], { text: blockTexts.product }),
        output,
      ]);
    }
    case 'mamba_2': {
      const convolved = chain([node('x, B, C'), one('kernel'), silu()]);
      const scan = fork([convolved, chain([node('Δ'), one('step_bias')]), decay(), apart(one('skip'))], { text: blockTexts.scan });
      return chain([
        one('in'),
        fork([scan, chain([node(blockTexts.mambaGate), silu()])], { text: blockTexts.product }),
        one('norm'),
        output,
      ]);
    }
    case 'gated_delta': {
      const rule = fork([chain([one('in'), one('kernel'), silu()]), chain([one('step'), one('step_bias')]), one('beta'), decay()], {
        text: blockTexts.deltaRule,
      });
      return chain([fork([chain([rule, one('norm')]), chain([one('gate'), silu()])], { text: blockTexts.product }), output]);
    }
  }
}

/** The side of one square, and the sides of the whole field. */
function fieldSize({ units, count }: Experts, unit: number) {
  const rows = units.flatMap((one) => one.rows);
  const stacked = rows.some(({ shape }) => shape.length === 3);
  const area = rows.reduce((sum, { elements }) => sum + Number(elements), 0) / (stacked ? count : 1);
  const side = Math.max(2, Math.sqrt(area) / unit);
  const gap = Math.max(0.5, side * 0.08);
  const columns = Math.ceil(Math.sqrt(count));
  return { side, gap, columns, wide: columns * (side + gap) - gap, high: Math.ceil(count / columns) * (side + gap) - gap };
}

/** One square per expert, with the area of its parameters; those that one token uses are filled. */
function fieldPiece(experts: Experts, { unit }: Frame): Piece {
  const { name, units, count, used } = experts;
  const rows = units.flatMap((one) => one.rows);
  const { side, gap, columns, wide, high } = fieldSize(experts, unit);
  const lines = [
    count > 1 ? `${name} × ${grouped(count)}` : name,
    used < count ? blockTexts.lit(grouped(used), grouped(count)) : '',
    ...units.map((one) => blockTexts.tensor(one.name.replace(`${name}.`, ''), shapeText(one.rows[0].shape))),
  ].filter(Boolean);
  const top = 14 * lines.length + 4;
  return {
    width: Math.max(wide, ...lines.map((line) => measureText(line, 'small') + IN + 6)),
    height: top + high,
    at: (x, y) => [
      { is: 'line', points: [x + IN, y + top, x + IN, y] },
      { is: 'box', x: x - 2, y: y + top - 2, width: wide + 4, height: high + 4, look: 'plain', part: units[0].part, rows, title: lines[0] },
      { is: 'field', x, y: y + top, side, gap, columns, count, used, part: units[0].part },
      ...lines.map((text, i): Shape => ({ is: 'text', x: x + IN + 6, y: y + 11 + 14 * i, text, face: i === 0 ? 'code' : 'small' })),
    ],
  };
}

function mixturePiece({ units, experts, shared }: Extract<Flow, { kind: 'mixture' }>, frame: Frame): Piece {
  const get = (duty: Duty) => units.get(duty);
  const bias = get('router_bias');
  const pick = node(blockTexts.picks(grouped(experts.used), grouped(experts.count)));
  const router = chain([tensor(get('router') as Unit, frame), ...(bias ? [tensor(bias, frame)] : []), pick]);
  const field = fieldPiece(experts, frame);
  const gate = get('shared_gate');
  const always = shared && fieldPiece(shared, frame);
  const columns = [router, field, ...(always ? [gate ? fork([always, tensor(gate, frame)], { text: blockTexts.gated }) : always] : [])];
  return fork(columns, {
    text: joinOf(frame.type, shared !== undefined),
    extra: ([from, to]) => {
      const y = Math.max(from.top + 10, to.top + 50);
      return y > to.bottom
        ? []
        : [{ is: 'line', points: [from.x + pick.width, from.top + 10, to.x - 8, from.top + 10, to.x - 8, y, to.x - 2, y], arrow: true }];
    },
  });
}

/** Llama 4 scales the input of an expert, other types its output. */
const joinOf = (type: string, shared: boolean) =>
  type.startsWith('llama4') ? blockTexts.sum : shared ? blockTexts.weightedShared : blockTexts.weighted;

/** Units to scale, if the data flow between them is not known. */
function listPiece(units: readonly Unit[], frame: Frame): Piece {
  const pieces = units.map((unit) => tensor(unit, frame));
  const lines: Piece[][] = [];
  let room = 0;
  for (const piece of pieces) {
    if (lines.length === 0 || room + piece.width > 1.3 * LONGEST) {
      lines.push([]);
      room = 0;
    }
    lines[lines.length - 1].push(piece);
    room += piece.width + GAP;
  }
  const heights = lines.map((line) => Math.max(...line.map(({ height }) => height)));
  const width = Math.max(
    ...lines.map((line) => line.reduce((sum, piece) => sum + piece.width + GAP, -GAP)),
    measureText(blockTexts.list, 'small'),
  );
  return {
    width: width + 2 * PADDING,
    height: heights.reduce((sum, height) => sum + height + PADDING, PADDING + 18),
    at(x, y) {
      const shapes: Shape[] = [
        { is: 'box', x, y, width: this.width, height: this.height, look: 'dashed', part: units[0].part },
        { is: 'text', x: x + PADDING, y: y + 17, text: blockTexts.list, face: 'small' },
      ];
      let top = y + 18 + PADDING / 2;
      for (const [i, line] of lines.entries()) {
        let left = x + PADDING;
        for (const piece of line) {
          // Without the line that leaves it.
          shapes.push(...piece.at(left, top).filter(({ is }, at) => is !== 'line' || at > 0));
          left += piece.width + GAP;
        }
        top += heights[i] + PADDING;
      }
      return shapes;
    },
  };
}

/** The running mean and variance of a batch norm, too; no data passes through them. */
function joinUnits(units: readonly Unit[]): Unit {
  const main = units.find(({ rows }) => rows.some(({ kind }) => kind === 'parameter')) ?? units[0];
  return { ...main, rows: [...main.rows, ...units.filter((unit) => unit !== main).flatMap(({ rows }) => rows)] };
}

function modulePiece(module: Module, frame: Frame): Piece {
  const { units, groups } = module;
  if (module.isNorm || isVector(module)) return tensor(joinUnits(units), frame);
  const flow = findFlow(module);
  switch (flow?.kind) {
    case 'attention':
      return attentionPiece(flow, frame);
    case 'network':
      return networkPiece(flow, frame);
    case 'mixture':
      return mixturePiece(flow, frame);
    case 'mamba':
    case 'mamba_2':
    case 'gated_delta':
    case 'short_convolution':
      return mixerPiece(flow, frame);
    default:
      return listPiece(
        [
          ...units,
          ...groups.flatMap(({ name, copies, units: own }) =>
            own.map((unit) => ({ ...unit, name: `${name} × ${grouped(copies)}: ${unit.name}` })),
          ),
        ],
        frame,
      );
  }
}

/** From below: norms, the lanes, the sum; the input passes on the left. */
function stepPiece({ before, lanes, after }: Step, frame: Frame): Piece {
  const pieces = lanes.map((lane) => chain(lane.map((module) => modulePiece(module, frame))));
  const main = [
    ...before.map((module) => modulePiece(module, frame)),
    pieces.length === 1 ? pieces[0] : fork(pieces, { text: blockTexts.sum }),
  ];
  const body = chain(main);
  const last = after.map((module) => modulePiece(module, frame));
  const above = last.reduce((sum, { height }) => sum + height + GAP, 0);
  return {
    width: RAIL + Math.max(body.width, ...last.map(({ width }) => width)),
    height: above + 2 * GAP + 18 + body.height + 2 * GAP,
    at(x, y) {
      const left = x + RAIL;
      const centre = left + IN;
      const sum = y + above + GAP + 9;
      const top = sum + 9 + GAP;
      const bottom = top + body.height;
      const floor = bottom + 2 * GAP;
      const shapes: Shape[] = [
        { is: 'line', points: [centre, floor, centre, bottom], arrow: !body.splits },
        { is: 'line', points: [centre, floor - GAP / 2, x + 8, floor - GAP / 2, x + 8, sum, centre - 9, sum], arrow: true, residual: true },
        ...body.at(left, top),
        { is: 'line', points: [centre, top, centre, sum + 9], arrow: true },
        { is: 'sum', x: centre, y: sum },
        { is: 'line', points: [centre, sum - 9, centre, y + above], arrow: last.length > 0 },
      ];
      let from = y + above;
      for (const piece of last) {
        from -= piece.height;
        shapes.push(...piece.at(left, from), { is: 'line', points: [centre, from, centre, from - GAP] });
        from -= GAP;
      }
      return shapes;
    },
  };
}

/** Its name and its share of the layer, above it. */
function withHead({ part, text }: { part: Part; text: string }, piece: Piece): Piece {
  return {
    width: Math.max(piece.width, measureText(text, 'name') + 20),
    height: piece.height + 28,
    at: (x, y) => [
      { is: 'box', x, y: y + 2, width: 10, height: 10, look: 'solid', part },
      { is: 'text', x: x + 16, y: y + 12, text, face: 'name' },
      ...piece.at(x, y + 28),
    ],
  };
}

interface Placed {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

/** The first on the left; the stream goes from the top of each to the bottom of the next. */
function placeBeside(pieces: readonly Piece[], linked: boolean): Placed {
  const height = Math.max(...pieces.map((piece) => piece.height));
  const between = 2.5 * GAP;
  const shapes: Shape[] = [];
  let x = 0;
  for (const [i, piece] of pieces.entries()) {
    const top = linked ? height - piece.height : 0;
    shapes.push(...piece.at(x, top));
    const next = x + piece.width + between;
    const [from, to] = [x + RAIL + IN, next + RAIL + IN];
    if (linked && pieces[i + 1]) {
      const out = top + 28;
      const middle = x + piece.width + between / 2;
      shapes.push({ is: 'line', points: [from, out, middle, out, middle, height, to, height] });
    } else if (linked) shapes.push({ is: 'line', points: [from, top + 28 + GAP / 2, from, top + 18], arrow: true });
    x = next;
  }
  return { width: x - between, height: height + 6, shapes };
}

/** The first at the bottom. */
function placeAbove(pieces: readonly Piece[], linked: boolean): Placed {
  const width = Math.max(...pieces.map((piece) => piece.width));
  const gap = linked ? 6 : GAP;
  const height = pieces.reduce((sum, piece) => sum + piece.height + gap, 0);
  const shapes: Shape[] = [];
  let y = linked ? height : 0;
  for (const piece of pieces) {
    if (linked) y -= piece.height;
    shapes.push(...piece.at(0, y));
    if (linked) {
      // Bypasses the heading, up to the next step.
      shapes.push({ is: 'line', points: [RAIL + IN, y + 28, RAIL + IN, y + 16] });
      y -= gap;
      if (piece !== pieces[pieces.length - 1]) shapes.push({ is: 'line', points: [RAIL + IN, y + gap - 1, RAIL + IN, y] });
    } else y += piece.height + gap;
  }
  return { width, height: height + 6, shapes };
}

/** A square with a round number of parameters, as the scale. */
function legendOf(unit: number): Piece {
  const ideal = Math.log10((16 * unit) ** 2);
  const count = 10 ** Math.max(0, Math.round(ideal));
  const side = Math.sqrt(count) / unit;
  const text = blockTexts.scale(grouped(count));
  return {
    width: side + 8 + measureText(text, 'small'),
    height: Math.max(side, 14) + 8,
    at: (x, y) => [
      { is: 'box', x, y: y + 6, width: side, height: side, look: 'edge', part: 'other' },
      { is: 'text', x: x + side + 8, y: y + 6 + side / 2 + 4, text, face: 'small' },
    ],
  };
}
