import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entries, literalAt, sameValues, withField, withoutField } from '../../../web/config/config-text.ts';

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
  assert.equal(literalAt(config, 'hidden_size'), '4096');
  assert.equal(literalAt(config, 'text_config.num_hidden_layers'), '32');
  assert.equal(literalAt(config, '__proto__.x'), '[1, {"hidden_size": 7}]');
  assert.equal(literalAt(config, 'num_hidden_layers'), undefined);
});

test('a change leaves every other character as it was', () => {
  assert.equal(withField(config, 'hidden_size', '18446744073709551617'), config.replace('4096', '18446744073709551617'));
  assert.equal(withField(config, 'text_config.num_hidden_layers', '2'), config.replace('32', '2'));
});

test('a missing field is added at the end in the same style', () => {
  assert.equal(withField('{\n    "a": 1,\n    "b": 2\n}', 'c', '3'), '{\n    "a": 1,\n    "b": 2,\n    "c": 3\n}');
  assert.equal(withField('{"a":1}', 'c', '3'), '{"a":1, "c": 3}');
  assert.deepEqual(JSON.parse(withField('{}', 'a.b', '3') ?? ''), { a: { b: 3 } });
  assert.deepEqual(JSON.parse(withField('{"a": {"x": 0}}', 'a.b', '3') ?? ''), { a: { x: 0, b: 3 } });
});

test('a field is taken out with its comma', () => {
  assert.equal(withoutField('{"a": 1, "b": 2, "c": 3}', 'b'), '{"a": 1, "c": 3}');
  assert.equal(withoutField('{"a": 1, "b": 2}', 'b'), '{"a": 1}');
  assert.equal(withoutField('{"a": 1, "b": 2}', 'a'), '{"b": 2}');
  assert.deepEqual(JSON.parse(withoutField('{"a": 1}', 'a')), {});
  assert.equal(withoutField('{"a": 1}', 'b'), '{"a": 1}');
});

test('of a key that stands twice the last counts, and both are taken out', () => {
  assert.equal(literalAt('{"a": 1, "a": 2}', 'a'), '2');
  assert.equal(withField('{"a": 1, "a": 2}', 'a', '3'), '{"a": 1, "a": 3}');
  assert.deepEqual(JSON.parse(withoutField('{"a": 1, "b": 0, "a": 2}', 'a')), { b: 0 });
});

test('what transformers writes but JSON does not know is no obstacle', () => {
  assert.equal(literalAt('{"limit": [0.0, Infinity], "a": NaN, "b": 1}', 'b'), '1');
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
    assert.equal(withField(text, 'b', '1'), undefined, text.slice(0, 20));
    assert.equal(withoutField(text, 'b'), text);
    assert.equal(literalAt(text, 'b'), undefined);
  }
});

test('the members of the whole', () => {
  assert.deepEqual(entries('{"a": 1, "b": [1, 2]}'), [
    ['a', '1'],
    ['b', '[1, 2]'],
  ]);
  assert.equal(entries('[1]'), undefined);
});

test('a member goes to the place where another text has it', () => {
  const like = '{"a": 1, "b": 2, "c": 3}';
  assert.equal(withField('{"a": 1, "c": 3}', 'b', '5', like), '{"a": 1, "b": 5, "c": 3}');
  assert.equal(withField('{"b": 2, "c": 3}', 'a', '5', like), '{"a": 5, "b": 2, "c": 3}');
  assert.equal(withField('{"a": 1, "x": 0}', 'c', '5', like), '{"a": 1, "c": 5, "x": 0}');
  assert.equal(withField('{"a": 1}', 'd', '5', like), '{"a": 1, "d": 5}');
  assert.equal(withField('{"o": {"a": 1, "c": 3}}', 'o.b', '5', `{"o": ${like}}`), '{"o": {"a": 1, "b": 5, "c": 3}}');
});

test('the same values, in whatever order and spacing', () => {
  assert.ok(sameValues('{"a": 1, "b": [1, 2]}', '{"b":[1,2],\n"a":1}'));
  assert.ok(!sameValues('{"a": 1}', '{"a": 1.0}'));
  assert.ok(!sameValues('{"a": 1, "a": 1}', '{"a": 1}'));
  assert.ok(!sameValues('{"a": 1}', 'no JSON'));
});
