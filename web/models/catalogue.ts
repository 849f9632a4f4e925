// The published models that the page can open, and the model types with their defaults.

import { loadCatalogueText } from '#catalogue-text';
import first from '#first-model';
import { unpack, applyEdits, type ModelLink } from '../config/link.ts';
import type { Base, Entry, Published } from '../config/entry.ts';
import { ModelNotFoundError } from '../config/model-not-found.ts';
import * as texts from '../texts/page.ts';
import type { Counter } from '../core/counter.ts';
import type { LazyCounter } from '../core/lazy-counter.ts';
import type { TypeName } from './choices.ts';

const FLOAT = '\u0001float:'; // before the first model, which is written at once

/** The model that the page opens with. */
export const firstModel = createBase(first);

/** The file that web/build/make.mjs writes: published models and all model types. */
interface Catalogue {
  readonly models: readonly Published[];
  readonly types: readonly TypeName[];
}

let listed: Promise<Catalogue> | undefined;

/** Loads it when it is first needed. */
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

/** Its text, with floats as they were written: 7.0 stays 7.0, as transformers wants it. */
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

/** A model type with its defaults, even one that the core refuses by name. */
export function createTypeBase(type: string, counter: Counter): Base {
  const family = counter.catalog().families.find(({ model_type }) => model_type === type);
  const config = { model_type: type, ...(family && { architectures: family.architectures.slice(0, 1) }) };
  return { kind: 'type', id: type, name: type, text: `${JSON.stringify(config, null, 2)}\n` };
}

/** The smallest configuration of a type. */
export const minimalConfig = (type: string) => JSON.stringify({ model_type: type });

/** A model type with its defaults, once the counter has loaded it. */
export async function loadTypeBase(type: string, counter: LazyCounter): Promise<Base> {
  await counter.ensureTypes(minimalConfig(type));
  return createTypeBase(type, counter);
}

/** The entry of a link's model, once the counter has its types. Throws an error with a message for the reader. */
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
