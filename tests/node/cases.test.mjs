// Every case of the oracle, through the shipped package.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load, whole } from '../../web/dist/package/param-ledger.js';
import { cases, files } from './oracle.mjs';
import { differences, fromAnswer, fromOracle } from './tensors.mjs';

const ledger = await whole();
const common = await load();

/** What transformers builds, without rows that only published files have. @param {import('../../web/types/index.ts').TensorRow} row */
const built = ({ kind }) => kind !== 'published' && kind !== 'possible';

/** Cases that are refused although transformers builds them, by the refusal's kind. @type {Record<string, string>} */
const exceptions = JSON.parse(readFileSync(new URL('../data/exceptions.json', import.meta.url), 'utf8'));

/** What is wrong with the answer to a case; empty if nothing is. @param {import('./oracle.mjs').Case} wanted */
function faults({ id, config, parameters, buffers, tensors }) {
  const answer = ledger.count(config);
  if (Object.hasOwn(exceptions, id)) return !answer.ok && answer.error.kind === exceptions[id] ? [] : ['not refused as told'];
  if (!answer.ok) return [`${answer.error.code}: ${answer.error.message}`];
  const { totals } = answer;
  return [
    ...(totals.parameters === parameters ? [] : [`${totals.parameters} parameters, expected ${parameters}`]),
    ...(totals.buffers === buffers ? [] : [`${totals.buffers} elements in buffers, expected ${buffers}`]),
    ...differences(tensors.map(fromOracle), answer.tensors.filter(built).map(fromAnswer)),
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

test('the small program gives the same answers for its types, and names the whole program for all others', () => {
  const all = files().flatMap(cases);
  const own = all.filter(({ config }) => common.has(config));
  assert.ok(own.length > 500, `${own.length} of ${all.length}`);
  for (const { id, config } of own) assert.deepEqual(common.totals(config), ledger.totals(config), id);
  for (const { id, config } of all.filter(({ config }) => !common.has(config))) {
    const answer = common.totals(config);
    if (answer.ok || answer.error.code !== 'not_loaded') assert.deepEqual(answer, ledger.totals(config), id);
  }
});
