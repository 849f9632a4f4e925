// Finds a model's repeated blocks by the names of its tensors: which layers are alike, which modules each kind of layer has, and which
// tensors each module has. Every kind of layer becomes a separate block.

import { isNotParameter } from './breakdown.ts';
import { type IndexSet, parseIndexSet, formatIndexSet, splitName, countNames } from './tensor-names.ts';
import type { CountAnswer, Part, TensorRow } from '../types/index.ts';

/** Layers with the same tensors. */
export interface Block {
  /** The module list that contains the layers: `model.layers`. */
  readonly list: string;
  /** The indices of the layers in that list: `[3-60]`. */
  readonly layers: string;
  readonly copies: bigint;
  /** In the order in which the core records them, which is roughly the order of the forward pass. */
  readonly modules: readonly Module[];
}

export interface Module {
  /** The name within the layer: `self_attn`. Modules that together form one feed-forward block, such as `fc1` and `fc2`, are merged. */
  readonly name: string;
  readonly part: Part;
  /** Whether the module is a single norm, not a list of norms. */
  readonly isNorm: boolean;
  readonly units: readonly Unit[];
  readonly groups: readonly Group[];
}

/** A list of repeated modules inside a module, such as its experts. */
export interface Group {
  readonly name: string;
  readonly copies: bigint;
  readonly part: Part;
  readonly units: readonly Unit[];
}

/** A weight with its bias, and other tensors that belong to it. */
export interface Unit {
  readonly name: string;
  readonly part: Part;
  /** The tensor rows of the unit. The first one determines the shape. */
  readonly rows: readonly TensorRow[];
}

/**
 * The maximum number of boundaries between runs of equal layers in a list. A list with more is not drawn, because the picture would explain
 * nothing.
 */
const MAX_RUNS = 400;

export function findBlocks({ tensors }: CountAnswer): Block[] {
  const rows = tensors.filter(({ kind }) => !isNotParameter(kind));
  const repeated = findRepeatedLists(rows);
  const lists = new Map<string, Member[]>();
  for (const row of rows) {
    const member = findMember(row, repeated);
    if (!member) continue;
    const known = lists.get(member.list);
    if (known) known.push(member);
    else lists.set(member.list, [member]);
  }
  // A list of plain weights and biases is a stack of matrices, not of layers.
  return [...lists].flatMap(([list, members]) => (members.some(({ path }) => !isOwn(path)) ? groupIntoKinds(list, members) : []));
}

const isOwn = (path: readonly string[]) => path.length === 1 && /^(weight|bias)$/.test(path[0]);

/**
 * Finds the module lists to draw: those in which several members share a tensor other than a vector, apart from lists of experts. Examples
 * are `model.layers` and the blocks of each Swin stage. A list whose members share none is included only if the members contain no lists
 * themselves, as with the convolutions of a speech encoder.
 */
function findRepeatedLists(rows: readonly TensorRow[]): Set<string> {
  const found = new Set<string>();
  const members = new Map<string, Set<string>>();
  for (const { name, role } of rows) {
    const path = splitName(name);
    if (role === 'vector') continue;
    for (const [at, segment] of path.entries()) {
      if (at === 0 || !INDEX.test(segment) || path[at - 1] === 'experts') continue;
      const list = path.slice(0, at).join('.');
      if (segment.startsWith('[')) found.add(list);
      else members.set(list, (members.get(list) ?? new Set()).add(segment));
    }
  }
  const all = [...found, ...members.keys()];
  for (const [list, own] of members) {
    const hasLists = all.some((other) => other.startsWith(`${list}.`) && INDEX.test(splitName(other.slice(list.length + 1))[0]));
    // A list with one member counts if no list has repeated tensors: ALBERT applies its only layer repeatedly.
    if (!hasLists && (own.size > 1 || all.length === members.size)) found.add(list);
  }
  return found;
}

/** A row of tensors that belongs to some layers of a module list. */
interface Member {
  readonly row: TensorRow;
  readonly list: string;
  readonly layers: IndexSet;
  /** The segments of the tensor name after the layer index. */
  readonly path: readonly string[];
}

const INDEX = /^\[(.*)\]$|^(\d+)$/;

/** Finds the outermost repeated list in a tensor's name. In Swin this is the list of blocks of a stage, because no two stages are alike. */
function findMember(row: TensorRow, repeated: ReadonlySet<string>): Member | undefined {
  const path = splitName(row.name);
  const at = path.findIndex((segment, i) => i > 0 && INDEX.test(segment) && repeated.has(path.slice(0, i).join('.')));
  if (at < 1 || at + 1 >= path.length) return undefined;
  const [, many, one] = INDEX.exec(path[at]) as RegExpExecArray;
  return { row, list: path.slice(0, at).join('.'), layers: parseIndexSet(many ?? one), path: path.slice(at + 1) };
}

