// Texts about checked numbers, for the Check view and the command line.

import type { Check, JudgedClaim } from '../types/index.ts';

export const title = 'Is this number right?';
export const lead = 'Enter a number from a model card, a paper or a post. The answer says what was counted, and proves it with a sum.';
export const label = (name: string) => `Parameters or bytes of ${name}, as printed`;
export const example = '6.74B, 671B total and 37B activated, 13.5 GB in fp16 …';
export const how = 'Precision is taken from the digits you write: 8.03B means 8.025B to 8.035B. Try';
export const verdicts = {
  exact: 'Exactly',
  agrees: 'Agrees',
  convention: 'Under a convention',
  nearest: 'Not quite',
  known: 'Known, but not a count',
  unexplained: 'Unexplained',
};
/**
 * The verdict to show. It is `known` if the origin of an unexplained number is documented, and `convention` if the most plausible
 * explanation contains a switch other than a named total.
 */
export function shown({ verdict, agreeing, known }: JudgedClaim): keyof typeof verdicts {
  if (known) return 'known';
  return agreeing.length > 0 && agreeing[0].switches.some(({ kind }) => kind !== 'total') ? 'convention' : verdict;
}
export const exactly = (number: string, unit: string) => `Read as exactly ${number} ${unit}.`;
export const between = (low: string, high: string, unit: string) => `Read as anything from ${low} to ${high} ${unit}.`;
export const stored = (dtype: string) => `Parameters are stored as ${dtype},`;
export const storedBy = {
  claim: 'as you say.',
  config: 'as the configuration says.',
  default: 'which is assumed: neither you nor the configuration gives a data type.',
};
export const sum = 'The sum that proves it';
export const nearest = 'The nearest sum';
/** The heading for one of several numbers in a claim. */
export const of = (title: string, claim: string) => `${title}: ${claim}`;
export const others = 'Other readings of this number';
export const read = (how: string) => `the number, read ${how}`;
export const tried = (n: number) => `Conventions tried: ${n}, up to three together`;
const switchNames: Readonly<Record<string, string>> = {
  active: 'active parameters only',
  two_matrices: 'two matrices in the feed-forward',
  experts_once: 'one expert of each layer',
};
/** Names one of the conventions that the check tries. */
export function tryName({ id, label, kind }: Check['offered'][number]): string {
  if (kind !== 'total' || switchNames[id] !== undefined) return switchNames[id] ?? label;
  const [, alone] = /^everything but (.*)$/.exec(label) ?? [];
  if (alone !== undefined) return `${alone} alone`;
  return /^(published|stored)/.test(id) ? counted(label) : without(label);
}
export const from = (source: string) => `Source: ${source}.`;
export const all = 'All parameters';
export const asIf = (what: string) => `as if with ${what}`;
export const counted = (what: string) => `with ${what}`;
export const without = (what: string) => `without ${what}`;
export const together = 'Together';
export const bytes = 'In bytes';
export const off = 'Claim minus sum';
export const rows = 'Tensors counted differently';
export const tensor = 'Tensor';
export const usually = 'usually';
export const here = 'here';
export const out = 'out';
export const open = 'Open this configuration';
