// What is said of the picture of a block.

import { plural } from '../support/numbers.ts';

export const title = (name: string, copies: string) =>
  `${copies === '1' ? 'The layer' : `One of the ${copies} layers`} ${name}: its modules, tensors and shapes, from input to output`;
export const copies = (copies: string) => `× ${copies}`;
/** Names as far as they are read. */
export const alike = (names: readonly string[]) =>
  `the same modules, of sizes of their own: ${names.slice(0, 4).join(', ')}${names.length > 4 ? ` and ${names.length - 4} more` : ''}`;
export const kernel = (size: string, channels: string) => `kernel ${size}, ${channels}`;
export const biased = ' + bias';
export const caption =
  'Shapes and numbers are counted; what follows what, and where results are added, is the usual arrangement of such tensors.';
export const chain = 'In the order in which they are listed; what skips past them is not drawn.';
export const more = (n: number) => `… and ${plural(n, 'more kind')} of layers, not drawn`;
export const none = 'This model has no repeated layers.';
export const module = (name: string, part: string) => `${name}, ${part}`;
export const tensor = (name: string, shape: string) => `${name}: ${shape}`;
