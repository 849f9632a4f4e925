// Which layers of a model are drawn: one of each kind, the text model's first, then those of each tower. Stages that differ only in their widths,
// as Swin's and ResNet's do, are one kind; the stage with the most layers is drawn.

import { isIndex, splitName } from './tensor-names.ts';
import { isConvolutional, listModuleRows, type Block } from './layer-blocks.ts';
import type { Part } from '../types/index.ts';

export interface LayerKind {
  readonly block: Block;
  /** Blocks of other lists with the same tensors in other widths. */
  readonly alike: readonly Block[];
}

const TOWERS: readonly Part[] = ['vision', 'audio', 'projector'];

/** Further kinds of the text model, or of one tower, are only counted. */
const MAX_KINDS = 4;

/** The kinds to draw, and the number of the others. */
export function groupByKind(blocks: readonly Block[]): { readonly drawn: readonly LayerKind[]; readonly others: number } {
  const kinds = new Map<string, Block[]>();
  for (const block of blocks) {
    const key = describeKind(block);
    const known = kinds.get(key);
    // Any difference between layers of one list makes another kind, except for convolutions, which widen from layer to layer.
    if (!known) kinds.set(key, [block]);
    else if (isConvolutional(block) || known.every(({ list }) => list !== block.list)) known.push(block);
    else kinds.set(`${key} ${block.list} ${block.layers}`, [block]);
  }
  const groups = new Map<string, LayerKind[]>([['', []], ...TOWERS.map((part): [string, LayerKind[]] => [part, []])]);
  for (const alike of kinds.values()) {
    const block = alike.reduce((most, next) => (next.copies > most.copies ? next : most));
    groups.get(findTower(block))?.push({ block, alike: alike.filter((other) => other !== block) });
  }
  const all = [...groups.values()];
  return {
    drawn: all.flatMap((group) => group.slice(0, MAX_KINDS)),
    others: all.reduce((sum, { length }) => sum + Math.max(0, length - MAX_KINDS), 0),
  };
}

/** The tower that a whole block belongs to; empty if none. */
function findTower({ modules }: Block): Part | '' {
  const parts = new Set(modules.flatMap(listModuleRows).map(({ part }) => part));
  return TOWERS.find((part) => parts.size === 1 && parts.has(part)) ?? '';
}

/** Its place without the indices of stages, and its tensors without shapes. */
function describeKind({ list, modules }: Block): string {
  const place = splitName(list).map((segment) => (isIndex(segment) ? '*' : segment.replace(/\d+$/, '*')));
  const tensors = modules.flatMap(listModuleRows).map(({ name }) => splitName(name).slice(place.length + 1).join('.')); // prettier-ignore
  return `${place.join('.')} ${tensors.join()}`;
}
