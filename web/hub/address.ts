// Addresses of the Hugging Face Hub, and the models, revisions and files that people name by them.

import { isHubId } from './id.ts';

export const HUB = 'https://huggingface.co';

/** A model with a config.json on the Hub that the reader may want. */
export interface HubOffer {
  readonly id: string;
  /** The reader has already asked for it, in the list of models. */
  readonly asked: boolean;
  /** The place of the model that it replaces; undefined lets the store decide. */
  readonly at?: number;
}

export interface HubPlace {
  readonly id: string;
  /** A branch, a tag or a commit. */
  readonly revision: string;
  /** A folder or a file; empty for all files. */
  readonly path: string;
}

const ADDRESS =
  /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/([\w.-]+\/[\w.-]+?)(?:\/(?:tree|blob|resolve|raw)\/([^/?#]+)(?:\/([^?#]*))?)?\/?(?:[?#].*)?$/i;
const NAME = /^([\w.-]+\/[\w.-]+)(?:@([\w./-]+))?$/;

/** Reads `owner/name`, `owner/name@revision` or an address of the Hub; undefined for anything else. */
export function parseHubPlace(text: string): HubPlace | undefined {
  const given = text.trim();
  const [, id = '', revision = 'main', path = ''] = ADDRESS.exec(given) ?? NAME.exec(given) ?? [];
  if (!isHubId(id)) return undefined;
  try {
    return { id, revision: decodeURIComponent(revision), path: decodeURIComponent(path).replace(/\/+$/, '') };
  } catch {
    return undefined; // a % without its two digits
  }
}

/** The page of a model. */
export const modelPage = (id: string): string => `${HUB}/${encode(id)}`;

const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/** The address of a file's bytes. The Hub redirects to its own content hosts for large files. */
export const fileAddress = (host: string, { id, revision }: HubPlace, file: string) =>
  `${host}/${encode(id)}/resolve/${encodeURIComponent(revision)}/${encode(file)}`;

export const configAddress = (id: string) => fileAddress(HUB, { id, revision: 'main', path: '' }, 'config.json');

/** The address of the list of files in a folder. */
export const listAddress = (host: string, { id, revision }: HubPlace, folder: string) =>
  `${host}/api/models/${encode(id)}/tree/${encodeURIComponent(revision)}${folder && `/${encode(folder)}`}`;
