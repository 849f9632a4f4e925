// Explains one field of a counted configuration.

import { grouped } from '../support/numbers.ts';
import { listSymbols } from '../answer/formula.ts';
import { whyIgnored } from '../texts/ignored.ts';
import * as sourcesTexts from '../texts/sources.ts';
import type { CountAnswer, FieldRow } from '../types/index.ts';
import { Usage } from './command.ts';
import { listMeantFields } from './meant-fields.ts';

/** Finds a field of a count by its name, its name in the configuration or a common name. Throws `Usage` if there is none. */
export function findField({ fields }: CountAnswer, wanted: string): FieldRow {
  const field = fields.find(({ name, given_as }) => name === wanted || given_as === wanted) ?? findBySymbol(fields, wanted);
  if (field) return field;
  const meant = listMeantFields(
    wanted,
    fields.map(({ name }) => name),
  );
  throw new Usage(`this model has no field ${wanted}.${meant.length > 0 ? ` Did you mean ${meant.join(' or ')}?` : ''}`);
}

/**
 * Finds a field outside of sections by a common name that stands for the same symbol: `num_attention_heads` finds GPT-2's `n_head`, because
 * both have the symbol n.
 */
function findBySymbol(fields: readonly FieldRow[], wanted: string): FieldRow | undefined {
  const symbol = SYMBOLS[wanted];
  return symbol === undefined ? undefined : fields.find((field) => field.symbol === symbol && !field.name.includes('.'));
}

/** The common names of fields and their symbols in formulas. */
const SYMBOLS: Readonly<Record<string, string>> = {
  hidden_size: 'd',
  num_hidden_layers: 'L',
  num_attention_heads: 'n',
  num_key_value_heads: 'n_kv',
  head_dim: 'h',
  intermediate_size: 'f',
  max_position_embeddings: 'P',
};

export function* explainField(answer: CountAnswer, wanted: string): Generator<string> {
  const { symbols, tensors } = answer;
  const field = findField(answer, wanted);
  const written = (value: unknown) => (value === undefined ? '' : JSON.stringify(value));
  const lines: [string, string | undefined][] = [
    ['value', written(field.value)],
    ['comes from', `${sourcesTexts.how[field.source]}${field.given_as ? ` ${sourcesTexts.as(field.given_as)}` : ''}`],
    ['formula', field.formula],
    ['default', field.default === undefined ? undefined : written(field.default)],
    ['symbol', field.symbol],
    ['choices', field.choices?.join(', ')],
    ['why ignored', whyIgnored(field.name, field.reason)],
  ];
  if (wanted !== field.name && wanted !== field.given_as) yield `${wanted} is called ${field.name} here.\n\n`;
  yield `${field.name}${field.type ? `: ${field.type}` : ''}\n${field.meaning ? `${field.meaning}\n` : ''}\n`;
  yield lines.map(([name, text]) => (text ? `${name.padEnd(12)}${text}\n` : '')).join('');
  const dependsOnField = (at: number): boolean => {
    const { name, math } = symbols[at];
    return name === field.name || (math !== undefined && listSymbols(math).some(dependsOnField));
  };
  const rows = tensors.filter(({ math }) => listSymbols(math).some(dependsOnField));
  if (rows.length === 0) return;
  yield '\nits tensors\n';
  for (const { name, formula, total } of rows) yield `  ${name}\n    ${formula} = ${grouped(total)}\n`;
}
