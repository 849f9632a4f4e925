import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLiteral, haveSameValues, listMembers, parseConfig, removeField, setField } from '../../../web/config/config-text.ts';

const config = `{
  "model_type": "llama",
  "hidden_size": 4096,
  "__proto__": {"x": [1, {"hidden_size": 7}]},
  "note": "a \\"hidden_size\\": 5 }",
  "text_config": {
    "num_hidden_layers": 32
  }
}
`;

test('a field is found by its path, not by its spelling inside strings or other objects', () => {
  assert.equal(findLiteral(config, 'hidden_size'), '4096');
  assert.equal(findLiteral(config, 'text_config.num_hidden_layers'), '32');
  assert.equal(findLiteral(config, '__proto__.x'), '[1, {"hidden_size": 7}]');
  assert.equal(findLiteral(config, 'num_hidden_layers'), undefined);
});

test('a change leaves every other character as it was', () => {
  assert.equal(setField(config, 'hidden_size', '18446744073709551617'), config.replace('4096', '18446744073709551617'));
  assert.equal(setField(config, 'text_config.num_hidden_layers', '2'), config.replace('32', '2'));
});

test('a missing field is added at the end in the same style', () => {
  assert.equal(setField('{\n    "a": 1,\n    "b": 2\n}', 'c', '3'), '{\n    "a": 1,\n    "b": 2,\n    "c": 3\n}');
  assert.equal(setField('{"a":1}', 'c', '3'), '{"a":1, "c": 3}');
  assert.deepEqual(JSON.parse(setField('{}', 'a.b', '3') ?? ''), { a: { b: 3 } });
  assert.deepEqual(JSON.parse(setField('{"a": {"x": 0}}', 'a.b', '3') ?? ''), { a: { x: 0, b: 3 } });
});

test('a missing section may be null, but not another value', () => {
  assert.equal(setField('{"a": 1, "s": null}', 's.b', '3', '{"s": {}, "a": 1}'), '{"a": 1, "s": {"b": 3}}');
  assert.equal(setField('{"s": {"t": null}}', 's.t.b', '3'), '{"s": {"t": {"b": 3}}}');
  assert.equal(setField('{"s": "text"}', 's.b', '3'), undefined);
});

test('a configuration is read with the numbers that Python writes', () => {
  assert.deepEqual(parseConfig('{"a": [NaN, Infinity, -Infinity], "NaN": "Infinity \\" NaN"}'), {
    a: [null, Infinity, -Infinity],
    NaN: 'Infinity " NaN',
  });
  assert.deepEqual(parseConfig('{"a": '), {});
});

test('a field is removed with its comma', () => {
  assert.equal(removeField('{"a": 1, "b": 2, "c": 3}', 'b'), '{"a": 1, "c": 3}');
  assert.equal(removeField('{"a": 1, "b": 2}', 'b'), '{"a": 1}');
  assert.equal(removeField('{"a": 1, "b": 2}', 'a'), '{"b": 2}');
  assert.deepEqual(JSON.parse(removeField('{"a": 1}', 'a')), {});
  assert.equal(removeField('{"a": 1}', 'b'), '{"a": 1}');
});

test('the last of several equal keys counts, and all are removed', () => {
  assert.equal(findLiteral('{"a": 1, "a": 2}', 'a'), '2');
  assert.equal(setField('{"a": 1, "a": 2}', 'a', '3'), '{"a": 1, "a": 3}');
  assert.deepEqual(JSON.parse(removeField('{"a": 1, "b": 0, "a": 2}', 'a')), { b: 0 });
});

test('values that transformers writes but JSON lacks are no obstacle', () => {
  assert.equal(findLiteral('{"limit": [0.0, Infinity], "a": NaN, "b": 1}', 'b'), '1');
});

test('malformed text is left alone', () => {
  for (const text of [
    '',
    '[]',
    '{',
    '{"a"',
    '{"a": ',
    '{"a": 1',
    '{"a": 1,',
    '{"a" 1}',
    '{a: 1}',
    '{"a": "',
    '<html>',
    '{"a": ]}',
    '['.repeat(100_000),
    `{"a": ${'['.repeat(100_000)}`,
  ]) {
    assert.equal(setField(text, 'b', '1'), undefined, text.slice(0, 20));
    assert.equal(removeField(text, 'b'), text);
    assert.equal(findLiteral(text, 'b'), undefined);
  }
});

test('the members of the whole', () => {
  assert.deepEqual(listMembers('{"a": 1, "b": [1, 2]}'), [
    ['a', '1'],
    ['b', '[1, 2]'],
  ]);
  assert.equal(listMembers('[1]'), undefined);
});

test('a member moves to its position in another text', () => {
  const like = '{"a": 1, "b": 2, "c": 3}';
  assert.equal(setField('{"a": 1, "c": 3}', 'b', '5', like), '{"a": 1, "b": 5, "c": 3}');
  assert.equal(setField('{"b": 2, "c": 3}', 'a', '5', like), '{"a": 5, "b": 2, "c": 3}');
  assert.equal(setField('{"a": 1, "x": 0}', 'c', '5', like), '{"a": 1, "c": 5, "x": 0}');
  assert.equal(setField('{"a": 1, "b": 2, "x": 0}', 'c', '5', like), '{"a": 1, "b": 2, "c": 5, "x": 0}');
  assert.equal(setField('{"a": 1}', 'd', '5', like), '{"a": 1, "d": 5}');
  assert.equal(setField('{"o": {"a": 1, "c": 3}}', 'o.b', '5', `{"o": ${like}}`), '{"o": {"a": 1, "b": 5, "c": 3}}');
});

test('equal values in any order and spacing', () => {
  assert.ok(haveSameValues('{"a": 1, "b": [1, 2]}', '{"b":[1,2],\n"a":1}'));
  assert.ok(!haveSameValues('{"a": 1}', '{"a": 1.0}'));
  assert.ok(!haveSameValues('{"a": 1, "a": 1}', '{"a": 1}'));
  assert.ok(!haveSameValues('{"a": 1, "b": 2}', '{"a": 1, "a": 1}'));
  assert.ok(!haveSameValues('{"a": 1}', 'no JSON'));
});
