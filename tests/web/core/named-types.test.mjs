import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNamedTypes } from '../../../web/core/named-types.ts';

test('the type of a configuration and those of its sections', () => {
  const text = '{"text_config": {"model_type": "llama"}, "model_type": "llava", "note": "a \\"model_type\\": \\"bert\\""}';
  assert.deepEqual(findNamedTypes(text), { own: 'llava', all: ['llama', 'llava'], classes: [] });
  assert.deepEqual(findNamedTypes('{"model_type": "gp'), { own: undefined, all: [], classes: [] });
});

test('the classes of a configuration, not those of its sections', () => {
  const text =
    '{"architectures": ["A", "B"], "text_config": {"architectures": ["C"], "model_type": "llama"}, "model_type": "llava", "x": ["D"]}';
  assert.deepEqual(findNamedTypes(text), { own: 'llava', all: ['llama', 'llava'], classes: ['A', 'B'] });
});

// A pattern that takes quadratic time would need minutes for these texts.
test('unterminated strings take linear time', () => {
  for (const text of ['\\"'.repeat(500_000), '"\\'.repeat(500_000), `"${'\\n'.repeat(500_000)}`, '"a'.repeat(500_000)]) {
    assert.deepEqual(findNamedTypes(text), { own: undefined, all: [], classes: [] });
  }
});
