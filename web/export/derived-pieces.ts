// Shared by all exports of a derivation: its setting as rows, its steps with numbers, its title.

import { grouped, shapeText } from '../support/numbers.ts';
import * as texts from '../core/derivation-texts.ts';
import type { Derivation, DerivedStep, DerivedTensor } from '../types/index.ts';

/** About the context of the derivation. */
export interface About {
  /** The model's name. */
  readonly title: string;
  /** The address that shows the same. */
  readonly address?: string;
}

/** Cells of the setting: field, value, origin. */
export const listSettingCells = ({ name, value, source, meaning, formula }: Derivation['setting'][number]): string[] => [
  name,
  grouped(value),
  source === undefined ? (formula ?? meaning) : source === 'derived' && formula !== undefined ? `= ${formula}` : texts.sources[source],
];

/** `14,336 × 4,096` for one tensor; `8 × (14,336 × 4,096)` if the step counts eight of them. */
export function formatShape({ shape, value }: DerivedTensor): string {
  const one = shape.reduce((product: bigint, side) => product * BigInt(side), 1n);
  const copies = one === 0n || BigInt(value) % one !== 0n ? 1n : BigInt(value) / one;
  const text = shapeText(shape) || '1';
  return copies > 1n ? `${grouped(copies)} × (${text})` : text;
}

/** Whether a step's formula is more than its value. */
export const isComputed = ({ kind, math }: DerivedStep): boolean => kind !== 'tied' && Array.isArray(math);

/** The reason of a step, and the effect of other choices. */
export const explainStep = ({ why, otherwise }: DerivedStep): string | undefined => [why, otherwise].filter(Boolean).join(' ') || undefined;
