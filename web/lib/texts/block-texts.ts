// What is said of the picture of a block.

import { plural } from './format.ts';

export const blockTexts = {
  title: (name: string, copies: string) => `One of the ${copies} layers ${name}: its modules, tensors and shapes, from input to output`,
  copies: (copies: string) => `× ${copies}`,
  biased: ' + bias',
  caption: 'Shapes and numbers are counted; what follows what, and where results are added, is the usual arrangement of such tensors.',
  more: (n: number) => `… and ${plural(n, 'more kind')} of layers, not drawn`,
  none: 'This model has no repeated layers.',
  module: (name: string, part: string) => `${name}, ${part}`,
  tensor: (name: string, shape: string) => `${name}: ${shape}`,
};
