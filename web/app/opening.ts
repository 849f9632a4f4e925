// Opens what the user gives the page: a model chosen from the list, pasted text, or files.

import { loadCatalogue, findModelBase, loadTypeBase } from '../models/catalogue.ts';
import type { Base } from '../config/entry.ts';
import { isHubId } from '../hub/id.ts';
import type { FilesAtHand } from '../inputs/files.ts';
import type { Recognised } from '../inputs/recognise.ts';
import { listChoices, type Choice } from '../models/choices.ts';
import * as texts from '../texts/page.ts';
import type { InputFile } from '../types/index.ts';
import type { Ledger } from '../core/ledger.ts';
import { CHECK_VIEW, READ_VIEW, type Store } from './store.ts';
import { loadLedger } from './load-ledger.ts';

export async function loadChoices(): Promise<readonly Choice[]> {
  const { models, types } = await loadCatalogue();
  return listChoices(models, types, texts.picker.types);
}

/**
 * Opens a published model or a model type. Replaces the model with index `at` or, without `at`, the active model. In the
 * comparison, a model is added instead if `at` is absent and there is room.
 */
export async function openChoice(store: Store, { kind, id }: Pick<Choice, 'kind' | 'id'>, at?: number): Promise<void> {
  const base = kind === 'type' ? await loadTypeBase(id, store.counter) : await findModelBase(id);
  if (base) await openBase(store, base, at);
}

/** Loads the model type first, so that the page does not show a refusal in the meantime. */
async function openBase(store: Store, base: Base, at?: number): Promise<void> {
  await store.counter.ensureTypes(base.text);
  store.act({ type: 'open', entry: { base, text: base.text }, at });
}

export async function openFiles(store: Store, read: FilesAtHand, at?: number): Promise<void> {
  try {
    const ledger = await loadLedger();
    const files = await read(ledger);
    const { recognise } = await import('../inputs/recognise.ts');
    const [{ name = '' }] = files;
    const what = recognise(ledger, files);
    if (!openRecognised(store, what, name, files, at))
      store.act({ type: 'say', message: `${name}: ${what.kind === 'other' ? what.what : ''}` });
  } catch (error) {
    store.act({ type: 'say', message: (error as Error).message });
  }
}

/**
 * Opens pasted text. Returns false if the text is left to the input field. `typing`: the text was pasted into a field for model names,
 * which handles plain words itself. `at`: the index of the model that a pasted configuration replaces.
 */
export function openPasted(store: Store, text: string, typing: boolean, at?: number): boolean {
  if (typing && !/[\n[{]/.test(text.trim())) return false;
  void openText(store, text, at);
  return true;
}

async function openText(store: Store, text: string, at?: number): Promise<void> {
  try {
    const [ledger, { recognise }] = await Promise.all([loadLedger(), import('../inputs/recognise.ts')]);
    const what = recognise(ledger, text);
    if (openRecognised(store, what, texts.pasted, [{ content: text }], at)) return;
    const otherwise = what.kind === 'other' ? what.what : what.kind === 'name' ? what.otherwise : '';
    if (what.kind === 'name' && (await openName(store, what.id))) return;
    if (!openClaim(store, ledger, text)) store.act({ type: 'say', message: otherwise });
  } catch (error) {
    store.act({ type: 'say', message: (error as Error).message });
  }
}

/** Opens the input if it is a configuration or a list of tensors. Returns whether it is. */
function openRecognised(store: Store, what: Recognised, title: string, files: readonly InputFile[], at?: number): boolean {
  if (what.kind === 'config') {
    if (store.state.view === READ_VIEW) store.act({ type: 'view', view: '' });
    store.act({ type: 'open', entry: { text: what.text, ...(files[0].name && { title }) }, at });
  }
  if (what.kind === 'tensors') store.act({ type: 'read', read: { title, files, reading: what.reading } });
  return what.kind === 'config' || what.kind === 'tensors';
}

/** Opens a published model by name, or offers to load it from the Hub. Returns whether either was possible. */
async function openName(store: Store, id: string): Promise<boolean> {
  const base = await findModelBase(id).catch(() => undefined);
  if (base) await openBase(store, base);
  else if (isHubId(id)) store.act({ type: 'wish', wish: { id, asked: false } });
  else return false;
  return true;
}

/**
 * Opens the view that checks a stated number of parameters, bytes or operations. Returns whether the text states one that can
 * be checked.
 */
function openClaim(store: Store, ledger: Ledger, text: string): boolean {
  const { models, active } = store.state;
  if (!ledger.check(models[active].entry.text, text).ok) return false;
  store.act({ type: 'show', details: { check: text.trim() } });
  store.act({ type: 'view', view: CHECK_VIEW });
  return true;
}
