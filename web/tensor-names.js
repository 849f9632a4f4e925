// Names with index ranges, as the core writes them: `model.layers.[3-60].mlp.experts.[0-255].up_proj.weight`.

/** @typedef {{ text: string } | { runs: [number, number][], count: number }} Piece */

/**
 * The pieces between which an index stands.
 * @param {string} name
 * @returns {Piece[]}
 */
export function pieces(name) {
  /** @type {Piece[]} */
  const found = [];
  let from = 0;
  for (const match of name.matchAll(/\[([\d,-]+)\]/g)) {
    if (match.index > from) found.push({ text: name.slice(from, match.index) });
    found.push(indexSet(match[1]));
    from = match.index + match[0].length;
  }
  if (from < name.length) found.push({ text: name.slice(from) });
  return found;
}

/** @param {string} list `0,2,5-7` */
function indexSet(list) {
  const runs = list.split(',').map((run) => {
    const [first, last = first] = run.split('-').map(Number);
    return /** @type {[number, number]} */ ([first, last]);
  });
  return { runs, count: runs.reduce((sum, [first, last]) => sum + last - first + 1, 0) };
}

/** How many names a label stands for. @param {string} name */
export const spread = (name) => pieces(name).reduce((product, piece) => product * ('count' in piece ? piece.count : 1), 1);

/**
 * The name of one of the tensors that a row stands for; the last index runs fastest.
 * @param {string} name
 * @param {number} position from 0
 */
export function nameAt(name, position) {
  let rest = position;
  let out = '';
  for (const piece of pieces(name).reverse()) {
    if ('text' in piece) {
      out = piece.text + out;
      continue;
    }
    out = indexAt(piece.runs, rest % piece.count) + out;
    rest = Math.floor(rest / piece.count);
  }
  return out;
}

/** @param {[number, number][]} runs @param {number} position */
function indexAt(runs, position) {
  let left = position;
  for (const [first, last] of runs) {
    if (left <= last - first) return String(first + left);
    left -= last - first + 1;
  }
  return '';
}

/** Cuts at the dots, which never stand inside an index set. @param {string} name */
export const segments = (name) => name.split('.');
