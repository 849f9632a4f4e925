// Generates the JSON schema of what the commands write with --json from web/cli/json-answers.ts. `#/definitions/COMMAND` describes the
// answer of a command.

import { createGenerator } from 'ts-json-schema-generator';
import { here, version } from './bundles.mjs';

/** @typedef {import('ts-json-schema-generator').Schema} Schema */

/** Returns the contents of schema.json. */
export function schema() {
  const generator = createGenerator({
    path: here('cli/json-answers.ts'),
    tsconfig: here('tsconfig.json'),
    type: 'JsonAnswers',
    skipTypeCheck: true, // tsc already checks all types
    additionalProperties: false,
  });
  const { $schema, definitions = {} } = generator.createSchema('JsonAnswers');
  const { JsonAnswers, ...types } = /** @type {Record<string, Schema>} */ (definitions);
  const written = withoutGenerics({ ...JsonAnswers.properties, ...types });
  const description = 'What each command of param-ledger writes with --json: #/definitions/COMMAND.';
  return `${JSON.stringify({ $schema, title: `param-ledger ${version}`, description, definitions: written }, null, 1)}\n`;
}

/** Inlines instantiated generic types, because their generated names contain positions in the sources. @param {object} definitions */
function withoutGenerics(definitions) {
  const named = (/** @type {string} */ name) => /^\w+$/.test(name);
  /** @param {any} part @returns {any} */
  const inlined = (part) => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(inlined);
    const { $ref, ...others } = part;
    const name = $ref && decodeURIComponent($ref.replace('#/definitions/', ''));
    if (name && !named(name)) return inlined({ ...others, .../** @type {Record<string, object>} */ (definitions)[name] });
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inlined(value)]));
  };
  return Object.fromEntries(Object.entries(definitions).flatMap(([name, part]) => (named(name) ? [[name, inlined(part)]] : [])));
}
