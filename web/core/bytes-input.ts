// Converts the bytes that callers pass to a Uint8Array.

import type { BytesInput } from '../types/index.ts';

/** Also true for a buffer from another frame or worker, which has another class. */
const isBuffer = (value: unknown): value is ArrayBuffer => /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

export const isBytes = (value: unknown): value is BytesInput => ArrayBuffer.isView(value) || isBuffer(value);

/** Throws if the buffer is detached. Shared memory is copied: nobody else may change it, and a decoder takes none. */
export function toUint8Array(input: BytesInput): Uint8Array<ArrayBuffer> {
  const bytes = ArrayBuffer.isView(input) ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
  return isArrayBuffer(bytes.buffer) ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
}

const isArrayBuffer = (buffer: ArrayBufferLike) => Object.prototype.toString.call(buffer) === '[object ArrayBuffer]';
