// The published models that the page can open, and the model types with their defaults.

import models from './models.json';

/** @typedef {import('../link.js').Base} Base */
/** @typedef {{ id: string, name: string, config: object, parameters: string, source: string }} Published */

const published = /** @type {Published[]} */ (/** @type {unknown} */ (models));

/** The model on which the page opens. */
export const FIRST = published[0].id;

/** @param {Published} model @returns {Base} */
const baseOf = ({ id, name, config, parameters, source }) => ({ kind: 'model', id, name, parameters, source, text: `${JSON.stringify(config, null, 2)}\n` });

/** @param {string} id @returns {Base | undefined} */
export function publishedModel(id) {
  const found = published.find((model) => model.id === id);
  return found && baseOf(found);
}

/** @param {string} type @param {import('../types').Ledger} ledger @returns {Base} */
export function typeBase(type, ledger) {
  const family = ledger.catalog().families.find(({ model_type }) => model_type === type);
  const config = { model_type: type, ...(family && { architectures: family.architectures.slice(0, 1) }) };
  return { kind: 'type', id: type, name: type, text: `${JSON.stringify(config, null, 2)}\n` };
}

/**
 * What a reader can choose from, in groups.
 * @param {import('../types').Ledger} ledger
 */
export function choices(ledger) {
  /** @type {Map<string, Base[]>} */
  const owners = new Map();
  for (const base of published.map(baseOf)) {
    if (!ledger.count(base.text).ok) continue;
    const owner = base.id.slice(0, base.id.indexOf('/'));
    owners.set(owner, [...(owners.get(owner) ?? []), base]);
  }
  const types = ledger.catalog().families.map(({ model_type }) => typeBase(model_type, ledger));
  return [...[...owners].map(([title, bases]) => ({ title, bases })), { title: 'model types with their defaults', bases: types }];
}
