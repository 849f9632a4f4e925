// Texts for the view of supported models.

import { plural } from '../support/numbers.ts';

export const title = 'What is supported';
export const filter = 'Filter model types, classes and models';
export const filterHint = 'filter: moe, LlamaModel, Qwen …';
export const sums = (types: string, classes: string, cases: string, models: string) =>
  `${types} with ${classes} classes. The tests compare every tensor of ${cases} configurations${models && `; the counts of ${models} published models equal the known numbers`}.`;
export const method = [
  'The tests compare each tensor with what transformers 5.23 builds from the same configuration: its name, its shape, and whether it is a parameter, a buffer or tied. For types that transformers lacks, they compare it with what the code published with the models builds.',
  'A configuration is either counted exactly as that code builds it, or refused with a reason. Nothing is guessed.',
];
export const found = (types: string) => `${types} found`;
export const row = (classes: number, cases: number, models: number) =>
  `${plural(classes, 'class').replace(/classs$/, 'classes')} · ${plural(cases, 'configuration')} compared${models > 0 ? ` · ${plural(models, 'published model')}` : ''}`;
export const transformers = 'Counts what transformers builds.';
export const ownCode = 'Counts what the code published with the models builds, because transformers lacks this type.';
export const openType = (type: string) => `Open ${type} with its defaults`;
export const classes = 'Classes';
export const className = 'Class';
export const cases = 'Configurations compared';
export const models = 'Published models, with their verified counts';
export const model = 'Model';
export const owner = 'Organisation';
export const source = 'Source';
