// Draws the steps of a layer and the data flow of their modules: attention, feed-forward networks, mixtures of experts, convolutions and
// state-space mixers. The tensors of other modules are drawn as a list.

import type { Module, Unit } from '../answer/layer-blocks.ts';
import { type Duty, findFlow, type Flow, type Item, type Settings, type Step } from '../answer/layer-flow.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import { measureText, type Shape } from './drawing.ts';
import * as blockTexts from './block-texts.ts';
import { LONGEST, sidesOf } from './block-sizes.ts';
import {
  IN,
  GAP,
  RAIL,
  PADDING,
  type Join,
  type Piece,
  type Frame,
  chain,
  fork,
  node,
  apart,
  ends,
  tensor,
  fieldPiece,
} from './block-pieces.ts';

/** Whether a module is a single vector, such as a layer scale. */
export const isVector = ({ units, groups }: Module) => groups.length === 0 && units.length === 1 && units[0].rows[0].role === 'vector';

/** Whether a module is a single tensor, with or without a bias, so that it has no inner data flow. */
export const isSingle = ({ units, groups }: Module) => groups.length === 0 && units.length === 1;

/** Whether all tensors of a module are vectors that are not parameters, as in a frozen batch norm. */
const isStatistics = ({ units, groups }: Module) =>
  groups.length === 0 && units.every(({ rows }) => rows.every(({ kind, shape }) => kind !== 'parameter' && shape.length < 2));

/**
 * The number of heads in the output of a projection, taken from the fields in its formula; 0 if unknown. If the formula contains no such
 * field and `plain` is set, uses the number of heads on which all fields agree.
 */
function countHeads(unit: Unit | undefined, { symbols, heads: all = 0 }: Frame, plain = false): number {
  const formula = unit?.rows[0].formula ?? '';
  const names = formula.split(/[^\w.]+/);
  const found = symbols.find(
    ({ name }) =>
      names.includes(name) && /^(num_(attention_|key_value_)?heads|num_attention_heads|n_heads?)$/.test(name.split('.').at(-1) ?? ''),
  );
  const heads = Number(found?.value ?? (plain ? all : 0));
  return unit && heads > 0 && Number(unit.rows[0].shape[0]) % heads === 0 ? heads : 0;
}

function attentionPiece({ units, across }: Extract<Flow, { kind: 'attention' }>, frame: Frame): Piece {
  const get = (duty: Duty) => units.get(duty);
  const [query, key] = [get('query'), get('key')];
  const isPlain = query !== undefined && key !== undefined && shapeText(query.rows[0].shape) === shapeText(key.rows[0].shape);
  const queries = countHeads(query ?? get('query_up'), frame, isPlain);
  const keys = countHeads(key, frame, isPlain) || (get('key_value_up') ? countHeads(get('key_value_up'), frame) : 0);
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
  const biases = line('score_bias', 'score_bias_width').map(apart);
  const join = (columns: readonly (readonly Piece[])[]) =>
    fork([...columns.filter(({ length }) => length > 0).map(chain), ...biases], {
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
        get('key') && !get('value') ? [apart(node(blockTexts.sameMatrix(get('key')?.name ?? '')))] : [],
        get('index_query') ? [indexerPiece(units, frame)] : [],
        /^deberta/.test(frame.type) ? [apart(node(blockTexts.relative))] : [],
      ]);
  const output = get('output') as Unit;
  return chain([
    scores,
    ...(isGated(get('query'), output, frame) ? [node(blockTexts.queryGate)] : []),
    tensor(output, frame, { gives: true }),
  ]);
}

/**
 * Draws the indexer of DeepSeek's sparse attention, in which small heads select the keys that attention reads. The indexer's queries are
 * computed from the same latent vector as the queries of attention.
 */
function indexerPiece(units: Extract<Flow, { kind: 'attention' }>['units'], frame: Frame): Piece {
  const one = (duty: Duty) => tensor(units.get(duty) as Unit, frame);
  const latent = node(blockTexts.outputOf(units.get('query_down_norm')?.name ?? ''));
  return fork([chain([one('index_key'), one('index_key_norm')]), one('index_weights'), apart(chain([latent, one('index_query')]))], {
    text: blockTexts.indexer,
  });
}

/** Draws deformable attention, in which each query reads a few sampled positions of the values. */
function samplingPiece({ units, across }: Extract<Flow, { kind: 'sampling' }>, frame: Frame): Piece {
  const one = (duty: Duty) => tensor(units.get(duty) as Unit, frame);
  const values = across ? apart(chain([node(blockTexts.elsewhere), one('value')])) : one('value');
  const columns = [one('offsets'), chain([one('weights'), node(blockTexts.softmax)]), values];
  return chain([fork(columns, { text: blockTexts.sampling }), tensor(units.get('output') as Unit, frame, { gives: true })]);
}

