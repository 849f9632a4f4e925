// Texts about the edits of a model.

import { plural } from '../support/numbers.ts';

export const of = (name: string, count: string) => `${name}: ${count}`;
export const published = (count: string) => `Published: ${count}`;
export const changed = 'changed:';
export const from = (before: string, now: string) => `${before} → ${now}`;
export const none = '(none)';
export const more = (n: number) => `and ${plural(n, 'more field')}`;
export const same = 'as many';
export const reset = 'Reset';
export const resetTitle = (name: string) => `Restores ${name} as it was before the edits`;
