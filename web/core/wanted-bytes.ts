// Of files that may be large only the bytes are read that the core asks for: the head of a safetensors or GGUF file, the directory and the
// pickle of torch's archives. Where they come from (a disk, the network) is the caller's.

import type { ByteSource, InputFile, Ledger } from '../types/index.ts';

/** Never more of one file: an index of half a million tensors has 60 MB, a header may have 100. */
export const MAX_BYTES = 128_000_000;
/** Rounds that a file takes at most: one for each array of NumPy's archives, a few for others. */
const MAX_ROUNDS = 20_000;
/** What a piece behind the begin has at least. */
const MIN_PIECE = 4_096;

/** What the core wants to read of a file. Throws a RangeError for what would take too much. */
export async function readWantedBytes(ledger: Pick<Ledger, 'wants'>, { name, size, read }: ByteSource): Promise<InputFile> {
  let content: Uint8Array = new Uint8Array(0);
  const further: { at: number; content: Uint8Array }[] = [];
  let total = 0;
  for (let round = 0; round < MAX_ROUNDS; ++round) {
    const file: InputFile = { name, content, size, ...(further.length > 0 && { further }) };
    const answer = ledger.wants([file]);
    if (!answer.ok) return file; // reading it says why
    if (answer.wants.length === 0) return file;
    const [{ begin, end }] = answer.wants;
    const before = further.findIndex((piece) => piece.at + piece.content.length === begin);
    const here = begin === content.length ? content.length : before >= 0 ? further[before].content.length : MIN_PIECE;
    // As much again as there is: what is read in order is asked for in few rounds.
    const until = Math.min(size, Math.max(end, begin + here));
    total += until - begin;
    if (total > MAX_BYTES) throw new RangeError();
    const bytes = await read(begin, until);
    if (bytes.length !== until - begin) throw new Error('The file has other bytes than it said.');
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

/** A browser's file. */
export const blobSource = (name: string, blob: Blob): ByteSource => ({
  name,
  size: blob.size,
  read: async (begin, end) => new Uint8Array(await blob.slice(begin, end).arrayBuffer()),
});