/** Whether the query matrix has twice the expected output. The other half is an output gate, as in Qwen3-Next. */
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
  // In some models, such as Moshi and Moonshine’s decoder, `fc1` computes both gate and up.
  const halves = sidesOf(up.rows[0], frame).gives === 2 * sidesOf(output.rows[0], frame, true).takes;
  if (!get('gate')) return chain([one('up'), halves ? node(blockTexts.halves) : activation, down]);
  return chain([fork([chain([one('gate'), activation]), one('up')], { text: blockTexts.product }), down]);
}

/**
 * The name of the activation function as in the literature. A placeholder if the name is unknown, or if a section of the configuration has
 * a hidden size of its own and so may use another activation.
 */
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

/** Model types that apply RoPE to queries and keys in every layer with softmax attention. */
const ROTATES = /^(arcee|cohere|cwm|ernie4_5|ernie4_5_moe|eurobert|flex_olmo|gemma|gemma2|gemma3_text|glm|glm4|glm4_moe|gpt_neox|gpt_neox_japanese|gpt_oss|granite|granitemoe|granitemoeshared|helium|hy_v3|internlm3|jais2|lfm2|llama|mimo_v2_flash|minimax_m2|ministral3|mistral|mixtral|nanochat|olmo|olmo2|olmo3|olmoe|persimmon|phi|phi3|phimoe|qwen2|qwen2_moe|qwen3|qwen3_5_text|qwen3_5_moe_text|qwen3_moe|qwen3_next|seed_oss|solar_open|stablelm|starcoder2|vaultgemma)$/; // prettier-ignore

/**
 * Draws a state-space mixer, Gated DeltaNet or a short convolution. One part of the projected input passes through a convolution along the
 * sequence and, except in a short convolution, a recurrence. Another part is the gate.
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
      const isNormed = units.has('step_norm'); // only in Jamba
      const step = isNormed ? chain([one('step_norm'), one('step')]) : one('step');
      const kept = isNormed ? [chain([node('B'), one('b_norm')]), chain([node('C'), one('c_norm')])] : [node('B'), node('C')];
      const scan = fork([node('x'), chain([one('scan_in'), fork([step, ...kept], { text: 'Δ, B, C' })]), decay(), apart(one('skip'))], {
        text: blockTexts.scan,
      });
      return chain([
        one('in'),
        fork([chain([one('kernel'), silu(), scan]), chain([node(blockTexts.mambaGate), silu()])], { text: blockTexts.product }),
        output,
      ]);
    }
    case 'mamba_2': {
      const convolved = chain([node('x, B, C'), one('kernel'), silu()]);
      const scan = fork([convolved, chain([node('Δ'), one('step_bias')]), decay(), apart(one('skip'))], { text: blockTexts.scan });
      const gate = chain([node(blockTexts.mambaGate), silu()]);
      if (!units.has('norm')) return chain([one('in'), fork([scan, gate], { text: blockTexts.product }), output]);
      if (isNormedFirst(frame)) return chain([one('in'), fork([chain([scan, one('norm')]), gate], { text: blockTexts.product }), output]);
      return chain([one('in'), fork([scan, gate], { text: blockTexts.product }), one('norm'), output]);
    }
    case 'gated_delta': {
      const both = units.get('step_and_beta');
      if (both) {
        const factors = fork([chain([node('a'), one('step_bias')]), node('b')], { text: 'α, β' });
        const rule = fork([chain([one('in'), node('Q, K, V'), one('kernel'), silu()]), chain([tensor(both, frame), factors]), decay()], {
          text: blockTexts.deltaRule,
        });
        const gate = apart(chain([node(blockTexts.gateOf(units.get('in')?.name ?? '')), silu()]));
        return chain([fork([chain([rule, one('norm')]), gate], { text: blockTexts.product }), output]);
      }
      const rule = fork([chain([one('in'), one('kernel'), silu()]), chain([one('step'), one('step_bias')]), one('beta'), decay()], {
        text: blockTexts.deltaRule,
      });
      return chain([fork([chain([rule, one('norm')]), chain([one('gate'), silu()])], { text: blockTexts.product }), output]);
    }
  }
}

/** Whether the norm is applied before the product with the gate instead of after it. */
const isNormedFirst = ({ type, settings }: Frame) => type === 'falcon_h1' && settings.mamba_norm_before_gate !== false;

