// A config.json from the Hugging Face Hub: the one request to another host that the hosted page makes, and only when its reader asks for it.
// The offline file has `hub-by-hand.ts` in its place.

import { hubAddress } from './wish.ts';
import * as hubTexts from './hub-texts.ts';

/** A config.json of more is none. */
const MAX_BYTES = 1_000_000;

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes that have arrived. */
  readonly progress: (bytes: number) => void;
}

/** The text of a model's config.json. Throws an error with a message for the reader. */
export async function fetchConfig(id: string, { signal, progress }: FetchOptions): Promise<string> {
  let response: Response;
  try {
    response = await fetch(hubAddress(id), { credentials: 'omit', referrerPolicy: 'no-referrer', signal });
  } catch (error) {
    throw new Error(navigator.onLine ? hubTexts.unreachable : hubTexts.offline, { cause: error });
  }
  if (!response.ok || !response.body) throw new Error(describeFailure(response, id));
  if (Number(response.headers.get('content-length')) > MAX_BYTES) throw new Error(hubTexts.tooLarge(MAX_BYTES));
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  for (let size = 0; ;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw new Error(hubTexts.brokenOff, { cause: error });
    });
    if (done) return new Blob(chunks).text();
    size += value.length;
    if (size > MAX_BYTES) {
      void reader.cancel();
      throw new Error(hubTexts.tooLarge(MAX_BYTES));
    }
    chunks.push(value as Uint8Array<ArrayBuffer>);
    progress(size);
  }
}

/** The Hub says 401 for what is gated, private or not there at all, and in a header of its own which. */
function describeFailure({ status, headers }: Response, id: string): string {
  switch (headers.get('x-error-code')) {
    case 'GatedRepo':
      return hubTexts.gated(id);
    case 'RepoNotFound':
      return hubTexts.missing(id);
    case 'EntryNotFound':
      return hubTexts.noConfig(id);
  }
  if (status === 401 || status === 403) return hubTexts.closed(id);
  if (status === 404) return hubTexts.missing(id);
  if (status === 429) return hubTexts.tooMany;
  return hubTexts.trouble(status);
}
