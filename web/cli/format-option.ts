// An option as help writes it.

import type { Option } from './command.ts';

/** With which options it may be combined, in words. */
export function describeBounds({ multiple, with: needed, without = [] }: Option): string[] {
  const names = (list: readonly string[]) => list.map((name) => `--${name}`).join(' or ');
  return [
    ...(multiple ? ['Can be repeated.'] : []),
    ...(needed ? [`Only with ${names(needed)}.`] : []),
    ...(without.length > 0 ? [`Not with ${names(without)}.`] : []),
  ];
}

/** `-f, --format FORMAT` */
export const formatOption = ({ name, value, short }: Option) => `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
