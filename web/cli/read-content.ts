// Reads files and standard input, with a limit on the size and on the wait for a pipe.

import { constants, fstatSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import * as words from './texts.ts';
import { InputFailure, Usage } from './command.ts';

/** The size in bytes of the largest file that is read whole. A safetensors header alone can be up to 100 MB. */
export const LARGEST = 128_000_000;
/** The number of bytes that are read from a file at a time. */
const CHUNK = 1 << 18;
/** In milliseconds: how often a pipe is polled, when a message says that it has no writer, and when reading gives up. */
const [OFTEN, TOLD, PATIENCE] = [20, 1_000, 5_000];

/** Reads all bytes of a file, or of standard input for `-`. Throws `Usage` if it cannot be read or is too large. */
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

/** The error for a file that is too large. `begin` holds its first bytes, which may identify its format. */
function tooLarge(path: string, begin: Buffer): Usage {
  const name = path === '-' ? words.standardInput : path;
  const format = findFormat(begin);
  return new InputFailure(format && path !== '-' ? words.holdsTensors(name, format) : words.tooLarge(name, LARGEST));
}

/** The format of a weights file that starts with these bytes; undefined if they identify none. */
function findFormat(begin: Buffer): string | undefined {
  if (begin.length < 16) return undefined;
  if (begin[8] === 0x7b && begin.readBigUInt64LE(0) < LARGEST) return 'safetensors';
  if (begin.subarray(0, 4).equals(Buffer.from('GGUF'))) return 'GGUF';
  if (begin.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return 'PyTorch';
  return undefined;
}

/**
 * Yields the bytes in pieces. Throws `InputFailure` for a regular file of more than `most` bytes. The message names its format if its first
 * piece identifies one.
 */
export async function* readChunks(path: string, most = Infinity): AsyncGenerator<Buffer> {
  yield* (await openInput(path)).chunks(most);
}

/** An open input. */
export interface Opened {
  /** Whether it is a regular file that was opened by its path, so that it can be closed and reopened. False for standard input. */
  readonly lasting: boolean;
  /** Yields its bytes and then closes it. Can be called once. */
  chunks(most?: number): AsyncGenerator<Buffer>;
  close(): Promise<void>;
}

/** Opens a file or standard input. Throws `InputFailure` for a folder, and for a file that cannot be opened. */
export async function openInput(path: string): Promise<Opened> {
  if (path === '-') {
    if (fstatSync(0).isDirectory()) throw describeReadError(path, { code: 'EISDIR' }); // Node would read a folder as empty input
    return { lasting: false, chunks: () => reportErrors(path, process.stdin), close: () => Promise.resolve() };
  }
  let file: FileHandle | undefined;
  try {
    // Without O_NONBLOCK, opening a pipe that has no writer would block and could not be interrupted.
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

/** Converts errors that occur while reading into `InputFailure`. */
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
      if (!bytes || written) continue; // the writer has not finished
      waited += OFTEN;
      if (waited === TOLD) process.stderr.write(`param-ledger: ${words.waiting(path)}\n`);
      if (waited >= PATIENCE) throw new InputFailure(words.nobodyWrites(path));
    }
  }
}

/** The next bytes, empty at the end of the file; undefined if none have arrived yet. */
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
