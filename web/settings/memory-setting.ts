// What the reader of the memory view has set, and its words in an address: `context:131072,batch:8`, only what is not as at first.

import { findAdapterModules } from './adapter-modules.ts';
import { gbToBytes, devices, findUsualDevice, keepFree } from './devices.ts';
import * as texts from './memory-texts.ts';
import type { MemoryOptions, TrainingOptions } from '../types/index.ts';

/** Under the names that addresses write. */
export const defaultMemorySetting = {
  context: '32768',
  batch: '1',
  weights: 'published',
  cache: 'bfloat16',
  /** `usual`: the smallest usual ones that fit, whatever `devices` says; `own`: of a size of its own. */
  device: 'usual',
  gb: '24',
  devices: '8',
  /** Per cent of each device's memory that stay free, for activations and the program. */
  reserve: '10',
  unit: 'gb',
  /** What the model is to do. */
  use: 'run',
  optimizer: 'adamw',
  precision: 'mixed',
  zero: '3',
  /** Of adapters; 0: none. */
  rank: '0',
  /** As people name them, between spaces: see adapter-modules.ts. */
  modules: 'q v',
  /** How devices share it: see devices-plan.ts; and the plan that stands beside it. */
  plan: '8x1x1',
  against: 'none',
  /** Whether training is counted there, and in how many copies of the model. */
  train: 'no',
  data: '1',
};

export type MemorySetting = Readonly<typeof defaultMemorySetting>;

const aPlan = /^(?:(?:megatron|vllm)-)?[1-9]\d{0,14}(x[1-9]\d{0,14}){0,2}$/;
const anyWhole = /^[1-9]\d{0,14}$/;
/** What may stand there: a pattern, or the keys of a list. */
const allowed: Readonly<Record<keyof MemorySetting, RegExp | Readonly<Record<string, unknown>>>> = {
  context: anyWhole,
  batch: /^[1-9]\d{0,6}$/,
  weights: texts.formats,
  cache: texts.caches,
  device: { usual: true, own: true, ...Object.fromEntries(devices.map(({ id }) => [id, true])) },
  gb: /^[1-9]\d{0,6}$/,
  devices: /^[1-9]\d{0,5}$/,
  reserve: /^(0|[1-8]?[1-9]|[1-9]0)$/,
  unit: { gb: true, gib: true },
  use: texts.uses,
  optimizer: texts.optimizers,
  precision: texts.precisions,
  zero: texts.stages,
  rank: /^(0|[1-9]\d{0,4})$/,
  modules: /^[\w.-]+( [\w.-]+)*$/,
  plan: aPlan,
  against: new RegExp(`^none$|${aPlan.source}`),
  train: { no: true, yes: true },
  data: /^[1-9]\d{0,4}$/,
};

/** Whether a value may stand there. */
export function isAllowed(name: keyof MemorySetting, value: string): boolean {
  const values = allowed[name];
  return values instanceof RegExp ? values.test(value) : Object.hasOwn(values, value);
}

const names = Object.keys(defaultMemorySetting) as (keyof MemorySetting)[];

/** The setting that an address says; what it does not say or what cannot be is as at first. */
export function parse(text: string): MemorySetting {
  const said = new Map(text.split(',').map((pair): [string, string] => [pair.replace(/:.*/s, ''), pair.replace(/.*?:/s, '')]));
  const given = names.flatMap((name) => {
    const value = said.get(name)?.replaceAll('*', ' ');
    return value !== undefined && isAllowed(name, value) ? [[name, value] as const] : [];
  });
  return { ...defaultMemorySetting, ...Object.fromEntries(given) };
}

export const write = (setting: MemorySetting): string =>
  names
    .filter((name) => setting[name] !== defaultMemorySetting[name])
    .map((name) => `${name}:${setting[name].replaceAll(' ', '*')}`)
    .join(',');

/** The device that is chosen; undefined for one of a size of its own. */
export const findDevice = ({ device }: MemorySetting) => devices.find(({ id }) => id === device);

/** With the devices that it stands for. `need`: how many bytes they are to hold, where that is known. */
export const normalizeSetting = (setting: MemorySetting, need: string | undefined): MemorySetting =>
  setting.device === 'usual'
    ? { ...setting, ...(need === undefined ? { device: 'h100', devices: '1' } : findUsualDevice(need, setting.reserve)) }
    : setting;

/** What the core is asked. */
export const toMemoryOptions = (setting: MemorySetting): MemoryOptions => ({
  tokens: setting.context,
  batch: setting.batch,
  weights: setting.weights,
  cache: setting.cache,
  devices: setting.devices,
  room: keepFree(gbToBytes(findDevice(setting)?.gb ?? setting.gb), setting.reserve),
});

/** `tensors`: the names of the model's rows. What no module of it is called stays as it is, and the core says so. */
export function toTrainingOptions(
  { optimizer, precision, zero, rank, modules }: MemorySetting,
  tensors: readonly string[],
): TrainingOptions {
  const found = findAdapterModules(modules, tensors);
  const target_modules = modules === 'all-linear' ? modules : 'modules' in found ? found.modules : modules.split(' ');
  return {
    optimizer,
    precision,
    stage: Number(zero),
    lora: rank === '0' ? undefined : { r: Number(rank), target_modules },
  } as TrainingOptions;
}
