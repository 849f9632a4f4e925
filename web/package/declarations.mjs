// The package's types, from the modules that have them: what these import of one another is in one file, the rest is private.

import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Where a module's types are in the package; of others nothing is public. @type {Record<string, string>} */
const places = { '../lib/types.ts': './param-ledger.js', './element.ts': './element.js' };

const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, allowImportingTsExtensions: true };

/** The files of `lib/types`, which `lib/types.ts` gives under one name. */
export const rooms = async () => (await readdir(new URL('../lib/types/', import.meta.url))).sort().map((name) => `../lib/types/${name}`);

/** What modules declare, one after another, as one module. @param {string[]} paths beside this file @returns {Promise<string>} */
export async function declarations(...paths) {
  const statements = await Promise.all(
    paths.map(async (path) => {
      const source = await readFile(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
      const { outputText } = ts.transpileDeclaration(source, { fileName: path, compilerOptions });
      const file = ts.createSourceFile(path, outputText, ts.ScriptTarget.ES2022, true);
      return file.statements.flatMap((statement) => (isEmpty(statement) ? [] : published(statement, paths.length === 1)));
    }),
  );
  return `${statements.flat().join('\n')}\nexport {};\n`; // else what is not exported would be, too
}

/** `export {}` @param {ts.Statement} statement */
const isEmpty = (statement) => ts.isExportDeclaration(statement) && !statement.moduleSpecifier && statement.getText() === 'export {};';

/** A statement with its comment; one that imports names the package's own file instead. @param {ts.Statement} statement @param {boolean} alone */
function published(statement, alone) {
  const text = statement.getFullText().trim();
  const from = (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) && statement.moduleSpecifier;
  if (!from) return [text];
  const name = /** @type {ts.StringLiteral} */ (from).text;
  const place = places[name];
  return alone && place ? [statement.getText().replace(`'${name}'`, `'${place}'`)] : [];
}
