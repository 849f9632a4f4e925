/**
 * The one answer that page, widget, Node package and tests share. Counts are decimal strings: they exceed
 * what a JavaScript number holds exactly, so turn them into BigInt before doing anything but show them.
 */

export type * from './types/formula-types.ts';
export type * from './types/input-types.ts';
export type * from './types/refusal-types.ts';
export type * from './types/count-types.ts';
export type * from './types/catalog-types.ts';
export type * from './types/read-types.ts';
export type * from './types/memory-types.ts';
export type * from './types/claim-types.ts';
export type * from './types/article-types.ts';
export type * from './types/derivation-types.ts';
export type * from './types/search-types.ts';
export type * from './types/comparison-types.ts';
export type * from './types/ledger-types.ts';
