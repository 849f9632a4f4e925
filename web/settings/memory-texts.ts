// The memory view's texts, which are loaded with it.

import { decimal, grouped, short } from '../support/numbers.ts';
import type { Bytes, MemoryAnswer } from '../types/index.ts';

/** The unit of bytes: one for the whole view. */
export type Unit = 'gb' | 'gib';

/** The prefixes of powers of 1,000 and of 1,024, from a millionth of the unit upwards. */
const STEPS = { gb: ['MB', 'GB', 'TB', 'PB', 'EB'], gib: ['MiB', 'GiB', 'TiB', 'PiB', 'EiB'] } as const;

/** With at least three digits, the last one rounded; from one to a thousand units, rounded as in the core. */
export function inUnit(bytes: Bytes, unit: Unit): string {
  const [count, step] = [BigInt(bytes.bytes), unit === 'gb' ? 1000n : 1024n];
  const mega = unit === 'gb' ? 1_000_000n : 1n << 20n;
  const power = STEPS[unit].findLastIndex((_, i) => count >= mega * step ** BigInt(i));
  if (power === 1 || count === 0n) return `${decimal(bytes[unit])} ${STEPS[unit][1]}`;
  const one = mega * step ** BigInt(Math.max(power, 0));
  const places = count >= 100n * one ? 0 : count >= 10n * one ? 1 : 2;
  const scale = 10n ** BigInt(places);
  const rounded = (count * scale + one / 2n) / one;
  const fraction = places === 0 ? '' : `.${String(rounded % scale).padStart(places, '0')}`;
  return `${decimal(`${rounded / scale}${fraction}`)} ${STEPS[unit][Math.max(power, 0)]}`;
}

const tokens = (count: string) => `${grouped(count)} ${count === '1' ? 'token' : 'tokens'}`;

export const unit = 'Unit';
export const units = [
  ['gb', 'GB'],
  ['gib', 'GiB'],
] as const;
export const unitNote = () => `1 GB is ${grouped(1_000_000_000)} bytes, 1 GiB is ${grouped(1_073_741_824)}.`;
export const context = 'Context, in tokens';
export const batch = 'Sequences at once';
export const weights = 'Weights';
export const cache = 'Cache';
export const device = 'Device';
export const ownDevice = 'another';
export const ownName = (size: string) => `device of ${size}`;
export const ownSize = 'GB of one';
export const devices = 'How many';
export const reserve = 'Kept free on each, in per cent';
export const notPercent = 'Not understood: a whole number from 0 to 90.';
export const groups = { use: 'Use', numbers: 'Number formats', devices: 'Memory' };
export const verdict = 'Does it fit?';
export const source = (document: string) => `As in ${document}.`;
export const exactly = (label: string) => `${label}, exactly`;
export const formats = {
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
} as Readonly<Record<string, string>>;
export const caches = { bfloat16: '16 bits', float8: '8 bits', float32: '32 bits' } as Readonly<Record<string, string>>;
export const fits = (need: string, room: string) => `It fits: ${need} of ${room}.`;
export const fitsNot = (need: string, room: string) => `It does not fit: ${need} are needed, ${room} are there.`;
export const onEach = (share: string, one: string, count: string, name: string, reserve: string) => {
  const free = reserve === '0' ? '' : `, with ${reserve} % kept free`;
  return count === '1' ? `On one ${name}${free}.` : `${grouped(count)} × ${name}${free}: ${share} of ${one} on each.`;
};
export const weightsAlone = (weights: string) => `The weights alone take ${weights}.`;
export const parts = (weights: string, cache: string) => `Weights ${weights}, cache ${cache}.`;
/** `end`: the last position of the model, if it has one. */
export const longest = ({ longest, unlimited, beyond }: NonNullable<MemoryAnswer['room']>, end?: string) => {
  if (unlimited)
    return end ? `The cache does not grow, and its positions end at ${tokens(end)}.` : 'The cache does not grow: any context fits.';
  if (longest === '0') return 'No context fits.';
  const more = beyond ? `, more than the ${grouped(beyond.tokens)} of ${beyond.field}` : '';
  return `The longest context that fits: ${tokens(longest)}${more}.`;
};
export const unknown = 'Not known here';
export const whatEachHolds = 'What each device holds';
export const divided = 'Divided evenly among the devices, which is not what each of them holds: a plan replicates some tensors.';
export const makersGb =
  'GB as the maker states them: what a card of “24 GB” really has is up to 7 % more. What is shared with a system is not all for the model.';
