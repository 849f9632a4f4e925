// Texts about a model's files on the Hub.

import { grouped, plural } from '../support/numbers.ts';

export const title = 'Check the published files';
export const lead = (id: string) =>
  `Reads only the headers of the files of ${id} on huggingface.co, and compares every tensor with the count above. No cookies and no data from this page are sent.`;
export const start = 'Check against huggingface.co';
export const stop = 'Stop';
export const again = 'Check again';
export const byHand = (id: string) =>
  `This file makes no requests. The hosted page checks the files of ${id} with one click, and so does param-ledger verify ${id}. You can also drop files here that you have.`;
export const running = (files: number, of: number, bytes: number) =>
  of === 0 ? 'Looking for its files …' : `${grouped(files)} of ${plural(of, 'file')}, ${plural(bytes, 'byte')} so far …`;
export const read = (files: number, size: string, bytes: number, commit: string | undefined) =>
  `Read ${plural(bytes, 'byte')}: the headers of ${plural(files, 'file')}, ${grouped(size)} bytes in all${commit ? `, at commit ${commit.slice(0, 12)}` : ''}.`;
export const equal = (tensors: string, files: number, elements: string) =>
  `${plural(tensors, 'tensor')} in ${plural(files, 'file')}, ${grouped(elements)} elements: equal.`;
export const different = 'The files differ from the configuration.';
export const compared = (tensors: string) => `${plural(tensors, 'tensor')} of the files, compared with the configuration`;
export const save = 'Save';
export const saveTitle = 'Save what was read, tensor by tensor, as JSON';
export const noConfig = (id: string) => `${id} has no config.json to check against. This is what its files contain.`;
export const unreachable = (host: string) =>
  `${host} could not be reached: you are offline, or the network, an extension or the Hub itself blocked the request.`;
export const brokenOff = 'The connection broke before all data had arrived.';
export const gated = (id: string) =>
  `${id} is gated: its publisher asks you to log in and accept terms, and no token is used here. If you have its files, run param-ledger read *.safetensors --config config.json, or drop them on the page.`;
export const noFile = (id: string, path: string) => `${id} has no ${path}.`;
export const none = (id: string) =>
  `${id} has no safetensors, PyTorch or GGUF files at this address. If they are in a folder, give the folder's address.`;
export const several = (id: string, names: readonly string[]) =>
  `${id} contains files of several models. Give the address of one of them: ${names.slice(0, 12).join(', ')}${names.length > 12 ? `, and ${names.length - 12} more` : ''}`;
export const index = 'The index of the model’s files cannot be read, or names files that do not exist.';
export const strange = 'The Hub did not answer with a list of files.';
export const noRanges = 'The host sends only whole files, not parts of them.';
export const tooLarge = (path: string) => `Too many bytes of ${path} would have to be read.`;
