// Tests which JavaScript values and options the package accepts. A value that is not a configuration must be refused with a reason and must
// not cause an exception. Malformed and unusual texts of configurations are tested in data.test.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whole } from '../../web/dist/package/param-ledger.js';

const ledger = await whole();

const llama = { model_type: 'llama', hidden_size: 4096 };
const text = JSON.stringify(llama);

/** @param {unknown} config @param {string} code @param {string} [field] */
function refused(config, code, field) {
  const answer = ledger.count(/** @type {string} */ (config));
  assert.equal(answer.ok, false);
  assert.equal(answer.error.code, code, answer.error.message);
  if (field !== undefined) assert.equal(answer.error.field, field);
}

/** @param {unknown} config */
function counted(config) {
  const answer = ledger.count(/** @type {string} */ (config));
  assert.ok(answer.ok, answer.ok ? '' : answer.error.message);
  return answer;
}

const expected = counted(text).totals.parameters;

test('text, bytes and object are the same configuration', () => {
  const bytes = new TextEncoder().encode(`..${text}..`);
  const { buffer } = bytes.slice(2, -2);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length - 4));
  shared.set(bytes.subarray(2, -2));
  const views = [bytes.subarray(2, -2), Buffer.from(text), buffer, new DataView(bytes.buffer, 2, bytes.length - 4), shared];
  for (const config of [text, llama, ...views, Object.assign(Object.create(null), llama)]) {
    assert.ok(ledger.memory(config).ok && ledger.compare([config, config]).ok);
    assert.equal(counted(config).totals.parameters, expected);
  }
});

test('bytes that are not UTF-8 are refused; half a surrogate pair is a character like any other', () => {
  refused(Uint8Array.of(...Buffer.from('{"a": "'), 0xff, 0xfe, ...Buffer.from('"}')), 'malformed_json');
  for (const half of ['\ud800', '\udc00', 'a\ud83d']) {
    assert.equal(counted(JSON.stringify(llama).replace('}', `,"note":"${half}"}`)).totals.parameters, expected);
    assert.equal(counted({ ...llama, note: half, [half]: 1 }).totals.parameters, expected);
  }
});

test('what is not an object is refused', () => {
  for (const config of ['[]', '"llama"', '4096', 'null', 'true']) refused(config, 'wrong_type');
  for (const config of [undefined, null, 5, 5n, true, Symbol('x'), () => text, [], new Map([['model_type', 'llama']]), new Date()])
    refused(config, 'wrong_type');
});

