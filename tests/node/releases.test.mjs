// Tests tests/data/releases.py, which compares the records of a model type in two releases of transformers. The records here are made up,
// because real ones need two installed releases.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const data = fileURLToPath(new URL('../data/', import.meta.url));

/** The differences between two records, as [tensors, fields]. @param {object} before @param {object} after */
function differences(before, after) {
  const code = 'import json, sys, releases; print(json.dumps(releases.differences(*json.load(sys.stdin))[::-1]))';
  const { stdout, stderr, status } = spawnSync('python3', ['-c', code], {
    cwd: data,
    encoding: 'utf8',
    input: JSON.stringify([before, after]),
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const record = (/** @type {object} */ fields, /** @type {unknown} */ rows) => ({ fields, classes: { Model: rows } });
const rows = [
  ['a.weight', [4, 2]],
  ['b.weight', [2]],
];

test('equal records have no differences, whatever the order of their tensors', () => {
  assert.deepEqual(differences(record({ n: 2 }, rows), record({ n: 2 }, [...rows].reverse())), [[], []]);
});

test('a default, a shape, and tensors that came or went are named', () => {
  const after = [
    ['a.weight', [4, 3]],
    ['c.weight', [2]],
  ];
  assert.deepEqual(differences(record({ n: 2, gone: 1 }, rows), record({ n: 3, added: 1 }, after)), [
    ['Model: tensors 1 new (c.weight), 1 gone (b.weight), 1 with another shape (a.weight)'],
    ['n is 3 instead of 2'],
  ]);
});

test('a tensor that is tied in one release only is named', () => {
  const tied = [rows[0], ['b.weight', [2], 'tied', 'a.weight']];
  assert.deepEqual(differences(record({}, rows), record({}, tied)), [['Model: tensors 1 tied otherwise (b.weight)'], []]);
});

test('a class that only one release builds is named, and one that neither builds is not', () => {
  assert.deepEqual(differences(record({}, 'ImportError: timm'), record({}, rows)), [
    ['Model is only built by the new release; the other: ImportError: timm'],
    [],
  ]);
  assert.deepEqual(differences(record({}, 'ImportError: timm'), record({}, 'KeyError: n')), [[], []]);
});
