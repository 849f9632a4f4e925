// The bytes of files and of standard input: never more than anybody means, and never waiting for ever.

import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import * as words from '../lib/texts/command-line-texts.ts';
import { Usage } from './command.ts';

/** As much as is read whole: a safetensors header may have 100 MB. */
export const LARGEST = 128_000_000;
/** Bytes that are read at a time. */
const CHUNK = 1 << 18;
/** How often a pipe is looked at, when it is told that nobody writes, and when that is the end; in milliseconds. */
const [OFTEN, TOLD, PATIENCE] = [20, 1_000, 5_000];

/** All bytes of a file, or of standard input where it is named `-`. Throws `Usage` for what cannot be read, or has no end. */
export async function contentOf(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of chunksOf(path)) {
    pieces.push(piece);
    length += piece.length;
    if (length > LARGEST) throw new Usage(words.tooLarge(path === '-' ? words.standardInput : path, LARGEST));
  }
  return Buffer.concat(pieces);
}

/** The same piece by piece, however many there are. */
export async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  if (path === '-') return yield* process.stdin;
  try {
    // Opening a pipe that nobody writes into would otherwise wait for ever, and not to be stopped.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      yield* piecesOf(file, path);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw error instanceof Usage ? error : unreadable(path, error);
  }
}

async function* piecesOf(file: FileHandle, path: string): AsyncGenerator<Buffer> {
  const pipe = (await file.stat()).isFIFO();
  let written = false;
  let waited = 0;
  for (;;) {
    const bytes = await piece(file);
    if (bytes && bytes.length > 0) {
      written = true;
      yield bytes;
    } else if (bytes && (written || !pipe)) {
      return;
    } else {
      await pause(OFTEN);
      if (!bytes || written) continue; // somebody writes, and will go on
      waited += OFTEN;
      if (waited === TOLD) process.stderr.write(`param-ledger: ${words.waiting(path)}\n`);
      if (waited >= PATIENCE) throw new Usage(words.nobodyWrites(path));
    }
  }
}

/** What stands next, empty at the end; nothing where it is not there yet. */
async function piece(file: FileHandle): Promise<Buffer | undefined> {
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

export const unreadable = (path: string, error: unknown) =>
  new Usage(words.unreadable(path, (error as NodeJS.ErrnoException).code ?? String(error)), { cause: error });
