// Checks the lists in tests/mutants: each original text occurs exactly once in its file, and each test exists.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { core } from '../mutants/core.mjs';
import { wasm } from '../mutants/wasm.mjs';
import { web } from '../mutants/web.mjs';

const place = (/** @type {string} */ path) => new URL(`../../${path}`, import.meta.url);
const ofCore = new Set(readdirSync(place('tests/core'), { recursive: true }).map((path) => basename(String(path), '.cpp')));

test('each mutant changes one place of its file', () => {
  assert.ok(web.length + wasm.length >= 60 && core.length >= 40);
  for (const [file, from, to] of [...web, ...wasm, ...core]) {
    assert.equal(readFileSync(place(file), 'utf8').split(from).length, 2, `${file}: ${from}`);
    assert.notEqual(from, to);
  }
});

test('each mutant names its test', () => {
  for (const [file, , , name] of [...web, ...wasm])
    assert.ok(existsSync(place(`tests/${name.split(': ')[0]}.test.mjs`)), `${file}: ${name}`);
  for (const [file, , , tags] of core) for (const [, tag] of tags.matchAll(/\[#(\w+)\]/g)) assert.ok(ofCore.has(tag), `${file}: ${tag}`);
});
