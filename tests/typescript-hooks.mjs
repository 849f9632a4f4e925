// Lets Node load what otherwise only bundlers can load: TypeScript, and files that are imported as URLs.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '../web/node_modules/esbuild/lib/main.js';

const tsconfigRaw = { compilerOptions: { verbatimModuleSyntax: true, jsx: 'react-jsx', jsxImportSource: 'preact' } };

/** @param {string} url @param {{ importAttributes?: { type?: string } }} context @param {Function} next */
export async function load(url, context, next) {
  const [, ending] = /\.(tsx?|wasm|json)$/.exec(url) ?? [];
  if (ending === 'wasm' || (ending === 'json' && !context.importAttributes?.type)) {
    return { format: 'module', shortCircuit: true, source: `export default ${JSON.stringify(url)};` };
  }
  if (ending !== 'ts' && ending !== 'tsx') return next(url, context);
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { code } = await transform(source, { loader: ending, tsconfigRaw, sourcefile: url, sourcemap: 'inline', target: 'node18' });
  return { format: 'module', shortCircuit: true, source: code };
}
