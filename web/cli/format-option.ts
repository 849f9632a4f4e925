// Formats an option for the help text.

import type { Option } from './command.ts';

/** Describes whether an option is repeatable and which options it requires or excludes. */
export function describeBounds({ multiple, with: needed, without = [] }: Option): string[] {
  const names = (list: readonly string[]) => list.map((name) => `--${name}`).join(' or ');
  return [
    ...(multiple ? ['Can be repeated.'] : []),
    ...(needed ? [`Only with ${names(needed)}.`] : []),
    ...(without.length > 0 ? [`Not with ${names(without)}.`] : []),
  ];
}

/** Returns, for example, `-f, --format FORMAT`. */
export const formatOption = ({ name, value, short }: Option) => `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
