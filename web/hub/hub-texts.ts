// Texts about loading a config.json from the Hub.

import { plural } from '../support/numbers.ts';

export const offer = (id: string) => `${id} is not in the catalogue.`;
export const load = 'Load config.json from huggingface.co';
export const loadOf = (id: string) => `Load config.json of ${id} from huggingface.co`;
export const loadWhy = 'One request for this one file, without cookies. Nothing on this page is sent.';
export const loading = (id: string, bytes: number) => `${id}: loading config.json${bytes > 0 ? `, ${plural(bytes, 'byte')} so far` : ' …'}`;
export const cancel = 'Cancel';
export const cancelled = (id: string) => `Cancelled: config.json of ${id} was not loaded.`;
export const again = 'Try again';
export const close = 'Close';
export const from = 'config.json from huggingface.co';
export const byHand = (id: string) => `${id} is not in the catalogue, and this file makes no requests. Its config.json is at`;
export const byHandThen = 'open it in the browser, save it, and drop it here or paste its text.';
export const gated = (id: string) =>
  `${id} is gated: its publisher asks you to log in and accept terms. Open its config.json there and paste it here.`;
export const noConfig = (id: string) => `${id} is on the Hub, but has no config.json.`;
export const noModel = (id: string, what: string) => `config.json of ${id} does not describe a model. ${what}`;
export const offline = 'You seem to be offline: huggingface.co could not be reached.';
export const unreachable = 'huggingface.co could not be reached: the network, an extension or the Hub itself blocked the request.';
export const brokenOff = 'The connection broke before the whole file had arrived.';
export const tooLarge = (limit: number) => `The file has more than ${plural(limit, 'byte')}: no config.json is that large.`;
