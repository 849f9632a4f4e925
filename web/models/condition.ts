// Parses conditions on models: `active < 10B type:qwen3 layers >= 32`, `(llama or mistral) not context < 128k`, `attention > 20%`. Adjacent
// conditions must all hold; `or` binds weakest. A word on its own is searched for in name, id, type and class. Errors are reported with
// their position in the text.

import { findNearName } from '../support/near-names.ts';
import { isWrittenAs, parseQuantity, parseSize } from '../support/quantity.ts';
import * as texts from './models-texts.ts';
import { COLUMN_NAMES, columns, findColumn, type Column } from './model-columns.ts';
import type { Cell } from './model-rows.ts';

/** Returns the value of a column for one model. */
export type Cells = (column: Column) => Cell;
export type Condition = (cells: Cells) => boolean;

export interface Mistake {
  readonly message: string;
  /** The position of the mistake in the parsed text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

export type Parsed = { readonly ok: true; readonly holds: Condition } | { readonly ok: false; readonly error: Mistake };

interface Token {
  readonly kind: 'word' | 'quoted' | 'operator' | '(' | ')';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The deepest nesting of parentheses and `not` that is accepted. */
const MAX_DEPTH = 50;

const OPERATORS: Readonly<Record<string, string>> = { '≤': '<=', '≥': '>=', '≠': '!=', '==': '=' };

class QueryError extends Error {
  readonly place: { readonly from: number; readonly to: number };
  constructor(message: string, { from, to }: { readonly from: number; readonly to: number }) {
    super(message);
    this.place = { from, to };
  }
}

/** Parses a condition. Every model satisfies the empty condition. */
export function parseCondition(text: string): Parsed {
  try {
    return { ok: true, holds: new Parser(text).all() };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return { ok: false, error: { message: error.message, ...error.place } };
  }
}

/** A valid beginning of a condition: words are dropped from its end, from the first mistake on. It applies while the user still types. */
export function findValidPrefix(text: string): string {
  const read = parseCondition(text);
  if (read.ok) return text;
  const before = text.slice(0, read.error.from);
  return findValidPrefix(before.length < text.length ? before.trimEnd() : text.replace(/\s*\S+\s*$/u, ''));
}

/**
 * The columns with a name or alias that begins with the last word of a condition, each with the condition completed by the column's name
 * and an operator. Empty if the word is shorter than two characters or follows an operator.
 */
export function completeColumn(text: string): readonly { readonly column: Column; readonly text: string }[] {
  const [word] = /[\w-]{2,}$/.exec(text.toLowerCase()) ?? [];
  if (word === undefined || /[<>=:!≤≥≠]\s*$/u.test(text.slice(0, -word.length))) return [];
  const begun = columns.filter(({ name, aliases = [] }) => [name, ...aliases].some((known) => known.startsWith(word)));
  const operator = (column: Column) => ({ word: ':', date: ' >= ' })[column.kind as string] ?? ' < ';
  return begun.map((column) => ({ column, text: text.slice(0, -word.length) + column.name + operator(column) }));
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern =
    /\s+|(?<open>\()|(?<close>\))|(?<operator><=|>=|!=|==|[<>=:≤≥≠])|"(?<quoted>[^"]*)"|(?<unquoted>"[^]*)|(?<word>[^\s()<>=:!≤≥≠"]+|!)/gu;
  for (const match of text.matchAll(pattern)) {
    const { open, close, operator, quoted, unquoted, word } = match.groups ?? {};
    const [from, to] = [match.index, match.index + match[0].length];
    if (unquoted !== undefined) throw new QueryError(texts.openQuote, { from, to });
    if (open) tokens.push({ kind: '(', text: '(', from, to });
    else if (close) tokens.push({ kind: ')', text: ')', from, to });
    else if (operator) tokens.push({ kind: 'operator', text: OPERATORS[operator] ?? operator, from, to });
    else if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted, from, to });
    else if (word) tokens.push({ kind: 'word', text: word, from, to });
  }
  return tokens;
}

class Parser {
  private readonly tokens: readonly Token[];
  private readonly end: number;
  private at = 0;
  private depth = 0;

  constructor(text: string) {
    this.tokens = tokenize(text);
    this.end = text.length;
  }

  all(): Condition {
    if (this.tokens.length === 0) return () => true;
    const holds = this.either();
    const rest = this.tokens[this.at];
    if (rest) throw new QueryError(texts.stray, rest);
    return holds;
  }

  private is(word: string): boolean {
    const token = this.tokens[this.at];
    return token?.kind === 'word' && token.text.toLowerCase() === word;
  }

  private either(): Condition {
    const some = [this.together()];
    while (this.is('or')) {
      this.at++;
      some.push(this.together());
    }
    return some.length === 1 ? some[0] : (cells) => some.some((holds) => holds(cells));
  }

  private together(): Condition {
    const every = [this.single()];
    for (;;) {
      if (this.is('and')) this.at++;
      else if (this.at >= this.tokens.length || this.is('or') || this.tokens[this.at].kind === ')') break;
      every.push(this.single());
    }
    return every.length === 1 ? every[0] : (cells) => every.every((holds) => holds(cells));
  }

