// The ledger of the built package, for tests of code that uses its answers.

import assert from 'node:assert/strict';
import { whole } from '../../web/dist/package/param-ledger.js';

export const ledger = await whole();

/** @param {string | object} config @returns {import('../../web/types/index.ts').CountAnswer} */
export function counted(config) {
  const answer = ledger.count(config);
  assert.ok(answer.ok, answer.ok ? '' : answer.error.message);
  return answer;
}
