// Texts about sharing a model among devices.

import { grouped, plural, shapeText } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import type { DeviceShare, DevicesAnswer, DeviceTraining, DivisionRule, Exchange, PlanName, RankKind, Span } from '../types/index.ts';
import type { Axis } from './devices-plan.ts';

export const rules: Readonly<Record<DivisionRule, string>> = {
  column: 'by columns',
  row: 'by rows',
  embedding: 'by vocabulary',
  expert: 'by experts',
  layer: 'by layers',
  replicated: 'replicated',
  whole: 'whole',
};
export const columns = {
  ranks: 'devices',
  stage: 'stage',
  tensor: 'tensor',
  whole: 'full shape',
  local: 'local shape',
  rule: 'rule',
  parameters: 'parameters',
};
export const weights = 'weights';
export const cache = 'cache';

const spans = (list: readonly Span[]) => list.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');

/** Returns, for example, "device 0" or "devices 0-7, 16-23". */
export const ranksOf = ({ ranks, count }: RankKind) => `${count === '1' ? 'device' : 'devices'} ${spans(ranks)}`;
export const stagesOf = ({ stages }: RankKind) => `${spans(stages).includes('-') ? 'stages' : 'stage'} ${spans(stages)}`;

/** Compares what the heaviest device holds with an even share, and explains the difference. */
export function overShare({ total, share, devices, ranks, heaviest, over, replicated, rows }: DevicesAnswer): string {
  const { parameters } = ranks[heaviest];
  const sum = `${grouped(total)} parameters ÷ ${grouped(devices)} ${devices === '1' ? 'device' : 'devices'} = ${grouped(share)}.`;
  if (over.parameters === '0') return `${sum} The heaviest device holds ${grouped(parameters)}, no more than its share.`;
  const parts = [...replicated]
    .filter(({ each }) => each !== '0')
    .sort((a, b) => (BigInt(a.each) < BigInt(b.each) ? 1 : -1))
    .map(({ part, each, copies }) => `${partLabel(part).toLowerCase()} ${grouped(each)} (on ${grouped(copies)} devices)`);
  const why =
    parts.length > 0 ? ` Several devices hold the same tensors. On average, these copies add to each device: ${parts.join(', ')}.` : '';
  const excess = over.percent === '0.0' ? 'less than 0.1 % more' : `${over.percent} % more`;
  return `${sum} The heaviest device holds ${grouped(parameters)}, ${excess}.${why}${largestReplica(rows)}`;
}

/** Names the tensor with the most elements in extra copies, and says why it is copied. */
function largestReplica(rows: DevicesAnswer['rows']): string {
  const replicas = rows.filter(({ kind, copies }) => kind === 'parameter' && copies !== '1');
  if (replicas.length === 0) return '';
  const extra = ({ elements, copies }: (typeof rows)[number]) => BigInt(elements) * (BigInt(copies) - 1n);
  const { name, why } = replicas.reduce((most, row) => (extra(row) > extra(most) ? row : most));
  return ` The largest of these is ${name}. ${why}`;
}

export const sumOf = ({ sum }: DevicesAnswer) =>
  sum &&
  `All devices together hold ${grouped(sum.ranks)} parameters. Without the extra copies (${grouped(sum.replicas)})${sum.padding ? ` and the padding of the vocabulary (${grouped(sum.padding)})` : ''}, the model’s ${grouped(sum.model)} parameters remain.`;

export const unfit = (kind: RankKind, need: string, room: string) => `${ranksOf(kind)}: needs ${need}, and only ${room} is available`;

export const axes: Readonly<Record<Axis, { readonly label: string; readonly meaning: string }>> = {
  tensor: { label: 'Tensor', meaning: 'Devices that share each tensor: tensor parallelism' },
  pipeline: { label: 'Pipeline', meaning: 'Stages, each with layers of its own: pipeline parallelism' },
  expert: { label: 'Expert', meaning: 'Devices that share the experts of a layer: expert parallelism' },
};
export const fewer = (axis: string) => `${axis}: fewer`;
export const more = (axis: string) => `${axis}: more`;
export const notASize = 'Not understood: expected a whole number of at least 1, such as 8.';
export const planOf = (place: number, plans: number) => (plans === 1 ? 'Plan' : place === 0 ? 'Plan A' : 'Plan B');
export const whose = 'The number of devices is pipeline × the larger of tensor and expert.';
export const whosePlan = 'Whose plan';
export const plans: Readonly<Record<PlanName, string>> = {
  transformers: 'transformers 5.23',
  megatron: 'Megatron-Core 0.16.1',
  vllm: 'vLLM 0.11.0',
};
export const trains = 'Training, too';
export const sequence = 'Sequence parallelism (Megatron-Core)';
export const copies = 'Copies that train together (data parallelism)';

