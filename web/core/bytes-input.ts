// Converts byte inputs to Uint8Array.

import type { BytesInput } from '../types/index.ts';

/** Also recognises buffers from other frames. They are instances of that frame's ArrayBuffer class, so `instanceof` fails. */
const isBuffer = (value: unknown): value is ArrayBuffer => /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

export const isBytes = (value: unknown): value is BytesInput => ArrayBuffer.isView(value) || isBuffer(value);

/** Throws if the buffer is detached. Shared memory is copied, because other threads may change it and browsers' TextDecoder rejects it. */
export function toUint8Array(input: BytesInput): Uint8Array<ArrayBuffer> {
  const bytes = ArrayBuffer.isView(input) ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
  return isArrayBuffer(bytes.buffer) ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
}

const isArrayBuffer = (buffer: ArrayBufferLike) => Object.prototype.toString.call(buffer) === '[object ArrayBuffer]';
