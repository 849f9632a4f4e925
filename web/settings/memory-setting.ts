// The setting of the Memory view. Parses and writes it as text in an address, such as `context:131072,batch:8`. Initial values are left
// out.

import { findAdapterModules } from './adapter-modules.ts';
import { gbToBytes, devices, findUsualDevice, keepFree } from './devices.ts';
import * as texts from './memory-texts.ts';
import type { MemoryOptions, TrainingOptions } from '../types/index.ts';

/** The initial setting, keyed by the names in addresses. */
export const defaultMemorySetting = {
  context: '32768',
  batch: '1',
  weights: 'published',
  cache: 'bfloat16',
  /**
   * `usual`: the smallest common combination of devices that fits, or the largest one if none fits; `devices` is then ignored. `own`:
   * devices with `gb` GB of memory each. Otherwise the id of a device.
   */
  device: 'usual',
  gb: '24',
  devices: '8',
  /**
   * The percentage of each device's memory that stays free, for activations and the program. For shared models it matters only to the
   * choice of the `usual` device.
   */
  reserve: '10',
  unit: 'gb',
  /** Inference (`run`), `training`, or sharing among `devices`. */
  use: 'run',
  optimizer: 'adamw',
  precision: 'mixed',
  zero: '3',
  /** The adapters' rank; 0 for no adapters. */
  rank: '0',
  /** Full or short names (see adapter-modules.ts) of the modules with adapters, separated by spaces; or `all-linear`. */
  modules: 'q v',
  /** How devices share the model: see devices-plan.ts. `against` is a second plan to compare with. */
  plan: '8x1x1',
  against: 'none',
  /** For shared models: whether training is included (not in vLLM's plans), and the number of data-parallel copies. */
  train: 'no',
  data: '1',
  /** Whether Megatron-Core's plans use sequence parallelism. Other plans ignore it. */
  sequence: 'no',
};

export type MemorySetting = Readonly<typeof defaultMemorySetting>;

const aPlan = /^(?:(?:megatron|vllm)-)?[1-9]\d{0,14}(x[1-9]\d{0,14}){0,2}$/;
const anyWhole = /^[1-9]\d{0,14}$/;
/** The valid values of each setting: a pattern, or the keys of an object. */
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
  sequence: { no: true, yes: true },
  data: /^[1-9]\d{0,4}$/,
};

/** Whether a value of a setting is valid. */
export function isAllowed(name: keyof MemorySetting, value: string): boolean {
  const values = allowed[name];
  return values instanceof RegExp ? values.test(value) : Object.hasOwn(values, value);
}

const names = Object.keys(defaultMemorySetting) as (keyof MemorySetting)[];

/** Parses the setting in an address. Missing and invalid values become the initial ones. */
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

/** The chosen device; undefined for `usual` and `own`. */
export const findDevice = ({ device }: MemorySetting) => devices.find(({ id }) => id === device);

/** Replaces `usual` by specific devices. `need`: the number of bytes that they must hold together. If it is unknown, they are one H100. */
export const normalizeSetting = (setting: MemorySetting, need: string | undefined): MemorySetting =>
  setting.device === 'usual'
    ? { ...setting, ...(need === undefined ? { device: 'h100', devices: '1' } : findUsualDevice(need, setting.reserve)) }
    : setting;

/** The options of the core's `memory` request. */
export const toMemoryOptions = (setting: MemorySetting): MemoryOptions => ({
  tokens: setting.context,
  batch: setting.batch,
  weights: setting.weights,
  cache: setting.cache,
  devices: setting.devices,
  room: keepFree(gbToBytes(findDevice(setting)?.gb ?? setting.gb), setting.reserve),
});

/**
 * The training options for the core. `tensors` are the names of the model's rows. If the model lacks one of the modules, all names are
 * passed on as typed, and the core reports those that it does not find.
 */
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
