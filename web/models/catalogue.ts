// The catalogue: the published models, which can be opened by id, and the names of the model types. Also creates the configurations of
// both.

import { loadCatalogueText } from '#catalogue-text';
import first from '#first-model';
import { unpack, applyEdits, type ModelLink } from '../config/link.ts';
import type { Base, Entry, Published } from '../config/entry.ts';
import { ModelNotFoundError } from '../config/model-not-found.ts';
import * as texts from '../texts/page.ts';
import type { Counter } from '../core/counter.ts';
import type { LazyCounter } from '../core/lazy-counter.ts';
import type { TypeName } from './choices.ts';

const FLOAT = '\u0001float:'; // declared first, because the initialiser of `firstModel` uses it

/** The model that the page opens if its address names none. */
export const firstModel = createBase(first);

/** The contents of the file that web/build/make.mjs writes. */
interface Catalogue {
  readonly models: readonly Published[];
  readonly types: readonly TypeName[];
}

let listed: Promise<Catalogue> | undefined;

/** Loads the catalogue when it is first needed. */
export function loadCatalogue(): Promise<Catalogue> {
  listed ??= loadCatalogueText().then(
    (text) => JSON.parse(text) as Catalogue,
    (error: unknown) => {
      listed = undefined; // the next call tries again
      throw error;
    },
  );
  return listed;
}

export const loadPublishedModels = async (): Promise<readonly Published[]> => (await loadCatalogue()).models;

export function createBase(published: Published): Base {
  return { kind: 'model', id: published.id, name: published.name, published, text: `${writeConfig(published)}\n` };
}

/** The model's configuration as JSON. Numbers written as floats stay floats (7.0, not 7), because transformers distinguishes the two. */
function writeConfig({ config, floats = [] }: Published): string {
  const marked = structuredClone(config) as Record<string, unknown>;
  for (const path of floats) {
    const keys = path.split('.');
    const last = keys.pop() as string;
    const holder = keys.reduce((value, key) => value[key] as Record<string, unknown>, marked);
    holder[last] = FLOAT + String(holder[last]);
  }
  return JSON.stringify(marked, null, 2).replace(/"\\u0001float:(-?\d+)"/g, '$1.0');
}

/** Finds a model by its id or an alias, in any letter case. */
export async function findModelBase(id: string): Promise<Base | undefined> {
  if (id === first.id) return firstModel;
  const wanted = id.toLowerCase();
  const models = await loadPublishedModels();
  const found = models.find((model) => [model.id, ...(model.aliases ?? [])].some((name) => name.toLowerCase() === wanted));
  return found && createBase(found);
}

/**
 * A configuration of a model type that states no dimension, so that all have their defaults. It names the type and its first class. If the
 * counter does not know the type, it names only the type.
 */
export function createTypeBase(type: string, counter: Counter): Base {
  const family = counter.catalog().families.find(({ model_type }) => model_type === type);
  const config = { model_type: type, ...(family && { architectures: family.architectures.slice(0, 1) }) };
  return { kind: 'type', id: type, name: type, text: `${JSON.stringify(config, null, 2)}\n` };
}

/** A configuration that states only the model type. */
export const minimalConfig = (type: string) => JSON.stringify({ model_type: type });

/** Like `createTypeBase`, but loads the type into the counter first. */
export async function loadTypeBase(type: string, counter: LazyCounter): Promise<Base> {
  await counter.ensureTypes(minimalConfig(type));
  return createTypeBase(type, counter);
}

/**
 * Returns the entry for the model that a link names, after loading its model type into the counter. Throws an Error whose message can be
 * shown to the user.
 */
export async function resolveLink(model: ModelLink, counter: LazyCounter): Promise<Entry> {
  const entry = await resolveEntry(model, counter);
  await counter.ensureTypes(entry.text);
  return entry;
}

async function resolveEntry(model: ModelLink, counter: LazyCounter): Promise<Entry> {
  if (model.kind === 'config') return { text: await unpack(model.packed) };
  const base = model.kind === 'model' ? await findModelBase(model.id) : await loadTypeBase(model.id, counter);
  if (!base) throw new ModelNotFoundError(texts.link.unknownModel(model.id));
  return { base, text: applyEdits(base.text, model.edits) };
}
