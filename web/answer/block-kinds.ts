// Chooses the layers to draw: one of each kind, up to a limit, first those of the text model, then those of each tower and of the
// projector. Stages that differ only in width, as in Swin and ResNet, are one kind; the stage with the most layers is drawn.

import { isIndex, splitName } from './tensor-names.ts';
import { isConvolutional, listModuleRows, type Block } from './layer-blocks.ts';
import { TOWERS } from './towers.ts';
import type { Part } from '../types/index.ts';

export interface LayerKind {
  readonly block: Block;
  /** Further blocks of this kind, which are not drawn. They have the same tensor names, but their shapes may differ. */
  readonly alike: readonly Block[];
}

/**
 * The maximum number of kinds of layers to draw for the text model, for each tower and for the projector. Further kinds are only counted.
 */
const MAX_KINDS = 4;

/** Returns the kinds of layers to draw, and the number of kinds that are left out. */
export function groupByKind(blocks: readonly Block[]): { readonly drawn: readonly LayerKind[]; readonly others: number } {
  const kinds = new Map<string, Block[]>();
  for (const block of blocks) {
    const key = describeKind(block);
    const known = kinds.get(key);
    // Blocks of one list that differ in any way are separate kinds, except for convolutions, whose widths change from layer to layer.
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

/** The tower or projector that contains all tensors of the block; empty if there is none. */
function findTower({ modules }: Block): Part | '' {
  const parts = new Set(modules.flatMap(listModuleRows).map(({ part }) => part));
  return TOWERS.find((part) => parts.size === 1 && parts.has(part)) ?? '';
}

/** A key that is equal for blocks of one kind: the path without indices, and the tensor names without shapes. */
function describeKind({ list, modules }: Block): string {
  const place = splitName(list).map((segment) => (isIndex(segment) ? '*' : segment.replace(/\d+$/, '*')));
  const tensors = modules.flatMap(listModuleRows).map(({ name }) => splitName(name).slice(place.length + 1).join('.')); // prettier-ignore
  return `${place.join('.')} ${tensors.join()}`;
}