function mixturePiece({ units, experts, shared }: Extract<Flow, { kind: 'mixture' }>, frame: Frame): Piece {
  const get = (duty: Duty) => units.get(duty);
  const bias = get('router_bias');
  const scalesInput = frame.type.startsWith('llama4'); // the routers of other types scale the output of an expert
  const pick = node((scalesInput ? blockTexts.picksAndScales : blockTexts.picks)(grouped(experts.used), grouped(experts.count)));
  const scored = chain([tensor(get('router') as Unit, frame), ...(bias ? [tensor(bias, frame)] : []), pick]);
  const router = scalesInput ? ends(scored) : scored;
  const [down, up] = [get('latent_down'), get('latent_up')];
  const field = chain([...(down ? [tensor(down, frame)] : []), fieldPiece(experts, frame)]);
  const gate = get('shared_gate');
  const whole = shared && fieldPiece(shared, frame);
  const always = whole && [gate ? fork([whole, tensor(gate, frame)], { text: blockTexts.gated }) : whole];
  const extra: Join['extra'] = ([from, to]) => {
    const y = Math.max(from.top + 10, to.top + 50);
    return y > to.bottom
      ? []
      : [{ is: 'line', points: [from.x + pick.width, from.top + 10, to.x - 8, from.top + 10, to.x - 8, y, to.x - 2, y], arrow: true }];
  };
  if (!up)
    return fork([router, field, ...(always ?? [])], {
      text: scalesInput ? blockTexts.sum : always ? blockTexts.weightedShared : blockTexts.weighted,
      extra,
    });
  // In some models, such as Nemotron 3 Super, the experts work on a latent vector, which is narrower than the residual stream.
  const routed = chain([fork([router, field], { text: blockTexts.weighted, extra }), tensor(up, frame, { gives: true })]);
  return always ? fork([routed, ...always], { text: blockTexts.sum }) : routed;
}

/**
 * The largest number of tensors that a list draws; the rest are only counted. Zamba2, for example, has an adapter for each use of its
 * shared layer.
 */
const MOST_LISTED = 24;

/** Draws tensors to scale in rows, for a module with an unknown data flow. */
function listPiece(units: readonly Unit[], frame: Frame): Piece {
  const [shown, rest] = [units.slice(0, MOST_LISTED), units.slice(MOST_LISTED)];
  const pieces = [...shown.map((unit) => tensor(unit, frame)), ...(rest.length > 0 ? [node(blockTexts.unlisted(rest.length))] : [])];
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
          // Leaves out the line from the top of the piece, because no data flow is shown.
          shapes.push(...piece.at(left, top).filter(({ is }, at) => is !== 'line' || at > 0));
          left += piece.width + GAP;
        }
        top += heights[i] + PADDING;
      }
      return shapes;
    },
  };
}

/** Joins the tensors of a norm into one unit. The running mean and variance of a batch norm follow its parameters. */
function joinUnits(units: readonly Unit[]): Unit {
  const main = units.find(({ rows }) => rows.some(({ kind }) => kind === 'parameter')) ?? units[0];
  return { ...main, rows: [...main.rows, ...units.filter((unit) => unit !== main).flatMap(({ rows }) => rows)] };
}

export function modulePiece(module: Module, frame: Frame): Piece {
  const { units, groups } = module;
  if (module.isNorm || isVector(module) || isStatistics(module)) return tensor(joinUnits(units), frame);
  if (isSingle(module)) return tensor(units[0], frame);
  const flow = findFlow(module);
  switch (flow?.kind) {
    case 'attention':
      return attentionPiece(flow, frame);
    case 'sampling':
      return samplingPiece(flow, frame);
    case 'convolution':
      return chain([...flow.units.values()].map((unit) => tensor(unit, frame)));
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

/** Draws a step whose output replaces the residual stream instead of being added to it, so no residual connection is drawn beside it. */
const replacingPiece = (body: Piece): Piece => ({
  width: RAIL + body.width,
  height: GAP + body.height + 2 * GAP,
  at(x, y) {
    const centre = x + RAIL + IN;
    const [top, bottom] = [y + GAP, y + GAP + body.height];
    return [
      { is: 'line', points: [centre, bottom + 2 * GAP, centre, bottom], arrow: !body.splits },
      ...body.at(x + RAIL, top),
      { is: 'line', points: [centre, top, centre, y] },
    ];
  },
});

/**
 * Draws a step. From bottom to top: the modules before the lanes, the parallel lanes, the sum and the modules after it. The residual
 * connection runs past everything below the sum, on the left. If the output replaces the residual stream, there is neither sum nor
 * residual connection.
 */
export function stepPiece({ before, lanes, replaces = false, after }: Step, frame: Frame): Piece {
  const draw = (item: Item) => (item === 'activation' ? node(nameActivation(frame.settings)) : modulePiece(item, frame));
  const pieces = lanes.map((lane) => chain(lane.map(draw)));
  const main = [...before.map(draw), pieces.length === 1 ? pieces[0] : fork(pieces, { text: blockTexts.sum })];
  const body = chain(main);
  const last = after.map(draw);
  if (replaces) return replacingPiece(chain([body, ...last]));
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
