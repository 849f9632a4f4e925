// Tests the removal of exceptions from WebAssembly: small modules, which are assembled here, must compute equal results with and without
// them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lowerExceptions } from '../../../web/build/lower-exceptions.mjs';

const [I32, VOID, END] = [0x7f, 0x40, 0x0b];
const [BLOCK, LOOP, IF, TRY, CATCH, THROW, RETHROW, BR, BR_IF, BR_TABLE] = [0x02, 0x03, 0x04, 0x06, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x0e];
const [RETURN, CALL, CALL_INDIRECT, DELEGATE, CATCH_ALL, DROP] = [0x0f, 0x10, 0x11, 0x18, 0x19, 0x1a];
const [GET, SET, CONST, EQ, ADD, MUL] = [0x20, 0x21, 0x41, 0x46, 0x6a, 0x6c];
/**
 * The indices of the functions. THROWS throws its parameter if it is not 0 and otherwise returns 1. CALLS calls THROWS. NEVER does not
 * throw. TESTED is the function under test.
 */
const [THROWS, CALLS, NEVER, TESTED] = [0, 1, 2, 3];

/** @param {number} id @param {number[][]} items */
const section = (id, items) => {
  const contents = [items.length, ...items.flat()];
  assert.ok(contents.length < 128);
  return [id, contents.length, ...contents];
};
const sized = (/** @type {number[]} */ contents) => [contents.length, ...contents];

/** A module that exports the function under test. It takes a number, has another local, and returns a number. @param {number[]} code */
const assembled = (code) =>
  Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [
      [0x60, 1, I32, 1, I32],
      [0x60, 1, I32, 0],
    ]),
    ...section(3, [[0], [0], [0], [0]]),
    ...section(4, [[0x70, 0, 2]]),
    ...section(13, [[0, 1]]),
    ...section(6, []),
    ...section(7, [[1, 'f'.charCodeAt(0), 0, TESTED]]),
    ...section(9, [[0, CONST, 0, END, 2, THROWS, NEVER]]),
    ...section(10, [
      sized([0, GET, 0, IF, VOID, GET, 0, THROW, 0, END, CONST, 1, END]),
      sized([0, CONST, 10, GET, 0, CALL, THROWS, ADD, END]),
      sized([0, GET, 0, CONST, 2, MUL, END]),
      sized([1, 1, I32, ...code, END]),
    ]),
  ]);

/** @param {Uint8Array} bytes @returns {(given: number) => number} */
const started = (bytes) => /** @type {any} */ (new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f);

