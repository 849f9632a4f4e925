// Tests the memory of devices as their makers state it, and which devices are suggested for a size. The values are repeated here, because no
// other test would notice a wrong one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gbToBytes, devices, findUsualDevice } from '../../../web/settings/devices.ts';

test('each device has the memory that its maker states', () => {
  const sizes = {
    8: ['rtx4060'],
    12: ['rtx3060', 'rtx4070'],
    16: ['rtx4080', 'rtx5080', 't4', 'm4-16'],
    24: ['rtx3090', 'rtx4090', 'l4', 'a10', 'rx7900xtx'],
    32: ['rtx5090'],
    48: ['l40s', 'm4pro-48'],
    80: ['a100', 'h100'],
    96: ['rtxpro6000'],
    128: ['m4max-128'],
    141: ['h200'],
    180: ['b200'],
    192: ['mi300x'],
    256: ['mi325x'],
    512: ['m3ultra-512'],
  };
  const stated = Object.entries(sizes).flatMap(([gb, ids]) => ids.map((id) => [id, gb]));
  assert.deepEqual(devices.map(({ id, gb }) => [id, gb]).sort(), stated.sort());
  for (const { name, document } of devices) {
    // The document must be the maker's own, and about this device.
    assert.match(document, /^(NVIDIA|AMD|Apple)\b.*(specifications|data sheet)/);
    const [number] = /[A-Z]?\d{2,}\w*|M?[TLM]\d\b( (Pro|Max|Ultra))?/.exec(name) ?? [name];
    assert.ok(document.includes(number), `${name}: ${document}`);
  }
});

test('the suggested devices hold the model and keep a percentage free', () => {
  assert.deepEqual(findUsualDevice('21600000000', '10'), { device: 'rtx4090', devices: '1' }); // nine tenths of 24 GB, an RTX 4090's memory
  assert.deepEqual(findUsualDevice('21600000001', '10'), { device: 'rtx5090', devices: '1' });
  assert.deepEqual(findUsualDevice('21600000001', '0'), { device: 'rtx4090', devices: '1' });
  assert.deepEqual(findUsualDevice('1', '10'), { device: 'rtx4060', devices: '1' });
  assert.deepEqual(findUsualDevice('9000000000000', '10'), { device: 'h200', devices: '32' }); // no combination suffices: the largest one
});

test('a GB is a thousand million bytes', () => {
  assert.equal(gbToBytes(' 80 '), '80000000000');
  for (const typed of ['0', '-1', '1.5', '08', '10000000', 'x', '']) assert.equal(gbToBytes(typed), undefined);
});
