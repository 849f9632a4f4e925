// Mutation tests: applies small changes to the sources, and runs the test that must detect each. `node tests/mutants.mjs [WORD]` applies
// only those with this word in the name of the file or test. The sources are changed in a copy. Needs what `tests/run` has built, such as
// .build/wasm and, for mutants of core/, .build/debug. Each test must pass on the unchanged sources. Prints the mutants that no test
// detects; exit code 1 if there are any.

import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './folder.mjs';
import { core } from './mutants/core.mjs';
import { wasm } from './mutants/wasm.mjs';
import { web } from './mutants/web.mjs';

/**
 * A change: the file, a text that occurs in it once, the replacement, and the test that must fail. For web/ and wasm/ the test is a file in
 * tests/, for tests of the page or the widget followed by a colon and a part of the title. For core/ it is a Catch tag.
 * @typedef {[file: string, from: string, to: string, test: string]} Mutant
 */

const root = fileURLToPath(new URL('../', import.meta.url));
const copy = temporaryFolder();
/** Lets the sanitizers use addr2line, because LLVM's symbolizer may be missing. */
const SANITIZERS = { ASAN_OPTIONS: 'allow_addr2line=1' };

/** The time limit of a program in milliseconds, because a mutant may run forever. */
const PATIENCE = 180_000;

/** @param {string} program @param {string[]} words @param {string} cwd @returns {Promise<boolean>} */
const succeeds = (program, words, cwd, env = {}) =>
  new Promise((resolve) => {
    const child = spawn(program, words, { cwd, stdio: 'ignore', detached: true, env: { ...process.env, ...env } });
    const stop = () => process.kill(-Number(child.pid), 'SIGKILL'); // also ends the processes that the program has started
    const timer = setTimeout(stop, PATIENCE);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });

/**
 * Copies web/ and tests/, because Node looks for node_modules next to each file, and the built programs, because mutants in wasm/ replace
 * them. Everything else is linked, as are the large folders in web/ and tests/.
 */
function copySources() {
  const own = (/** @type {string} */ path) => !/\/(node_modules|tests\/data|tests\/fuzz)$/.test(path);
  for (const folder of ['web', 'tests']) {
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: own });
    symlinkSync(join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  }
  for (const folder of ['tests/data', 'tests/fuzz']) symlinkSync(join(root, folder), join(copy, folder));
  for (const name of ['core', 'wasm', 'LICENSE', 'README.md', 'CONTRIBUTING.md']) symlinkSync(join(root, name), join(copy, name));
  mkdirSync(join(copy, '.build/wasm'), { recursive: true });
  copyPrograms();
}

function copyPrograms() {
  for (const name of ['core.js', 'core.wasm', 'count.js', 'count.wasm', 'published.js', 'published.wasm', 'standalone.wasm'])
    cpSync(join(root, '.build/wasm', name), join(copy, '.build/wasm', name));
}

