// Checks the sources against core/README.md: which folder of core/ may include which, that no includes are circular, where errors are
// caught, and that no two headers declare types of one name.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const core = new URL('../../core/', import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, core), 'utf8');

const rooms = [...read('README.md').matchAll(/^\| `([a-z/]+)\/` \|/gm)].map(([, room]) => room);
const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[ch]pp$/.test(file));

const roomOf = (/** @type {string} */ file) => file.slice(0, file.lastIndexOf('/'));
const stemOf = (/** @type {string} */ file) => file.replace(/\.[ch]pp$/, '');
const includesOf = (/** @type {string} */ file) =>
  [...read(file).matchAll(/#include "core\/([^"]+\.hpp)"/g)].map(([, included]) => included);

test('every file is in a room that core/README.md describes', () => {
  assert.ok(files.length > 400, 'the files were not found');
  assert.deepEqual(
    files.filter((file) => !rooms.includes(roomOf(file))),
    [],
  );
  const inRoot = readdirSync(core, { withFileTypes: true }).filter((entry) => entry.isFile());
  assert.ok(inRoot.length <= 5);
});

test('a room includes only itself and the rooms above it', () => {
  const upwards = files.flatMap((file) =>
    includesOf(file)
      .filter((included) => rooms.indexOf(roomOf(included)) > rooms.indexOf(roomOf(file)))
      .map((included) => `${file} includes ${included}`),
  );
  assert.deepEqual(upwards, []);
});

test('no files include each other; a header and its source count as one', () => {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map();
  for (const file of files) {
    const edges = graph.get(stemOf(file)) ?? new Set();
    graph.set(stemOf(file), edges);
    for (const included of includesOf(file)) if (stemOf(included) !== stemOf(file)) edges.add(stemOf(included));
  }
  /** @type {Set<string>} */
  const done = new Set();
  /** @type {string[]} */
  const path = [];
  const visit = (/** @type {string} */ stem) => {
    if (done.has(stem)) return;
    assert.ok(!path.includes(stem), `circle: ${[...path.slice(path.indexOf(stem)), stem].join(' → ')}`);
    path.push(stem);
    for (const next of graph.get(stem) ?? []) visit(next);
    path.pop();
    done.add(stem);
  };
  for (const stem of graph.keys()) visit(stem);
});

test('refusals are caught only where they become answers, and by attempt for trials', () => {
  const catching = files.filter((file) => /\bcatch \(/.test(read(file)));
  assert.deepEqual(catching.sort(), ['api/report.cpp', 'support/attempt.hpp']);
});

test('no two headers declare a type of the same name, which linkers would take for one', () => {
  /** @type {Map<string, string>} */
  const declared = new Map();
  const twice = /** @type {string[]} */ ([]);
  for (const file of files.filter((name) => name.endsWith('.hpp')))
    for (const [, name] of read(file).matchAll(/^(?:struct|class|enum class) (\w+)[^;(]*\{/gm)) {
      if (declared.has(name) && declared.get(name) !== file) twice.push(`${name}: ${declared.get(name)} and ${file}`);
      declared.set(name, file);
    }
  assert.ok(declared.size > 200);
  assert.deepEqual(twice, []);
});
