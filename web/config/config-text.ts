// Edits a config.json as text, which keeps its order, unknown keys, spaces and the digits of large integers. It parses only as much JSON as
// is needed to find a member; whether the text is valid is decided by the core.

interface Member {
  key: string;
  /** The position of the key's opening quote. */
  start: number;
  /** The position where the value begins. */
  from: number;
  /** The position after the value. */
  to: number;
}

const MAX_DEPTH = 64;

/**
 * The configuration as an object; empty if the text is not JSON. NaN and Infinity, which the core accepts as Python writes them, become null
 * and Infinity.
 */
export function parseConfig(text: string): Readonly<Record<string, unknown>> {
  const asJson = (token: string) => (token[0] === '"' ? token : token.replace('NaN', 'null').replace('Infinity', '1e999'));
  try {
    return JSON.parse(text.replace(/"(?:[^"\\]+|\\.)*"|-?Infinity|NaN/gs, asJson)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** Returns the JSON text of the value at `path`, or undefined if there is none. If a key occurs twice, the last one counts. */
export function findLiteral(text: string, path: string): string | undefined {
  const member = findMember(text, path.split('.'));
  return member && text.slice(member.from, member.to);
}

/**
 * Sets a value. A missing member is inserted where the text `like` has it, or else at the end. Objects on its path that are missing or null
 * are created. Undefined if the text or another value on the path is not an object.
 */
export function setField(text: string, path: string, literal: string, like = ''): string | undefined {
  const keys = path.split('.');
  const member = findMember(text, keys);
  if (member) return text.slice(0, member.from) + literal + text.slice(member.to);
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const parent = depth === 0 ? findRoot(text) : findMember(text, keys.slice(0, depth));
    if (!parent || text[parent.from] !== '{') continue;
    const nested = keys.slice(depth + 1).reduceRight((inner, key) => `{${JSON.stringify(key)}: ${inner}}`, literal);
    const other = findMember(text, keys.slice(0, depth + 1));
    if (other) return text.slice(other.from, other.to) === 'null' ? text.slice(0, other.from) + nested + text.slice(other.to) : undefined;
    return insertMember(text, parent.from, keys[depth], nested, findKeysBefore(like, keys.slice(0, depth), keys[depth]));
  }
  return undefined;
}

/** Removes a member and its repetitions. */
export function removeField(text: string, path: string): string {
  const keys = path.split('.');
  const parent = keys.length === 1 ? findRoot(text) : findMember(text, keys.slice(0, -1));
  const list = parent && readMembers(text, parent.from);
  if (!list) return text;
  const i = list.map(({ key }) => key).lastIndexOf(keys[keys.length - 1]);
  if (i < 0) return text;
  // Removes up to the next key or, if it is the last member, from the preceding comma.
  const from = i + 1 < list.length || i === 0 ? list[i].start : list[i - 1].to;
  const to = i + 1 < list.length ? list[i + 1].start : list[i].to;
  return removeField(text.slice(0, from) + text.slice(to), path); // the key may occur twice
}

/** The members of the outermost object as pairs of key and literal. Undefined if the text is not an object. */
export function listMembers(text: string): [string, string][] | undefined {
  const object = findRoot(text);
  return object && readMembers(text, object.from)?.map(({ key, from, to }) => [key, text.slice(from, to)]);
}

/** Removes the spaces between the tokens of a text. */
export const removeSpaces = (text: string) => text.replace(/"(?:[^"\\]+|\\.)*"?|\s+/gs, (token) => (token[0] === '"' ? token : ''));

/**
 * Whether two objects have the same keys with equal values. Spacing and the order of the outermost keys do not matter, but nested keys must
 * be in the same order.
 */
export function haveSameValues(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [listMembers(a), listMembers(b)];
  if (!left || !right || left.length !== right.length) return false;
  const [values, others] = [left, right].map((members) => new Map(members.map(([key, literal]) => [key, removeSpaces(literal)])));
  return values.size === left.length && others.size === right.length && left.every(([key]) => values.get(key) === others.get(key));
}

/** The keys before a given one, nearest first. Undefined if the text does not contain the key. */
function findKeysBefore(text: string, path: string[], key: string): string[] | undefined {
  const object = path.length === 0 ? findRoot(text) : findMember(text, path);
  const keys = (object && readMembers(text, object.from))?.map((member) => member.key) ?? [];
  return keys.includes(key) ? keys.slice(0, keys.indexOf(key)).reverse() : undefined;
}

