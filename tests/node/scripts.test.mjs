// Tests the setup and build scripts: they must work with bash 3.2, which macOS has, note missing packages, and configure the build again
// after the checkout has been moved.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../folder.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const scripts = ['web/setup.sh', 'web/run', 'tests/run', 'tests/data/refresh'];

test('the scripts use nothing newer than bash 3.2', () => {
  for (const name of scripts) {
    const text = readFileSync(join(root, name), 'utf8').replaceAll(/^\s*#.*/gm, '');
    for (const later of [
      /\bmapfile\b/,
      /\breadarray\b/,
      /\bdeclare -A\b/,
      /\blocal -n\b/,
      /\$\{\w+(,,|\^\^)\}/,
      /&>>/,
      /\bcoproc\b/,
      /\|&/,
    ]) {
      assert.doesNotMatch(text, later, name);
    }
    // With `set -u`, bash 3.2 treats an empty array as an unset variable.
    for (const list of ['missing', 'missing_later', 'port']) {
      for (const [use] of text.matchAll(new RegExp(`.{0,12}"\\$\\{${list}\\[@\\]\\}"`, 'g')))
        assert.match(use, /\[@\]\+"/, `${name}: ${use}`);
    }
  }
});

test('missing packages are noted, unless an alternative is installed', () => {
  const noted = (/** @type {string} */ wanted) =>
    execFileSync('bash', ['-euc', `. "${root}web/setup.sh"; ${wanted}; echo ${'${#missing[@]}'} ${'${missing_later[@]+"${missing_later[@]}"}'}`], { encoding: 'utf8' }); // prettier-ignore
  assert.equal(noted('need no-such-program a; need /no/such/file b; need cat c'), '2\n');
  assert.equal(noted('later no-such-browser no-such-other'), '0 no-such-browser\n');
  assert.equal(noted('later no-such-browser cat'), '0\n');
});

test('a build folder is configured once; after a move, it is configured anew from scratch', () => {
  const folder = temporaryFolder();
  const calls = () => execFileSync('bash', ['-euc', `cmake() { echo "cmake $*"; mkdir -p .build/wasm; touch .build/wasm/build.ninja; }; quietly() { "$@"; }; . "${root}web/setup.sh"; quietly() { "$@"; }; configure wasm`], { cwd: folder, encoding: 'utf8' }); // prettier-ignore
  const cache = join(folder, '.build/wasm/CMakeCache.txt');
  const object = join(folder, '.build/wasm/old.o');
  writeFileSync(join(folder, 'CMakePresets.json'), '{}');
  assert.equal(calls(), 'cmake --preset wasm\n');
  writeFileSync(cache, `CMAKE_HOME_DIRECTORY:INTERNAL=${execFileSync('pwd', ['-P'], { cwd: folder, encoding: 'utf8' })}`);
  writeFileSync(object, '');
  assert.equal(calls(), '');
  assert.ok(existsSync(object));
  writeFileSync(cache, 'CMAKE_HOME_DIRECTORY:INTERNAL=/somewhere/else\n');
  mkdirSync(join(folder, '.build/wasm'), { recursive: true });
  assert.equal(calls(), 'cmake --preset wasm\n');
  assert.ok(!existsSync(object));
});
