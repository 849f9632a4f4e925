// Compares the built package with every recorded case (from transformers or from code published with a model): the tensors, the totals and
// the refusals. The smaller programs must give equal answers.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createCounter } from '../../web/dist/package/ledger.js';
import { whole } from '../../web/dist/package/param-ledger.js';
import { cases, files } from './oracle.mjs';
import { differences, fromAnswer, fromOracle } from './tensors.mjs';

const built = new URL('../../web/dist/package/', import.meta.url);
const ledger = await whole();

/** @param {string} name */
const program = (name) => readFile(new URL(`${name}.wasm`, built));

/**
 * Whether the code of the model builds the tensor. Some rows are only in published files.
 * @param {import('../../web/types/index.ts').TensorRow} row
 */
const isBuilt = ({ kind }) => kind !== 'published' && kind !== 'possible';

/**
 * The cases that are refused although transformers builds them: maps each case id to the kind of refusal.
 * @type {Record<string, string>}
 */
const exceptions = JSON.parse(readFileSync(new URL('../data/exceptions.json', import.meta.url), 'utf8'));

/** The differences between our answer and a case; empty if there are none. @param {import('./oracle.mjs').Case} wanted */
function faults({ id, config, parameters, buffers, tensors }) {
  const answer = ledger.count(config);
  if (Object.hasOwn(exceptions, id)) return !answer.ok && answer.error.kind === exceptions[id] ? [] : ['not refused as told'];
  if (!answer.ok) return [`${answer.error.code}: ${answer.error.message}`];
  const { totals } = answer;
  return [
    ...(totals.parameters === parameters ? [] : [`${totals.parameters} parameters, expected ${parameters}`]),
    ...(totals.buffers === buffers ? [] : [`${totals.buffers} elements in buffers, expected ${buffers}`]),
    ...differences(tensors.map(fromOracle), answer.tensors.filter(isBuilt).map(fromAnswer)),
  ];
}

for (const file of files()) {
  test(`the cases of ${file} are exact`, () => {
    const all = cases(file);
    const wrong = all.map((wanted) => ({ id: wanted.id, found: faults(wanted) })).filter(({ found }) => found.length > 0);
    const told = wrong.slice(0, 10).map(({ id, found }) => `${id}\n    ${found.slice(0, 5).join('\n    ')}`);
    assert.equal(wrong.length, 0, `${wrong.length} of ${all.length} are wrong:\n  ${told.join('\n  ')}`);
  });
}

for (const [name, least] of /** @type {const} */ ([
  ['count', 450],
  ['published', 950],
]))
  test(`the program ${name} gives the same answers for its types, and names the full program for all others`, async () => {
    const counter = await createCounter({ wasm: program(name) });
    const all = files().flatMap(cases);
    const own = all.filter(({ config }) => counter.has(config));
    assert.ok(own.length > least, `${own.length} of ${all.length}`);
    for (const { id, config } of own) assert.deepEqual(counter.totals(config), ledger.totals(config), id);
    for (const { id, config } of all.filter(({ config }) => !counter.has(config))) {
      const answer = counter.totals(config);
      if (answer.ok || answer.error.code !== 'not_loaded') assert.deepEqual(answer, ledger.totals(config), id);
    }
  });

test('the program published has the types of all published models that name one', async () => {
  const counter = await createCounter({ wasm: program('published') });
  const { models } = JSON.parse(readFileSync(new URL('models.json', built), 'utf8'));
  const lacking = models.filter((/** @type {any} */ { config }) => !counter.has(config));
  assert.deepEqual(
    lacking.map((/** @type {any} */ { id }) => id),
    ['laion/CLIP-ViT-B-32-laion2B-s34B-b79K'],
    'mark their types PUBLISHED in core/registry/families.def',
  );
  for (const { id, config } of models) if (counter.has(config)) assert.deepEqual(counter.totals(config), ledger.totals(config), id);
});
