// What the view that checks a number says.

import { plural } from './format.ts';

export const checkTexts = {
  title: 'Is this number right?',
  lead: 'Write a number as a model card, a paper or a post has it. The answer names what was counted otherwise, and proves it with a sum.',
  label: (name: string) => `Parameters or bytes of ${name}, as somebody writes them`,
  example: '6.74B, 6,738,411,520, 13.5 GB in fp16, 12.55 GiB …',
  how: 'The last digit says how exactly it is meant. Try',
  verdicts: { exact: 'Exactly', agrees: 'Agrees', nearest: 'Not quite', unexplained: 'Unexplained' },
  exactly: (number: string, unit: string) => `Read as exactly ${number} ${unit}.`,
  between: (low: string, high: string, unit: string) => `Read as anything from ${low} to ${high} ${unit}.`,
  stored: (dtype: string) => `Parameters are stored as ${dtype},`,
  storedBy: {
    claim: 'as you say.',
    config: 'as the configuration says.',
    default: 'which is assumed: neither you nor the configuration says.',
  },
  sum: 'The sum that proves it',
  nearest: 'The nearest sum',
  others: 'Other ways to such a number',
  read: (how: string) => `the number read ${how}`,
  tried: (n: number) => `What was tried: ${plural(n, 'convention')}, up to three together`,
  switchNames: {
    active_only: () => 'active parameters only',
    two_matrices: () => 'two matrices in the feed-forward',
    experts_once: () => 'one expert of each layer',
  } as Readonly<Record<string, (label: string) => string>>,
  all: 'All parameters',
  asIf: (what: string) => `as if with ${what}`,
  counted: (what: string) => `with ${what}`,
  without: (what: string) => `without ${what}`,
  together: 'Together',
  bytes: 'In bytes',
  off: 'What remains',
  rows: 'Tensors that are counted otherwise',
  tensor: 'Tensor',
  usually: 'usually',
  here: 'here',
  out: 'out',
  open: 'Open this configuration',
};
