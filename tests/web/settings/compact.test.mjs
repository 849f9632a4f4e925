// Tests the settings in a widget's attributes and in a frame's address.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arrangeParts,
  writeCompactHash,
  parseEditable,
  writeEditable,
  parseCompactHash,
  parseParts,
  parsePlanIn,
  parseTheme,
  isWithin,
} from '../../../web/settings/compact.ts';

test('what is shown, in display order for any order of words; the number and its parts by default', () => {
  assert.deepEqual(parseParts('table, total'), ['total', 'table']);
  assert.deepEqual(parseParts('parts+formula'), ['parts', 'formula']);
  for (const text of ['', 'nonsense']) assert.deepEqual(parseParts(text), ['total', 'parts']);
  assert.deepEqual(['dark', 'light', 'blue'].map(parseTheme), ['dark', 'light', '']);
});

test('editable fields, with bounds if they are valid', () => {
  const fields = [{ field: 'num_hidden_layers', least: '1', most: '80' }, { field: 'text_config.hidden_size' }];
  assert.deepEqual(parseEditable('num_hidden_layers:1-80 text_config.hidden_size'), fields);
  assert.deepEqual(parseEditable(writeEditable(fields)), fields);
  assert.deepEqual(parseEditable('a:9-3'), [{ field: 'a' }]);
  assert.deepEqual(
    ['0', '1', '80', '81', '99999999999999999999', '"x"'].map((literal) => isWithin(literal, fields[0])),
    [false, true, true, false, false, true],
  );
  assert.equal(isWithin('99999999999999999999', fields[1]), true);
});

test('an address in compact form is read back unchanged', () => {
  const compact = {
    parts: ['total', 'table'],
    editable: [{ field: 'n_layer', least: '1', most: '48' }, { field: 'n_embd' }],
    theme: 'dark',
  };
  const hash = writeCompactHash(compact, '#m=openai-community/gpt2-xl&n_layer=12;t=llama');
  assert.equal(hash, '#view=total+table&editable=n_layer:1-48+n_embd&theme=dark;m=openai-community/gpt2-xl&n_layer=12;t=llama');
  const { models, ...rest } = parseCompactHash(hash);
  assert.deepEqual(rest, compact);
  assert.deepEqual(
    models.map(({ kind, id, edits }) => [kind, id, edits]),
    [
      ['model', 'openai-community/gpt2-xl', [['n_layer', '12']]],
      ['type', 'llama', []],
    ],
  );
  for (const other of ['', '#m=gpt2', '#compare;m=gpt2', '#view=total', '#view=total;'])
    assert.equal(parseCompactHash(other), undefined, other);
});

test('what several models show together is not repeated for each', () => {
  assert.deepEqual(arrangeParts(['total', 'parts', 'compare', 'formula'], 2), { compares: true, alone: ['formula'] });
  assert.deepEqual(arrangeParts(['total', 'compare'], 3), { compares: true, alone: [] });
  assert.deepEqual(arrangeParts(['total', 'parts', 'compare'], 1), { compares: false, alone: ['total', 'parts'] });
  assert.deepEqual(arrangeParts(['compare'], 1), { compares: false, alone: ['total', 'parts'] });
  assert.deepEqual(arrangeParts(['formula', 'table'], 2), { compares: false, alone: ['formula', 'table'] });
});

test('a view may name how devices share the model', () => {
  assert.deepEqual(parseParts('total devices:8x1x8'), ['total', 'devices']);
  assert.equal(parsePlanIn('total devices:8x1x8'), '8x1x8');
  assert.equal(parsePlanIn('devices'), '8');
  assert.equal(parsePlanIn('devices:vllm-8x2'), 'vllm-8x2');
  const compact = { parts: ['devices'], plan: '4x2x1', editable: [], theme: '' };
  const hash = writeCompactHash(compact, '#t=llama');
  assert.equal(hash, '#view=devices:4x2x1;t=llama');
  const { models, ...rest } = parseCompactHash(hash);
  assert.equal(models.length, 1);
  assert.deepEqual(rest, compact);
});
