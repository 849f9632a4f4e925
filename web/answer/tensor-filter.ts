// Filters the tensor table by a query such as `q_proj, layers 3`, `experts 5-7 up` or the full name of a tensor. Indices in the query match
// an index set in a tensor name if the two overlap. The row is then narrowed to the indices that both contain.

import { formatFormula, evaluate, removeFactor } from './formula.ts';
import { partLabel } from '../texts/part-names.ts';
import { type IndexSet, parseIndexSet, formatIndexSet, intersect, splitName, countNames } from './tensor-names.ts';
import type { Formula, SymbolRow, TensorRow } from '../types/index.ts';

/**
 * A word of the query, split at dots. In a path, the first part may be the end of a segment of the name, and the last part may be the
 * beginning of one.
 */
type Word = readonly (string | Index)[];

/** A set of indices, with the text before it in the same segment: `expert_` in `expert_3`. */
type Index = IndexSet & { readonly before: string };

/** Returns the tensors that match a query, narrowed to the layers or experts that it names. */
export function filterTensors(tensors: readonly TensorRow[], query: string, symbols: readonly SymbolRow[]): readonly TensorRow[] {
  const words = parseQuery(query);
  if (words.length === 0) return tensors;
  return tensors.flatMap((row) => {
    const name = words.reduce<string[] | undefined>((found, word) => found && matchName(found, word, row), splitName(row.name));
    return name ? [narrowRow(row, name.join('.'), symbols)] : [];
  });
}

/** A number belongs to the word before it: `layers 3` means `layers.3`. */
function parseQuery(query: string): Word[] {
  const tokens = query
    .toLowerCase()
    .split(/[\s,;/]+/)
    .filter(Boolean);
  const words: (string | Index)[][] = [];
  for (const token of tokens) {
    const last = words[words.length - 1];
    const parts = token.split('.').filter(Boolean).map(parsePart);
    if (parts.length === 1 && typeof parts[0] !== 'string' && typeof last?.[last.length - 1] === 'string') last.push(parts[0]);
    else if (parts.length > 0) words.push(parts);
  }
  return words;
}

const INDEX = /^(expert_)?\[?(\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*)\]?$/;

function parsePart(text: string): string | Index {
  const index = INDEX.exec(text);
  return index && text.length < 40 ? { before: index[1] ?? '', ...parseIndexSet(index[2]) } : text;
}

/** Matches a word against a name, and narrows the name's index sets to it; undefined if it does not match. */
function matchName(name: string[], word: Word, row: TensorRow): string[] | undefined {
  for (let at = 0; at + word.length <= name.length; at++) {
    const found = matchAt(name, word, at);
    if (found) return found;
  }
  // A word may also match the part or the kind of the tensor.
  const [only] = word;
  const beside =
    word.length === 1 && typeof only === 'string' && `${partLabel(row.part)} ${row.part} ${row.kind}`.toLowerCase().includes(only);
  return beside ? name : undefined;
}

function matchAt(name: string[], word: Word, at: number): string[] | undefined {
  const out = [...name];
  for (const [i, part] of word.entries()) {
    const segment = name[at + i];
    const index = INDEX.exec(segment);
    if (typeof part === 'string') {
      const low = segment.toLowerCase();
      const inside =
        word.length === 1 ? low.includes(part) : i === 0 ? low.endsWith(part) : i === word.length - 1 ? low.startsWith(part) : low === part;
      if ((index && !index[1]) || !inside) return undefined;
    } else {
      const [, before = '', list = ''] = index ?? [];
      const shared = index && (before === part.before || !part.before) ? intersect(parseIndexSet(list), part) : undefined;
      if (!shared) return undefined;
      out[at + i] = before + formatIndexSet(shared);
    }
  }
  return out;
}

/** Narrows a row to the tensors with this name. */
function narrowRow(row: TensorRow, name: string, symbols: readonly SymbolRow[]): TensorRow {
  if (name === row.name) return row;
  const copies = countNames(name);
  const [all, elements] = [BigInt(row.copies), BigInt(row.elements)];
  const total = elements * copies;
  let tree: Formula | undefined;
  const math = () => (tree ??= narrowMath(row, name, total, symbols));
  return {
    ...row,
    name,
    copies: String(copies),
    total: String(total),
    active: String((BigInt(row.active) * copies) / all),
    get math() {
      return math();
    },
    get formula() {
      return formatFormula(math(), symbols, { writing: 'names' });
    },
    get substitution() {
      return formatFormula(math(), symbols, { writing: 'numbers' });
    },
  };
}

/**
 * The formula for the remaining tensors: the factor that counts layers or experts becomes the number that remains. If there is no such
 * factor, their total number of elements.
 */
function narrowMath(row: TensorRow, name: string, total: bigint, symbols: readonly SymbolRow[]): Formula {
  const before = splitName(row.name);
  let math: Formula | undefined = row.math;
  for (const [i, segment] of splitName(name).entries()) {
    if (segment === before[i] || math === undefined) continue;
    math = removeFactor(math, countNames(before[i]), symbols);
    const left = countNames(segment);
    if (math !== undefined && left > 1n)
      math = Array.isArray(math) && math[0] === '×' ? [...math, String(left)] : ['×', math, String(left)];
  }
  return math !== undefined && evaluate(math, symbols) === total ? math : String(total);
}