  private single(): Condition {
    const token = this.tokens[this.at];
    if (!token) throw new QueryError(texts.wantsCondition, { from: this.end, to: this.end });
    if (this.is('not')) {
      this.at++;
      const holds = this.deeper(token, () => this.single());
      return (cells) => !holds(cells);
    }
    if (token.kind === '(') {
      this.at++;
      const holds = this.deeper(token, () => this.either());
      if (this.tokens[this.at]?.kind !== ')') throw new QueryError(texts.open, token);
      this.at++;
      return holds;
    }
    if (token.kind === ')' || token.kind === 'operator' || this.is('and') || this.is('or'))
      throw new QueryError(texts.wantsCondition, token);
    this.at++;
    const operator = this.tokens[this.at];
    return operator?.kind === 'operator' && token.kind === 'word' ? this.compared(token, operator) : this.found(token.text);
  }

  private deeper<T>(token: Token, read: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new QueryError(texts.tooDeep, token);
    const made = read();
    this.depth--;
    return made;
  }

  private compared(name: Token, operator: Token): Condition {
    const column = findColumn(name.text.toLowerCase());
    if (!column) throw new QueryError(texts.noColumn(name.text, findNearName(name.text, COLUMN_NAMES)), name);
    const value = this.tokens[this.at + 1];
    if (value?.kind !== 'word' && value?.kind !== 'quoted')
      throw new QueryError(texts.wantsValue(column.name, operator.text), { from: name.from, to: operator.to });
    this.at += 2;
    const compare = column.kind === 'word' ? compareWord : column.kind === 'date' ? compareDate : compareNumber;
    return compare(column, operator, value);
  }

  private found(word: string): Condition {
    const places = ['name', 'id', 'type', 'class'].flatMap((name) => findColumn(name) ?? []);
    const wanted = word.toLowerCase();
    return (cells) => places.some((column) => String(cells(column)).toLowerCase().includes(wanted));
  }
}

function compareWord(column: Column, operator: Token, { text }: Token): Condition {
  const wanted = text.toLowerCase();
  const own = (cells: Cells) => String(cells(column) ?? '').toLowerCase();
  if (operator.text === ':') return (cells) => own(cells).includes(wanted);
  if (operator.text === '=') return (cells) => own(cells) === wanted;
  if (operator.text === '!=') return (cells) => own(cells) !== wanted;
  throw new QueryError(texts.wantsEqual(column.name), operator);
}

/** Compares dates at the coarser precision of the two: a release in 2024-07 is neither before nor after 2024-07-23 or 2024. */
function compareDate(column: Column, operator: Token, token: Token): Condition {
  const { text: wanted } = token;
  if (!/^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/.test(wanted))
    throw new QueryError(texts.wantsDate(column.name, wanted), token);
  const tests: Readonly<Record<string, (order: number) => boolean>> = {
    '<': (order) => order < 0,
    '<=': (order) => order <= 0,
    '>': (order) => order > 0,
    '>=': (order) => order >= 0,
    '!=': (order) => order !== 0,
  };
  const test = tests[operator.text] ?? ((order: number) => order === 0);
  return (cells) => {
    const own = cells(column);
    if (typeof own !== 'string') return false;
    const shared = Math.min(own.length, wanted.length);
    const [a, b] = [own.slice(0, shared), wanted.slice(0, shared)];
    return test(a < b ? -1 : a > b ? 1 : 0);
  };
}

/** Compares numbers. `=` holds if a model's number rounds to the stated one. An unknown number satisfies no comparison. */
function compareNumber(column: Column, operator: Token, token: Token): Condition {
  const wanted = parseNumber(column, token);
  const { value } = wanted;
  const tests: Readonly<Record<string, (own: bigint) => boolean>> = {
    '<': (own) => own < value,
    '<=': (own) => own <= value,
    '>': (own) => own > value,
    '>=': (own) => own >= value,
    '=': (own) => isWrittenAs(own, wanted),
    ':': (own) => isWrittenAs(own, wanted),
    '!=': (own) => !isWrittenAs(own, wanted),
  };
  const test = tests[operator.text];
  return (cells) => {
    const own = cells(column);
    return typeof own === 'bigint' && test(own);
  };
}

function parseNumber({ name, kind }: Column, token: Token): { readonly value: bigint; readonly unit: bigint } {
  if (kind === 'share') {
    const [, whole, fraction = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?%$/.exec(token.text) ?? [];
    if (whole === undefined) throw new QueryError(texts.wantsShare(name, token.text), token);
    const unit = 10n ** BigInt(4 - fraction.length);
    return { value: BigInt(whole + fraction) * unit, unit };
  }
  const size = kind === 'size' ? parseSize(token.text) : undefined;
  const number = size !== undefined ? { value: BigInt(size), unit: 1n } : parseQuantity(token.text);
  if (!number) throw new QueryError(texts.wantsNumber(name, token.text), token);
  return number;
}
