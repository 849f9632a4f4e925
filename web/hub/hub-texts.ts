// Sentences about the Hub.

import { plural } from '../support/numbers.ts';

export const offer = (id: string) => `${id} is not among the models here.`;
export const load = 'Load config.json from huggingface.co';
export const loadOf = (id: string) => `Load config.json of ${id} from huggingface.co`;
export const loadWhy = 'One request for this one file, without cookies; nothing of what is on this page is sent';
export const loading = (id: string, bytes: number) =>
  `${id}: config.json is on its way${bytes > 0 ? `, ${plural(bytes, 'byte')} so far` : ' …'}`;
export const cancel = 'Cancel';
export const cancelled = (id: string) => `Cancelled: config.json of ${id} was not loaded.`;
export const again = 'Try again';
export const close = 'Close';
export const from = 'config.json from huggingface.co';
export const byHand = (id: string) => `${id} is not among the models here, and this file makes no requests. Its config.json is at`;
export const byHandThen = 'open it in the browser, save it, and drop it here or paste its text.';
export const gated = (id: string) =>
  `${id} is gated: its publisher wants you to log in and agree to something. Open its config.json there and paste it here.`;
export const noConfig = (id: string) => `${id} is on the Hub, but has no config.json.`;
export const noModel = (id: string, what: string) => `config.json of ${id} is not a model’s. ${what}`;
export const offline = 'You seem to be offline: huggingface.co was not reached.';
export const unreachable = 'huggingface.co was not reached: the network, an extension or the Hub itself did not let it through.';
export const brokenOff = 'The connection broke off before the whole file was there.';
export const tooLarge = (limit: number) => `The file has more than ${plural(limit, 'byte')}: no config.json is that large.`;
