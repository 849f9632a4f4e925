// After a WebAssembly trap, web/core/core.ts must start a new core. The core here traps on demand and then stays broken, as a real one
// would.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from '../../web/node_modules/esbuild/lib/main.js';

/** @param {string} path */
const root = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const glue = `import createCore from ${JSON.stringify(root('.build/wasm/core.js'))};
let trapped;
export default (core) => {
  const ready = createCore(core);
  const wrap = () => {
    const { room, count } = core;
    let question;
    core.room = (size) => (question = room(size));
    core.count = () => {
      if (new TextDecoder().decode(question) === 'trap') trapped = core;
      if (trapped === core) throw new WebAssembly.RuntimeError('unreachable');
      return count();
    };
  };
  if (core.count) wrap();
  else ready.then(wrap);
  return ready;
};`;

const bytes = `import { readFile } from 'node:fs/promises';
export const loadCountProgram = async () => new Response(await readFile(${JSON.stringify(root('.build/wasm/count.wasm'))}));
export const loadPublishedProgram = loadCountProgram;
export const loadFullProgram = loadCountProgram;`;

/** @type {Record<string, string>} */
const modules = { '#core-glue': glue, '#programs': bytes };

async function freshCounter() {
  const { outputFiles } = await build({
    entryPoints: [root('web/core/counter.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    plugins: [
      {
        name: 'a core that traps',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^#(core-glue|programs)/ }, ({ path }) => ({ path, namespace: 'given' }));
          onLoad({ filter: /./, namespace: 'given' }, ({ path }) => ({ contents: modules[path], resolveDir: root('.') }));
        },
      },
    ],
  });
  const { loadCounter } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}#${Math.random()}`
  );
  return loadCounter();
}

const llama = { model_type: 'llama' };

test('a trap becomes a refusal, and the next call is answered', async () => {
  const counter = await freshCounter();
  for (let i = 0; i < 3; i++) {
    assert.equal(counter.count('trap').error.code, 'internal');
    assert.equal(counter.count(llama).ok, true);
  }
  assert.ok(counter.catalog().families.length > 0);
});

test('if the page cannot instantiate synchronously, the core is back a moment later', async (t) => {
  const counter = await freshCounter();
  t.mock.method(WebAssembly, 'Instance', () => {
    throw new RangeError('too large for the main thread');
  });
  assert.equal(counter.count('trap').error.code, 'internal');
  assert.match(counter.count(llama).error.message, /Try again/);
  await setTimeout(50);
  assert.equal(counter.count(llama).ok, true);
});

test('if the core could not be instantiated at all, the next call tries again', async (t) => {
  const counter = await freshCounter();
  const mocks = [
    t.mock.method(WebAssembly, 'Instance', () => {
      throw new RangeError('no memory');
    }),
    t.mock.method(WebAssembly, 'instantiate', () => Promise.reject(new RangeError('no memory'))),
  ];
  assert.equal(counter.count('trap').error.code, 'internal');
  await setTimeout(50);
  mocks.forEach(({ mock }) => mock.restore());
  assert.equal(counter.count(llama).ok, true);
});
