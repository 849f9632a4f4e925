// What a reader chooses, pastes, drops or opens becomes a model.

import { modelBase, publishedModels, typeBase } from '../lib/catalogue.ts';
import type { ReadFile } from '../lib/inputs/files.ts';
import { recognise } from '../lib/inputs/recognise.ts';
import { choicesOf, type Choice } from '../lib/search.ts';
import { texts } from '../lib/texts.ts';
import type { Store } from './store.ts';

export async function allChoices({ ledger }: Store): Promise<readonly Choice[]> {
  return choicesOf(await publishedModels(), ledger.catalog(), texts.picker.types);
}

export async function openChoice(store: Store, { kind, id }: Pick<Choice, 'kind' | 'id'>): Promise<void> {
  const base = kind === 'type' ? typeBase(id, store.ledger) : await modelBase(id);
  if (base) store.act({ type: 'open', entry: { base, text: base.text } });
}

export async function openFile(store: Store, file: Promise<ReadFile>): Promise<void> {
  try {
    const { name, text } = await file;
    const what = recognise(text);
    if (what.kind === 'config') store.act({ type: 'open', entry: { text: what.text, title: name } });
    else store.act({ type: 'say', message: `${name}: ${what.kind === 'other' ? what.what : what.otherwise}` });
  } catch (error) {
    store.act({ type: 'say', message: (error as Error).message });
  }
}

/** True where the text was dealt with. `typing`: pasted where names are typed, so that only a configuration is more than words. */
export function pasted(store: Store, text: string, typing: boolean): boolean {
  const what = recognise(text);
  if (what.kind === 'config') store.act({ type: 'open', entry: { text: what.text } });
  else if (typing) return false;
  else if (what.kind === 'other') store.act({ type: 'say', message: what.what });
  else void openName(store, what.id, what.otherwise);
  return true;
}

async function openName(store: Store, id: string, otherwise: string): Promise<void> {
  const base = await modelBase(id).catch(() => undefined);
  if (base) store.act({ type: 'open', entry: { base, text: base.text } });
  else if (id.includes('/')) store.act({ type: 'wish', wish: { id, asked: false } });
  else store.act({ type: 'say', message: otherwise });
}
