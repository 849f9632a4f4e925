// Tests that the setting of the Models view can be written to an address and read back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultModelsSetting, parse, write } from '../../../web/settings/models-setting.ts';

test('what is written is read back, for any condition', () => {
  assert.equal(write(defaultModelsSetting), '');
  for (const wish of [
    { columns: 'name,cache', sort: '', picture: 'shares', where: 'a | b|sort:-x|where:"c"' },
    { ...defaultModelsSetting, where: 'active < 10B' },
    { ...defaultModelsSetting, sort: 'layers,-active' },
  ])
    assert.deepEqual(parse(write(wish)), wish);
  assert.equal(write({ ...defaultModelsSetting, where: 'active < 10B', picture: 'layers' }), 'picture:layers|where:active < 10B');
  for (const odd of ['', 'nothing', '|||', 'foo:bar|where:x']) assert.deepEqual(parse(odd), defaultModelsSetting);
});