/**
 * Inserts a member. `before` lists keys: the new key goes after the first of these that exists, or else to the front. Without `before` it
 * goes to the end.
 */
function insertMember(text: string, at: number, key: string, literal: string, before: string[] | undefined): string | undefined {
  const list = readMembers(text, at);
  if (!list) return undefined;
  const written = `${JSON.stringify(key)}: ${literal}`;
  const last = list[list.length - 1];
  if (!last) return `${text.slice(0, at + 1)}\n  ${written}\n${text.slice(at + 1).trimStart()}`;
  const neighbour = before ? before.map((name) => list.find((member) => member.key === name)).find((member) => member !== undefined) : last;
  if (!neighbour) {
    const first = list[0].start;
    return `${text.slice(0, first)}${written},${text.slice(at + 1, first) || ' '}${text.slice(first)}`;
  }
  const place = list.indexOf(neighbour);
  const between = text.slice(place > 0 ? list[place - 1].to : at, neighbour.start);
  const gap = between.slice(between.trimEnd().length) || ' ';
  return `${text.slice(0, neighbour.to)},${gap}${written}${text.slice(neighbour.to)}`;
}

function findRoot(text: string): Member | undefined {
  const from = skipSpaces(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  return text[from] === '{' ? { key: '', start: from, from, to: text.length } : undefined;
}

function findMember(text: string, keys: string[]): Member | undefined {
  let object = findRoot(text);
  for (const key of keys) {
    object = object && text[object.from] === '{' ? readMembers(text, object.from)?.findLast((member) => member.key === key) : undefined;
  }
  return object;
}

/** Caches the objects of the last text, keyed by the position of their opening brace, because a form reads many fields of one text. */
const parsed = { text: '', objects: new Map<number, readonly Member[] | undefined>() };

/** The members of the object that opens at this position; undefined if it is malformed. */
function readMembers(text: string, at: number): readonly Member[] | undefined {
  if (parsed.text !== text) Object.assign(parsed, { text, objects: new Map() });
  if (!parsed.objects.has(at)) parsed.objects.set(at, parseMembers(text, at));
  return parsed.objects.get(at);
}

function parseMembers(text: string, at: number): Member[] | undefined {
  const list: Member[] = [];
  let i = skipSpaces(text, at + 1);
  if (text[i] === '}') return list;
  for (;;) {
    const start = i;
    const end = skipString(text, start);
    if (end < 0) return undefined;
    i = skipSpaces(text, end);
    if (text[i] !== ':') return undefined;
    const from = skipSpaces(text, i + 1);
    const to = skipValue(text, from);
    if (to < 0) return undefined;
    list.push({ key: parseKey(text.slice(start, end)), start, from, to });
    i = skipSpaces(text, to);
    if (text[i] === '}') return list;
    if (text[i] !== ',') return undefined;
    i = skipSpaces(text, i + 1);
  }
}

function parseKey(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

/** The position after any spaces. */
function skipSpaces(text: string, at: number): number {
  let i = at;
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\r' || text[i] === '\t') i++;
  return i;
}

/** The position after a string, or -1 if there is none. */
function skipString(text: string, at: number): number {
  if (text[at] !== '"') return -1;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
  return -1;
}

/** The position after a value, or -1 if there is none or it is nested too deeply. */
function skipValue(text: string, at: number): number {
  let depth = 0;
  let i = at;
  do {
    const character = text[i];
    if (character === '"') {
      i = skipString(text, i);
      if (i < 0) return -1;
    } else if (character === '{' || character === '[') {
      if (++depth > MAX_DEPTH) return -1;
      i++;
    } else if (character === '}' || character === ']') {
      if (--depth < 0) return -1;
      i++;
    } else if (character === ',' || character === ':') {
      if (depth === 0) return -1;
      i++;
    } else {
      const start = i;
      while (i < text.length && !/[\s,:{}[\]"]/.test(text[i])) i++;
      if (i === start) return -1;
    }
    if (depth > 0) i = skipSpaces(text, i);
  } while (depth > 0);
  return i;
}
