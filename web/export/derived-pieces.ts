// Functions that all exports of a derivation use: rows of the configuration, shapes, explanations of steps.

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
export const listSettingCells = ({ name, value, source, meaning, formula }: Derivation['setting'][number]): string[] => [
  name,
  grouped(value),
  source === undefined ? (formula ?? meaning) : source === 'derived' && formula !== undefined ? `= ${formula}` : texts.sources[source],
];

/** Formats a tensor's shape: `14,336 × 4,096` for one tensor, `8 × (14,336 × 4,096)` if the step counts eight of them. */
export function formatShape({ shape, value }: DerivedTensor): string {
  const one = shape.reduce((product: bigint, side) => product * BigInt(side), 1n);
  const copies = one === 0n || BigInt(value) % one !== 0n ? 1n : BigInt(value) / one;
  const text = shapeText(shape) || '1';
  return copies > 1n ? `${grouped(copies)} × (${text})` : text;
}

/** Whether a step has a formula to show, not just a value. */
export const isComputed = ({ kind, math }: DerivedStep): boolean => kind !== 'tied' && Array.isArray(math);

/** The reason for a step, followed by the effect of other choices. */
export const explainStep = ({ why, otherwise }: DerivedStep): string | undefined => [why, otherwise].filter(Boolean).join(' ') || undefined;
