// Sentences about a derivation as a whole: where most parameters are, how the layers differ, whether the head is tied, and which components
// have no parameters. Also explains d_ff.

import { grouped, percent } from '../support/numbers.ts';
import * as texts from '../texts/overview.ts';
import type { DerivedSection, DerivedStep, SymbolRow } from '../types/index.ts';
import { countNames } from './tensor-names.ts';
import { isTower } from './towers.ts';

/**
 * The number of layers with a sliding window (`layers`), out of all layers with a key-value cache (`of`). `tokens`: the length of the
 * window, if all windows are equally long.
 */
export interface Windows {
  readonly layers: string;
  readonly of: string;
  readonly tokens?: string;
}

/** How a model type encodes positions without parameters; empty if it does not: core/derivation/type_facts.hpp. */
export type Positions = '' | 'rotary' | 'sinusoidal' | 'relative' | 'convolution';

/** Whether a step counts parameters of the model, as opposed to sums, tied tensors, buffers and tensors that only files contain. */
const isOfModel = ({ kind }: DerivedStep) => kind === 'part';

/** The number of elements in all copies of a tensor. The index ranges in its name give the number of copies. */
export const countAll = ({ name, shape }: DerivedStep['tensors'][number]) =>
  shape.reduce((product: bigint, side) => product * BigInt(side), countNames(name));

/** Describes the model in at most three sentences: where the parameters are, the layers, and whether the head is tied. */
export function describeWhole(sections: readonly DerivedSection[]): string[] {
  const steps = sections.flatMap(({ steps: own }) => own);
  const total = BigInt(steps.find(({ kind }) => kind === 'total')?.value ?? 0);
  if (total === 0n) return [];
  const routed = findRouted(sections);
  return [describeShares(steps, total, routed), describeLayers(steps), describeTie(steps)].filter((text) => text !== undefined);
}

/** How many experts a token uses and a layer has, if this is the same in all layers with experts or, else, in those of the text model. */
interface Routed {
  readonly active: string;
  readonly experts: string;
  /** Whether towers have layers with other numbers. */
  readonly inText: boolean;
}
function findRouted(sections: readonly DerivedSection[]): Routed | undefined {
  const listIn = (some: readonly DerivedSection[]) =>
    some
      .flatMap(({ steps }) => steps)
      .flatMap(({ kind, part, experts, active }) =>
        kind === 'part' && part === 'experts' && experts && active ? [{ experts, active }] : [],
      );
  const areAlike = (list: readonly { readonly experts: string; readonly active: string }[]) =>
    list.length > 0 && list.every(({ experts, active }) => experts === list[0].experts && active === list[0].active);
  const all = listIn(sections);
  const inText = listIn(sections.filter(({ section }) => !isTower(section)));
  if (areAlike(all)) return { ...all[0], inText: false };
  return areAlike(inText) ? { ...inText[0], inText: true } : undefined;
}

function describeShares(steps: readonly DerivedStep[], total: bigint, routed: Routed | undefined): string | undefined {
  const shares = new Map<string, bigint>();
  const seen = new Set<string>();
  for (const step of steps.filter(isOfModel)) {
    for (const tensor of step.tensors) {
      const label = labelShare(step, tensor);
      if (label === undefined || seen.has(tensor.name)) continue;
      seen.add(tensor.name);
      shares.set(label, (shares.get(label) ?? 0n) + countAll(tensor));
    }
  }
  const sorted = [...shares]
    .sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))
    .filter(([, count], i) => i === 0 || count * (i < 3 ? 100n : 20n) >= total);
  const [first] = sorted;
  if (first === undefined) return undefined;
  const used = steps.find(({ kind }) => kind === 'active')?.value;
  if (routed && used && first[0] === texts.groups.experts)
    return texts.routed(
      percent(first[1], total),
      grouped(countExperts(steps)),
      grouped(routed.active),
      grouped(routed.experts),
      grouped(used),
      routed.inText,
    );
  return texts.shares(sorted.map(([label, count], i) => (i === 0 ? texts.firstShare : texts.share)(label, percent(count, total))));
}

/** The group to which a tensor's parameters belong in the sentence about shares; undefined if it belongs to none. */
function labelShare({ part, mechanism = '', tensors }: DerivedStep, { role }: DerivedStep['tensors'][number]): string | undefined {
  if (part === 'embedding' && role === 'kernel') return texts.groups.convolution;
  if (part === 'embedding' && !tensors.some((tensor) => tensor.role === 'table')) return texts.groupsOf[mechanism];
  return texts.groupsOf[mechanism] ?? texts.groups[part ?? ''];
}

