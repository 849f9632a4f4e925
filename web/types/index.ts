/**
 * The types of all questions and answers, shared by the page, the widget, the npm package and the tests. Counts are decimal strings,
 * because they may exceed what a JavaScript number holds exactly. Convert them to BigInt to compute with them.
 */

export type * from './formula.ts';
export type * from './input.ts';
export type * from './refusal.ts';
export type * from './count.ts';
export type * from './catalog.ts';
export type * from './read.ts';
export type * from './memory.ts';
export type * from './operations.ts';
export type * from './devices.ts';
export type * from './claim.ts';
export type * from './article.ts';
export type * from './derivation.ts';
export type * from './lesson.ts';
export type * from './search.ts';
export type * from './comparison.ts';
export type * from './ledger.ts';