/** Groups the layers that have the same tensors into blocks. */
function groupIntoKinds(list: string, members: readonly Member[]): Block[] {
  const starts = new Set<bigint>();
  for (const { layers } of members) for (const [first, last] of layers.runs) starts.add(first).add(last + 1n);
  if (starts.size > MAX_RUNS) return [];
  const bounds = [...starts].sort((a, b) => (a < b ? -1 : 1));
  const kinds = new Map<string, { own: Member[]; runs: [bigint, bigint][] }>();
  for (const [i, first] of bounds.slice(0, -1).entries()) {
    const own = members.filter(({ layers }) => layers.runs.some(([from, to]) => from <= first && first <= to));
    const key = own.map((member) => members.indexOf(member)).join();
    const last = bounds[i + 1] - 1n;
    const kind = kinds.get(key);
    if (!kind) kinds.set(key, { own, runs: [[first, last]] });
    else if (kind.runs[kind.runs.length - 1][1] === first - 1n) kind.runs[kind.runs.length - 1][1] = last;
    else kind.runs.push([first, last]);
  }
  return [...kinds.values()].flatMap(({ own, runs }) => {
    if (own.length === 0) return [];
    const copies = runs.reduce((sum, [first, last]) => sum + last - first + 1n, 0n);
    return [{ list, layers: formatIndexSet({ runs, count: copies }), copies, modules: groupIntoModules(own) }];
  });
}

function groupIntoModules(members: readonly Member[]): Module[] {
  const named = new Map<string, Member[]>();
  for (const member of members) {
    // If the second segment is a single index, it belongs to the module's name: `layer.0`.
    const name = member.path.slice(0, INDEX.test(member.path[1] ?? '') && !/^\[/.test(member.path[1]) ? 2 : 1).join('.');
    const known = named.get(name);
    if (known) known.push(member);
    else named.set(name, [member]);
  }
  return [...named]
    .map(([name, own]) => buildModule(name, own))
    .reduce<Module[]>((joined, module) => {
      const last = joined[joined.length - 1];
      // Merges the modules of a feed-forward block: `fc1` and `fc2`, `intermediate` and `output`.
      return last && isFeedForward(last) && isFeedForward(module)
        ? [...joined.slice(0, -1), mergeModules(last, module)]
        : [...joined, module];
    }, []);
}

const isFeedForward = ({ name, isNorm, part }: Module) => !isNorm && (part === 'feed_forward' || /^(fc1|fc2)(,|$)/.test(name));

function mergeModules(a: Module, b: Module): Module {
  const within = ({ name, units }: Module) => units.map((unit) => (unit.name === name ? unit : { ...unit, name: `${name}.${unit.name}` }));
  const units = [a.name.includes(', ') ? a.units : within(a), within(b)].flat();
  return { ...a, name: `${a.name}, ${b.name}`, units, groups: [...a.groups, ...b.groups] };
}

function buildModule(name: string, members: readonly Member[]): Module {
  const rows = members.map(({ row }) => row);
  const depth = splitName(name).length;
  const units: Member[] = [];
  const groups = new Map<string, { copies: bigint; own: Member[] }>();
  for (const member of members) {
    const at = member.path.findIndex((segment, i) => i >= depth && (INDEX.test(segment) || countNames(segment) > 1n));
    const copies = at < 0 ? 1n : countNames(member.path[at]);
    if (copies === 1n) {
      units.push({ ...member, path: member.path.length > depth ? member.path.slice(depth) : member.path });
      continue;
    }
    const group = member.path.slice(depth, at).join('.') || name;
    const inner = { ...member, path: member.path.slice(at + 1) };
    const known = groups.get(group);
    if (known) known.own.push(inner);
    else groups.set(group, { copies, own: [inner] });
  }
  return {
    name,
    part: findMainPart(rows),
    isNorm: groups.size === 0 && rows.every(({ role, part }) => role === 'vector' && (part === 'norm' || /norm|(^|_)ln/i.test(name))),
    units: groupIntoUnits(units, name),
    groups: [...groups].map(([group, { copies, own }]) => {
      return { name: group, copies, part: findMainPart(own.map(({ row }) => row)), units: groupIntoUnits(own, group) };
    }),
  };
}

/** Groups the tensors of a module into units: each `weight` with its `bias`. */
function groupIntoUnits(members: readonly Member[], module: string): Unit[] {
  const named = new Map<string, TensorRow[]>();
  for (const { row, path } of members) {
    const own = path.filter((segment, i) => i < path.length - 1 || !/^(weight|bias)$/.test(segment)).join('.') || module;
    const known = named.get(own);
    if (known) known.push(row);
    else named.set(own, [row]);
  }
  return [...named].map(([name, rows]) => ({ name, part: rows[0].part, rows }));
}

/** The part of the model with the most elements in these rows. Each row counts as one tensor, however many it stands for. */
export function findMainPart(rows: readonly TensorRow[]): Part {
  const sums = new Map<Part, bigint>();
  for (const { part, elements } of rows) sums.set(part, (sums.get(part) ?? 0n) + BigInt(elements));
  return [...sums].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** All tensors of a module, including those of its groups. */
export const listModuleRows = ({ units, groups }: Module): TensorRow[] =>
  [...units, ...groups.flatMap((group) => group.units)].flatMap(({ rows }) => rows);

/**
 * Whether the block has a module with convolution kernels but no matrices, as in ResNet and ConvNeXt. Attention blocks that contain a
 * convolution do not count.
 */
export const isConvolutional = ({ modules }: Block) =>
  modules.every(({ name }) => !/att/i.test(name)) &&
  modules.some((module) => listModuleRows(module).some(isKernel) && listModuleRows(module).every((row) => row.role !== 'matrix'));

const isKernel = ({ role }: TensorRow) => role === 'kernel';