/** The text of the changed file. @param {Mutant} mutant */
function mutated([file, from, to]) {
  const parts = readFileSync(join(root, file), 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places of: ${from}`);
  return parts.join(to);
}

/** For each header that mutants change: a source file that includes it. @type {Record<string, string>} */
const INCLUDING = { 'wasm/texts.hpp': 'wasm/standalone.cpp' };

/**
 * Compiles a changed source (or, for a changed header, a source that includes it), and links a preset's program with it. Throws if that
 * fails.
 * @param {string} preset @param {string} target @param {Mutant} mutant @param {string} out the program
 */
async function rebuild(preset, target, mutant, out) {
  const [file, , to] = mutant;
  const folder = join(root, '.build', preset);
  const commands = execFileSync('ninja', ['-C', folder, '-t', 'commands', target], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
  const source = root + (INCLUDING[file] ?? file);
  const compile = commands.find((command) => command.includes(` -c ${source}`));
  const object = /** @type {RegExpExecArray} */ (/ -o (\S+)/.exec(compile ?? ''))?.[1];
  const link = commands.findLast((command) => command.includes(` -o ${target} `));
  if (!compile || !object || !link) throw new Error(`${file} is not in ${target}`);
  const place = join(copy, 'changed', file);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, mutated(mutant));
  const own = `${place}.o`;
  const changed = INCLUDING[file] ? `-I${join(copy, 'changed')} -c ${source}` : `-I${root}${dirname(file)} -c ${place}`;
  const made = compile.replace(/ -M[TF] \S+/g, '').replace(' -MD', '').replace(/ -o \S+/, ` -o ${own}`).replace(` -c ${source}`, ` ${changed}`); // prettier-ignore
  const linked = link
    .replace(` -o ${target} `, ` -o ${out} ${link.includes(` ${object} `) ? '' : own} `) // linked before the library that contains the unchanged object
    .replace(` ${object} `, ` ${own} `);
  for (const command of [made, linked])
    if (!(await succeeds('sh', ['-c', command], folder))) throw new Error(`${file} cannot be built with: ${to}`);
}

/** Runs a test file of Node or Playwright in the copy of the sources. Returns whether it passes. @param {string} test */
function passesInCopy(test) {
  const [path, title = ''] = test.split(': ');
  const file = `tests/${path}.test.mjs`;
  if (!/^(page|widget)\//.test(path)) return succeeds(process.execPath, ['--import', './tests/typescript.mjs', '--test', file], copy);
  const words = ['test', '-c', 'tests/playwright.config.mjs', '--project=chromium', ...(title ? ['-g', title] : []), `${path}.test`];
  const options = `--import=${new URL('typescript.mjs', `file://${copy}/tests/`).href}`;
  return succeeds(join(root, 'tests/node_modules/.bin/playwright'), words, copy, { NODE_OPTIONS: options });
}

/**
 * Whether a test depends on the build's output and not only on sources. Tests under tests/web do if they import tests/web/ledger.mjs or steps.mjs.
 * @param {string} test
 */
const readsBuild = (test) =>
  !test.startsWith('web/') || /\bfrom '[^']*\/(ledger|steps)\.mjs'/.test(readFileSync(join(root, `tests/${test}.test.mjs`), 'utf8'));

const build = () => succeeds(process.execPath, ['web/build/build.mjs'], copy);

/** @param {Mutant} mutant */
async function survivesInCore(mutant) {
  const program = join(copy, 'core_tests');
  await rebuild('debug', 'tests/core_tests', mutant, program);
  return succeeds(program, [mutant[3], '--filenames-as-tags', '--abort'], root, SANITIZERS);
}

/** The WebAssembly programs that contain a source of wasm/. @param {string} file */
function programsOf(file) {
  if (/\/(standalone\.cpp|texts\.hpp)$/.test(file)) return ['standalone.wasm'];
  return file.endsWith('/questions.cpp') ? ['core.js'] : ['core.js', 'count.js', 'published.js'];
}

/** @param {Mutant} mutant */
async function survivesInWasm(mutant) {
  const [file, , , test] = mutant;
  for (const name of programsOf(file)) await rebuild('wasm', name, mutant, join(copy, '.build/wasm', name));
  const survives = (await build()) && (await passesInCopy(test));
  copyPrograms();
  return survives;
}

/** @param {Mutant} mutant */
async function survivesInWeb(mutant) {
  const [file, , , test] = mutant;
  const source = readFileSync(join(root, file), 'utf8');
  writeFileSync(join(copy, file), mutated(mutant));
  // A change also counts as detected if the build fails.
  const survives = (!readsBuild(test) || (await build())) && (await passesInCopy(test));
  writeFileSync(join(copy, file), source);
  return survives;
}

/** @param {Mutant} mutant */
const survives = (mutant) =>
  mutant[0].startsWith('core/') ? survivesInCore(mutant) : mutant[0].startsWith('wasm/') ? survivesInWasm(mutant) : survivesInWeb(mutant);

const asked = [...web, ...wasm, ...core].filter(([file, , , test]) => `${file} ${test}`.includes(process.argv[2] ?? ''));
copySources();
if (asked.some(([file, , , test]) => !file.startsWith('core/') && readsBuild(test)) && !(await build()))
  throw new Error('the copy cannot be built');
for (const test of new Set(asked.map(([file, , , name]) => (file.startsWith('core/') ? `core ${name}` : name)))) {
  const passes = test.startsWith('core ')
    ? succeeds(join(root, '.build/debug/tests/core_tests'), [test.slice('core '.length), '--filenames-as-tags'], root, SANITIZERS)
    : passesInCopy(test);
  if (!(await passes)) throw new Error(`${test} fails without a mutant`);
}
let alive = 0;
for (const mutant of asked) {
  const [file, from, to] = mutant;
  if (!(await survives(mutant))) continue;
  alive += 1;
  console.log(`${file}: ${from} → ${to}`);
}
console.log(`${asked.length - alive} of ${asked.length} mutants are noticed`);
process.exit(alive > 0 ? 1 : 0);
