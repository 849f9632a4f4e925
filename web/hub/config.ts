// Fetches a config.json from the Hugging Face Hub. It runs only when the user asks for it. The offline file contains `config-offline.ts`
// instead.

import { configAddress } from './address.ts';
import * as hubTexts from './hub-texts.ts';
import { requestHub } from './request.ts';

/** The size in bytes of the largest config.json that is accepted. */
const MAX_BYTES = 1_000_000;

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes that have arrived so far. */
  readonly progress: (bytes: number) => void;
}

/** Fetches the text of a model's config.json. Throws an Error whose message can be shown to the user. */
export async function fetchConfig(id: string, { signal, progress }: FetchOptions): Promise<string> {
  const texts = {
    gated: hubTexts.gated,
    noFile: hubTexts.noConfig(id),
    unreachable: () => (navigator.onLine ? hubTexts.unreachable : hubTexts.offline),
  };
  const response = await requestHub(configAddress(id), { place: { id, revision: 'main', path: '' }, texts, signal });
  if (!response.body) throw new Error(hubTexts.brokenOff);
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
