// The repeated blocks of a model, told from the names of its tensors: which layers are alike, what modules one of them has, and which tensors
// these. Several kinds of layers are a block each.

import { isBeside } from './breakdown.ts';
import { type IndexSet, indexSet, indexText, segments } from './tensor-names.ts';
import type { CountAnswer, Part, TensorRow } from '../types.ts';

/** Layers that have the same tensors. */
export interface Block {
  /** The list that they stand in: `model.layers`. */
  readonly list: string;
  /** Which of it: `[3-60]`. */
  readonly layers: string;
  readonly copies: bigint;
  /** In the order in which the core records them, which is that of the data as far as one line can say it. */
  readonly modules: readonly Module[];
}

export interface Module {
  /** `self_attn`; what makes up a feed-forward block together, such as `fc1` and `fc2`, is one. */
  readonly name: string;
  readonly part: Part;
  readonly isNorm: boolean;
  readonly units: readonly Unit[];
  readonly groups: readonly Group[];
}

/** What is repeated inside a module: its experts. */
export interface Group {
  readonly name: string;
  readonly copies: bigint;
  readonly part: Part;
  readonly units: readonly Unit[];
}

/** A tensor, with its bias and whatever else stands beside it. */
export interface Unit {
  readonly name: string;
  readonly part: Part;
  /** The first is what its shape is of. */
  readonly rows: readonly TensorRow[];
}

/** Where layers differ in more places, a picture teaches nothing. */
const MAX_RUNS = 400;

export function blocksOf({ tensors }: CountAnswer): Block[] {
  const lists = new Map<string, Member[]>();
  for (const row of tensors) {
    const member = isBeside(row.kind) ? undefined : memberOf(row);
    if (!member) continue;
    const known = lists.get(member.list);
    if (known) known.push(member);
    else lists.set(member.list, [member]);
  }
  return [...lists].flatMap(([list, members]) => (members.some(({ layers }) => layers.count > 1n) ? kindsOf(list, members) : []));
}

/** A tensor of some layers. */
interface Member {
  readonly row: TensorRow;
  readonly list: string;
  readonly layers: IndexSet;
  /** What stands after the index. */
  readonly path: readonly string[];
}

const INDEX = /^\[(.*)\]$|^(\d+)$/;

function memberOf(row: TensorRow): Member | undefined {
  const path = segments(row.name);
  const at = path.findIndex((segment) => INDEX.test(segment));
  if (at < 1 || at + 1 >= path.length) return undefined;
  const [, many, one] = INDEX.exec(path[at]) as RegExpExecArray;
  return { row, list: path.slice(0, at).join('.'), layers: indexSet(many ?? one), path: path.slice(at + 1) };
}

/** Layers with the same members are of one kind. */
function kindsOf(list: string, members: readonly Member[]): Block[] {
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
    return [{ list, layers: indexText({ runs, count: copies }), copies, modules: modulesOf(own) }];
  });
}

function modulesOf(members: readonly Member[]): Module[] {
  const named = new Map<string, Member[]>();
  for (const member of members) {
    // `layer.0` is one name where the next is an index again.
    const name = member.path.slice(0, INDEX.test(member.path[1] ?? '') && !/^\[/.test(member.path[1]) ? 2 : 1).join('.');
    const known = named.get(name);
    if (known) known.push(member);
    else named.set(name, [member]);
  }
  return [...named]
    .map(([name, own]) => moduleOf(name, own))
    .reduce<Module[]>((joined, module) => {
      const last = joined[joined.length - 1];
      // `fc1` and `fc2`, `intermediate` and `output`.
      return last && isFeedForward(last) && isFeedForward(module) ? [...joined.slice(0, -1), together(last, module)] : [...joined, module];
    }, []);
}

const isFeedForward = ({ isNorm, part }: Module) => !isNorm && part === 'feed_forward';

function together(a: Module, b: Module): Module {
  const within = ({ name, units }: Module) => units.map((unit) => (unit.name === name ? unit : { ...unit, name: `${name}.${unit.name}` }));
  const units = [a.name.includes(', ') ? a.units : within(a), within(b)].flat();
  return { ...a, name: `${a.name}, ${b.name}`, units, groups: [...a.groups, ...b.groups] };
}

function moduleOf(name: string, members: readonly Member[]): Module {
  const rows = members.map(({ row }) => row);
  const depth = segments(name).length;
  const units: Member[] = [];
  const groups = new Map<string, { copies: bigint; own: Member[] }>();
  for (const member of members) {
    const at = member.path.findIndex((segment, i) => i >= depth && INDEX.test(segment));
    const copies = at < 0 ? 1n : indexSet(member.path[at].replace(/[[\]]/g, '')).count;
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
    part: commonPart(rows),
    isNorm: rows.every(({ role, part }) => role === 'vector' && (part === 'norm' || /norm|(^|_)ln/i.test(name))),
    units: unitsOf(units, name),
    groups: [...groups].map(([group, { copies, own }]) => {
      return { name: group, copies, part: commonPart(own.map(({ row }) => row)), units: unitsOf(own, group) };
    }),
  };
}

/** `weight` and `bias` belong to one. */
function unitsOf(members: readonly Member[], module: string): Unit[] {
  const named = new Map<string, TensorRow[]>();
  for (const { row, path } of members) {
    const own = path.filter((segment, i) => i < path.length - 1 || !/^(weight|bias)$/.test(segment)).join('.') || module;
    const known = named.get(own);
    if (known) known.push(row);
    else named.set(own, [row]);
  }
  return [...named].map(([name, rows]) => ({ name, part: rows[0].part, rows }));
}

/** That of most elements. */
function commonPart(rows: readonly TensorRow[]): Part {
  const sums = new Map<Part, bigint>();
  for (const { part, elements } of rows) sums.set(part, (sums.get(part) ?? 0n) + BigInt(elements));
  return [...sums].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** All tensors of a module. */
export const rowsOfModule = ({ units, groups }: Module): TensorRow[] =>
  [...units, ...groups.flatMap((group) => group.units)].flatMap(({ rows }) => rows);

/** A block that adds to the stream that passes it: what is normalised before, what reads it, what is normalised after. */
export interface Branch {
  readonly before: readonly Module[];
  /** Several work beside one another. */
  readonly main: readonly Module[];
  readonly after: readonly Module[];
}

/**
 * The usual arrangement of such modules, which names and shapes do not say: a norm belongs to the block after it; where the layer begins with
 * a block, to the one before it; two between blocks, one to each. Two blocks after one norm, with none between them, work side by side.
 */
export function branchesOf(modules: readonly Module[]): Branch[] {
  const normFirst = modules[0]?.isNorm ?? false;
  const normLast = modules[modules.length - 1]?.isNorm ?? false;
  const branches: { before: Module[]; main: Module[]; after: Module[] }[] = [];
  let waiting: Module[] = [];
  for (const module of modules) {
    const last = branches[branches.length - 1];
    if (module.isNorm) {
      // Sandwiched: the first after a block is its own.
      const own = last && (!normFirst || (normLast && last.after.length === 0));
      if (own) last.after.push(module);
      else waiting.push(module);
    } else if (last && waiting.length === 0 && last.after.length === 0 && last.before.length > 0) last.main.push(module);
    else {
      branches.push({ before: waiting, main: [module], after: [] });
      waiting = [];
    }
  }
  const last = branches[branches.length - 1];
  if (last) last.after.push(...waiting);
  else if (waiting.length > 0) branches.push({ before: [], main: waiting, after: [] });
  return branches;
}
