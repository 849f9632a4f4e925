// Questions and claims that were collected from issues, cards and papers, each with its source: tests/data/questions.json and fresh_claims.json.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { whole } from '../../web/dist/package/param-ledger.js';

const ledger = await whole();
const read = (/** @type {string} */ name) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

/** @type {Map<string, object>} */
const published = new Map(read('../../web/data/models.json').map((/** @type {any} */ { id, config }) => [id, config]));

/** @typedef {{ model?: string, config?: object }} Asked */
const configOf = (/** @type {Asked} */ { config, model = '' }) => {
  const found = config ?? published.get(model);
  assert.ok(found, model);
  return found;
};

/** @template {{ ok: boolean }} T @param {T} answer @returns {Extract<T, { ok: true }>} */
function fine(answer) {
  assert.ok(answer.ok, JSON.stringify(answer));
  return /** @type {any} */ (answer);
}

/** What a judged number is made of. @param {import('../../web/types/index.ts').JudgedClaim} judged */
const idsOf = ({ agreeing: [best] }) => best?.switches.map(({ id }) => id).sort();

/** The answer to what a question asks for, as `what` names it. @param {object} config @param {string} what */
function answerTo(config, what) {
  const [, of, tokens, batch] = /^memory: (\w+) at (\d+) tokens, batch (\d+)$/.exec(what) ?? [];
  if (of === undefined) return /** @type {any} */ (fine(ledger.totals(config)).totals)[what];
  const { cache, compute } = fine(ledger.memory(config, { tokens, batch }));
  assert.ok(cache.known && compute.known);
  if (of === 'cache') return cache.total.bytes;
  if (of === 'growing') return String(BigInt(cache.per_token ?? 0) * BigInt(tokens));
  return compute[/** @type {'prompt' | 'training'} */ (of)];
}

test('what was asked is answered, and what was claimed is explained by its reason', () => {
  for (const question of read('../data/questions.json')) {
    const { source, what, answer, claim, switches, remainder } = question;
    const config = configOf(question);
    if (answer !== undefined) assert.equal(answerTo(config, what), answer, source);
    if (claim === undefined) continue;
    const judged = fine(ledger.check(config, claim));
    if (switches) assert.deepEqual(idsOf(judged), switches, `${claim}, ${source}: ${judged.sentence}`);
    if (!remainder) continue;
    assert.deepEqual(judged.agreeing, [], claim);
    assert.deepEqual([judged.remainder?.times, judged.remainder?.each], remainder, `${claim}: ${judged.sentence}`);
  }
});

test('claims that none of the other tests has are explained by the right reason', () => {
  const wrong = [];
  let numbers = 0;
  for (const asked of read('../data/fresh_claims.json')) {
    const { claims } = fine(ledger.check(configOf(asked), asked.claim));
    assert.equal(claims.length, asked.want.length, `${asked.claim}: ${claims.map(({ claim }) => claim.text).join(' | ')}`);
    for (const [i, want] of asked.want.entries()) {
      numbers++;
      const judged = claims[i];
      const right =
        want === null
          ? judged.agreeing.length === 0
          : Array.isArray(want)
            ? JSON.stringify(idsOf(judged)) === JSON.stringify(want)
            : judged.agreeing.length > 0 && judged.sentence.includes(want.says);
      if (!right) wrong.push(`${asked.model}, ${judged.claim.text}: ${judged.sentence} (${asked.source})`);
    }
  }
  assert.ok(numbers >= 60, `${numbers} numbers`);
  assert.deepEqual(wrong, []);
});
