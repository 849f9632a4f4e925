// Sentences about a model's files on the Hub.

import { grouped, plural } from '../support/numbers.ts';

export const title = 'Check the published files';
export const lead = (id: string) =>
  `Reads the heads of the files of ${id} on huggingface.co, some hundred kilobytes of however many gigabytes, and compares every tensor with the count above. Without cookies; nothing of what is on this page is sent.`;
export const start = 'Check against huggingface.co';
export const stop = 'Stop';
export const again = 'Check again';
export const byHand = (id: string) =>
  `This file makes no requests: on the hosted page, the files of ${id} are checked on a click; param-ledger verify ${id} does the same, and files that you have can be dropped here.`;
export const running = (files: number, of: number, bytes: number) =>
  of === 0 ? 'Looking for its files …' : `${grouped(files)} of ${plural(of, 'file')}, ${plural(bytes, 'byte')} so far …`;
export const read = (files: number, size: string, bytes: number, commit: string | undefined) =>
  `Read: the heads of ${plural(files, 'file')} with ${grouped(size)} bytes, by ${plural(bytes, 'byte')}${commit ? `, at commit ${commit.slice(0, 12)}` : ''}.`;
export const equal = (tensors: string, files: number, elements: string) =>
  `${plural(tensors, 'tensor')} in ${plural(files, 'file')}, ${grouped(elements)} elements: equal.`;
export const different = 'The files differ from the configuration.';
export const compared = (tensors: string) => `${plural(tensors, 'tensor')} of the files, beside the configuration`;
export const save = 'Save';
export const saveTitle = 'Save what was read, tensor by tensor, as JSON';
export const noConfig = (id: string) => `${id} has no config.json to check against: this is what its files hold.`;
export const unreachable = (host: string) =>
  `${host} was not reached: you are offline, or the network, an extension or the Hub itself did not let it through.`;
export const brokenOff = 'The connection broke off before all was there.';
export const gated = (id: string) =>
  `${id} is gated: its publisher wants you to log in and agree to something, and no token is asked for here. With its files at hand: param-ledger read *.safetensors --config config.json, or drop them on the page.`;
export const noFile = (id: string, path: string) => `${id} has no ${path}.`;
export const none = (id: string) => `${id} holds no safetensors, PyTorch or GGUF files here; in a folder of it: give the folder's address.`;
export const several = (id: string, names: readonly string[]) =>
  `${id} holds files of several models: give the address of one. ${names.slice(0, 12).join(', ')}${names.length > 12 ? `, and ${names.length - 12} more` : ''}`;
export const index = 'The index of its files cannot be read, or names none that is there.';
export const strange = 'The Hub answered something else than a list of files.';
export const noRanges = 'The host sends whole files only, and not the part that is wanted.';
export const tooLarge = (path: string) => `${path} wants more to be read than a head may have.`;
