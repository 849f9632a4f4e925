// Texts about where the values of a configuration come from.

import { plural } from '../support/numbers.ts';

export const title = 'Where the values come from';
export const field = 'field';
export const value = 'value';
export const source = 'source';
export const how = {
  given: 'given in the configuration',
  default: 'default of transformers',
  derived: 'derived',
  ignored: 'ignored',
};
export const as = (name: string) => `as ${name}`;
export const more = (n: number) => `… and ${plural(n, 'more field')}`;
