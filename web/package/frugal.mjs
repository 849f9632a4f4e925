// The widget's script without what only the page needs: the sentences that nothing in it says, the questions that it does not ask.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';
import { common, given } from '../bundles.mjs';

/** What stands for functions that nothing in the widget calls. @param {string[]} names */
const uncalled = (...names) => names.map((name) => `export const ${name} = undefined;`).join(' ');

/** How each model type is verified, the questions that the widget does not ask, and the strip that edits the kinds of many layers. */
const unwanted = [
  given({ verified: () => 'export default new Proxy({}, { get: () => [[], 0] });' }),
  instead(/lib\/inputs\/request\.ts$/, uncalled('filesOf', 'readRequest', 'readingOf')),
  instead(/lib\/core\/memory-answer\.ts$/, uncalled('memoryRequest', 'memoryAnswer')),
  instead(/parts\/layer-strip\.tsx$/, 'export const LayerStrip = () => null;'),
];

/** @param {import('esbuild').BuildOptions} options */
export async function frugal(options) {
  const lean = { ...options, plugins: [...unwanted, ...(options.plugins ?? [])] };
  const { metafile } = await build({ ...lean, metafile: true });
  const sources = Object.entries(metafile?.outputs ?? {})
    .flatMap(([, { inputs }]) => Object.entries(inputs))
    .filter(([path, { bytesInOutput }]) => /^[a-z].*\.tsx?$/.test(path) && !path.endsWith('lib/texts/page-texts.ts') && bytesInOutput > 0)
    .map(([path]) => path);
  const texts = await fewTexts(await Promise.all(sources.map(source)));
  const result = await build({ ...lean, plugins: [...lean.plugins, instead(/lib\/texts\/page-texts\.ts$/, texts)] });
  return result.outputFiles ?? [];
}

/** @param {string} path */
const source = (path) => readFile(join(/** @type {string} */ (common.absWorkingDir), path), 'utf8');

/** `lib/texts/page-texts.ts` with the sentences of those groups alone that these sources name. @param {readonly string[]} sources */
async function fewTexts(sources) {
  const file = ts.createSourceFile('texts.ts', await source('lib/texts/page-texts.ts'), ts.ScriptTarget.Latest, true);
  /** @type {ts.ObjectLiteralExpression | undefined} */
  let all;
  file.forEachChild((node) => {
    if (!ts.isVariableStatement(node)) return;
    const [{ name, initializer }] = node.declarationList.declarations;
    if (name.getText() === 'texts' && initializer && ts.isObjectLiteralExpression(initializer)) all = initializer;
  });
  if (!all) throw new Error('lib/texts.ts has no texts');
  if (sources.some((source) => /=\s*texts\b(?!\.)/.test(source)))
    throw new Error('texts are taken as a whole: which of them are said cannot be told');
  const { properties } = all;
  const text = file.getFullText();
  /** Whether a sentence, or a group of them, is named anywhere. @param {string} path of names with dots @param {readonly string[]} said */
  const isNamed = (path, said) => said.some((source) => new RegExp(`\\b${path.replaceAll('.', '\\.')}\\b`).test(source));
  /** A group that is also taken as a whole keeps all of it. @param {string} path */
  const isWhole = (path) => sources.some((source) => new RegExp(`\\b${path.replaceAll('.', '\\.')}\\b(?!\\.\\w)`).test(source));
  // What a kept sentence names is kept, too.
  const kept = [...sources];
  for (let size = 0; size < kept.length;) {
    size = kept.length;
    for (const property of properties) {
      const own = property.getText();
      if (!kept.includes(own) && isNamed(`texts.${nameOf(property)}`, kept)) kept.push(own);
    }
  }
  const unsaid = properties.flatMap((property) => {
    const path = `texts.${nameOf(property)}`;
    if (!isNamed(path, kept)) return [property];
    const group =
      ts.isPropertyAssignment(property) && ts.isObjectLiteralExpression(property.initializer) ? property.initializer : undefined;
    if (!group || isWhole(path)) return [];
    return group.properties.filter((one) => !isNamed(`${path}.${nameOf(one)}`, kept));
  });
  // From the end, so that places stay true; each with its comma.
  return unsaid.reduceRight((rest, property) => {
    const end = rest.indexOf(',', property.getEnd()) + 1;
    return rest.slice(0, property.getFullStart()) + rest.slice(end);
  }, text);
}

/** @param {ts.ObjectLiteralElementLike} property */
const nameOf = (property) => property.name?.getText() ?? '';

/** A module in the place of another. @param {RegExp} filter @param {string} contents @returns {import('esbuild').Plugin} */
function instead(filter, contents) {
  return {
    name: `instead of ${filter}`,
    setup({ onLoad }) {
      onLoad({ filter }, ({ path }) => ({ contents, loader: 'ts', resolveDir: join(path, '..') }));
    },
  };
}