const collectives: Readonly<Record<Exchange['collective'], string>> = {
  all_reduce: 'all-reduce',
  all_gather: 'all-gather',
  reduce_scatter: 'reduce-scatter',
  all_to_all: 'all-to-all',
  send: 'send',
};
const passes: Readonly<Record<Exchange['pass'], string>> = { forward: 'forward', backward: 'backward', step: 'once a step' };
const places: Readonly<Record<string, string>> = {
  experts: 'Experts',
  shared_experts: 'Shared experts',
  stages: 'Between stages',
  dense: 'Everything but experts',
  replicated: 'Norms and routers',
  ends: 'Embedding table',
};
export const sent = 'What devices send for a token';
export const sentHelp = 'Elements are those of the whole tensor that a collective operates on. Times and bandwidths are not given.';
export const nothingSent = 'Nothing is sent.';
export const exchange = ({ collective, pass, place }: Exchange) => ({
  collective: collectives[collective],
  pass: passes[pass],
  place: places[place] ?? partLabel(place),
});
export const sentTable = {
  place: 'Where, and why',
  collective: 'Collective',
  among: 'Devices',
  elements: 'Elements',
  times: 'Times',
  total: 'Together',
  formula: 'Formula',
};

export const differences = 'Where the plans differ, and why';
export const noDifferences = 'The heaviest device holds the same part of every tensor under both plans.';
/** The heaviest device's share of a tensor, over all layers: its shape, the rule that divides it, and its number of elements. */
export const shareOf = ({ shape, rule, elements }: DeviceShare) =>
  shape ? `${shapeText(shape) || '1'}, ${rules[rule]}: ${plural(elements, 'parameter')}` : notThere;
/** Why the heaviest device of a plan holds this share of a tensor. */
export const shareWhy = ({ why, padded }: DeviceShare) => (padded ? `${why} The vocabulary is padded to ${grouped(padded)}.` : why);
export const notThere = 'not on this device';

export const trainingOf = 'Training';
export const together = 'Together, without activations';
/** The heading of the training rows. Unless the ZeRO stage is 0, it states among how many devices ZeRO divides the training state. */
export const trainingDivided = ({ stage, dense_copies, expert_copies }: DeviceTraining) =>
  stage === '0'
    ? 'Training on the heaviest device'
    : `Training on the heaviest device, ZeRO ${stage}: divided among the ${grouped(dense_copies)} devices that hold the same tensors${expert_copies !== undefined && expert_copies !== dense_copies ? `, experts among ${grouped(expert_copies)}` : ''}`;
export const ofAll = 'of its share';
export const onDevice = 'on this device';
export const compareWith = 'Compare with another plan';
export const noComparison = 'Remove plan B';
export const compared = 'The heaviest device of both plans';
export const grid = 'Devices, by rank';
export const gridHelp = 'Arrow keys move from device to device. Enter keeps the table on one device.';
export const cell = (kind: RankKind, name: string, amounts: string) =>
  `${name}, ${stagesOf(kind)}: ${grouped(kind.parameters)} parameters. ${amounts}`;
export const deviceOf = (rank: string) => `device ${grouped(rank)}`;
export const amounts = (weights: string, cache: string, room: string) =>
  [`Weights ${weights}, cache ${cache}`, room].filter(Boolean).join(', ');
export const left = (amount: string) => `${amount} left`;
export const missing = (amount: string) => `${amount} missing`;
export const unknown = 'not known here';
export const kinds = 'What the devices hold';
export const heaviest = 'the heaviest';
export const titleIn = (title: string, plan?: string) => (plan === undefined ? title : `${plan}: ${title}`);
export const heldBy = (rank: string) => `What device ${grouped(rank)} holds`;
export const table = {
  tensor: 'Tensor',
  devices: 'Devices',
  stages: 'Stages',
  parameters: 'Parameters',
  weights: 'Weights',
  cache: 'Cache',
  room: 'Left',
  whole: 'Full shape',
  local: 'On this device',
  rule: 'Rule',
  why: 'Tensor, and why it is divided this way',
  of: 'Of',
  difference: 'Difference',
  count: 'Devices in all',
  replicas: 'Extra copies',
  over: 'More than an even share',
};
export const formats = { markdown: 'Markdown', csv: 'CSV', json: 'JSON' };
export const copyTitle = (format: string) => `Every tensor of every kind of device, as ${format}`;
export const stepsOf = 'What the heaviest of several devices holds, step by step, and how much more that is than an even share.';