/** The number of routed experts in all layers together. */
function countExperts(steps: readonly DerivedStep[]): bigint {
  let sum = 0n;
  for (const { part, kind, experts, tensors } of steps) {
    if (part !== 'experts' || kind !== 'part' || experts === undefined) continue;
    const most = tensors.map(({ name }) => countNames(name)).reduce((a, b) => (a > b ? a : b), 0n);
    // If experts are separate tensors, their index is in the name; if they are stacked, they are a dimension of one tensor.
    sum += most % BigInt(experts) === 0n && tensors.some(({ shape }) => shape.length === 2) ? most : most * BigInt(experts);
  }
  return sum;
}

function describeLayers(steps: readonly DerivedStep[]): string | undefined {
  const kinds = steps.filter(({ kind }) => kind === 'layer');
  const all = steps.filter(({ kind }) => kind === 'layers');
  if (kinds.length === 0 || kinds.length > 3 || all.length !== 1) return undefined;
  const sum = kinds.reduce((count, { copies = '1', value }) => count + BigInt(copies) * BigInt(value), 0n);
  if (sum !== BigInt(all[0].value)) return undefined; // a layer with only one part has no step of its own for the sum
  if (kinds.length === 1 && kinds[0].list?.endsWith(SHARED_LAYERS) && sum === BigInt(kinds[0].value))
    return texts.sharedLayer(grouped(kinds[0].value));
  const said = kinds.map(({ copies = '1', value }) => [grouped(copies), grouped(value)] as const);
  return kinds.length === 1
    ? texts.alike(...said[0])
    : texts.unlike(
        grouped(kinds.length),
        said.map((kind) => texts.kind(...kind)),
      );
}

/** The list of ALBERT's groups of layers. All layers of a group have the same parameters. */
const SHARED_LAYERS = 'albert_layer_groups';

function describeTie(steps: readonly DerivedStep[]): string | undefined {
  const isHead = ({ part, kind, tensors }: DerivedStep) =>
    tensors.some(
      ({ task, role }) => (task === 'head' && role !== 'vector') || (kind === 'tied' && part === 'output_head' && role === 'table'),
    );
  const heads = new Set(steps.filter(isHead).map(({ kind }) => kind));
  // Bark consists of three models. By default only the last one ties its heads, and then there is no sentence about ties.
  if (heads.has('tied')) return heads.has('part') ? undefined : texts.tied;
  const embeds = steps.some(({ kind, tensors }) => kind === 'part' && tensors.some(({ task }) => task === 'token embedding'));
  return embeds && heads.has('part') ? texts.untied : undefined;
}

/**
 * Lists components that have no parameters although a reader may expect some, each with the reason. `fields`: the fields of the
 * configuration.
 */
export function listWithoutParameters(
  sections: readonly DerivedSection[],
  symbols: readonly SymbolRow[],
  fields: Readonly<Record<string, unknown>>,
  config: {
    readonly type?: string;
    readonly activation?: string;
    readonly positions?: Positions;
    readonly windows?: Windows;
  },
): string[] {
  const steps = sections.flatMap(({ steps: own }) => own).filter(isOfModel);
  const named = new Set(symbols.map(({ name }) => name.replace(/^.*\./, '')));
  const attends = steps.some(({ part, mechanism }) => part === 'attention' && mechanism?.endsWith('attention'));
  const hasAttention = steps.some(({ part }) => part === 'attention');
  const embeds = steps.some(({ tensors }) => tensors.some(({ task }) => task === 'token embedding'));
  const length = embeds ? CONTEXT.find((name) => typeof fields[name] === 'number' && !named.has(name)) : undefined;
  const { activation, type = '', windows, positions } = config;
  const rotary = isRotary(fields, positions);
  const inModel = sections.filter(({ section }) => !isTower(section)).flatMap(({ steps: own }) => own);
  const storesRotation = rotary && inModel.some(({ mechanism }) => mechanism === 'sinusoidal_positions');
  const ignoresActivation = inModel.some(({ gate }) => gate === 'scaled');
  const learnedActivation = /\bact\.lab\./;
  const learnsActivation =
    !inModel.some(({ part }) => part === 'feed_forward') &&
    inModel.some(({ tensors }) => tensors.some(({ name }) => learnedActivation.test(name)));
  const learnsAngles = steps.some(({ tensors }) => tensors.some(({ name }) => name.endsWith('class_pos_emb')));
  const towers = sections.filter(({ section }) => section === 'vision' || section === 'audio');
  const hasPositions = sections
    .filter((section) => !towers.includes(section))
    .flatMap(({ steps: own }) => own)
    .some(({ mechanism, tensors }) => mechanism === 'sinusoidal_positions' || tensors.some(({ task }) => task === 'position embedding'));
  const hasAlibi = !hasPositions && !rotary && (fields.alibi === true || ALIBI.has(type));
  const isOrdered = steps.some(({ part }) => part === 'state_space') && !rotary && !hasPositions && !hasAlibi && !positions;
  const heads = new Set(
    steps.flatMap(({ mechanism, heads }) => (mechanism === 'multi_head_attention' && heads !== undefined && heads !== '1' ? heads : [])),
  );
  return [
    attends && texts.softmax,
    ...texts.fixed.map(([types, sentence]) => types.test(type) && sentence),
    hasAttention && rotary && !storesRotation && (learnsAngles ? texts.rotaryOfPatches : texts.rotary),
    isOrdered && (!hasAttention ? texts.recurrence : positions === '' && texts.noPositions(towers.length > 0)),
    !hasPositions && texts.positions[positions ?? ''],
    hasAlibi && texts.alibi,
    windows ? describeWindows(windows, type) : describeAttentionWindows(inModel),
    typeof activation === 'string' && !ignoresActivation && !learnsActivation && FIXED.test(activation) && !sections.some(({ section }) => section === 'rest') && texts.activation(activation, towers.length > 0), // prettier-ignore
    length !== undefined && texts.context(length, grouped(fields[length] as number)),
    heads.size > 0 && !symbols.some(({ symbol }) => /^n(_|$)/.test(symbol)) && texts.heads([...heads].map((count) => grouped(count))),
    texts.always,
  ].filter((text) => typeof text === 'string');
}

