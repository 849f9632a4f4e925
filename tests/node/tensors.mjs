// Compares two lists of tensors by names, shapes and kinds, whatever index ranges the names contain. A name with index ranges is a box of
// index tuples. Boxes are compared as sets and never expanded, so a model with a million experts is no slower.

/** @typedef {[first: number, last: number]} Run */
/** @typedef {Run[][]} Box one list of runs for each index position of the name */
/** @typedef {{ name: string, shape: (string | number)[], kind: string, target: string }} Tensor */

/** @param {[name: string, shape: number[], kind?: string, target?: string]} row of a case from transformers @returns {Tensor} */
export const fromOracle = ([name, shape, kind = 'parameter', target = '']) => ({ name, shape, kind, target });

/** @param {import('../../web/types/index.ts').TensorRow} row @returns {Tensor} */
export const fromAnswer = ({ name, shape, kind, tied_to: target = '' }) => ({ name, shape, kind, target });

/**
 * The differences between two lists of tensors, one line per distinct tensor; empty if both lists stand for the same tensors.
 * @param {Tensor[]} expected
 * @param {Tensor[]} actual
 * @returns {string[]}
 */
export function differences(expected, actual) {
  const [want, got] = [grouped(expected), grouped(actual)];
  const wrong = [];
  for (const [key, boxes] of got) {
    const { indices, count } = canonical(boxes);
    if (count !== boxes.reduce((sum, box) => sum + size(box), 0n)) wrong.push(`named twice: ${key} at ${indices}`);
    if (!want.has(key)) wrong.push(`too many: ${key} at ${indices}`);
  }
  for (const [key, boxes] of want) {
    const { indices } = canonical(boxes);
    const other = got.get(key);
    if (!other) wrong.push(`missing: ${key} at ${indices}`);
    else if (canonical(other).indices !== indices) wrong.push(`${key} at ${canonical(other).indices}, expected ${indices}`);
  }
  return wrong;
}

/** The number of tensors that a name with index ranges expands to. @param {string} name */
export const copies = (name) => size(parsed(name).box);

/** Groups tensors by everything except the indices in their names. The value is the list of boxes of indices. @param {Tensor[]} tensors */
function grouped(tensors) {
  /** @type {Map<string, Box[]>} */
  const groups = new Map();
  for (const { name, shape, kind, target } of tensors) {
    const { pattern, box } = parsed(name);
    const key = `${pattern} [${shape.join(', ')}] ${kind}${target && ` to ${compared(target, box)}`}`;
    groups.set(key, [...(groups.get(key) ?? []), box]);
  }
  return groups;
}

/**
 * The target of a tied tensor, for comparison. Its indices are left out if each copy is tied to the copy with equal indices.
 * @param {string} target @param {Box} box
 */
function compared(target, box) {
  const own = parsed(target);
  return JSON.stringify(own.box) === JSON.stringify(box) ? own.pattern : target;
}

/** Splits a name: `a.[0-2,4].b.7` becomes the pattern `a.*.b.*` and the runs [[0,2],[4,4]], [[7,7]]. @param {string} name */
function parsed(name) {
  /** @type {Box} */
  const box = [];
  const pattern = name.split('.').map((word) => {
    const [, before = '', index] = /^(expert_)?(\d+|\[\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*\])$/.exec(word) ?? [];
    if (!index) return word;
    const runs = index
      .replace(/[[\]]/g, '')
      .split(',')
      .map((run) => run.split('-').map(Number));
    box.push(runs.map(([first, last = first]) => [first, last]));
    return `${before}*`;
  });
  return { pattern: pattern.join('.'), box };
}

/** @param {Box} box */
const size = (box) => box.reduce((product, runs) => product * runs.reduce((sum, [first, last]) => sum + BigInt(last - first + 1), 0n), 1n);

/**
 * A canonical form of a union of boxes, independent of how the union is divided into boxes.
 * @param {Box[]} boxes
 * @returns {{ indices: string, count: bigint }}
 */
function canonical(boxes) {
  if (boxes[0].length === 0) return { indices: '', count: 1n };
  // Between two neighbouring edges, the set of boxes does not change. Adjacent intervals with equal contents are merged.
  const edges = [...new Set(boxes.flatMap(([runs]) => runs.flatMap(([first, last]) => [first, last + 1])))].sort((a, b) => a - b);
  /** @type {{ first: number, last: number, inner: { indices: string, count: bigint } }[]} */
  const runs = [];
  edges.slice(0, -1).forEach((first, i) => {
    const here = boxes.filter(([outer]) => outer.some((run) => run[0] <= first && first <= run[1]));
    if (here.length === 0) return;
    const inner = canonical(here.map(([, ...rest]) => rest));
    const before = runs.at(-1);
    if (before?.last === first - 1 && before.inner.indices === inner.indices) before.last = edges[i + 1] - 1;
    else runs.push({ first, last: edges[i + 1] - 1, inner });
  });
  return {
    indices: `{${runs.map(({ first, last, inner }) => (first === last ? `${first}` : `${first}-${last}`) + inner.indices).join(',')}}`,
    count: runs.reduce((sum, { first, last, inner }) => sum + BigInt(last - first + 1) * inner.count, 0n),
  };
}
