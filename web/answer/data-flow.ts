// How data flows through a block: which output feeds which matrix, in turn or in parallel, by the mechanism that the core records.

import type { BlockFacts, DerivedTensor } from '../types/index.ts';
import { isIndex, splitName } from './tensor-names.ts';

/** One step of a block: a tensor, or an operation without parameters. */
export interface FlowNode {
  /** A tensor's task or module, or the name of an operation: `softmax`, `activation`, `product`, `scan`, `sum`. */
  readonly id: string;
  /** The tensor's name; missing for an operation without parameters. */
  readonly name?: string;
  /** Ids of the nodes that it reads; `input` is the hidden state, `memory` the other sequence of cross-attention. */
  readonly from: readonly string[];
}

/** A node and what it reads: of each alternative the first that exists, so `query norm|query` reads the norm if there is one. */
type Rule = readonly [id: string, ...from: string[]];

const ATTENTION: readonly Rule[] = [
  ['query', 'input'],
  ['key', 'memory'],
  ['value', 'memory'],
  ['query, key and value', 'input'],
  ['query norm', 'query|query, key and value'],
  ['key norm', 'key|query, key and value'],
  ['softmax', 'query norm|query|query, key and value', 'key norm|key|query, key and value'],
  ['sum', 'softmax', 'value|query, key and value'],
  ['attention gate', 'input'],
  ['product', 'sum', 'attention gate|query'],
  ['output', 'product|sum'],
];

const FLOWS: Readonly<Record<string, readonly Rule[]>> = {
  latent_attention: [
    ['query', 'input'],
    ['query down', 'input'],
    ['q_a_layernorm', 'query down'],
    ['query up', 'q_a_layernorm|query down'],
    ['key and value down', 'input'],
    ['kv_a_layernorm', 'key and value down'],
    ['key and value up', 'kv_a_layernorm|key and value down'],
    ['softmax', 'query up|query', 'key and value up', 'key and value down'],
    ['sum', 'softmax', 'key and value up'],
    ['output', 'sum'],
  ],
  gated_feed_forward: [
    ['gate', 'input'],
    ['up', 'input'],
    ['gate and up', 'input'],
    ['activation', 'gate|gate and up'],
    ['product', 'activation', 'up|gate and up'],
    ['down', 'product'],
  ],
  feed_forward: [
    ['up', 'input'],
    ['activation', 'up'],
    ['down', 'activation'],
  ],
  router: [
    ['router', 'input'],
    ['softmax', 'router'],
  ],
  mamba: [
    ['in_proj', 'input'],
    ['conv1d', 'in_proj'],
    ['x_proj', 'conv1d'],
    ['dt_proj', 'x_proj'],
    ['scan', 'conv1d', 'dt_proj', 'x_proj'],
    ['product', 'scan', 'in_proj'],
    ['out_proj', 'product'],
  ],
  mamba_2: [
    ['in_proj', 'input'],
    ['conv1d', 'in_proj'],
    ['scan', 'conv1d', 'in_proj'],
    ['norm', 'scan', 'in_proj'],
    ['out_proj', 'norm|scan'],
  ],
};

/** Operations without parameters. */
const OPERATIONS: ReadonlySet<string> = new Set(['softmax', 'sum', 'activation', 'product', 'scan']);

/** The flow through a block, in the order of computation; undefined if it is not known. */
export function flowOf(block: BlockFacts, tensors: readonly Pick<DerivedTensor, 'name' | 'task' | 'role'>[]): FlowNode[] | undefined {
  const { mechanism = '', owner } = block;
  const rules =
    FLOWS[mechanism] ?? (/^(multi_head|grouped_query|multi_query|gated)_attention$|^attention$/.test(mechanism) ? ATTENTION : undefined);
  if (rules === undefined) return undefined;
  const own = new Map(tensors.filter(({ name }) => !name.endsWith('bias')).map((tensor) => [idOf(tensor), tensor.name]));
  const nodes: FlowNode[] = [];
  const known = new Set(['input', 'memory']);
  for (const [id, ...sets] of rules) {
    const name = own.get(id);
    if (name === undefined && !OPERATIONS.has(id)) continue;
    if (id === 'product' && rules === ATTENTION && !(own.has('attention gate') || mechanism === 'gated_attention')) continue;
    const from = sets.map((set) => set.split('|').find((one) => known.has(one)) ?? '').filter((one) => one !== '');
    const read = from.map((one) => (one === 'memory' && owner !== 'cross' ? 'input' : one));
    if (read.length === 0) continue;
    nodes.push({ id, ...(name !== undefined && { name }), from: [...new Set(read)] });
    known.add(id);
  }
  return nodes;
}

/** The task without its owner, or the module. */
const idOf = ({ name, task }: Pick<DerivedTensor, 'name' | 'task'>) =>
  task.replace(/^encoder /, '').replace(/^(cross|shared expert) /, '').replace(/^expert /, '') ||
  (splitName(name).findLast((word) => !isIndex(word) && word !== 'weight') ?? name); // prettier-ignore
