// What the view that checks a number says.

import { plural } from './format.ts';

export const title = 'Is this number right?';
export const lead =
  'Write a number as a model card, a paper or a post has it. The answer names what was counted otherwise, and proves it with a sum.';
export const label = (name: string) => `Parameters or bytes of ${name}, as somebody writes them`;
export const example = '6.74B, 6,738,411,520, 13.5 GB in fp16, 12.55 GiB …';
export const how = 'The last digit says how exactly it is meant. Try';
export const verdicts = { exact: 'Exactly', agrees: 'Agrees', nearest: 'Not quite', unexplained: 'Unexplained' };
export const exactly = (number: string, unit: string) => `Read as exactly ${number} ${unit}.`;
export const between = (low: string, high: string, unit: string) => `Read as anything from ${low} to ${high} ${unit}.`;
export const stored = (dtype: string) => `Parameters are stored as ${dtype},`;
export const storedBy = {
  claim: 'as you say.',
  config: 'as the configuration says.',
  default: 'which is assumed: neither you nor the configuration says.',
};
export const sum = 'The sum that proves it';
export const nearest = 'The nearest sum';
export const others = 'Other ways to such a number';
export const read = (how: string) => `the number read ${how}`;
export const tried = (n: number) => `What was tried: ${plural(n, 'convention')}, up to three together`;
export const switchNames = {
  active_only: () => 'active parameters only',
  two_matrices: () => 'two matrices in the feed-forward',
  experts_once: () => 'one expert of each layer',
} as Readonly<Record<string, (label: string) => string>>;
export const all = 'All parameters';
export const asIf = (what: string) => `as if with ${what}`;
export const counted = (what: string) => `with ${what}`;
export const without = (what: string) => `without ${what}`;
export const together = 'Together';
export const bytes = 'In bytes';
export const off = 'What remains';
export const rows = 'Tensors that are counted otherwise';
export const tensor = 'Tensor';
export const usually = 'usually';
export const here = 'here';
export const out = 'out';
export const open = 'Open this configuration';
