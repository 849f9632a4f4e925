// Reads dropped or opened files, or a folder with a config.json. Only the bytes that the core requests are read from large files, so the
// size of the weights does not matter.

import type { InputFile, Ledger } from '../types/index.ts';

/** Reads the files, but from each only the bytes that the core requests. */
export type FilesAtHand = (ledger: Pick<Ledger, 'wants'>) => Promise<readonly InputFile[]>;

/** Reads one file. Throws an Error whose message can be shown to the user. */
export async function readFile(file: File, ledger: Pick<Ledger, 'wants'>): Promise<InputFile> {
  const { name, size } = file;
  const { blobSource, readWantedBytes } = await import('../core/wanted-bytes.ts');
  try {
    return await readWantedBytes(ledger, blobSource(name, file));
  } catch (error) {
    const { tooLarge, unreadable, said } = (await import('./input-texts.ts')).input;
    // Reading fails for a folder and for a file that has been deleted.
    throw new Error(said(error instanceof RangeError ? tooLarge(name, size) : unreadable(name)), { cause: error });
  }
}

export function readFiles(files: Iterable<File>): FilesAtHand {
  const all = [...files];
  return (ledger) => Promise.all(all.map((file) => readFile(file, ledger)));
}

/** The dropped files or folder, if any. Must be called during the drop event. */
export function readDropped(transfer: DataTransfer): FilesAtHand | undefined {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  const entry = items[0]?.webkitGetAsEntry?.();
  if (entry?.isDirectory) return readFolder(entry as FileSystemDirectoryEntry);
  const files = items.flatMap((item) => item.getAsFile() ?? []);
  if (files.length === 0) files.push(...transfer.files);
  return files.length > 0 ? readFiles(files) : undefined;
}

/** Reads the config.json of a folder and names it after the folder. */
function readFolder(folder: FileSystemDirectoryEntry): FilesAtHand {
  const opened = findConfig(folder);
  opened.catch(() => undefined); // an error is reported when the file is read
  return async (ledger) => [{ ...(await readFile(await opened, ledger)), name: folder.name }];
}

const findConfig = (folder: FileSystemDirectoryEntry) =>
  new Promise<File>((resolve, reject) => {
    folder.getFile('config.json', {}, (entry) => (entry as FileSystemFileEntry).file(resolve, reject), reject);
  }).catch(async (error: unknown) => {
    const { input } = await import('./input-texts.ts');
    throw new Error(input.said(input.folder(folder.name)), { cause: error });
  });
