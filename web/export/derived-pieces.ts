// Functions that several exports of a derivation share: rows of the configuration, shapes, explanations of steps.

import { grouped, shapeText } from '../support/numbers.ts';
import * as texts from '../core/derivation-texts.ts';
import type { Derivation, DerivedStep, DerivedTensor } from '../types/index.ts';

/** What an export states about the derivation. */
export interface About {
  /** The model's name. */
  readonly title: string;
  /** The URL that shows this derivation. */
  readonly address?: string;
}

/** The cells of a row of the configuration: field, value, origin. */
export const listSettingCells = (row: Derivation['setting'][number]): string[] => [row.name, grouped(row.value), describeOrigin(row)];

/** The origin of a value. A name without a source has a formula, is an entry of a list, or is a count, such as the layers of a kind. */
function describeOrigin({ name, source, meaning, formula }: Derivation['setting'][number]): string {
  if (source === 'derived' && formula !== undefined) return /^[\d,]+$/.test(formula) ? texts.derivedValue : `= ${formula}`;
  if (source !== undefined) return texts.sources[source];
  return formula ?? (name.endsWith(']') ? texts.listEntry : texts.counted(meaning));
}

/** Formats a tensor's shape: `14,336 × 4,096` for one tensor, `8 × (14,336 × 4,096)` if the step counts eight of them. */
export function formatShape({ shape, value }: DerivedTensor): string {
  const one = shape.reduce((product: bigint, side) => product * BigInt(side), 1n);
  const copies = one === 0n || BigInt(value) % one !== 0n ? 1n : BigInt(value) / one;
  const text = shapeText(shape) || '1';
  return copies > 1n ? `${grouped(copies)} × (${text})` : text;
}

/** Whether exports show a formula for a step, not just a value. */
export const isComputed = ({ kind, math }: DerivedStep): boolean => kind !== 'tied' && Array.isArray(math);

/** The reason for a step, followed by the effect of other choices. */
export const explainStep = ({ why, otherwise }: DerivedStep): string | undefined => [why, otherwise].filter(Boolean).join(' ') || undefined;

/**
 * The tensors that a step lists, each named as in the layers of the step. A step for inactive experts lists none: the step for the experts
 * lists them, and the formula says how many are inactive.
 */
export const listTensors = ({ kind, list, layers, tensors }: DerivedStep): readonly (readonly [name: string, tensor: DerivedTensor])[] =>
  kind === 'idle' ? [] : tensors.map((tensor) => [nameInLayers(tensor.name, list, layers), tensor] as const);

const nameInLayers = (name: string, list?: string, layers?: string) =>
  list && layers && name.startsWith(`${list}.[`) ? `${list}.${layers}${name.slice(name.indexOf(']', list.length) + 1)}` : name;
