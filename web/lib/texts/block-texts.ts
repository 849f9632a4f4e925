// What is said of the picture of a block.

import { plural } from './format.ts';

export const title = (name: string, copies: string) =>
  `One of the ${copies} layers ${name}: its modules, tensors and shapes, from input to output`;
export const copies = (copies: string) => `× ${copies}`;
export const biased = ' + bias';
export const caption =
  'Shapes and numbers are counted; what follows what, and where results are added, is the usual arrangement of such tensors.';
export const more = (n: number) => `… and ${plural(n, 'more kind')} of layers, not drawn`;
export const none = 'This model has no repeated layers.';
export const module = (name: string, part: string) => `${name}, ${part}`;
export const tensor = (name: string, shape: string) => `${name}: ${shape}`;
