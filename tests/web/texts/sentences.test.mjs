// Tests that numbers in the core's sentences are formatted for the page's language, but numbers in data are not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../../../web/core/ledger.ts';
import { createNumbers, neutral, setNumbers, withNumbers } from '../../../web/support/numbers.ts';
import { listWarnings } from '../../../web/answer/warnings.ts';

const ledger = await loadLedger();
const llama = { model_type: 'llama' };

/** @template T @param {string} tag @param {() => T} read @returns {T} */
function as(tag, read) {
  setNumbers(createNumbers(tag));
  try {
    return read();
  } finally {
    setNumbers(createNumbers('en'));
  }
}

/** @param {{ ok: boolean, error?: { message: string } }} answer */
const messageOf = (answer) => answer.error?.message ?? 'it was answered';

const sentences = () => [
  /** @type {any} */ (ledger.check(llama, '6,738,411,520')).sentence,
  messageOf(ledger.memory(llama, { tokens: -1 })),
  messageOf(ledger.count({ ...llama, hidden_size: 4097 })),
  /** @type {any} */ (ledger.article({ setting: llama, model: llama, title: '', steps: [], total: { says: '', prints: '7,000,000,000', expression: '7000000000' } })).total?.sentence ?? '', // prettier-ignore
];

test('sentences use the locale of the numbers around them', () => {
  const english = sentences();
  assert.match(english[0], /^6,738,411,520 = all parameters 6,738,415,616 − .* 4,096$/);
  assert.match(english[1], /from 1 to 9,007,199,254,740,992\.$/);
  assert.match(english[2], /4,097/);
  for (const [tag, sign] of /** @type {const} */ ([
    ['de', '.'],
    ['fr', '\u202f'],
    ['en-IN', ','],
  ])) {
    // prettier-ignore
    const own = as(tag, sentences);
    const grouped = (/** @type {string} */ digits) => new Intl.NumberFormat(tag).format(BigInt(digits));
    assert.deepEqual(own, english.map((text) => text.replace(/\d{1,3}(,\d{3})+/g, (found) => grouped(found.replaceAll(',', '')))), sign); // prettier-ignore
  }
  assert.match(as('de', sentences)[0], /^6\.738\.411\.520 = /);
  for (const text of [...english, ...as('de', sentences)]) assert.doesNotMatch(text, /\ufdd0/);
});

test('exports and data are in English', () => {
  const params = { dim: 4096, multiple_of: 256, n_heads: 32, n_layers: 32, norm_eps: 1e-6, vocab_size: -1 };
  const [answer, memory] = as('de', () => [ledger.count(params), ledger.memory(llama, { weights: 'bfloat16', tokens: 100_000_000 })]);
  assert.ok(answer.ok && memory.ok && memory.cache.known);
  // Keys and values of 32 layers with 32 heads of 128 dimensions take 2 × 32 × 32 × 128 × 2 bytes per token, for 100 million tokens.
  assert.equal(memory.cache.total.gb, '52,428.8');
  const own = as('de', () => listWarnings(answer).join());
  const away = as('de', () => neutral(() => listWarnings(answer).join()));
  assert.match(own, /32\.000/);
  assert.match(away, /32,000/);
  assert.doesNotMatch(own + away, /\ufdd0/);
  assert.equal(away, listWarnings(answer).join());
  assert.equal(withNumbers('a \ufdd01234567 b'), 'a 1,234,567 b');
});