/** The code of the function under test and its results for 0, 1 and 2. @type {Record<string, [number[], number[]]>} */
const cases = {
  'an exception is caught with its value': [
    [TRY, I32, GET, 0, CALL, THROWS, CATCH, 0, CONST, 5, ADD, END],
    [1, 6, 7],
  ],
  'it passes a function that does not catch it': [
    [TRY, I32, GET, 0, CALL, CALLS, CATCH, 0, CONST, 5, ADD, END],
    [11, 6, 7],
  ],
  'values before the call are dropped': [
    [CONST, 20, TRY, I32, CONST, 9, GET, 0, CALL, THROWS, ADD, CATCH_ALL, CONST, 3, END, ADD],
    [30, 23, 23],
  ],
  'it is thrown and caught in one function': [
    [TRY, I32, GET, 0, THROW, 0, CATCH, 0, CONST, 5, ADD, END],
    [5, 6, 7],
  ],
  'it is thrown again to the next catch': [
    [TRY, I32, TRY, I32, GET, 0, CALL, THROWS, CATCH, 0, DROP, RETHROW, 0, END, CATCH, 0, CONST, 30, ADD, END],
    [1, 31, 32],
  ],
  'the outer one of two is thrown again': [
    [
      ...[TRY, I32, TRY, I32, GET, 0, CALL, THROWS, CATCH, 0, DROP],
      ...[TRY, I32, CONST, 7, CALL, THROWS, CATCH, 0, DROP, RETHROW, 1, END, END, CATCH, 0, END],
    ],
    [1, 1, 2],
  ],
  'a catch delegates to an outer one': [
    [
      ...[TRY, I32, TRY, I32, TRY, I32, GET, 0, CALL, THROWS, DELEGATE, 1, CATCH, 0, CONST, 50, ADD, END],
      ...[CATCH, 0, CONST, 40, ADD, END],
    ],
    [1, 41, 42],
  ],
  'an exception in a catch goes to the outer one': [
    [TRY, I32, TRY, I32, GET, 0, CALL, THROWS, CATCH, 0, CONST, 3, ADD, CALL, THROWS, END, CATCH, 0, CONST, 10, MUL, END],
    [1, 40, 50],
  ],
  'after a catch nothing is on its way': [
    [TRY, VOID, GET, 0, CALL, THROWS, DROP, CATCH, 0, SET, 1, END, CONST, 0, CALL, THROWS, GET, 1, ADD],
    [1, 2, 3],
  ],
  'an indirect call throws': [
    [TRY, I32, GET, 0, CONST, 0, CALL_INDIRECT, 0, 0, CATCH_ALL, CONST, 8, END],
    [1, 8, 8],
  ],
  'the first of two clauses catches': [
    [TRY, I32, GET, 0, CALL, THROWS, CATCH, 0, CONST, 5, ADD, CATCH_ALL, BLOCK, VOID, END, CONST, 9, END],
    [1, 6, 7],
  ],
  'branches leave a try and its catch': [
    [
      ...[BLOCK, VOID, TRY, VOID, GET, 0, CONST, 2, EQ, BR_IF, 1, GET, 0, CALL, THROWS, DROP, BR, 0],
      ...[CATCH, 0, DROP, CONST, 16, RETURN, END, CONST, 17, RETURN, END, CONST, 18],
    ],
    [17, 16, 18],
  ],
  'a table of branches leaves a try': [
    [
      ...[BLOCK, VOID, BLOCK, VOID, TRY, VOID, GET, 0, BR_TABLE, 2, 1, 0, 2, CATCH_ALL, END, CONST, 7, RETURN, END],
      ...[CONST, 8, RETURN, END, CONST, 9],
    ],
    [8, 7, 9],
  ],
  'a loop goes on after a catch': [
    [
      ...[LOOP, VOID, TRY, VOID, GET, 0, CALL, THROWS, DROP, CATCH, 0, CONST, 127, ADD, SET, 0],
      ...[GET, 1, CONST, 3, ADD, SET, 1, BR, 1, END, END, GET, 1],
    ],
    [0, 3, 6],
  ],
  'a function that never throws is only called': [
    [GET, 0, CALL, NEVER],
    [0, 2, 4],
  ],
};

for (const [name, [code, expected]] of Object.entries(cases)) {
  test(name, () => {
    const bytes = assembled(code);
    const lowered = lowerExceptions(bytes);
    for (const [given, result] of expected.entries()) {
      assert.equal(started(bytes)(given), result, 'with exceptions');
      assert.equal(started(lowered)(given), result, 'without');
    }
  });
}

test('the result has no section of exceptions, and no names', () => {
  const bytes = [...assembled([GET, 0]), ...section(0, [[4], [...'name'].map((one) => one.charCodeAt(0))])];
  const ids = (/** @type {ArrayLike<number>} */ all) => {
    const out = [];
    for (let at = 8; at < all.length; at += 2 + all[at + 1]) out.push(all[at]);
    return out;
  };
  assert.deepEqual(ids(bytes), [1, 3, 4, 13, 6, 7, 9, 10, 0]);
  assert.deepEqual(ids(lowerExceptions(Uint8Array.from(bytes))), [1, 3, 4, 6, 7, 9, 10]);
});

test('an exception that nothing catches is a trap for the host', () => {
  const run = started(lowerExceptions(assembled([GET, 0, CALL, CALLS])));
  assert.equal(run(0), 11);
  assert.throws(() => run(1), WebAssembly.RuntimeError);
});

test('what is not known is refused', () => {
  assert.throws(() => lowerExceptions(assembled([0xfd, 0x0c])), /the operation 253/);
  assert.throws(() => lowerExceptions(assembled([0x12, CALLS])), /the operation 18/);
  assert.throws(() => lowerExceptions(assembled([BLOCK, 0, END])), /blocks that have parameters/);
  const bytes = assembled([GET, 0]);
  bytes[bytes.indexOf(13, 30) + 2] = 2;
  assert.throws(() => lowerExceptions(bytes), /several kinds of exceptions/);
});
