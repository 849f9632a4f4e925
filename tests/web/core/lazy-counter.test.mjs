import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lazyCounter } from '../../../web/core/lazy-counter.ts';

/** A stub of a counter that has these types. `totals` returns the number of types. @param {string[]} types @returns {any} */
const counterOf = (...types) => ({ has: (/** @type {string} */ type) => types.includes(type), totals: () => types.length });

test('a larger program is loaded when one of several types needs it, and then used', async () => {
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

test('programs are asked from the smallest to the largest, and a smaller one that arrives late does not replace a larger one', async () => {
  const small = counterOf('llama', 'swin');
  const large = counterOf('llama', 'swin', 'ernie');
  /** @type {(counter: any) => void} */
  let arrive = () => {};
  const late = new Promise((resolve) => (arrive = resolve));
  const arrivals = [Promise.resolve(small), late];
  const counter = lazyCounter(
    counterOf('llama'),
    () => /** @type {Promise<any>} */ (arrivals.shift()),
    () => Promise.resolve(large),
  );
  const ernie = counter.ensureTypes('ernie');
  const swin = counter.ensureTypes('swin');
  await ernie;
  assert.equal(counter.has('ernie'), true);
  arrive(small);
  await swin;
  assert.equal(counter.has('ernie'), true);
});

test('the largest program is not loaded for a type of the one before', async () => {
  const counter = lazyCounter(
    counterOf('llama'),
    () => Promise.resolve(counterOf('llama', 'swin')),
    () => Promise.reject(new Error('not needed')),
  );
  await counter.ensureTypes('swin');
  assert.equal(counter.has('swin'), true);
});
