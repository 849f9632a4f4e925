// What the view of all models shows, and its words in an address: `columns:name,active|sort:-active|picture:layers|where:type:llama`.

import type { Wish } from '../models/model-table.ts';

export interface ModelsWish extends Wish {
  /** `shares`, or the column whose points are drawn over the parameters; empty: the first of them. */
  readonly picture: string;
}

export const firstModelsWish: ModelsWish = { columns: '', where: '', sort: '-parameters', picture: '' };

/** The condition is the last: it may have any sign in it. */
const NAMES = ['columns', 'sort', 'picture', 'where'] as const;

export function parse(text: string): ModelsWish {
  const wish: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const [, name, own] = /^(columns|sort|picture|where):([^]*)$/.exec(rest) ?? [];
    if (name === undefined) break;
    const end = name === 'where' || !own.includes('|') ? own.length : own.indexOf('|');
    wish[name] = own.slice(0, end);
    rest = own.slice(end + 1);
  }
  return { ...firstModelsWish, ...wish };
}

export const write = (wish: ModelsWish): string =>
  NAMES.filter((name) => wish[name] !== firstModelsWish[name])
    .map((name) => `${name}:${wish[name]}`)
    .join('|');
