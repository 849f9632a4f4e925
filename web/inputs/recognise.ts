// Recognises what a pasted or dropped input is: a configuration, tensors, or something else, which is then described. The core does this
// for everything except the names of models, which are recognised here and looked up in the catalogue.

import { isHubId, parseHubId } from '../hub/id.ts';
import { input } from './input-texts.ts';
import type { Ledger } from '../core/ledger.ts';
import type { InputFile, ReadNamed, ReadTensors } from '../types/index.ts';

export type Recognised =
  | { readonly kind: 'config'; readonly text: string }
  | { readonly kind: 'tensors'; readonly reading: ReadTensors }
  /** A possible model name. The catalogue decides whether it is one. */
  | { readonly kind: 'name'; readonly id: string; readonly otherwise: string }
  | { readonly kind: 'other'; readonly what: string };

/** Recognises pasted text or the contents of files. Only pasted text can itself be the name of a model. */
export function recognise(ledger: Ledger, given: string | readonly InputFile[]): Recognised {
  const named = typeof given === 'string' ? recogniseName(given) : undefined;
  if (named) return named;
  const reading = ledger.read(given);
  if (!reading.ok) return other(input.malformed(reading.error.message));
  if (reading.kind === 'config') return reading;
  if (reading.kind === 'named') return recogniseNamed(reading);
  if (reading.kind !== 'other') return { kind: 'tensors', reading };
  if (reading.what !== 'words') return other(input[reading.what]);
  const text = typeof given === 'string' ? given : new TextDecoder().decode(given[0].content as Uint8Array);
  return other(input.words(text.trim().replace(/\s+/g, ' ').slice(0, 60)));
}

/** The name of the model that a Hub response, an adapter or a training recipe is for. If there is none, a description of the input. */
function recogniseNamed({ what, id, parameters, adapter }: ReadNamed): Recognised {
  const said = input.named(what, id, parameters, adapter?.uncounted);
  return id === '' ? { kind: 'other', what: said } : { kind: 'name', id, otherwise: said };
}

const other = (what: string): Recognised => ({ kind: 'other', what: input.said(what) });

function recogniseName(text: string): Recognised | undefined {
  const start = text.trim().slice(0, 400);
  const hub = parseHubId(start);
  if (hub) return { kind: 'name', id: hub, otherwise: input.said(input.hub(hub)) };
  const isName = isHubId(start) || (/^[\w.-]+$/.test(start) && !/^[\d._]+$/.test(start));
  if (!isName || start.length > 100) return undefined;
  return { kind: 'name', id: start, otherwise: input.said(input.words(start.slice(0, 60))) };
}
