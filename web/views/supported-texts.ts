// Texts on what is supported.

import { plural } from '../support/numbers.ts';

export const title = 'What is supported';
export const filter = 'Filter model types, classes and models';
export const filterHint = 'filter: moe, LlamaModel, Qwen …';
export const sums = (types: string, classes: string, cases: string, models: string) =>
  `${types} with ${classes} classes. The tests build ${cases} configurations of them and compare every tensor${models && `; ${models} published models come out at exactly the number that is known of them`}.`;
export const method = [
  'Compared are name, shape, and whether it is a parameter, a buffer or tied, with what transformers 5.23 builds from the same configuration without weights; for types that transformers lacks, with what the code builds that is published with the models.',
  'A configuration is counted by these rules or refused by name: nothing is guessed.',
];
export const found = (types: string) => `${types} found`;
export const row = (classes: number, cases: number, models: number) =>
  `${plural(classes, 'class').replace(/classs$/, 'classes')} · ${plural(cases, 'configuration')} compared${models > 0 ? ` · ${plural(models, 'published model')}` : ''}`;
export const transformers = 'Counted is what transformers builds.';
export const ownCode = 'Counted is what the code builds that is published with the models: transformers lacks this type.';
export const openType = (type: string) => `Open ${type} with its defaults`;
export const classes = 'Classes';
export const className = 'Class';
export const cases = 'Configurations compared';
export const models = 'Published models, with their verified counts';
export const model = 'Model';
export const owner = 'Organisation';
export const source = 'Source';
