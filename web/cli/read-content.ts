// The bytes of files and of standard input: never more than anybody means, and never waiting for ever.

import { constants, fstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import * as words from './texts.ts';
import { InputFailure, Usage } from './command.ts';

/** As much as is read whole: a safetensors header may have 100 MB. */
export const LARGEST = 128_000_000;
/** Bytes that are read at a time. */
const CHUNK = 1 << 18;
/** How often a pipe is looked at, when it is told that nobody writes, and when that is the end; in milliseconds. */
const [OFTEN, TOLD, PATIENCE] = [20, 1_000, 5_000];

/** All bytes of a file, or of standard input where it is named `-`. Throws `Usage` for what cannot be read, or has no end. */
export async function readContent(path: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of readChunks(path, LARGEST)) {
    pieces.push(piece);
    length += piece.length;
    if (length > LARGEST) throw tooLarge(path, pieces[0]);
  }
  return Buffer.concat(pieces);
}

/** What is that large and begins so. */
function tooLarge(path: string, begin: Buffer): Usage {
  const name = path === '-' ? words.standardInput : path;
  const format = findFormat(begin);
  return new InputFailure(format && path !== '-' ? words.holdsTensors(name, format) : words.tooLarge(name, LARGEST));
}

/** The formats in which weights come, by their first bytes. */
function findFormat(begin: Buffer): string | undefined {
  if (begin.length < 16) return undefined;
  if (begin[8] === 0x7b && begin.readBigUInt64LE(0) < LARGEST) return 'safetensors';
  if (begin.subarray(0, 4).equals(Buffer.from('GGUF'))) return 'GGUF';
  if (begin.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return 'PyTorch';
  return undefined;
}

/** The same piece by piece, however many there are; of a file with more than `most` bytes the first piece is enough to say so. */
export async function* readChunks(path: string, most = Infinity): AsyncGenerator<Buffer> {
  yield* (await openInput(path)).chunks(most);
}

/** Something that is there and may be read. */
export interface Opened {
  /** Whether it is a file that stays as it is, so that it may be closed and opened again. */
  readonly lasting: boolean;
  /** Its bytes, once; then it is closed. */
  chunks(most?: number): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Opens a file or standard input. Throws `InputFailure` for what is not there, or is a folder. */
export async function openInput(path: string): Promise<Opened> {
  if (path === '-') {
    if (fstatSync(0).isDirectory()) throw describeReadError(path, { code: 'EISDIR' }); // which Node reads as nothing at all
    return { lasting: false, chunks: () => reportErrors(path, process.stdin), close: () => Promise.resolve() };
  }
  let file: FileHandle | undefined;
  try {
    // Opening a pipe that nobody writes into would otherwise wait for ever, and not to be stopped.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const kind = await file.stat();
    if (kind.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const [handle, size, lasting] = [file, kind.size, kind.isFile()];
    return {
      lasting,
      chunks: (most = Infinity) => reportErrors(path, readOnce(handle, path, lasting && size > most)),
      close: () => handle.close(),
    };
  } catch (error) {
    await file?.close();
    throw describeReadError(path, error);
  }
}

async function* readOnce(file: FileHandle, path: string, large: boolean): AsyncGenerator<Buffer> {
  try {
    if (large) throw tooLarge(path, (await readPiece(file)) ?? Buffer.of());
    yield* readPieces(file, path);
  } finally {
    await file.close();
  }
}

/** What fails while it is read is said in words. */
async function* reportErrors(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    throw error instanceof Usage ? error : describeReadError(path, error);
  }
}

async function* readPieces(file: FileHandle, path: string): AsyncGenerator<Buffer> {
  const pipe = (await file.stat()).isFIFO();
  let written = false;
  let waited = 0;
  for (;;) {
    const bytes = await readPiece(file);
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
      if (waited >= PATIENCE) throw new InputFailure(words.nobodyWrites(path));
    }
  }
}

/** What stands next, empty at the end; nothing where it is not there yet. */
async function readPiece(file: FileHandle): Promise<Buffer | undefined> {
  try {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, null);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}

export const describeReadError = (path: string, error: unknown) =>
  new InputFailure(words.unreadable(path === '-' ? words.standardInput : path, (error as NodeJS.ErrnoException).code ?? String(error)), {
    cause: error,
  });
