// The published models that the page can open, and the model types with their defaults.

import { loadCatalogueText } from '#catalogue-text';
import first from '#first-model';
import { listMembers, removeSpaces } from '../config/config-text.ts';
import { unpack, applyEdits, type ModelLink } from '../config/link.ts';
import type { Base, Entry, Published } from '../config/entry.ts';
import { ModelNotFoundError } from '../config/model-not-found.ts';
import * as texts from '../texts/page.ts';
import type { Counter } from '../core/counter.ts';
import type { LazyCounter } from '../core/lazy-counter.ts';
import type { TypeName } from './choices.ts';
import type { CountAnswer } from '../types/index.ts';

/** The model on which the page opens. */
export const firstModel = createBase(first);

/** What web/build/make.mjs gathers: the published models, and all model types. */
interface Catalogue {
  readonly models: readonly Published[];
  readonly types: readonly TypeName[];
}

let listed: Promise<Catalogue> | undefined;

/** Loaded when it is first asked for. */
export function loadCatalogue(): Promise<Catalogue> {
  listed ??= loadCatalogueText().then(
    (text) => JSON.parse(text) as Catalogue,
    (error: unknown) => {
      listed = undefined; // so that a later call tries again
      throw error;
    },
  );
  return listed;
}

export const loadPublishedModels = async (): Promise<readonly Published[]> => (await loadCatalogue()).models;

export function createBase(published: Published): Base {
  return { kind: 'model', id: published.id, name: published.name, published, text: `${JSON.stringify(published.config, null, 2)}\n` };
}

/** By its id or one of its aliases, in whatever letter case. */
export async function findModelBase(id: string): Promise<Base | undefined> {
  if (id === first.id) return firstModel;
  const wanted = id.toLowerCase();
  const models = await loadPublishedModels();
  const found = models.find((model) => [model.id, ...(model.aliases ?? [])].some((name) => name.toLowerCase() === wanted));
  return found && createBase(found);
}

/** A model type with its defaults, also one that the core will refuse by name. */
export function createTypeBase(type: string, counter: Counter): Base {
  const family = counter.catalog().families.find(({ model_type }) => model_type === type);
  const config = { model_type: type, ...(family && { architectures: family.architectures.slice(0, 1) }) };
  return { kind: 'type', id: type, name: type, text: `${JSON.stringify(config, null, 2)}\n` };
}

/** The least that names a type. */
export const minimalConfig = (type: string) => JSON.stringify({ model_type: type });

/** A model type with its defaults, once the counter has it. */
export async function loadTypeBase(type: string, counter: LazyCounter): Promise<Base> {
  await counter.ensureTypes(minimalConfig(type));
  return createTypeBase(type, counter);
}

/** What a link's model stands for, once the counter has its types. Throws an error with a message for the reader. */
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

/** The published model that a config from elsewhere describes: tensor by tensor the same, and no field that says otherwise. */
export function findPublished(text: string, answer: CountAnswer, models: readonly Published[], counter: Counter): Base | undefined {
  const given = new Map(listMembers(text)?.map(([key, literal]) => [key, removeSpaces(literal)]));
  const agrees = ({ config }: Published) =>
    Object.entries(config).every(([key, value]) => !given.has(key) || given.get(key) === removeSpaces(JSON.stringify(value)));
  const near = models.filter((model) => [answer.totals.parameters, answer.totals.stored].includes(model.parameters) && agrees(model));
  const found = near.filter(({ config }) => {
    const own = counter.count(config);
    return own.ok && own.model_type === answer.model_type && own.architecture === answer.architecture && haveSameTensors(own, answer);
  });
  // Several models may have one shape; a name in the config can tell which it is.
  const named = found.filter(({ id, aliases = [] }) => [id, ...aliases].some((name) => text.includes(`"${name}"`)));
  const [one, ...others] = named.length === 1 ? named : found;
  return one && { ...createBase(one), name: [one, ...others].map(({ name }) => name).join(' or ') };
}

const haveSameTensors = (a: CountAnswer, b: CountAnswer) =>
  a.tensors.length === b.tensors.length &&
  a.tensors.every((row, i) => {
    const other = b.tensors[i];
    return row.name === other.name && row.kind === other.kind && row.shape.join() === other.shape.join();
  });
