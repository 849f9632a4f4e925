// Packs the input of `read` as bytes for the core (core/inputs/read.hpp), and decodes the answer.

import { encodeConfig, InputError } from './config-bytes.ts';
import { validateFile } from './validators.ts';
import { toUint8Array, isBytes } from './bytes-input.ts';
import type { BytesInput, InputFile, ReadConfig, Reading } from '../types/index.ts';

export interface BytesFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly size?: number;
  readonly further?: readonly { readonly at: number; readonly bytes: Uint8Array }[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Converts the input to a list of files. Throws `InputError` if it is not a text, bytes or a list of valid files. */
export function toBytesFiles(input: string | BytesInput | readonly InputFile[]): readonly BytesFile[] {
  if (typeof input === 'string' || isBytes(input)) return [{ name: '', bytes: toContentBytes(input) }];
  if (!Array.isArray(input)) throw new InputError('wrong_type', '', 'read needs a text, bytes or a list of files.');
  return Array.from(input as readonly unknown[], (file, i) => {
    const { name = '', content, size, further } = validateFile(file, `[${i}]`) as InputFile;
    return {
      name,
      bytes: toContentBytes(content),
      ...(size !== undefined && { size }),
      ...(further && { further: further.map((piece) => ({ at: piece.at, bytes: toContentBytes(piece.content) })) }),
    };
  });
}

function toContentBytes(content: unknown): Uint8Array {
  if (typeof content === 'string') return encoder.encode(content);
  if (!isBytes(content)) throw new InputError('wrong_type', '', 'The content of a file must be a string or bytes.');
  try {
    return toUint8Array(content);
  } catch {
    throw new InputError('wrong_type', '', 'The bytes are no longer available, because their buffer was transferred.');
  }
}

/** Packs a request: one line of JSON that describes the files, then their bytes and those of the configuration. */
export function packReadRequest(files: readonly BytesFile[], config: Uint8Array | undefined, fields: unknown): readonly Uint8Array[] {
  const head = {
    files: files.map(({ name, bytes, size, further }) => ({
      name,
      bytes: bytes.length,
      ...(size !== undefined && { size }),
      ...(further && { further: further.map((piece) => [piece.at, piece.bytes.length]) }),
    })),
    ...(config && { config: config.length }),
  };
  // Written like a configuration, to support BigInt and to refuse values that no config.json can hold.
  const filled = fields === undefined ? '' : `"fields":${decoder.decode(encodeConfig(fields))},`;
  return [
    encoder.encode(`{${filled}${JSON.stringify(head).slice(1)}\n`),
    ...files.flatMap(({ bytes, further = [] }) => [bytes, ...further.map((piece) => piece.bytes)]),
    ...(config ? [config] : []),
  ];
}

/** The core's answer. A configuration is given by its position in the bytes of its file or, if it was converted, by its text. */
export type RawReading =
  Exclude<Reading, ReadConfig> | ReadConfig | (Omit<ReadConfig, 'text'> & { readonly begin: number; readonly end: number });

export function decodeReading(raw: RawReading, files: readonly BytesFile[]): Reading {
  if (!raw.ok || raw.kind !== 'config' || 'text' in raw) return raw;
  const { begin, end, ...config } = raw;
  return { ...config, text: decoder.decode(files[raw.file].bytes.subarray(begin, end)) };
}
