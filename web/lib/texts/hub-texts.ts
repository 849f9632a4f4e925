// What is said of the Hub.

import { plural } from './format.ts';

export const hubTexts = {
  offer: (id: string) => `${id} is not among the models here.`,
  load: 'Load config.json from huggingface.co',
  loadOf: (id: string) => `Load config.json of ${id} from huggingface.co`,
  loadWhy: 'One request for this one file, without cookies; nothing of what is on this page is sent',
  loading: (id: string, bytes: number) => `${id}: config.json is on its way${bytes > 0 ? `, ${plural(bytes, 'byte')} so far` : ' …'}`,
  cancel: 'Cancel',
  cancelled: (id: string) => `Cancelled: config.json of ${id} was not loaded.`,
  again: 'Try again',
  close: 'Close',
  from: 'config.json from huggingface.co',
  byHand: (id: string) => `${id} is not among the models here, and this file makes no requests. Its config.json is at`,
  byHandThen: 'open it in the browser, save it, and drop it here or paste its text.',
  gated: (id: string) =>
    `${id} is gated: its publisher wants you to log in and agree to something. Open its config.json there and paste it here.`,
  missing: (id: string) => `The Hub knows no public model ${id}.`,
  closed: (id: string) => `The Hub does not show ${id} to everybody: it is gated, private, or not there.`,
  noConfig: (id: string) => `${id} is on the Hub, but has no config.json.`,
  noModel: (id: string, what: string) => `config.json of ${id} is not a model’s. ${what}`,
  tooMany: 'The Hub had too many requests from here: try again in a while.',
  trouble: (status: number) => `The Hub has trouble of its own: HTTP ${status}.`,
  offline: 'You seem to be offline: huggingface.co was not reached.',
  unreachable: 'huggingface.co was not reached: the network, an extension or the Hub itself did not let it through.',
  brokenOff: 'The connection broke off before the whole file was there.',
  tooLarge: (limit: number) => `The file has more than ${plural(limit, 'byte')}: no config.json is that large.`,
};
