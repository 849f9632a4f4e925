// What is said of what is supported.

import { plural } from './format.ts';

export const supportedTexts = {
  title: 'What is supported',
  filter: 'Filter model types, classes and models',
  filterHint: 'filter: moe, LlamaModel, Qwen …',
  sums: (types: string, classes: string, cases: string, models: string) =>
    `${types} with ${classes} classes. The tests build ${cases} configurations of them and compare every tensor${models && `; ${models} published models come out at exactly their published number`}.`,
  method: [
    'Compared are name, shape, and whether it is a parameter, a buffer or tied, with what transformers 5.23 builds from the same configuration without weights; for types that transformers lacks, with what the code builds that is published with the models.',
    'A configuration is counted by these rules or refused by name: nothing is guessed.',
  ],
  found: (types: string) => `${types} found`,
  row: (classes: number, cases: number, models: number) =>
    `${plural(classes, 'class').replace(/classs$/, 'classes')} · ${plural(cases, 'configuration')} compared${models > 0 ? ` · ${plural(models, 'published model')}` : ''}`,
  transformers: 'Counted is what transformers builds.',
  ownCode: 'Counted is what the code builds that is published with the models: transformers lacks this type.',
  openType: (type: string) => `Open ${type} with its defaults`,
  classes: 'Classes',
  className: 'Class',
  cases: 'Configurations compared',
  models: 'Published models, with their verified counts',
  model: 'Model',
  owner: 'Organisation',
  source: 'Source',
};
