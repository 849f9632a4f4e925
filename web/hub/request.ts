// Makes a request to the Hub without cookies or a token, and explains failures to the user.

import type { HubPlace } from './address.ts';
import * as texts from './request-texts.ts';

/** Messages that depend on what is requested. */
export interface FailureTexts {
  readonly gated: (id: string) => string;
  readonly noFile: string;
  readonly unreachable: () => string;
}

export interface HubRequest {
  readonly place: HubPlace;
  readonly texts: FailureTexts;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Makes one request. Throws an Error whose message can be shown to the user. */
export async function requestHub(address: string, { place, texts: own, headers, signal }: HubRequest): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, { credentials: 'omit', referrerPolicy: 'no-referrer', headers, signal });
  } catch (error) {
    throw new Error(signal?.aborted ? texts.stopped : own.unreachable(), { cause: error });
  }
  if (!response.ok) throw new Error(describeFailure(response, place, own));
  return response;
}

/**
 * Explains a failed response. For a model that is gated, private or missing, the Hub answers 401. The error code in a header then
 * distinguishes gated models from the others.
 */
function describeFailure({ status, headers }: Response, { id, revision, path }: HubPlace, own: FailureTexts): string {
  switch (headers.get('x-error-code')) {
    case 'GatedRepo':
      return own.gated(id);
    case 'RepoNotFound':
      return texts.missing(id);
    case 'RevisionNotFound':
      return texts.noRevision(id, revision);
    case 'EntryNotFound':
      return own.noFile;
  }
  if (status === 401 || status === 403) return texts.closed(id);
  if (status === 404) return texts.missing(id);
  if (status === 416) return texts.changed(path || id);
  if (status === 429) return texts.tooMany;
  return texts.trouble(status);
}
