// An ESLint rule: the modules of web/ must not import one another in a cycle, not even for types only.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('../web', import.meta.url));
const isOurs = (/** @type {string} */ folder) => !['dist', 'made', 'examples', 'node_modules'].includes(folder);

/** @param {string} folder @returns {string[]} */
const modulesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isOurs(entry.name) ? modulesIn(path) : [];
    return /(?<!\.d)\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });

/** The files that each `#…` import may resolve to, under any condition. @type {Record<string, string[]>} */
const named = Object.fromEntries(
  Object.entries(JSON.parse(readFileSync(join(web, 'package.json'), 'utf8')).imports).map(([name, target]) => [
    name,
    (typeof target === 'string' ? [target] : Object.values(target)).map((path) => join(web, path)),
  ]),
);

/** @param {string} path @returns {string[]} the paths of the modules that it imports, statically or with import() */
function importsOf(path) {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/(?:\bfrom|\bimport\(|^import)\s*'([.#][^']*)'/gm)].flatMap(
    ([, name]) => named[name] ?? [resolve(dirname(path), name)],
  );
}

/** @type {Map<string, string[]> | undefined} */
let graph;
/** The modules that each module of web/ imports. */
export const imports = () => (graph ??= new Map(modulesIn(web).map((path) => [path, importsOf(path)])));

/**
 * The shortest chain of imports from one module to another, both included.
 * @param {string} from @param {string} to @returns {string[] | undefined}
 */
function way(from, to) {
  const ways = [[from]];
  const seen = new Set([from]);
  for (const known of ways) {
    const last = known[known.length - 1];
    if (last === to) return known;
    for (const next of imports().get(last) ?? []) {
      if (!seen.has(next)) ways.push([...known, next]);
      seen.add(next);
    }
  }
  return undefined;
}

/** @param {(path: string) => string | undefined} trouble @returns {import('eslint').Rule.RuleModule} */
const rule = (trouble) => ({
  create: (context) => ({
    Program(node) {
      const message = trouble(context.filename);
      if (message) context.report({ node, message });
    },
  }),
});

export default {
  rules: {
    'no-circle': rule((path) => {
      for (const imported of imports().get(path) ?? []) {
        const back = way(imported, path);
        if (back) return `A circle of imports: ${[path, ...back].map((one) => relative(web, one)).join(' → ')}`;
      }
      return undefined;
    }),
  },
};
