// Reads only those parts of a large file that the core needs, such as the header of a safetensors or GGUF file, or the directory and the
// pickle of a PyTorch archive. The caller provides access to the file, on disk or over the network.

import type { ByteSource, InputFile, Ledger } from '../types/index.ts';

/**
 * The maximum number of bytes read from one file. The index of a checkpoint with half a million tensors takes 60 MB; a safetensors header
 * can take 100 MB.
 */
export const MAX_BYTES = 128_000_000;
/** The maximum number of reads per file. A NumPy archive needs up to one for each array; other files need fewer. */
const MAX_ROUNDS = 20_000;
/** The smallest read, in bytes, at an offset that does not continue a piece that was already read, unless the file ends sooner. */
const MIN_PIECE = 4_096;

/**
 * Reads the bytes that the core needs from a file. Throws a RangeError if it needs too many bytes or too many reads, and another Error if
 * `read` returns fewer or more bytes than it was asked for.
 */
export async function readWantedBytes(ledger: Pick<Ledger, 'wants'>, { name, size, read }: ByteSource): Promise<InputFile> {
  let content: Uint8Array = new Uint8Array(0);
  const further: { at: number; content: Uint8Array }[] = [];
  let total = 0;
  for (let round = 0; round < MAX_ROUNDS; ++round) {
    const file: InputFile = { name, content, size, ...(further.length > 0 && { further }) };
    const answer = ledger.wants([file]);
    if (!answer.ok) return file; // `read` will report the reason
    if (answer.wants.length === 0) return file;
    const [{ begin, end }] = answer.wants;
    const before = further.findIndex((piece) => piece.at + piece.content.length === begin);
    const here = begin === content.length ? content.length : before >= 0 ? further[before].content.length : MIN_PIECE;
    // At least doubles a piece when extending it, unless the file ends sooner, so that a file that is read in order needs few reads.
    const until = Math.min(size, Math.max(end, begin + here));
    total += until - begin;
    if (total > MAX_BYTES) throw new RangeError();
    const bytes = await read(begin, until);
    if (bytes.length !== until - begin) throw new Error('The file has a different number of bytes than its size says.');
    if (begin === content.length) content = concat(content, bytes);
    else if (before >= 0) further[before] = { at: further[before].at, content: concat(further[before].content, bytes) };
    else further.push({ at: begin, content: bytes });
  }
  throw new RangeError();
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** Reads from a `Blob` or `File` in the browser. */
export const blobSource = (name: string, blob: Blob): ByteSource => ({
  name,
  size: blob.size,
  read: async (begin, end) => new Uint8Array(await blob.slice(begin, end).arrayBuffer()),
});