test('too deep, too large', () => {
  refused(`{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'too_deep');
  refused('['.repeat(1_000_000), 'too_deep');
  refused('x'.repeat(11_000_000), 'too_large');
  refused(new Uint8Array(11_000_000), 'too_large');
  refused('é'.repeat(6_000_000), 'too_large');
  let nested = {};
  for (let i = 0; i < 100_000; i++) nested = { nested };
  refused(nested, 'too_deep');
});

test('an object that repeats one part many times is answered in bounded time', () => {
  let shared = {};
  for (let i = 0; i < 40; i++) shared = { a: shared, b: shared };
  refused({ ...llama, shared }, 'too_large');
});

test('unreadable and infinite input is refused', () => {
  refused(new Array(4_294_967_295), 'wrong_type');
  refused({ ...llama, list: new Array(4_294_967_295) }, 'wrong_type', 'list.0');
  const endless = new Proxy([], { get: (_, key) => (key === 'length' ? 4_294_967_295 : 1) });
  refused({ ...llama, endless }, 'too_large');
  refused({ ...llama, text: 'x'.repeat(10_000_000) }, 'too_large');
  refused({ ...llama, ['x'.repeat(10_000_000)]: 1 }, 'too_large');
  refused({ ...llama, large: 1n << 8_000_000n }, 'too_large');
  const no = () => {
    throw new Error('no');
  };
  for (const trap of ['get', 'ownKeys', 'getOwnPropertyDescriptor', 'has', 'getPrototypeOf']) {
    const answer = ledger.count(new Proxy(llama, { [trap]: no }));
    assert.equal(answer.ok, trap === 'has' || trap === 'getPrototypeOf', trap);
  }
  const revoked = Proxy.revocable(llama, {});
  revoked.revoke();
  refused(revoked.proxy, 'wrong_type');
  const detached = new TextEncoder().encode(text);
  structuredClone(detached.buffer, { transfer: [detached.buffer] });
  refused(detached, 'wrong_type');
  counted(llama); // the core still works
});

test('a value that JSON cannot hold is refused at its field', () => {
  refused({ ...llama, hidden_size: undefined }, 'wrong_type', 'hidden_size');
  refused({ ...llama, rope: { scale: [1, () => 2] } }, 'wrong_type', 'rope.scale.1');
  refused({ ...llama, when: new Date() }, 'wrong_type', 'when');
  const cycle = { ...llama, self: {} };
  cycle.self = { cycle };
  refused(cycle, 'wrong_type', 'self.cycle');
  refused({ ...llama, get hidden_size() { throw new Error('no'); } }, 'wrong_type'); // prettier-ignore
});

test('numbers are taken exactly or refused', () => {
  assert.equal(counted({ ...llama, hidden_size: 4096n }).totals.parameters, expected);
  for (const size of [NaN, Infinity, -Infinity, 4096.5, 2 ** 60, '4096', true, [4096], {}])
    refused({ ...llama, hidden_size: size }, 'wrong_type', 'hidden_size');
  assert.equal(counted({ ...llama, limit: [0, Infinity], x: NaN }).totals.parameters, expected);
  refused({ ...llama, hidden_size: -4096 }, 'out_of_range', 'hidden_size');
  refused({ ...llama, hidden_size: 2n ** 200n }, 'overflow', 'hidden_size');
});

test('names of JavaScript properties are ordinary names', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    assert.equal(counted(text.replace('}', `,"${name}":{"hidden_size":1}}`)).totals.parameters, expected);
    refused({ model_type: name }, 'unknown_architecture', 'model_type');
  }
});

test('every question answers any input', () => {
  const none = Object.create(null);
  const detached = new ArrayBuffer(8);
  structuredClone(detached, { transfer: [detached] });
  const cycle = { self: {} };
  cycle.self = cycle;
  const trap = new Proxy([], { get: () => { throw new Error('no'); } }); // prettier-ignore
  const strange = [undefined, null, true, 5, NaN, 10n, 'x', Symbol('x'), () => 1, [], [null], [5], [{ content: 5 }], [{ name: none, content: 'x' }], none, detached, new DataView(new ArrayBuffer(4)), new Map(), new Date(), cycle, { toJSON: () => undefined }, { get budget() { throw new Error('no'); } }, trap]; // prettier-ignore
  const { catalog, has, ...questions } = /** @type {Record<string, (...given: unknown[]) => { ok: boolean, error?: { code: string } }>} */ (
    /** @type {unknown} */ (ledger)
  );
  assert.ok(catalog());
  for (const one of strange) assert.equal(typeof has(one), 'boolean');
  for (const [name, ask] of Object.entries(questions)) {
    for (const first of [...strange, llama, text, [llama, llama]]) {
      for (const second of strange) {
        const answer = ask(first, second);
        assert.equal(typeof answer.ok, 'boolean', name);
        if (!answer.ok) assert.equal(typeof answer.error?.code, 'string', name);
      }
    }
  }
  /** @param {string} name @param {...unknown} given */
  const code = (name, ...given) => questions[name](...given).error?.code;
  for (const given of [5, null, [null], {}, [{ content: detached }]]) assert.equal(code('read', given), 'wrong_type');
  for (const given of ['x', null, undefined, {}]) assert.equal(code('compare', given), 'wrong_type');
  for (const given of [undefined, null, 5, []]) assert.equal(code('search', llama, given), 'wrong_type');
  for (const given of [null, 5, 'x', [1]]) assert.equal(code('memory', llama, given), 'wrong_type');
  assert.equal(code('check', llama, undefined), 'wrong_type');
  assert.equal(code('count', detached), 'wrong_type');
  // BigInts are accepted as numbers.
  assert.ok(questions.check(llama, 10n).ok);
  counted(llama); // the core still works
});

test('options are used as given, or refused by name', () => {
  const request = { target: '1B', vary: [{ field: 'num_hidden_layers', from: 1, to: 20 }] };
  /** @param {Record<string, unknown>} more */
  const search = (more) => ledger.search(llama, /** @type {any} */ ({ ...request, ...more }));
  /** @param {unknown} options */
  const memory = (options) => ledger.memory(llama, /** @type {any} */ (options));
  /** @param {unknown} options */
  const read = (options) => ledger.read('x: [3]', /** @type {any} */ (options));
  /** @type {readonly (readonly [{ ok: boolean, error?: { code: string, field: string } }, string, string])[]} */
  const answers = [
    [memory({ tokens: NaN }), 'wrong_type', 'tokens'],
    [memory({ tokens: null }), 'wrong_type', 'tokens'],
    [memory({ tokens: true }), 'wrong_type', 'tokens'],
    [memory({ tokens: 'many' }), 'out_of_range', 'tokens'],
    [memory({ tokens: 10n ** 30n }), 'out_of_range', 'tokens'],
    [memory({ room: Infinity }), 'wrong_type', 'room'],
    [memory({ weights: 5 }), 'wrong_type', 'weights'],
    [memory({ weights: 'float5' }), 'out_of_range', 'weights'],
    [memory({ cache: null }), 'wrong_type', 'cache'],
    [memory({ contxt: 5 }), 'out_of_range', 'contxt'],
    [memory({ training: null }), 'wrong_type', 'training'],
    [memory({ training: [] }), 'wrong_type', 'training'],
    [memory({ training: { optimzer: 'adamw' } }), 'out_of_range', 'training.optimzer'],
    [memory({ training: { lora: 5 } }), 'wrong_type', 'training.lora'],
    [memory({ training: { lora: { r: 8.5, target_modules: 'all-linear' } } }), 'out_of_range', 'training.lora.r'],
    [memory({ training: { lora: { r: 8, target_modules: 'all-linear', use_dora: 'yes' } } }), 'wrong_type', 'training.lora.use_dora'],
    [
      memory({ training: { lora: { r: 8, target_modules: 'all-linear', modules_to_save: 'lm_head' } } }),
      'wrong_type',
      'training.lora.modules_to_save',
    ],
    [memory({ training: { lora: { r: 8, target_modules: [5] } } }), 'wrong_type', 'training.lora.target_modules[0]'],
    [memory(Promise.resolve({})), 'wrong_type', ''],
    [search({ budget: NaN }), 'out_of_range', 'budget'],
    [search({ budget: -1 }), 'out_of_range', 'budget'],
    [search({ budget: '5' }), 'wrong_type', 'budget'],
    [search({ most: 0 }), 'out_of_range', 'most'],
    [search({ total: null }), 'wrong_type', 'total'],
    [search({ uneven: 'yes' }), 'wrong_type', 'uneven'],
    [search({ tied: null }), 'wrong_type', 'tied'],
    [search({ limits: {} }), 'wrong_type', 'limits'],
    [search({ targets: '1B' }), 'out_of_range', 'targets'],
    [search({ vary: [{ field: 'num_hidden_layers', from: 1, to: 20, stp: 2 }] }), 'out_of_range', 'vary[0].stp'],
    [search({ vary: [{ field: 'num_hidden_layers', values: [1, NaN] }] }), 'out_of_range', 'vary[0].values[1]'],
    [search({ vary: new Array(4_294_967_295) }), 'too_large', 'vary'],
    [/** @type {any} */ (search({ budget: 1 })).next(null), 'wrong_type', 'budget'],
    [/** @type {any} */ (search({ budget: 1 })).next(0), 'out_of_range', 'budget'],
    [ledger.check(llama, /** @type {any} */ (5)), 'wrong_type', 'claim'],
    [ledger.check(llama, /** @type {any} */ (null)), 'wrong_type', 'claim'],
    [read({ config: null }), 'wrong_type', ''],
    [read({ fields: null }), 'wrong_type', 'fields'],
    [read({ fields: '{}' }), 'wrong_type', 'fields'],
    [read({ configs: llama }), 'out_of_range', 'configs'],
    [ledger.read(/** @type {any} */ ([{ content: 'x', size: NaN }])), 'out_of_range', '[0].size'],
    [ledger.read(/** @type {any} */ ([{ content: 'x', text: 'y' }])), 'out_of_range', '[0].text'],
  ];
  for (const [answer, code, field] of answers) {
    assert.equal(answer.ok, false, `${code} ${field}`);
    assert.deepEqual([answer.error?.code, answer.error?.field], [code, field]);
  }
  const mistyped = memory({ training: { optimzer: 'adamw' } });
  assert.deepEqual(!mistyped.ok && mistyped.error.nearest, ['optimizer']);
  // undefined means that the option is missing.
  const usual = memory({});
  assert.deepEqual(memory({ tokens: undefined, training: undefined }), usual);
  assert.deepEqual(memory({ tokens: 4096n, batch: 1n }), usual);
  const whole = search({});
  assert.deepEqual(search({ target: 1_000_000_000n, vary: [{ field: 'num_hidden_layers', from: 1n, to: 20n }] }), whole);
});

test('bytes of any kind are read', () => {
  const bytes = new TextEncoder().encode(text);
  for (const content of [text, bytes, bytes.buffer, new DataView(bytes.buffer)]) {
    assert.deepEqual(ledger.read(content), { ok: true, kind: 'config', file: 0, text });
    assert.deepEqual(ledger.read([{ content }]), { ok: true, kind: 'config', file: 0, text });
  }
});
