// What is to be read as the bytes that the core takes (core/inputs/read.hpp), and its answer as types.ts promises it.

import { Unreadable } from '../core/config-bytes.ts';
import type { InputFile, ReadConfig, Reading } from '../types.ts';

export interface BytesFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly size?: number;
  readonly further?: readonly { readonly at: number; readonly bytes: Uint8Array }[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What a caller hands in, as files. Throws `Unreadable` for what is none. */
export function filesOf(input: string | Uint8Array | readonly InputFile[]): readonly BytesFile[] {
  if (typeof input === 'string' || ArrayBuffer.isView(input)) return [{ name: '', bytes: bytesOf(input) }];
  if (!Array.isArray(input)) throw new Unreadable('wrong_type', '', 'What is to be read is a text, bytes or a list of files.');
  return Array.from(input as readonly (InputFile | null | undefined)[], (file) => {
    const { name = '', content, size, further } = file ?? {};
    return {
      name: String(name),
      bytes: bytesOf(content),
      ...(size !== undefined && { size: Number(size) }),
      ...(further && { further: Array.from(further, (piece) => ({ at: Number(piece.at), bytes: bytesOf(piece.content) })) }),
    };
  });
}

function bytesOf(content: unknown): Uint8Array {
  if (typeof content === 'string') return encoder.encode(content);
  if (!ArrayBuffer.isView(content)) throw new Unreadable('wrong_type', '', 'The content of a file is a text or bytes.');
  try {
    return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  } catch {
    throw new Unreadable('wrong_type', '', 'The bytes are no longer there: their buffer was handed on.');
  }
}

/** A line that says what follows it, then all bytes. */
export function readRequest(files: readonly BytesFile[], config: Uint8Array | undefined, fields: unknown): readonly Uint8Array[] {
  const head = {
    ...(fields !== undefined && { fields }),
    files: files.map(({ name, bytes, size, further }) => ({
      name,
      bytes: bytes.length,
      ...(size !== undefined && { size }),
      ...(further && { further: further.map((piece) => [piece.at, piece.bytes.length]) }),
    })),
    ...(config && { config: config.length }),
  };
  return [
    encoder.encode(`${JSON.stringify(head)}\n`),
    ...files.flatMap(({ bytes, further = [] }) => [bytes, ...further.map((piece) => piece.bytes)]),
    ...(config ? [config] : []),
  ];
}

/** The core's answer: of a configuration it says where it stands in the bytes. */
export type RawReading = Exclude<Reading, ReadConfig> | (Omit<ReadConfig, 'text'> & { readonly begin: number; readonly end: number });

export function readingOf(raw: RawReading, files: readonly BytesFile[]): Reading {
  if (!raw.ok || raw.kind !== 'config') return raw;
  const { begin, end, ...config } = raw;
  return { ...config, text: decoder.decode(files[raw.file].bytes.subarray(begin, end)) };
}
