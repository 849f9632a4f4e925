// Tests the release data of published models: each model is in the catalogue and in one release only, and the arXiv number of a paper
// agrees with its date.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { releases } from '../../../web/data/releases.ts';

/** @type {{ id: string }[]} */
const catalogue = JSON.parse(readFileSync(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));

test('each model of a release is in the catalogue, and in one release', () => {
  const named = releases.flatMap(({ models }) => models);
  const known = new Set(catalogue.map(({ id }) => id));
  assert.deepEqual(named.filter((id) => !known.has(id)), []); // prettier-ignore
  assert.equal(new Set(named).size, named.length);
  const complete = releases.flatMap(({ license, models }) => (license === undefined ? [] : models));
  assert.ok(complete.length >= 250, `${complete.length} have a date, a license and a source`);
});

test('dates are dates, sources are addresses, and a paper is of the month that its number says', () => {
  for (const { released, license, source } of releases) {
    assert.match(released, /^20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/);
    assert.match(license ?? 'mit', /^[a-z0-9.-]+$/);
    assert.equal(new URL(source).protocol, 'https:');
    const [, year, month] = /^https:\/\/arxiv\.org\/abs\/(\d\d)(\d\d)\.\d{4,5}$/.exec(source) ?? [];
    if (year !== undefined) assert.equal(released.slice(0, 7), `20${year}-${month}`, source);
  }
});
