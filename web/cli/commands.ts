// What the command line can do: one entry for each command. The one without a name counts.

import type { Given, Option } from './arguments.ts';
import { article, check, search } from './claims.ts';
import { compare } from './compare.ts';
import { count } from './count.ts';
import { memory } from './memory.ts';
import { read } from './read.ts';
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

export const commands: readonly Command[] = [count, compare, memory, read, check, article, search];