/** Describes the windows of attention for which no cache is recorded. */
function describeAttentionWindows(steps: readonly DerivedStep[]): string | undefined {
  const attends = steps.filter(({ kind, part }) => kind === 'part' && part === 'attention');
  const inWindows = attends.filter(({ window }) => window !== undefined);
  if (inWindows.length === 0) return undefined;
  const count = (some: readonly DerivedStep[]) =>
    grouped(some.reduce((sum, { tensors }) => sum + (tensors.length > 0 ? countNames(tensors[0].name) : 0n), 0n));
  const spans = new Set(inWindows.map(({ window }) => window));
  const [span] = spans;
  return texts.windows(count(inWindows), count(attends), spans.size === 1 && span !== undefined ? grouped(span) : undefined);
}

function describeWindows({ layers, of, tokens }: Windows, type: string): string {
  const span = tokens === undefined ? undefined : grouped(tokens);
  if (span !== undefined && texts.CHUNKED.test(type)) return texts.chunks(grouped(layers), grouped(of), span);
  if (span !== undefined && layers === of && texts.COMPRESSED.test(type)) return texts.compressed(span);
  return texts.windows(grouped(layers), grouped(of), span);
}

/** Whether the text model uses rotary positions, according to the configuration or else to its model type. */
function isRotary(fields: Readonly<Record<string, unknown>>, positions: Positions | undefined): boolean {
  if (fields.alibi === true) return false;
  if (fields.model_type === 'zamba2') return fields.use_mem_rope === true;
  if (fields.position_embedding_type !== undefined) return /^(rope|rotary)/.test(String(fields.position_embedding_type));
  if (fields.model_type === 'granitemoehybrid') return false;
  const isGiven = Object.entries(fields).some(([name, value]) => /^(rope|rotary)_/.test(name) && value !== null && value !== false);
  return isGiven || positions === 'rotary';
}

/** Model types that use ALiBi by default. */
const ALIBI: ReadonlySet<string> = new Set(['bloom', 'mpt']);
const CONTEXT = ['max_position_embeddings', 'n_positions', 'max_seq_len', 'seq_length', 'model_max_length'];
/** Activation functions without parameters. */
const FIXED = /^(silu|swish|relu|relu2|tanh|quick_gelu|gelu(_new|_fast|_pytorch_tanh)?)$/;

/** Known rules for d_ff: the multiplier (in tenths) and the multiple to round up to, as in Meta's params.json. */
const META: readonly (readonly [tenths: bigint, multiple: bigint])[] = [[10n, 256n], [15n, 256n], [13n, 4096n], [13n, 1024n], [12n, 4096n]]; // prettier-ignore

/** Explains how d_ff is derived from the hidden size; undefined if no known rule gives it. */
export function explainInner(width: bigint, inner: bigint, isGated: boolean): string | undefined {
  if (inner === 4n * width) return texts.four(grouped(inner));
  if (!isGated) return undefined;
  if (3n * inner === 8n * width) return texts.exactThirds(grouped(inner));
  const thirds = (8n * width) / 3n;
  for (const [tenths, multiple] of META) {
    const wide = (thirds * tenths) / 10n;
    if (((wide + multiple - 1n) / multiple) * multiple === inner)
      return texts.thirds(grouped(inner), grouped(thirds), tenths === 10n ? undefined : String(Number(tenths) / 10), grouped(multiple));
  }
  return undefined;
}
