// Parses and builds URLs of the Hugging Face Hub for models, revisions and files.

import { isHubId } from './id.ts';

export const HUB = 'https://huggingface.co';

/** An offer to load a model's config.json from the Hub. */
export interface HubOffer {
  readonly id: string;
  /** True if the user has already asked to load this model by choosing it in the list of models. */
  readonly asked: boolean;
  /** The index of the model to replace; by default the active one or, in the comparison, none while there is room for another. */
  readonly at?: number;
}

export interface HubPlace {
  readonly id: string;
  /** A branch, a tag or a commit. */
  readonly revision: string;
  /** A folder or a file in the repository; empty for its top folder. */
  readonly path: string;
}

const ADDRESS =
  /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/([\w.-]+\/[\w.-]+?)(?:\/(?:tree|blob|resolve|raw)\/([^/?#]+)(?:\/([^?#]*))?)?\/?(?:[?#].*)?$/i;
const NAME = /^([\w.-]+\/[\w.-]+)(?:@([\w./-]+))?$/;

/** Parses `owner/name`, `owner/name@revision` or the Hub's URL of a model, or of a folder or file in it. Undefined for other texts. */
export function parseHubPlace(text: string): HubPlace | undefined {
  const given = text.trim();
  const [, id = '', revision = 'main', path = ''] = ADDRESS.exec(given) ?? NAME.exec(given) ?? [];
  if (!isHubId(id)) return undefined;
  try {
    return { id, revision: decodeURIComponent(revision), path: decodeURIComponent(path).replace(/\/+$/, '') };
  } catch {
    return undefined; // an invalid percent escape
  }
}

/** The URL of a model's page. */
export const modelPage = (id: string): string => `${HUB}/${encode(id)}`;

const encode = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/** The URL of a file's contents. The Hub redirects to its own content hosts for large files. */
export const fileAddress = (host: string, { id, revision }: HubPlace, file: string) =>
  `${host}/${encode(id)}/resolve/${encodeURIComponent(revision)}/${encode(file)}`;

export const configAddress = (id: string) => fileAddress(HUB, { id, revision: 'main', path: '' }, 'config.json');

/** The URL of the list of files in a folder. */
export const listAddress = (host: string, { id, revision }: HubPlace, folder: string) =>
  `${host}/api/models/${encode(id)}/tree/${encodeURIComponent(revision)}${folder && `/${encode(folder)}`}`;
