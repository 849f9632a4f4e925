// An answer is plain data. It can be cloned, spread, serialised, sent to a worker or printed without losing anything.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { whole } from '../../web/dist/package/param-ledger.js';

const { count } = await whole();
const configs = [{ model_type: 'llama' }, { model_type: 'deepseek_v3', typo: 1 }, { model_type: 't5' }];
const fresh = () =>
  configs.map((config) => {
    const answer = count(config);
    assert.ok(answer.ok);
    return answer;
  });
const NAMES = 'ok version model_type architecture architectures totals definitions parts tensors fields symbols formula notes'.split(' ');
/** The answers after a round trip through JSON, which must lose nothing. */
const written = fresh().map((answer) => JSON.parse(JSON.stringify(answer)));

test('all properties are own and enumerable', () => {
  for (const answer of fresh()) {
    assert.deepEqual(Object.keys(answer), NAMES);
    assert.equal(Object.getPrototypeOf(answer), Object.prototype);
    const [row] = answer.tensors;
    for (const name of ['name', 'shape', 'total', 'formula', 'substitution', 'math']) assert.ok(Object.keys(row).includes(name), name);
    assert.match(row.formula, /^vocab_size × /);
    assert.deepEqual(Object.keys(answer.formula), ['math', 'value', 'symbols', 'substitution']);
  }
});

test('a clone, a copy and a message have everything', async () => {
  assert.deepEqual(fresh().map((answer) => structuredClone(answer)), written); // prettier-ignore
  assert.deepEqual(JSON.parse(JSON.stringify(fresh().map((answer) => ({ ...answer })))), written);
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(fresh());
  const [received] = await once(port2, 'message');
  assert.deepEqual(received, written);
  port1.close();
});

test('a printed answer shows no getters', () => {
  for (const answer of fresh()) {
    for (const what of [answer, answer.tensors, answer.tensors[0], answer.formula, answer.fields, answer.symbols]) {
      assert.doesNotMatch(inspect(what, { depth: 3 }), /\[Getter|\[Function/);
    }
    assert.match(inspect(answer.tensors[0]), /formula: 'vocab_size × /);
  }
});

test('an answer is the same through a proxy, as frameworks pass it on', () => {
  for (const [i, answer] of fresh().entries()) {
    /** @type {ProxyHandler<object>} */
    const handler = {
      get(target, name, receiver) {
        const value = Reflect.get(target, name, receiver);
        return typeof value === 'object' && value !== null ? new Proxy(value, handler) : value;
      },
    };
    assert.equal(JSON.stringify(new Proxy(answer, handler)), JSON.stringify(written[i]));
  }
});
