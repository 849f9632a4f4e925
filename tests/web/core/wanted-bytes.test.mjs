// Tests which bytes of large files are read: only those of headers, and none beyond the end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledger } from '../ledger.mjs';
import { readWantedBytes } from '../../../web/core/wanted-bytes.ts';

/**
 * A safetensors file with a header of `header` bytes, which describes one tensor and is padded with spaces, and with `data` bytes of data.
 * @param {number} header @param {number} data
 */
function file(header, data) {
  const text = JSON.stringify({ weight: { dtype: 'U8', shape: [data], data_offsets: [0, data] } }).padEnd(header);
  const head = Buffer.alloc(8 + header);
  head.writeBigUInt64LE(BigInt(header));
  head.write(text, 8);
  return { size: 8 + header + data, head };
}

for (const [header, data] of [
  [6_000, 4],
  [100_000, 4],
  [70_000, 1_000_000_000],
  [100, 0],
])
  // prettier-ignore
  test(`for a header of ${header} bytes before ${data} others`, async () => {
    const { size, head } = file(header, data);
    /** @type {[number, number][]} */
    const read = [];
    const input = await readWantedBytes(ledger, {
      name: 'model.safetensors',
      size,
      read: (begin, end) => {
        read.push([begin, end]);
        assert.ok(begin < end && end <= size, `${begin} to ${end} of ${size}`);
        const bytes = Buffer.alloc(end - begin);
        head.copy(bytes, 0, begin, end);
        return Promise.resolve(bytes);
      },
    });
    const reading = ledger.read([input]);
    assert.ok(reading.ok && 'totals' in reading && reading.totals.parameters === String(data), JSON.stringify(reading));
    assert.ok(read.length <= 4, String(read));
    const all = read.reduce((sum, [begin, end]) => sum + end - begin, 0);
    assert.ok(all <= Math.max(131_072, 3 * header), `${all} bytes`);
  });

test('a file that returns less than its size is refused', async () => {
  const { size } = file(6_000, 4);
  await assert.rejects(
    readWantedBytes(ledger, { name: 'x', size, read: () => Promise.resolve(new Uint8Array(3)) }),
    /a different number of bytes than its size says/,
  );
});

test('a head of more than 128 MB is not read', async () => {
  const wanting = (/** @type {number} */ end) => ({ wants: () => ({ ok: true, wants: [{ file: 0, begin: 0, end }] }) });
  const source = { name: 'x', size: 1e9, read: () => Promise.reject(new Error('it is read')) };
  await assert.rejects(readWantedBytes(/** @type {any} */ (wanting(128_000_000)), source), /it is read/);
  await assert.rejects(readWantedBytes(/** @type {any} */ (wanting(128_000_001)), source), RangeError);
});
