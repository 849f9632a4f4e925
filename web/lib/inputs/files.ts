// What is dropped or opened: a file, or a folder with a config.json in it.

import { texts } from '../texts.ts';

/** A config.json of more is none. */
const MAX_FILE = 1_000_000;

export interface ReadFile {
  readonly name: string;
  readonly text: string;
}

/** Throws an error with a message for the reader. */
export async function readFile(file: File): Promise<ReadFile> {
  if (file.size > MAX_FILE) throw new Error(texts.input.said(texts.input.tooLarge(file.name, file.size)));
  try {
    return { name: file.name, text: await file.text() };
  } catch (error) {
    throw new Error(texts.input.said(texts.input.unreadable(file.name)), { cause: error }); // a folder, or a file that went away
  }
}

/** What was dropped, if it is a file or a folder. To be called before the event is over. */
export function dropped(transfer: DataTransfer): Promise<ReadFile> | undefined {
  const item = [...transfer.items].find(({ kind }) => kind === 'file');
  const entry = item?.webkitGetAsEntry?.();
  if (entry?.isDirectory) return fromFolder(entry as FileSystemDirectoryEntry);
  const file = item?.getAsFile() ?? transfer.files[0];
  return file ? readFile(file) : undefined;
}

async function fromFolder(folder: FileSystemDirectoryEntry): Promise<ReadFile> {
  const file = await new Promise<File>((resolve, reject) => {
    folder.getFile('config.json', {}, (entry) => (entry as FileSystemFileEntry).file(resolve, reject), reject);
  }).catch((error: unknown) => {
    throw new Error(texts.input.said(texts.input.folder(folder.name)), { cause: error });
  });
  const { text } = await readFile(file);
  return { name: folder.name, text };
}
