// What somebody pasted or dropped: a configuration, a model's name, or something else, of which the page says what it was.

import { hubId } from '../search.ts';
import { texts } from '../texts.ts';

export type Recognised =
  | { readonly kind: 'config'; readonly text: string }
  /** Perhaps the name of a model, for the catalogue to say. */
  | { readonly kind: 'name'; readonly id: string; readonly otherwise: string }
  | { readonly kind: 'other'; readonly what: string };

export function recognise(given: string): Recognised {
  const text = withoutFence(given);
  const start = text.trimStart();
  if (start.startsWith('{')) return { kind: 'config', text };
  return start === '' ? other(texts.input.empty) : (named(start) ?? other(whatElse(start)));
}

const other = (what: string): Recognised => ({ kind: 'other', what: texts.input.said(what) });

/** A block of code as Markdown has it. */
function withoutFence(text: string): string {
  const fenced = /^\s*(?:```|~~~)[\w.-]*[ \t]*\r?\n([\s\S]*?)\r?\n?(?:```|~~~)\s*$/.exec(text);
  return fenced ? fenced[1] : text;
}

function named(text: string): Recognised | undefined {
  const hub = hubId(text);
  if (hub) return { kind: 'name', id: hub, otherwise: texts.input.said(texts.input.hub(hub)) };
  const line = text.trim();
  if (!/^[\w.-]+(\/[\w.-]+)?$/.test(line) || line.length > 100 || /^\d+$/.test(line)) return undefined;
  return { kind: 'name', id: line, otherwise: texts.input.said(texts.input.words(line.slice(0, 60))) };
}

function whatElse(text: string): string {
  const { input } = texts;
  if (/[\0\ufffd]/.test(text.slice(0, 400))) return input.binary;
  if (text.startsWith('[')) return input.list;
  if (/^<(!doctype|html|\?xml|head|body|div)/i.test(text)) return input.page;
  if (text.startsWith('version https://git-lfs')) return input.pointer;
  if (/^\w+\(\s*\n\s+\(\w+\): /.test(text)) return input.printed;
  if (/^[\d.,_]+$/.test(text.trim())) return input.number;
  return input.words(text.trim().replace(/\s+/g, ' ').slice(0, 60));
}
