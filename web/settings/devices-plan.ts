// Parses and writes how devices share a model, in an address and in the widget's attributes. `8x2x16` means 8 devices per tensor, 2
// pipeline stages, and 16 devices for the experts of a layer, with transformers' plan. `megatron-8x2x16` has these sizes with
// Megatron-Core's plan.

import { findDevice, isAllowed, type MemorySetting } from './memory-setting.ts';
import { gbToBytes } from './devices.ts';
import type { DevicesOptions, PlanName } from '../types/index.ts';

export const axes = ['tensor', 'pipeline', 'expert'] as const;
export type Axis = (typeof axes)[number];
export type DevicesPlan = Readonly<Record<Axis, string>> & { readonly plan: PlanName };

export const isPlan = (text: string): boolean => isAllowed('plan', text);

/** Parses a plan. Missing sizes are 1: `8` means `8x1x1`. An invalid text means one device. */
export function parsePlan(text: string): DevicesPlan {
  const [, plan = 'transformers', sizes] = /^(?:(\w+)-)?(.*)/.exec(isPlan(text) ? text : '1') ?? [];
  const [tensor, pipeline = '1', expert = '1'] = sizes.split('x');
  return { plan: plan as PlanName, tensor, pipeline, expert };
}

export const writePlan = (plan: DevicesPlan): string =>
  `${plan.plan === 'transformers' ? '' : `${plan.plan}-`}${axes.map((axis) => plan[axis]).join('x')}`;

/**
 * Returns the plan with one size increased or decreased: for tensors to the next power of two, for experts to the next product of the
 * tensor size and a power of two (or down to 1), for pipeline stages by one. Undefined if the size is already 1 and would decrease.
 */
export function stepPlan(plan: DevicesPlan, axis: Axis, direction: 1 | -1): DevicesPlan | undefined {
  const now = BigInt(plan[axis]);
  if (direction < 0 && now === 1n) return undefined;
  if (axis === 'pipeline') return { ...plan, pipeline: String(now + BigInt(direction)) };
  const least = axis === 'expert' ? BigInt(plan.tensor) : 1n;
  let size = least > 1n ? least : 2n;
  if (direction > 0) {
    while (size <= now) size *= 2n;
    return { ...plan, [axis]: String(size) };
  }
  while (size * 2n < now) size *= 2n;
  return { ...plan, [axis]: String(size < now ? size : 1n) };
}

/** The options of the core's `devices` request. vLLM's plans have no training. `reserve` is not used: no memory is kept free. */
export const toDevicesOptions = (setting: MemorySetting, plan: DevicesPlan): DevicesOptions => ({
  ...plan,
  ...(setting.train === 'yes' && plan.plan !== 'vllm' && trainingOf(setting)),
  ...(setting.sequence === 'yes' && plan.plan === 'megatron' && { sequence: true }),
  tokens: setting.context,
  batch: setting.batch,
  weights: setting.weights,
  cache: setting.cache,
  room: gbToBytes(findDevice(setting)?.gb ?? setting.gb),
});

const trainingOf = ({ optimizer, precision, zero, data }: MemorySetting) =>
  ({ training: { optimizer, precision, stage: Number(zero) }, data }) as Pick<DevicesOptions, 'training' | 'data'>;

/** Whether at least one of the two plans supports sequence parallelism. */
export const canSplitSequence = ({ plan, against }: MemorySetting): boolean => [plan, against].some((one) => one.startsWith('megatron-'));
