// What a command of the command line is, and what it is given.

import type { Terminal } from './terminal.ts';

/** 0 counted or as claimed, 1 refused or not as claimed, 2 not understood or not there, 130 stopped by Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130;

/** What operands are, so that shells can complete them. */
export type Operands = 'models' | 'files' | 'types' | 'commands' | 'shells' | 'columns';

/** One entry of the table: the reader of words, the help and the completions are made from it. */
export interface Command {
  readonly name: string;
  /** Other names of it. */
  readonly aliases?: readonly string[];
  /** What stands behind the options. */
  readonly operands: string;
  /** What these are; `models` where it is not said. */
  readonly takes?: Operands;
  readonly summary: string;
  readonly options: readonly Option[];
  /** What else the help says of it: examples behind two spaces, sentences a line each. */
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
  /** All that may stand there. */
  readonly choices?: readonly string[];
  /** Other names of choices. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** What its value is, where that can be completed. */
  readonly takes?: Operands;
  /** Options of which one must be there, too. */
  readonly with?: readonly string[];
  /** Options beside which it says nothing. */
  readonly without?: readonly string[];
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

/** What was asked for is understood, and is not there or cannot be read: exit code 2, too. */
export class InputFailure extends Usage {}

/** A word that is no file, no model and no type, and perhaps was meant as something else. */
export class UnknownName extends InputFailure {
  readonly word: string;
  constructor(word: string, message: string) {
    super(message);
    this.word = word;
  }
}

/** Short names of formats. */
export const formatAliases: Readonly<Record<string, string>> = { md: 'markdown', tex: 'latex' };

/** As every command that answers has it. */
export const jsonOption: Option = { name: 'json', meaning: 'The whole answer, as the package gives it; a refusal, too.' };

/** An answer or a refusal as `--json` writes it. */
export const asJson = (answer: object) => `${JSON.stringify(answer, null, 2)}\n`;
