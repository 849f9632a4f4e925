// What is dropped or opened: files, or a folder with a config.json in it. Of safetensors files only the header is read: eight bytes say
// how long it is, so the size of the weights costs nothing.

import * as texts from '../texts/page-texts.ts';
import type { InputFile } from '../types.ts';

/** An index of half a million tensors has 60 MB; a header may have 100. */
const MAX_TEXT = 110_000_000;
const MAX_HEADER = 100_000_000;

/** Throws an error with a message for the reader. */
export async function readFile(file: File): Promise<InputFile> {
  const { name, size } = file;
  try {
    const header = await headerOf(file);
    if (header) return { name, content: header, size };
    if (size > MAX_TEXT) throw new RangeError();
    return { name, content: new Uint8Array(await file.arrayBuffer()) };
  } catch (error) {
    const { tooLarge, unreadable, said } = texts.input;
    throw new Error(said(error instanceof RangeError ? tooLarge(name, size) : unreadable(name)), { cause: error }); // a folder, or a file that went away
  }
}

/** The begin of a safetensors file, up to its first tensor. */
async function headerOf(file: File): Promise<Uint8Array | undefined> {
  const first = new Uint8Array(await file.slice(0, 9).arrayBuffer());
  if (first.length < 9) return undefined;
  const length = new DataView(first.buffer).getBigUint64(0, true);
  const begins = first[8] === 0x7b && length <= BigInt(MAX_HEADER);
  if (!begins) return file.name.endsWith('.safetensors') ? first : undefined; // the core says what is wrong with it
  return new Uint8Array(await file.slice(0, 8 + Number(length)).arrayBuffer());
}

export const readFiles = (files: Iterable<File>): Promise<readonly InputFile[]> => Promise.all([...files].map(readFile));

/** What was dropped, if it is files or a folder. To be called before the event is over. */
export function dropped(transfer: DataTransfer): Promise<readonly InputFile[]> | undefined {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entry = items[0]?.webkitGetAsEntry?.();
  if (entry?.isDirectory) return fromFolder(entry as FileSystemDirectoryEntry);
  const files = items.flatMap((item) => item.getAsFile() ?? []);
  if (files.length === 0) files.push(...transfer.files);
  return files.length > 0 ? readFiles(files) : undefined;
}

/** Its config.json, under the folder's name. */
async function fromFolder(folder: FileSystemDirectoryEntry): Promise<readonly InputFile[]> {
  const file = await new Promise<File>((resolve, reject) => {
    folder.getFile('config.json', {}, (entry) => (entry as FileSystemFileEntry).file(resolve, reject), reject);
  }).catch((error: unknown) => {
    throw new Error(texts.input.said(texts.input.folder(folder.name)), { cause: error });
  });
  return [{ ...(await readFile(file)), name: folder.name }];
}
