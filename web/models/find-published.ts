// Finds the published model that a configuration describes.

import { listMembers, removeSpaces } from '../config/config-text.ts';
import type { Base, Published } from '../config/entry.ts';
import type { Counter } from '../core/counter.ts';
import type { CountAnswer } from '../types/index.ts';
import { createBase, loadPublishedModels } from './catalogue.ts';

/** Searches all published models for the one that `text` describes. */
export const loadPublished = async (text: string, answer: CountAnswer, counter: Counter) =>
  findPublished(text, answer, await loadPublishedModels(), counter);

/**
 * Returns the published model with the type, class and tensors of `answer`, if the configuration contradicts none of its fields. If several
 * fit and the text names none or more than one of them, returns the first under the names of all of them.
 */
export function findPublished(text: string, answer: CountAnswer, models: readonly Published[], counter: Counter): Base | undefined {
  const given = new Map(listMembers(text)?.map(([key, literal]) => [key, plainLiteral(literal)]));
  const agrees = ({ config }: Published) =>
    Object.entries(config).every(([key, value]) => !given.has(key) || given.get(key) === plainLiteral(JSON.stringify(value)));
  const near = models.filter((model) => [answer.totals.parameters, answer.totals.stored].includes(model.parameters) && agrees(model));
  const found = near.filter(({ config }) => {
    const own = counter.count(config);
    return own.ok && own.model_type === answer.model_type && own.architecture === answer.architecture && haveSameTensors(own, answer);
  });
  // If several models have these tensors, a model name in the configuration can decide between them.
  const named = found.filter(({ id, aliases = [] }) => [id, ...aliases].some((name) => text.includes(`"${name}"`)));
  const [one, ...others] = named.length === 1 ? named : found;
  return one && { ...createBase(one), name: [one, ...others].map(({ name }) => name).join(' or ') };
}

/** A JSON literal without spaces, and with 7.0 written as 7, because publishers write either. */
const plainLiteral = (literal: string) => removeSpaces(literal).replace(/(\d)\.0+(?=[,\]}]|$)/g, '$1');

const haveSameTensors = (a: CountAnswer, b: CountAnswer) =>
  a.tensors.length === b.tensors.length &&
  a.tensors.every((row, i) => {
    const other = b.tensors[i];
    return row.name === other.name && row.kind === other.kind && row.shape.join() === other.shape.join();
  });
