// Reads input files. Of a large file, only the parts that the core requests are read, such as the header of a file of weights. Small files
// and pipes are read whole.

import { open, stat, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Ledger } from '../core/ledger.ts';
import { readWantedBytes, MAX_BYTES } from '../core/wanted-bytes.ts';
import * as words from './texts.ts';
import type { InputFile } from '../types/index.ts';
import { Usage } from './command.ts';
import { readContent, describeReadError } from './read-content.ts';

/** Reads a file, or standard input for `-`. Throws `Usage` if it cannot be read or is too large. */
export async function readInput(path: string, ledger: Ledger): Promise<InputFile> {
  const name = basename(path);
  const { size, isFile } = await statFile(path);
  if (path === '-' || !isFile || size <= SMALL) return { ...(path !== '-' && { name }), content: await readContent(path) };
  try {
    const file = await open(path);
    try {
      return await readWantedBytes(ledger, { name, size, read: (begin, end) => readRange(file, begin, end) });
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof RangeError ? new Usage(words.tooLarge(path, MAX_BYTES)) : describeReadError(path, error);
  }
}

/** Files up to this size in bytes are read whole, because reading parts would save little. */
const SMALL = 65_536;

async function statFile(path: string): Promise<{ readonly size: number; readonly isFile: boolean }> {
  const found = path === '-' ? undefined : await stat(path).catch(() => undefined);
  return { size: found?.size ?? 0, isFile: found?.isFile() ?? false };
}

async function readRange(file: FileHandle, begin: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - begin);
  let read = 0;
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, begin + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}
