// The sentences of the memory view, which are loaded with it.

import { grouped, short } from './format.ts';
import type { Bytes, MemoryAnswer } from '../types.ts';

/** In which unit bytes are shown: one for the whole view. */
export type Unit = 'gb' | 'gib';

export const inUnit = (bytes: Bytes, unit: Unit): string => `${bytes[unit]} ${unit === 'gb' ? 'GB' : 'GiB'}`;

const tokens = (count: string) => `${grouped(count)} ${count === '1' ? 'token' : 'tokens'}`;

export const memoryTexts = {
  unit: 'Unit',
  units: [
    ['gb', 'GB'],
    ['gib', 'GiB'],
  ] as const,
  unitNote: '1 GB is 1,000,000,000 bytes, 1 GiB is 1,073,741,824.',
  context: 'Context, in tokens',
  batch: 'Sequences at once',
  weights: 'Weights',
  cache: 'Cache',
  device: 'Device',
  ownDevice: 'another',
  ownName: (size: string) => `device of ${size}`,
  ownSize: 'GB of one',
  devices: 'How many',
  groups: { use: 'Use', numbers: 'Number formats', devices: 'Memory' },
  verdict: 'Does it fit?',
  source: 'source',
  exactly: (label: string) => `${label}, exactly`,
  formats: {
    published: 'as published',
    bfloat16: '16 bits',
    float32: '32 bits',
    float8: '8 bits, float (blocks of 128 × 128)',
    int8: '8 bits, integer (a scale per row)',
    int4: '4 bits, integer (groups of 128)',
    nf4: '4 bits, NF4 (groups of 64)',
    Q8_0: 'GGUF Q8_0',
    Q6_K: 'GGUF Q6_K',
    Q5_K_M: 'GGUF Q5_K_M',
    Q4_K_M: 'GGUF Q4_K_M',
    Q4_0: 'GGUF Q4_0',
    Q5_K: 'GGUF Q5_K alone',
    Q4_K: 'GGUF Q4_K alone',
    Q3_K: 'GGUF Q3_K alone',
    Q2_K: 'GGUF Q2_K alone',
    MXFP4: 'MXFP4',
  } as Readonly<Record<string, string>>,
  caches: { bfloat16: '16 bits', float8: '8 bits', float32: '32 bits' } as Readonly<Record<string, string>>,
  fits: (need: string, room: string) => `It fits: ${need} of ${room}.`,
  fitsNot: (need: string, room: string) => `It does not fit: ${need} are needed, ${room} are there.`,
  onEach: (share: string, one: string, count: string, name: string) =>
    count === '1' ? `On one ${name}.` : `${grouped(count)} × ${name}: ${share} of ${one} on each.`,
  weightsAlone: (weights: string) => `The weights alone take ${weights}.`,
  parts: (weights: string, cache: string) => `Weights ${weights}, cache ${cache}.`,
  longest: ({ longest, unlimited, beyond }: NonNullable<MemoryAnswer['room']>) => {
    if (unlimited) return 'The cache does not grow: any context fits.';
    if (longest === '0') return 'No context fits.';
    const more = beyond ? `, more than the ${grouped(beyond.tokens)} of ${beyond.field}` : '';
    return `The longest context that fits: ${tokens(longest)}${more}.`;
  },
  unknown: 'Not known here',
  divided: 'Divided evenly among the devices.',
  legend: { weights: 'Weights', cache: 'Cache', room: 'Memory there is', left: 'Left', missing: 'Missing' },
  stored: (format: string) => `in ${format}`,
  kept: (count: string) => `of ${tokens(count)}`,
  keptEach: (count: string, each: string) => `of ${tokens(count)}, ${grouped(each)} bytes for each further one`,
  leftFor: 'for activations and the program itself',
  bar: (parts: string, room: string) => `${parts} Memory there is: ${room}.`,
  files: (amount: string) => `The files hold ${amount}: also layers that inference does not load.`,
  perToken: (count: string) => `Each further token adds ${grouped(count)} bytes.`,
  constant: (count: string) => `${grouped(count)} bytes do not grow with it: windows that are full, states.`,
  formula: 'Bytes of the cache',
  columns: {
    tensor: 'Tensor',
    format: 'Format',
    numbers: 'Numbers',
    shape: 'Shape',
    bytes: 'Bytes',
    formula: 'Formula',
    of: 'Of',
    all: 'Together',
    each: 'On each device',
    model: 'Model',
    need: 'Together',
    longest: 'Longest context',
  },
  inFiles: 'in files alone',
  compute: 'Operations',
  computeRows: (n: string) =>
    ({
      prompt: `A prompt of ${tokens(n)} in each sequence`,
      prompt_attention: 'of these, attention: each token with each',
      next: 'One token after it, in each',
      next_attention: 'of these, attention and what is kept',
      training: 'A step of training on it: three times as many',
    }) as Readonly<Record<string, string>>,
  operations: (count: string) => `${grouped(count)} (${short(count)})`,
  nextToken: (count: string) => `${short(count)} for a further token`,
  twice: 'Two for each multiply-add, as transformers computes it.',
  leftOut: (what: string) => `Not counted: ${what}`,
  training: 'Training',
  optimizer: 'Optimizer',
  optimizers: {
    adamw: 'AdamW',
    adamw_8bit: 'AdamW, 8 bits',
    sgd: 'SGD',
    sgd_momentum: 'SGD with momentum',
    adafactor: 'Adafactor',
    muon: 'Muon, AdamW for the rest',
  } as Readonly<Record<string, string>>,
  precision: 'Precision',
  precisions: { mixed: 'mixed: 16 bits, a copy in 32', float32: '32 bits', bfloat16: '16 bits' } as Readonly<Record<string, string>>,
  stage: 'Divided among devices (ZeRO, FSDP)',
  stages: { 0: 'nothing', 1: 'optimizer', 2: 'optimizer, gradients', 3: 'everything' } as Readonly<Record<string, string>>,
  lora: 'LoRA adapters of rank (0: none)',
  modules: 'Their modules, or all-linear',
  trained: (count: string, frozen?: string) =>
    `${grouped(count)} parameters are trained${frozen ? `, ${grouped(frozen)} stay as they are` : ''}.`,
  trainingRows: {
    frozen: 'Weights that stay',
    weights: 'Weights that are trained',
    gradients: 'Gradients',
    master: 'Copies in 32 bits',
    states: 'States of the optimizer',
  } as Readonly<Record<string, string>>,
  rest: (count: string) => `${grouped(count)} bytes are left over when divided`,
  activations: 'Activations come on top: they depend on kernels and are not counted.',
  compared: 'All models',
};
