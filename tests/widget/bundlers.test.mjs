// Bundles the installed package with esbuild, Vite, webpack and Rollup as users would, and opens the results in a browser. Also uses the
// package in a service worker.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';
import { build as esbuild } from '../../web/node_modules/esbuild/lib/main.js';
import { address, serve } from '../../web/build/serve.mjs';
import { memoizeAsync } from '../../web/support/memoize-async.ts';
import { everywhere, inaccessible } from '../page/browsers.mjs';
import { becomes } from '../page/page.mjs';
import { folder } from '../package/installed.mjs';

const require = createRequire(import.meta.url);

writeFileSync(
  join(folder, 'main.js'),
  `import { count } from 'param-ledger';
import 'param-ledger/define';
count({ model_type: 'gpt2' }).then(({ totals }) => {
  document.querySelector('output').textContent = totals.parameters;
});
`,
);
const html = (/** @type {string} */ script) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Bundled</title><link rel="icon" href="data:,"></head>
<body><output></output><param-ledger model="openai-community/gpt2-xl">GPT-2 XL</param-ledger><script type="module" src="${script}"></script></body>
</html>
`;

/** Bundles main.js into a folder. @type {Record<string, (out: string) => Promise<unknown>>} */
const bundlers = {
  esbuild: (out) =>
    esbuild({
      entryPoints: [join(folder, 'main.js')],
      outdir: out,
      bundle: true,
      splitting: true,
      format: 'esm',
      minify: true,
      logLevel: 'error',
    }),
  async rollup(out) {
    const bundle = await rollup({ input: join(folder, 'main.js'), plugins: [nodeResolve({ browser: true })] });
    await bundle.write({ dir: out, format: 'es' });
    await bundle.close();
  },
  webpack: (out) =>
    new Promise((resolve, reject) => {
      const entry = join(folder, 'main.js');
      // Switches minification off, because it is not tested here and would take most of the time.
      const output = { path: out, filename: 'main.js', publicPath: 'auto' };
      webpack(
        { mode: 'production', entry, output, target: 'web', optimization: { minimize: false }, performance: false },
        (error, stats) => (error || stats?.hasErrors() ? reject(error ?? new Error(stats?.toString())) : resolve(stats)),
      );
    }),
  async vite(out) {
    writeFileSync(join(folder, 'index.html'), html('/main.js'));
    await vite({ root: folder, base: './', configFile: false, logLevel: 'error', build: { outDir: out, minify: false } });
  },
};

const server = (await serve(0, folder)).unref();

for (const [name, build] of Object.entries(bundlers)) {
  everywhere(
    `the bundle of ${name} counts`,
    async ({ page }) => {
      const out = join(folder, `built-${name}`);
      mkdirSync(out);
      if (name !== 'vite') writeFileSync(join(out, 'index.html'), html('main.js'));
      await build(out);
      await page.goto(`${address(server)}built-${name}/index.html`);
      await becomes(() => page.locator('output').innerText(), '124439808');
      await becomes(() => page.locator('param-ledger .number').innerText(), '1,557,611,200');
    },
    { places: ['hosted'], names: ['chromium'] },
  );
}

everywhere(
  'a service worker, which may not import on demand, counts with a program that it fetches',
  async ({ page }) => {
    writeFileSync(
      join(folder, 'service-worker.js'),
      `import { createCounter } from './node_modules/param-ledger/ledger.js';
const counter = createCounter({ wasm: fetch('./node_modules/param-ledger/count.wasm') });
addEventListener('message', async ({ source, data }) => source.postMessage((await counter).totals(data).totals.parameters));`,
    );
    writeFileSync(join(folder, 'served.html'), '<!doctype html><title>Served</title><link rel="icon" href="data:,"><output></output>');
    await page.goto(`${address(server)}served.html`);
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('service-worker.js', { type: 'module' });
      navigator.serviceWorker.onmessage = ({ data }) => {
        /** @type {HTMLElement} */ (document.querySelector('output')).textContent = data;
      };
      (await navigator.serviceWorker.ready).active?.postMessage({ model_type: 'llama' });
    });
    await becomes(() => page.locator('output').innerText(), '6738415616');
  },
  { places: ['hosted'], names: ['chromium'], serviceWorkers: 'allow' },
);

/** Builds the React example, once per process. */
const buildReact = memoizeAsync(async () => {
  const source = fileURLToPath(new URL('../../web/examples/react/', import.meta.url));
  const out = join(folder, 'built-react');
  mkdirSync(out);
  for (const name of ['react', 'react-dom', 'scheduler']) {
    symlinkSync(join(require.resolve(`${name}/package.json`), '..'), join(folder, 'node_modules', name), 'dir');
  }
  await esbuild({
    entryPoints: [join(source, 'main.jsx')],
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    tsconfigRaw: {}, // ignores the tsconfig.json of the page, which uses Preact
    nodePaths: [join(folder, 'node_modules')],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  writeFileSync(join(out, 'index.html'), readFileSync(join(source, 'index.html'), 'utf8').replace('/main.js', 'main.js'));
});

everywhere(
  'the React example draws it, changes it and gets its events',
  async ({ page }) => {
    /** @type {string[]} */
    const scripts = [];
    await buildReact();
    page.on('request', (request) => scripts.push(request.url()));
    await page.goto(`${address(server)}built-react/index.html`);
    await becomes(() => page.locator('param-ledger .number').innerText(), '8,030,261,248');
    await becomes(() => page.locator('output').innerText(), '8030261248');
    await page.locator('select').selectOption('openai/gpt-oss-20b');
    await becomes(() => page.locator('param-ledger .number').innerText(), '20,914,757,184');
    await becomes(() => page.locator('output').innerText(), '20914757184');
    assert.deepEqual(await inaccessible(page), []);
    assert.deepEqual(scripts.filter((name, i) => scripts.indexOf(name) !== i), [], 'nothing is asked for twice'); // prettier-ignore
  },
  { places: ['hosted'] },
);
