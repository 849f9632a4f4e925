// What the command line says beyond the exports and the help.

import { grouped } from './format.ts';

export const standardInput = 'standard input';
export const unreadable = (path: string, why: string) => `${path} cannot be read: ${why}`;
export const tooLarge = (path: string, most: number) =>
  `${path} has more than ${most / 1_000_000} MB: nothing that large is read as a whole.`;
export const waiting = (path: string) => `${path} is a pipe: waiting for somebody to write into it.`;
export const nobodyWrites = (path: string) => `${path} is a pipe that nobody writes into.`;
export const longLine = (path: string) => `${path} has a line that does not end.`;
export const notUtf8 = 'This is no text in UTF-8.';
export const counted = (counted: number, refused: number, seconds: number) =>
  `${grouped(counted)} counted, ${grouped(refused)} refused in ${seconds.toFixed(1)} s (${grouped(Math.round((counted + refused) / Math.max(seconds, 0.001)))} a second)`;
