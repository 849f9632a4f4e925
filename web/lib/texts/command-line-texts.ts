// What the command line says beyond the exports and the help.

import { grouped } from './format.ts';

export const notUtf8 = 'This is no text in UTF-8.';
export const counted = (counted: number, refused: number, seconds: number) =>
  `${grouped(counted)} counted, ${grouped(refused)} refused in ${seconds.toFixed(1)} s (${grouped(Math.round((counted + refused) / Math.max(seconds, 0.001)))} a second)`;
