// The widget's script without what only the page needs: the sentences that nothing in it says, and how each model type is verified.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { common, given } from '../bundles.mjs';

/** @param {import('esbuild').BuildOptions} options */
export async function frugal(options) {
  const lean = {
    ...options,
    plugins: [given({ verified: () => 'export default new Proxy({}, { get: () => [[], 0] });' }), ...(options.plugins ?? [])],
  };
  const { metafile } = await build({ ...lean, metafile: true });
  const sources = Object.entries(metafile?.outputs ?? {})
    .flatMap(([, { inputs }]) => Object.entries(inputs))
    .filter(([path, { bytesInOutput }]) => /^[a-z].*\.tsx?$/.test(path) && !path.endsWith('lib/texts.ts') && bytesInOutput > 0)
    .map(([path]) => path);
  const texts = await fewTexts(await Promise.all(sources.map(source)));
  const result = await build({ ...lean, plugins: [...lean.plugins, instead(/lib\/texts\.ts$/, texts)] });
  return result.outputFiles ?? [];
}

/** @param {string} path */
const source = (path) => readFile(join(/** @type {string} */ (common.absWorkingDir), path), 'utf8');

/** @param {RegExp} filter @param {string} contents @returns {import('esbuild').Plugin} */
const instead = (filter, contents) => ({
  name: 'few texts',
  setup({ onLoad }) {
    onLoad({ filter }, ({ path }) => ({ contents, loader: 'ts', resolveDir: join(path, '..') }));
  },
});

/** `lib/texts.ts` with the sentences of those groups alone that these sources name. @param {readonly string[]} sources */
async function fewTexts(sources) {
  const file = ts.createSourceFile('texts.ts', await source('lib/texts.ts'), ts.ScriptTarget.Latest, true);
  /** @type {ts.ObjectLiteralExpression | undefined} */
  let all;
  file.forEachChild((node) => {
    if (!ts.isVariableStatement(node)) return;
    const [{ name, initializer }] = node.declarationList.declarations;
    if (name.getText() === 'texts' && initializer && ts.isObjectLiteralExpression(initializer)) all = initializer;
  });
  if (!all) throw new Error('lib/texts.ts has no texts');
  const { properties } = all;
  const named = new Set(sources.flatMap(namesIn));
  for (let size = 0; size < named.size;) {
    size = named.size;
    for (const property of properties) if (named.has(nameOf(property))) for (const name of namesIn(property.getText())) named.add(name);
  }
  const unsaid = properties.filter((property) => !named.has(nameOf(property)));
  const text = file.getFullText();
  // From the end, so that places stay true; each with its comma.
  return unsaid.reduceRight((rest, property) => {
    const end = rest.indexOf(',', property.getEnd()) + 1;
    return rest.slice(0, property.getFullStart()) + rest.slice(end);
  }, text);
}

/** @param {ts.ObjectLiteralElementLike} property */
const nameOf = (property) => property.name?.getText() ?? '';

/** The groups of sentences that a source names. @param {string} text */
function namesIn(text) {
  const dotted = [...text.matchAll(/\btexts\.(\w+)/g)].map(([, name]) => name);
  const taken = [...text.matchAll(/\{([^{}]*)\}\s*=\s*texts\b(?!\.)/g)].flatMap(([, names]) =>
    names.split(',').map((name) => name.split(':')[0].trim()),
  );
  return [...dotted, ...taken];
}
