// Generates the package's declaration files from the modules of web/. A declaration that is not exported is included only if an exported
// one refers to it.

import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { here } from './bundles.mjs';

/** The modules of web/types except `index.ts`, which re-exports all of them. */
const types = (await readdir(here('types')))
  .filter((name) => name !== 'index.ts')
  .sort()
  .map((name) => `types/${name}`);

/** Each declaration file of the package, and the modules of web/ that it contains. @type {Record<string, string[]>} */
const files = {
  'param-ledger.d.ts': [...types, 'npm/index.ts'],
  'ledger.d.ts': ['npm/ledger.ts'],
  'sync.d.ts': ['npm/sync.ts'],
  'element.d.ts': ['widget/event-details.ts', 'widget/element.ts'],
  'define.d.ts': ['widget/define.ts'],
};

const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, allowImportingTsExtensions: true };

/** For each module of web/, the module of the package with its declarations. @type {Map<string, string>} */
const places = new Map([
  ['types/index.ts', './param-ledger.js'],
  ...Object.entries(files).flatMap(([name, paths]) =>
    paths.map((path) => /** @type {[string, string]} */ ([path, `./${name.replace('.d.ts', '.js')}`])),
  ),
]);

/** Generates all declaration files. @returns {Promise<{ name: string, contents: string }[]>} */
export const declarations = () =>
  Promise.all(Object.entries(files).map(async ([name, paths]) => ({ name, contents: await declared(name, paths) })));

/** Combines the declarations of several modules in one file. @param {string} name @param {string[]} paths */
async function declared(name, paths) {
  const own = `./${name.replace('.d.ts', '.js')}`;
  /** For each of the other declaration files, the names to import from it. @type {Map<string, Set<string>>} */
  const imports = new Map();
  const texts = [];
  for (const path of paths) {
    const source = await readFile(here(path), 'utf8');
    const { outputText } = ts.transpileDeclaration(source, { fileName: path, compilerOptions });
    for (const statement of ts.createSourceFile(path, outputText, ts.ScriptTarget.ES2022, true).statements) {
      if (ts.isImportDeclaration(statement)) {
        const place = places.get(join(dirname(path), /** @type {ts.StringLiteral} */ (statement.moduleSpecifier).text));
        if (place && place !== own) imports.set(place, new Set([...(imports.get(place) ?? []), ...namesOf(statement)]));
      } else if (paths.length === 1 || !ts.isExportDeclaration(statement)) {
        // Export declarations are skipped in a file of several modules, because they repeat names that the other modules declare.
        texts.push(statement.getFullText().trim());
      }
    }
  }
  const heads = [...imports].map(([place, names]) => `import { ${[...names].sort().join(', ')} } from '${place}';`);
  return `${[...heads, ...texts, 'export {};'].join('\n')}\n`;
}

/** @param {ts.ImportDeclaration} statement */
function namesOf({ importClause }) {
  const bindings = importClause?.namedBindings;
  return bindings && ts.isNamedImports(bindings) ? bindings.elements.map((element) => element.getText().replace(/^type /, '')) : [];
}
