// Writes the defaults of a missing section into a configuration before one of its fields is edited.

import type { Count, FieldRow } from '../types/index.ts';
import { findLiteral, setField } from './config-text.ts';

/**
 * Returns the text with all fields of the section that contains `path`, if the configuration lacks that section and a section with this
 * field alone would change the count: transformers may have other defaults for a missing section than for one with few fields. Otherwise
 * returns the text unchanged, also if the section with all fields would change the count. `fields`: the fields of the counted
 * configuration. `counting`: counts a configuration.
 */
export function fillMissingSection(
  text: string,
  path: string,
  fields: readonly FieldRow[],
  counting: (config: string) => Count | undefined,
): string {
  const section = path.slice(0, path.lastIndexOf('.') + 1);
  const given = section === '' ? '{}' : findLiteral(text, section.slice(0, -1));
  if (given !== undefined && given !== 'null') return text;
  const own = fields.filter(
    ({ name, value }) => name.lastIndexOf('.') + 1 === section.length && name.startsWith(section) && value !== undefined,
  );
  const field = own.find(({ name }) => name === path);
  if (field === undefined) return text;
  const now = counting(text);
  const alone = setField(text, path, literalOf(field));
  if (alone === undefined || counting(alone) === now) return text;
  const full = own.reduce((edited, row) => setField(edited, row.name, literalOf(row)) ?? edited, text);
  return counting(full) === now ? full : text;
}

/** The JSON of a field's value. Integers that JavaScript cannot hold exactly are strings of digits. */
const literalOf = ({ value, type }: FieldRow) => (type === 'integer' && typeof value === 'string' ? value : JSON.stringify(value));
