// Tests edits of fields in missing sections: the other fields of the section keep their values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createParameterCounter } from '../../../web/answer/parameter-counter.ts';
import { setField } from '../../../web/config/config-text.ts';
import { fillMissingSection } from '../../../web/config/missing-section.ts';
import { ledger } from '../ledger.mjs';

const counting = createParameterCounter(ledger);

/** @param {string} text @param {string} path */
function filled(text, path) {
  const answer = ledger.count(text);
  assert.ok(answer.ok);
  return fillMissingSection(text, path, answer.fields, counting);
}

test('the default text model of LightOnOCR stays, although a section with one field would be another model', () => {
  const text = '{"model_type": "lighton_ocr"}', path = 'text_config.num_key_value_heads'; // prettier-ignore
  assert.equal(counting(text), '1005647872');
  assert.notEqual(counting(setField(text, path, '8') ?? ''), '1005647872');
  assert.equal(counting(setField(filled(text, path), path, '8') ?? ''), '1005647872');
  // Each of 28 layers has 7 × 128 × 1,024 fewer elements in its key and in its value projection.
  assert.equal(counting(setField(filled(text, path), path, '1') ?? ''), String(1005647872 - 28 * 2 * 7 * 128 * 1024));
});

test('a text is left as it is if the section is given, if the field is at the top, or if its defaults are those of its type', () => {
  for (const [text, path] of [
    ['{"model_type": "lighton_ocr", "text_config": {"model_type": "qwen3"}}', 'text_config.num_key_value_heads'],
    ['{"model_type": "llama"}', 'hidden_size'],
    ['{"model_type": "gemma3"}', 'text_config.hidden_size'],
  ])
    assert.equal(filled(text, path), text);
});
