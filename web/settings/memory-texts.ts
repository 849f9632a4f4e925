// Texts about memory, operations and training, for the Memory view, the tables of devices and the command line.

import { decimal, grouped, short } from '../support/numbers.ts';
import type { Bytes, MemoryAnswer } from '../types/index.ts';

/** Whether the view shows bytes in powers of 1,000 or of 1,024. */
export type Unit = 'gb' | 'gib';

/** The names of the units, from a million bytes or 2²⁰ bytes upwards. */
const STEPS = { gb: ['MB', 'GB', 'TB', 'PB', 'EB'], gib: ['MiB', 'GiB', 'TiB', 'PiB', 'EiB'] } as const;

/**
 * Formats bytes with at least three significant digits, or with two decimals below 1 MB (or 1 MiB). Zero and amounts between 1 and 1,000 GB
 * (or 1,024 GiB) keep the core's rounding.
 */
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
export const reserve = 'Kept free on each, in percent';
export const notPercent = 'Not understood: expected a whole number from 0 to 90.';
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
export const fitsNot = (need: string, room: string) => `It does not fit: it needs ${need}, and only ${room} is available.`;
export const onEach = (share: string, one: string, count: string, name: string, reserve: string) => {
  const free = reserve === '0' ? '' : `, with ${reserve} % kept free`;
  return count === '1' ? `On one ${name}${free}.` : `${grouped(count)} × ${name}${free}: ${share} of ${one} on each.`;
};
export const weightsAlone = (weights: string) => `The weights alone take ${weights}.`;
export const parts = (weights: string, cache: string) => `Weights ${weights}, cache ${cache}.`;
/** `end` is the number of positions that the model supports, if it is limited. */
export const longest = ({ longest, unlimited, beyond }: NonNullable<MemoryAnswer['room']>, end?: string) => {
  if (unlimited)
    return end ? `The cache does not grow, but the model supports at most ${tokens(end)}.` : 'The cache does not grow: any context fits.';
  if (longest === '0') return 'No context fits.';
  const more = beyond ? `, more than the ${grouped(beyond.tokens)} of ${beyond.field}` : '';
  return `The longest context that fits: ${tokens(longest)}${more}.`;
};
export const unknown = 'Not known here';
export const whatEachHolds = 'What each device holds';
export const divided =
  'This divides the total evenly among the devices. What each one really holds is more, because a plan replicates some tensors.';
export const makersGb =
  'A manufacturer’s “24 GB” may be 24 GiB, which is 7 % more than 24 GB. Memory that is shared with the system is not all available to the model.';
export const legend = { weights: 'Weights', cache: 'Cache', room: 'Memory available', left: 'Left', missing: 'Missing' };
const perParameter = (bits: string) => `${bits} bits per parameter`;
export const bits = (number: string) => `weights: ${perParameter(number)}`;
export const stored = (format: string, number?: string) => `in ${format}${number === undefined ? '' : `, ${perParameter(number)}`}`;
export const kept = (count: string) => `for ${tokens(count)}`;
export const keptEach = (count: string, each: string) => `for ${tokens(count)}; each further token adds ${grouped(each)} bytes`;
export const leftFor = (reserve: string) =>
  reserve === '0' ? 'for activations and the program' : `in addition to the ${reserve} % kept free for activations and the program`;
export const bar = (parts: string, room: string) => `${parts} Memory available: ${room}.`;
export const files = (amount: string) => `The files hold ${amount}, which includes layers that inference does not load.`;
export const perToken = (count: string) => `Each further token adds ${grouped(count)} bytes.`;
export const constant = (count: string) => `${grouped(count)} bytes do not grow with the context: full windows and recurrent states.`;
export const byEngines = 'As engines keep it';
export const cacheIn = ({ engine, type, block, devices }: { engine: string; type: string; block?: string; devices?: string }) =>
  `${cache} in ${engine}, ${type}${block === undefined ? '' : `, blocks of ${tokens(block)}`}${devices === undefined ? '' : `, each of ${devices} devices`}`;
export const engineNote =
  'From the engines’ own logs and sources. llama.cpp shares its cells among all sequences and keeps a recurrent state for each. SGLang’s log writes GB but means GiB. vLLM allocates whole blocks of tokens. All of its blocks have the same size, so with recurrent states a block has more tokens.';
export const formula = 'Bytes of the cache';
export const columns = {
  tensor: 'Tensor',
  format: 'Format',
  numbers: 'Numbers',
  shape: 'Shape',
  bytes: 'Bytes',
  formula: 'Formula',
  of: 'Of',
  engine: 'Engine',
  keys: 'Keys',
  values: 'Values',
  states: 'States',
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
    prompt_attention: 'of these, attention between all tokens',
    next: 'The next token in each sequence',
    next_attention: 'of these, attention to the cache',
    training: 'A training step on this prompt: three times as many',
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
  'N: active parameters. M: multiply-adds with weights per token. A: multiply-adds of attention per query and key, over all layers. W: the same, but only with the keys within each window. E: multiply-adds once per prompt. T: tokens.';
export const operations = (count: string) => `${grouped(count)} (${short(count)})`;
export const nextToken = (count: string) => `${short(count)} for the next token`;
export const twice = 'Two operations per multiply-add of the forward pass, as transformers computes it.';
export const leftOut = (what: string) => `Not counted: ${what}`;
export const uses = { run: 'Run it', training: 'Train it, LoRA', devices: 'Share it among devices' } as Readonly<Record<string, string>>;
export const use = 'Purpose';
export const notUnderstood = (example: string) => `Not understood: expected a whole number, such as ${example}.`;
export const noModules = 'Not understood: expected names of modules, separated by spaces.';
export const trainFits = (each: string, one: string) => `Training fits: ${each} of ${one} on each device, not counting activations.`;
export const trainFitsNot = (each: string, one: string) =>
  `Training does not fit: each device needs ${each} and has ${one}, not counting activations.`;
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
export const stage = 'Sharded among devices (ZeRO, FSDP)';
export const stages = { 0: 'nothing', 1: 'optimizer', 2: 'optimizer, gradients', 3: 'everything' } as Readonly<Record<string, string>>;
export const lora = 'LoRA rank (0: no adapters)';
export const modules = 'Modules with adapters, or all-linear';
export const trained = (count: string, frozen?: string) =>
  `${grouped(count)} parameters are trained${frozen ? `, ${grouped(frozen)} are frozen` : ''}.`;
export const trainingRows = {
  frozen: 'Frozen weights',
  weights: 'Trained weights',
  gradients: 'Gradients',
  master: 'Copies in 32 bits',
  states: 'Optimizer states',
} as Readonly<Record<string, string>>;
export const rest = (count: string) => `${grouped(count)} bytes remain after the division`;
export const activations = 'Activations are not counted, because they depend on the kernels.';
export const compared = 'All models';
export const matrix = 'What fits, by format and context';
export const matrixNote = (place: string) =>
  `Weights and cache together, on ${place}. Click a cell to set both. The last column is the longest context that fits.`;
export const cellTitle = (format: string, count: string, fits: boolean) =>
  `${format}, ${tokens(count)}: ${fits ? 'fits' : 'does not fit'}. Sets both.`;
export const anyContext = 'any';
