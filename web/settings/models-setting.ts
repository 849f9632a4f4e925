// The setting of the Models view. Parses and writes it as text in an address, such as
// `columns:name,active|sort:-active|picture:layers|where:type:llama`.

import type { TableSetting } from '../models/model-table.ts';

export interface ModelsSetting extends TableSetting {
  /** `shares` for stacked bars, or the column to plot against the parameter count. Empty means `active`. */
  readonly picture: string;
}

export const defaultModelsSetting: ModelsSetting = { columns: '', where: '', sort: '-parameters', picture: '' };

/** The settings in the order in which an address lists them. `where` comes last, because a condition may contain any character. */
const NAMES = ['columns', 'sort', 'picture', 'where'] as const;

export function parse(text: string): ModelsSetting {
  const wish: Record<string, string> = {};
  let rest = text;
  while (rest !== '') {
    const [, name, own] = /^(columns|sort|picture|where):([^]*)$/.exec(rest) ?? [];
    if (name === undefined) break;
    const end = name === 'where' || !own.includes('|') ? own.length : own.indexOf('|');
    wish[name] = own.slice(0, end);
    rest = own.slice(end + 1);
  }
  return { ...defaultModelsSetting, ...wish };
}

export const write = (wish: ModelsSetting): string =>
  NAMES.filter((name) => wish[name] !== defaultModelsSetting[name])
    .map((name) => `${name}:${wish[name]}`)
    .join('|');
