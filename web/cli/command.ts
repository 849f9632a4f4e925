// What a command of the command line is, and what it is given.

import type { Terminal } from './terminal.ts';

/** 0 counted or as claimed, 1 refused or not as claimed, 2 not understood. */
export type ExitCode = 0 | 1 | 2;

export interface Command {
  readonly name: string;
  /** What stands behind the options. */
  readonly operands: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** What else the help says of it. */
  readonly more?: string;
  readonly run: (given: Given, terminal: Terminal) => Promise<ExitCode>;
}

/** One option of a command. */
export interface Option {
  readonly name: string;
  /** Its value, as the help names it; without one it is a switch. */
  readonly value?: string;
  /** One letter. */
  readonly short?: string;
  /** It may be given again. */
  readonly multiple?: boolean;
  readonly meaning: string;
}

export interface Given {
  readonly operands: readonly string[];
  /** Whether a switch was given. */
  readonly has: (name: string) => boolean;
  readonly value: (name: string) => string | undefined;
  /** All values of an option that may be given again. */
  readonly values: (name: string) => readonly string[];
}

/** What was asked for cannot be understood: exit code 2. */
export class Usage extends Error {}

/** A whole number of an option, within bounds. */
export function numberOf(given: Given, name: string, least: number, most: number): number | undefined {
  const text = given.value(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most)
    throw new Usage(`--${name} wants a number from ${least} to ${most}, not ${text}`);
  return number;
}