export const legend = { weights: 'Weights', cache: 'Cache', room: 'Memory there is', left: 'Left', missing: 'Missing' };
export const stored = (format: string) => `in ${format}`;
export const kept = (count: string) => `of ${tokens(count)}`;
export const keptEach = (count: string, each: string) => `of ${tokens(count)}, ${grouped(each)} bytes for each further one`;
export const leftFor = (reserve: string) =>
  reserve === '0' ? 'for activations and the program' : `beside the ${reserve} % kept free for activations and the program`;
export const bar = (parts: string, room: string) => `${parts} Memory there is: ${room}.`;
export const files = (amount: string) => `The files hold ${amount}: also layers that inference does not load.`;
export const perToken = (count: string) => `Each further token adds ${grouped(count)} bytes.`;
export const constant = (count: string) => `${grouped(count)} bytes do not grow with it: windows that are full, states.`;
export const formula = 'Bytes of the cache';
export const columns = {
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
};
export const inFiles = 'in files alone';
export const compute = 'Operations';
export const computeRows = (n: string) =>
  ({
    prompt: `A prompt of ${tokens(n)} in each sequence`,
    prompt_attention: 'of these, attention: each token with each',
    next: 'One token after it, in each',
    next_attention: 'of these, attention and what is kept',
    training: 'A step of training on it: three times as many',
  }) as Readonly<Record<string, string>>;
export const conventionsTitle = 'By other conventions';
export const conventionColumns = {
  convention: 'Convention',
  formula: 'Formula',
  total: (n: string) => `For ${tokens(n)}`,
  perToken: 'Per token',
  source: 'Source',
  utilization: 'Utilization',
};
export const conventionSymbols =
  'N: active parameters. M: multiply-adds with weights for a token. A: multiply-adds of attention for a query and a key, over all layers. W: these with the keys of each window. E: multiply-adds once for a prompt. T: tokens.';
export const operations = (count: string) => `${grouped(count)} (${short(count)})`;
export const nextToken = (count: string) => `${short(count)} for a further token`;
export const twice = 'Two for each multiply-add, as transformers computes it.';
export const leftOut = (what: string) => `Not counted: ${what}`;
export const uses = { run: 'Run it', training: 'Train it, LoRA', devices: 'Share it among devices' } as Readonly<Record<string, string>>;
export const use = 'What for';
export const notUnderstood = (example: string) => `Not understood: a whole number, as ${example}.`;
export const noModules = 'Not understood: names of modules, with spaces between them.';
export const trainFits = (each: string, one: string) => `Training fits: ${each} of ${one} on each device, before activations.`;
export const trainFitsNot = (each: string, one: string) =>
  `Training does not fit: ${each} are needed on each device, ${one} are there, before activations.`;
export const training = 'Training';
export const optimizer = 'Optimizer';
export const optimizers = {
  adamw: 'AdamW',
  adamw_8bit: 'AdamW, 8 bits',
  sgd: 'SGD',
  sgd_momentum: 'SGD with momentum',
  adafactor: 'Adafactor',
  muon: 'Muon, AdamW for the rest',
} as Readonly<Record<string, string>>;
export const precision = 'Precision';
export const precisions = { mixed: 'mixed: 16 bits, a copy in 32', float32: '32 bits', bfloat16: '16 bits' } as Readonly<
  Record<string, string>
>;
export const stage = 'Divided among devices (ZeRO, FSDP)';
export const stages = { 0: 'nothing', 1: 'optimizer', 2: 'optimizer, gradients', 3: 'everything' } as Readonly<Record<string, string>>;
export const lora = 'LoRA adapters of rank (0: none)';
export const modules = 'Their modules, or all-linear';
export const trained = (count: string, frozen?: string) =>
  `${grouped(count)} parameters are trained${frozen ? `, ${grouped(frozen)} stay as they are` : ''}.`;
export const trainingRows = {
  frozen: 'Weights that stay',
  weights: 'Weights that are trained',
  gradients: 'Gradients',
  master: 'Copies in 32 bits',
  states: 'States of the optimizer',
} as Readonly<Record<string, string>>;
export const rest = (count: string) => `${grouped(count)} bytes are left over when divided`;
export const activations = 'Activations come on top: they depend on kernels and are not counted.';
export const compared = 'All models';
export const matrix = 'What fits, by format and context';
export const matrixNote = (place: string) =>
  `Weights and cache together, on ${place}. A click sets both. The last column is the longest context that fits.`;
export const cellTitle = (format: string, count: string, fits: boolean) =>
  `${format}, ${tokens(count)}: ${fits ? 'fits' : 'does not fit'}. Sets both.`;
export const anyContext = 'any';
