// Messages of the command line: mostly errors about inputs, and the reports of `jsonl`.

import { grouped } from '../support/numbers.ts';

export const standardInput = 'standard input';
export const emptyOperand = 'an operand is empty';
const causes: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'part of the path is not a folder',
  EISDIR: 'it is a folder, not a file',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EMFILE: 'too many files are open',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'no space is left',
  EBADF: 'it is closed',
  EIO: 'the device failed',
  ENXIO: 'no such device',
};
export const unreadable = (path: string, why: string) => `${path} cannot be read: ${causes[why] ?? why}`;
export const unwritable = (why: string) => `standard output cannot be written: ${causes[why] ?? why}`;
export const noFile = (path: string) => unreadable(path, 'ENOENT');
export const noConfig = (folder: string, other: string | undefined) =>
  `the folder ${folder} has no config.json.${other ? ` Name the file: ${other}` : ''}`;
export const tooLarge = (path: string, most: number) =>
  `${path} is larger than ${most / 1_000_000} MB, which is too large to read as a whole.`;
export const holdsTensors = (path: string, format: string) =>
  `${path} contains tensors (${format}) and is not a config.json. To read it: param-ledger read ${path}`;
export const waiting = (path: string) => `${path} is a pipe: waiting for a writer.`;
export const nobodyWrites = (path: string) => `${path} is a pipe to which no program writes.`;
export const longLine = (path: string) => `${path} has a line that is too long.`;
export const notUtf8 = 'This is not text in UTF-8 or UTF-16. To read files of tensors: param-ledger read';
export const unknownModel = (word: string) => `${word} is not a file, a published model or a model type.`;
export const perhaps = (names: readonly string[]) => `Did you mean ${names.join(' or ')}?`;
export const notFetched = (what: string, address: string) =>
  `This command fetches nothing from the network. To count ${what}: curl -sL ${address} | param-ledger`;
export const counted = (lines: { readonly counted: number; readonly refused: number; readonly warned: number }, seconds: number) => {
  const { counted, refused, warned } = lines;
  const aSecond = Math.round((counted + refused) / Math.max(seconds, 0.001));
  const warnings = warned > 0 ? `, ${grouped(warned)} with a warning` : '';
  return `${grouped(counted)} counted${warnings}, ${grouped(refused)} refused in ${seconds.toFixed(1)} s (${grouped(aSecond)} a second)`;
};
export const stoppedAt = (path: string, line: number) =>
  `stopped before line ${grouped(line)} of ${path}; all earlier lines have their answers.`;
export const deadThread = (line: number) =>
  `the thread that counts the lines from ${grouped(line)} on keeps failing, so these lines have no answer.`;
export const fitsUnknown = 'whether it fits is not known';
export const silentHub = (seconds: number) =>
  `the Hub sent nothing for ${seconds} s.\nTry again later, or wait longer: --timeout ${10 * seconds}`;
