// The steps of derivations, for tests of what they say.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { ledger } from './ledger.mjs';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
/** @type {import('../../web/config/entry.ts').Published[]} */
export const models = JSON.parse(read('web/data/models.json'));
export const defaults = read('tests/data/oracle.jsonl')
  .split('\n')
  .filter((line) => /^\{"id": "[^"]*\/default"/.test(line))
  .map((line) => JSON.parse(line));

/** @typedef {import('../../web/types/index.ts').DerivedStep} Step */

/** @param {object} config @returns {Step[]} */
export function stepsOf(config) {
  const answer = ledger.derive(config);
  assert.ok(answer.ok, answer.ok ? '' : answer.error.message);
  return answer.sections.flatMap(({ steps }) => steps);
}

/** The configuration of a model in the catalogue. */
export const model = (/** @type {string} */ id) => models.find((one) => one.id === id)?.config ?? assert.fail(id);
export const step = (/** @type {Step[]} */ steps, /** @type {RegExp} */ says) =>
  steps.find((one) => says.test(one.says)) ?? assert.fail(`${says}: ${steps.map((one) => one.says).join('; ')}`);
export const tensor = (/** @type {Step[]} */ steps, /** @type {RegExp} */ name) =>
  steps.flatMap(({ tensors }) => tensors).find((one) => name.test(one.name)) ?? assert.fail(String(name));

/** The step that has the tensor. */
export const stepWith = (/** @type {Step[]} */ steps, /** @type {RegExp} */ name) =>
  steps.find(({ kind, tensors }) => kind === 'part' && tensors.some((one) => name.test(one.name))) ?? assert.fail(String(name));
