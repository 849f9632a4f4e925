// What the core will say itself in its second answer format, guessed until then. Goes with the merge of that core: `decoded` in
// ledger.ts is the only one to call it.

import { distance, mistyped } from './near-names.ts';
import type { Answer, FieldRow, Note, Refusal } from './types.ts';

export type RawField = FieldRow;

/** Names of fields that count things; all others are widths. */
const COUNTS = /(heads?|layers?|experts?|groups?|blocks?|per_tok|replace|labels|num_.*|n_layer|n_head.*|top_?k.*|depth|kernel.*|expand|d_conv|step|patterns?)$/;
const HEADLINES = /^(hidden_size|num_hidden_layers|num_attention_heads|intermediate_size|vocab_size|n_embd|n_layer|n_head|d_model|num_layers)$/;

export function stepOf(name: string, fallback: unknown): number {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (typeof fallback === 'number' && fallback < 16) return 1;
  if (COUNTS.test(last) && !/(size|dim|rank|width)$/.test(last)) return 1;
  return /(head_dim|rank|state_size|d_state|d_kv|rope_head_dim|nope_head_dim)$/.test(last) ? 16 : 64;
}

export function asPageGuesses(answer: Answer): Answer {
  if (!answer.ok) return withoutOtherFamilies(answer);
  const fields = answer.fields.map((field) =>
    field.type === 'integer' ? { ...field, step: stepOf(field.name, field.default), headline: HEADLINES.test(field.name) } : field,
  );
  return { ...answer, fields, notes: [...slips(answer.fields), ...answer.notes] };
}

/** A key that nobody knows and that nearly spells a field of this type. */
function slips(fields: readonly FieldRow[]): Note[] {
  const known = fields.filter(({ source }) => source !== 'ignored').map(({ name }) => name);
  const unknown = fields.filter(({ source }) => source === 'ignored').slice(0, 200);
  return unknown.flatMap(({ name }) => {
    const meant = mistyped(name, known);
    if (!meant) return [];
    return [{ level: 'warning', field: name, message: `${name} is no field of this model type and counts for nothing; ${meant} was probably meant.` }];
  });
}

/** A suggestion is one click from a number, so only what a slip of the finger explains is offered: never another family's name. */
function withoutOtherFamilies(answer: Refusal): Refusal {
  const { nearest, ...error } = answer.error;
  if (!nearest) return answer;
  const given = /"([^"]*)"|names (\w+),/.exec(error.message);
  const name = given?.[1] ?? given?.[2] ?? '';
  const near = nearest.filter((other) => slipped(name, other));
  const message = error.message.replace(/; the nearest are [^;]*\.$/, near.length ? `; perhaps ${near.join(' or ')} was meant.` : '.');
  return { ok: false, error: { ...error, message, ...(near.length ? { nearest: near } : {}) } };
}

/** One letter left out, doubled or swapped, inside the word: other families' names differ at their ends or in their letters. */
const slipped = (given: string, name: string) =>
  given[0] === name[0] && given.at(-1) === name.at(-1) && distance(given, name, 1) === 1 && [...given].every((letter) => name.includes(letter));
