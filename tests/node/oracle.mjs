// Reads the files of cases in tests/data. Each line records the tensors of a configuration: those that transformers 5.23 builds, or in
// own_code.jsonl those that other code builds, mostly the code that was published with the model.

import { readFileSync } from 'node:fs';

const folder = new URL('../data/', import.meta.url);

/**
 * @typedef {object} Case
 * @property {string} id
 * @property {string} config the text in the file, because an object would lose `Infinity` and the difference between 1 and 1.0
 * @property {string} parameters
 * @property {string} buffers
 * @property {Row[]} tensors
 */

/** @typedef {[name: string, shape: number[], kind?: string, target?: string]} Row */
/** @typedef {number[] | [shape: number[], kind: string, target?: string]} Leaf */
/**
 * A tree of modules as tests/data/pack.py writes it. A string refers to a module of an earlier case of the same model type.
 * @typedef {{ [word: string]: Tree | Leaf | string } | string} Tree
 */

/** The names of the files with cases. */
export const files = () => ['edges.jsonl', 'oracle.jsonl', 'own_code.jsonl'];

/** @param {string} file @returns {Case[]} */
export function cases(file) {
  /** @type {Map<string, Row[]>} */
  const before = new Map();
  const lines = readFileSync(new URL(file, folder), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => read(line, before));
}

/** @param {string} line @param {Map<string, Row[]>} before the tensors of earlier cases by id @returns {Case} */
function read(line, before) {
  const [start, end] = configSpan(line);
  const { id, tensors } = JSON.parse(`${line.slice(0, start)}null${line.slice(end)}`);
  const total = (/** @type {string} */ name) => /** @type {RegExpExecArray} */ (new RegExp(`"${name}": *(\\d+)`).exec(line.slice(end)))[1];
  const type = id.slice(0, id.indexOf('/') + 1);
  const own = rows(tensors, (text) => {
    const space = text.lastIndexOf(' ');
    const start = text.length === space + 1 ? '' : `${text.slice(space + 1)}.`;
    const there = /** @type {Row[]} */ (before.get(type + text.slice(0, space)));
    return there.filter(([name]) => name.startsWith(start)).map(([name, ...rest]) => [name.slice(start.length), ...rest]);
  });
  before.set(id, own);
  return { id, config: line.slice(start, end), parameters: total('parameters'), buffers: total('buffers'), tensors: own };
}

/** @param {Tree | Leaf} node @param {(text: string) => Row[]} module @param {string} [path] @returns {Row[]} */
function rows(node, module, path = '') {
  if (typeof node === 'string') return module(node).map(([name, ...rest]) => [path ? `${path}.${name}` : name, ...rest]);
  if (Array.isArray(node)) return [Array.isArray(node[0]) ? [path, ...node] : [path, /** @type {number[]} */ (node)]];
  return Object.entries(node).flatMap(([word, inner]) => rows(inner, module, path ? `${path}.${word}` : word));
}

/** The start and the end of the object after `"config":`. @param {string} line @returns {[number, number]} */
function configSpan(line) {
  const start = line.indexOf('{', line.indexOf('"config":'));
  let depth = 0;
  for (const { 0: token, index } of line.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    depth += token === '{' ? 1 : token === '}' ? -1 : 0;
    if (depth === 0) return [start, start + index + 1];
  }
  throw new Error(`no config in ${line.slice(0, 80)}`);
}
