// What somebody means on the Hub: a model, perhaps a revision of it, a folder or a file.

export interface HubPlace {
  readonly id: string;
  /** A branch, a tag or a commit. */
  readonly revision: string;
  /** A folder or a file in it; empty: all. */
  readonly path: string;
}

const ADDRESS =
  /^(?:https?:\/\/)?(?:www\.)?(?:huggingface\.co|hf\.co)\/([\w.-]+\/[\w.-]+?)(?:\/(?:tree|blob|resolve|raw)\/([^/?#]+)(?:\/([^?#]*))?)?\/?(?:[?#].*)?$/i;
const NAME = /^([\w.-]+\/[\w.-]+)(?:@([\w./-]+))?$/;

/** `owner/name`, `owner/name@revision`, or an address of the Hub's; undefined for what is neither. */
export function parseHubPlace(text: string): HubPlace | undefined {
  const given = text.trim();
  const [, id, revision = 'main', path = ''] = ADDRESS.exec(given) ?? NAME.exec(given) ?? [];
  if (id === undefined || id.split('/').some((part) => /^\.+$/.test(part))) return undefined;
  try {
    return { id, revision: decodeURIComponent(revision), path: decodeURIComponent(path).replace(/\/+$/, '') };
  } catch {
    return undefined; // a % that stands for nothing
  }
}

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');

/** Where a file's bytes are; the Hub redirects to a host of its own for what is large. */
export const fileAddress = (host: string, { id, revision }: HubPlace, file: string) =>
  `${host}/${encoded(id)}/resolve/${encodeURIComponent(revision)}/${encoded(file)}`;
/** Where the files of a folder are listed. */
export const listAddress = (host: string, { id, revision }: HubPlace, folder: string) =>
  `${host}/api/models/${encoded(id)}/tree/${encodeURIComponent(revision)}${folder && `/${encoded(folder)}`}`;
