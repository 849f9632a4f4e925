// Generates custom-elements.json from the code and the doc comments of web/widget with the custom-elements analyzer.

import { readFile } from 'node:fs/promises';
import { create } from '@custom-elements-manifest/analyzer/src/create.js';
import ts from 'typescript';
import { here } from './bundles.mjs';

/** The modules of the custom element, without extension. */
const MODULES = ['element', 'define'];

/** The custom-elements manifest, with the module names of the package. @returns {Promise<string>} */
export async function elements() {
  const modules = await Promise.all(
    MODULES.map(async (name) =>
      ts.createSourceFile(`${name}.js`, await readFile(here(`widget/${name}.ts`), 'utf8'), ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS),
    ),
  );
  const manifest = create({ modules });
  for (const { declarations } of manifest.modules)
    for (const declaration of declarations) {
      if (!declaration.members) continue;
      declaration.superclass = { name: 'HTMLElement' };
      declaration.members = declaration.members.filter(
        (member) => member.kind === 'field' && !member.static && !member.name.startsWith('#'),
      );
    }
  const flat = (/** @type {string} */ key, /** @type {unknown} */ value) =>
    typeof value === 'string' ? value.replaceAll('\n', ' ').replace(/^\/element\.ts$/, 'element.js') : value;
  return `${JSON.stringify({ ...manifest, readme: 'README.md' }, flat, 2)}\n`;
}
