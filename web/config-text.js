// Edits a config.json as text, so that order, unknown keys, spacing and the digits of large integers stay as they were.
// It reads only as much JSON as finding a member takes; whether the text is valid the core says.

/**
 * @typedef {object} Member
 * @property {string} key
 * @property {number} start of the key's quote
 * @property {number} from of the value
 * @property {number} to after the value
 */

const MAX_DEPTH = 64;

/** The value of a member as written, or undefined. Of a key that stands twice the last. @param {string} text @param {string} path dotted */
export function literalAt(text, path) {
  const member = find(text, path.split('.'));
  return member && text.slice(member.from, member.to);
}

/**
 * Puts a value there, adding the member (and objects on its way) at the end where it is missing.
 * @param {string} text
 * @param {string} path dotted
 * @param {string} literal JSON
 * @returns {string | undefined} undefined where the text is no object that could take it
 */
export function withField(text, path, literal) {
  const keys = path.split('.');
  const member = find(text, keys);
  if (member) return text.slice(0, member.from) + literal + text.slice(member.to);
  for (let depth = keys.length - 1; depth >= 0; depth--) {
    const parent = depth === 0 ? whole(text) : find(text, keys.slice(0, depth));
    if (!parent || text[parent.from] !== '{') continue;
    const nested = keys.slice(depth + 1).reduceRight((inner, key) => `{${JSON.stringify(key)}: ${inner}}`, literal);
    return withMember(text, parent.from, keys[depth], nested);
  }
  return undefined;
}

/** Takes a member out. @param {string} text @param {string} path dotted */
export function withoutField(text, path) {
  const keys = path.split('.');
  const parent = keys.length === 1 ? whole(text) : find(text, keys.slice(0, -1));
  const list = parent && members(text, parent.from);
  if (!list) return text;
  const i = list.map(({ key }) => key).lastIndexOf(keys[keys.length - 1]);
  if (i < 0) return text;
  // Up to the next key, or with the comma before where it is the last.
  const from = i + 1 < list.length || i === 0 ? list[i].start : list[i - 1].to;
  const to = i + 1 < list.length ? list[i + 1].start : list[i].to;
  return withoutField(text.slice(0, from) + text.slice(to), path); // it may stand there twice
}

/** The members of the outermost object as [key, literal]; undefined where it is none. @param {string} text */
export function entries(text) {
  const object = whole(text);
  return object && members(text, object.from)?.map(({ key, from, to }) => /** @type {[string, string]} */ ([key, text.slice(from, to)]));
}

/** @param {string} text @param {number} at the object's brace @param {string} key @param {string} literal */
function withMember(text, at, key, literal) {
  const list = members(text, at);
  if (!list) return undefined;
  const written = `${JSON.stringify(key)}: ${literal}`;
  const last = list[list.length - 1];
  if (!last) return `${text.slice(0, at + 1)}\n  ${written}\n${text.slice(at + 1).trimStart()}`;
  const before = list.length > 1 ? list[list.length - 2].to : at;
  const gap = /\s*$/.exec(text.slice(before, last.start))?.[0] ?? ' ';
  return `${text.slice(0, last.to)},${gap || ' '}${written}${text.slice(last.to)}`;
}

/** @param {string} text @returns {Member | undefined} */
function whole(text) {
  const from = space(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  return text[from] === '{' ? { key: '', start: from, from, to: text.length } : undefined;
}

/** @param {string} text @param {string[]} keys */
function find(text, keys) {
  let object = whole(text);
  for (const key of keys) {
    object = object && text[object.from] === '{' ? members(text, object.from)?.filter((member) => member.key === key).pop() : undefined;
  }
  return object;
}

/** @param {string} text @param {number} at the object's brace @returns {Member[] | undefined} undefined where it is malformed */
function members(text, at) {
  /** @type {Member[]} */
  const list = [];
  let i = space(text, at + 1);
  if (text[i] === '}') return list;
  for (;;) {
    const start = i;
    const end = string(text, start);
    if (end < 0) return undefined;
    i = space(text, end);
    if (text[i] !== ':') return undefined;
    const from = space(text, i + 1);
    const to = value(text, from);
    if (to < 0) return undefined;
    list.push({ key: keyOf(text.slice(start, end)), start, from, to });
    i = space(text, to);
    if (text[i] === '}') return list;
    if (text[i] !== ',') return undefined;
    i = space(text, i + 1);
  }
}

/** @param {string} quoted */
function keyOf(quoted) {
  try {
    return JSON.parse(quoted);
  } catch {
    return quoted;
  }
}

/** After spaces. @param {string} text @param {number} at */
function space(text, at) {
  let i = at;
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\r' || text[i] === '\t') i++;
  return i;
}

/** After a string, or -1. @param {string} text @param {number} at */
function string(text, at) {
  if (text[at] !== '"') return -1;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i + 1;
  }
  return -1;
}

/** After a value, or -1. @param {string} text @param {number} at */
function value(text, at) {
  let depth = 0;
  let i = at;
  do {
    const character = text[i];
    if (character === '"') {
      i = string(text, i);
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
    if (depth > 0) i = space(text, i);
  } while (depth > 0);
  return i;
}
