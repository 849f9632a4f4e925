// The oracle's cases in tests/data, one a line: what transformers builds from a configuration.

import { readFileSync } from 'node:fs';

const folder = new URL('../data/', import.meta.url);

/**
 * @typedef {object} Case
 * @property {string} id
 * @property {string} config as it stands in the file: an object would have lost `Infinity` and the difference of 1 and 1.0
 * @property {string} parameters
 * @property {string} buffers
 * @property {Row[]} tensors
 */

/** @typedef {[name: string, shape: number[], kind?: string, target?: string]} Row */
/** @typedef {number[] | [shape: number[], kind: string, target?: string]} Leaf */
/** A tree of modules, as tests/data/pack.py writes it. @typedef {{ [word: string]: Tree | Leaf }} Tree */

/** The names of the files with cases. */
export const files = () => ['edges.jsonl', 'oracle.jsonl', 'own_code.jsonl'];

/** @param {string} file @returns {Case[]} */
export const cases = (file) => readFileSync(new URL(file, folder), 'utf8').split('\n').filter(Boolean).map(read);

/** @param {string} line @returns {Case} */
function read(line) {
  const [start, end] = configSpan(line);
  const { id, tensors } = JSON.parse(`${line.slice(0, start)}null${line.slice(end)}`);
  const total = (/** @type {string} */ name) => /** @type {RegExpExecArray} */ (new RegExp(`"${name}": *(\\d+)`).exec(line.slice(end)))[1];
  return { id, config: line.slice(start, end), parameters: total('parameters'), buffers: total('buffers'), tensors: rows(tensors) };
}

/** @param {Tree | Leaf} node @param {string} [path] @returns {Row[]} */
function rows(node, path = '') {
  if (Array.isArray(node)) return [Array.isArray(node[0]) ? [path, ...node] : [path, /** @type {number[]} */ (node)]];
  return Object.entries(node).flatMap(([word, inner]) => rows(inner, path ? `${path}.${word}` : word));
}

/** Where the object after `"config":` begins and ends. @param {string} line @returns {[number, number]} */
function configSpan(line) {
  const start = line.indexOf('{', line.indexOf('"config":'));
  let depth = 0;
  for (const { 0: token, index } of line.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    depth += token === '{' ? 1 : token === '}' ? -1 : 0;
    if (depth === 0) return [start, start + index + 1];
  }
  throw new Error(`no config in ${line.slice(0, 80)}`);
}
