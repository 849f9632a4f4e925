import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazyCounter } from '../../../web/core/lazy-counter.ts';

/** A stub of a counter that has these types. `totals` returns the number of types. @param {string[]} types @returns {any} */
const counterOf = (...types) => ({ has: (/** @type {string} */ type) => types.includes(type), totals: () => types.length });

test('the whole program is loaded when one of several types needs it, and then used', async () => {
  let loaded = 0;
  const counter = lazyCounter(counterOf('llama'), () => {
    loaded += 1;
    return Promise.resolve(counterOf('llama', 'swin'));
  });
  await counter.ensureTypes('llama');
  assert.deepEqual([loaded, counter.has('swin'), counter.totals('')], [0, false, 1]);
  await counter.ensureTypes('llama', 'swin');
  assert.deepEqual([loaded, counter.has('swin'), counter.totals('')], [1, true, 2]);
});
