// Exports a count as plain text to quote: the number, its parts and formula, and a citation.

import { listWarnings } from '../answer/warnings.ts';
import { grouped, percent, short } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import * as exportsTexts from './export-texts.ts';
import type { CountAnswer } from '../types/index.ts';

/** What an export states about the count. */
export interface Citation {
  /** The model's name. */
  readonly title: string;
  /** The URL that shows this count. */
  readonly address?: string;
  /** The date of the count, such as `2026-11-21`. */
  readonly date?: string;
}

/** Writes the export, with the parts in aligned columns. */
export function formatPlain(answer: CountAnswer, { title, address, date }: Citation): string {
  const { architecture, formula, model_type, parts, totals } = answer;
  const rows = parts.map(({ part, parameters }) => [partLabel(part), grouped(parameters), percent(parameters, totals.parameters)]);
  const all = [...rows, [texts.picture.total, grouped(totals.parameters), '100%']];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column].length)));
  const line = ([label, count, share]: string[]) =>
    `  ${label.padEnd(widths[0])}  ${count.padStart(widths[1])}  ${share.padStart(widths[2])}`;
  return [
    `${title}: ${grouped(totals.parameters)} parameters (${short(totals.parameters)})`,
    `${architecture}, model type ${model_type}`,
    ...listWarnings(answer).map(exportsTexts.warning),
    '',
    ...rows.map(line),
    `  ${'-'.repeat(widths[0] + widths[1] + widths[2] + 4)}`,
    line(all[all.length - 1]),
    '',
    `${formula.symbols}`,
    `= ${formula.substitution}`,
    `= ${grouped(formula.value)}`,
    '',
    exportsTexts.citation(title, grouped(totals.parameters), date, address),
    '',
  ].join('\n');
}
