// Bytes as callers have them, as those that the core takes.

import type { BytesInput } from '../types/index.ts';

/** Also one of another frame or worker, whose class is another. */
const isBuffer = (value: unknown): value is ArrayBuffer => /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));

export const isBytes = (value: unknown): value is BytesInput => ArrayBuffer.isView(value) || isBuffer(value);

/** Throws where the buffer was handed on. What is shared is copied: no one else may change it, and a decoder takes no shared bytes. */
export function toUint8Array(input: BytesInput): Uint8Array<ArrayBuffer> {
  const bytes = ArrayBuffer.isView(input) ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
  return isArrayBuffer(bytes.buffer) ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice();
}

const isArrayBuffer = (buffer: ArrayBufferLike) => Object.prototype.toString.call(buffer) === '[object ArrayBuffer]';
