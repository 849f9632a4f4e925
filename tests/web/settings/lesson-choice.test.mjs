import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse, write, writeSet } from '../../../web/settings/lesson-choice.ts';

const screen = (/** @type {string} */ asks) => ({ says: 'a [list], a "quote" and {d}', asks, number: { expression: 'd' } });
const set = { title: 'Two', screens: [screen('one'), screen('two')] };

test('a lesson and its screen survive the round trip through an address', () => {
  for (const text of ['llama-3.1-8b', 'llama-3.1-8b/4', 'exercises']) assert.equal(write(/** @type {any} */ (parse(text))), text);
  assert.deepEqual(parse('model/3'), { kind: 'lesson', id: 'model', at: 2 });
  assert.deepEqual(parse('model/0'), { kind: 'lesson', id: 'model', at: 0 });
  assert.equal(parse(''), undefined);
});

test('a set of exercises is included in full, with answers if they are handed in', () => {
  assert.deepEqual(parse(writeSet(set)), { kind: 'set', lesson: set, cut: false });
  assert.deepEqual(parse(`\n  ${writeSet(set)}\n`), { kind: 'set', lesson: set, cut: false });
  assert.match(/** @type {any} */ (parse('{"title": "none"}')).trouble, /^screens: /);
  assert.deepEqual(parse(writeSet(set, ['4096', null])), { kind: 'set', lesson: set, answers: ['4096', null], cut: false });
});

test('a truncated set opens its complete screens', () => {
  const text = writeSet(set);
  const cut = parse(text.slice(0, text.indexOf('two') + 2));
  assert.deepEqual(cut, { kind: 'set', lesson: { title: 'Two', screens: [screen('one')] }, cut: true });
  assert.equal(parse(text.slice(0, 30))?.kind, 'broken');
});
