// Types of commands, options and what a run is given.

import type { Terminal } from './terminal.ts';

/** 0 counted or as claimed, 1 refused or not as claimed, 2 not understood or not found, 130 stopped by Ctrl-C. */
export type ExitCode = 0 | 1 | 2 | 130;

/** The kind of operands, for the shells' completions. */
export type Operands = 'models' | 'files' | 'types' | 'commands' | 'shells' | 'columns';

/** One entry of the table. Parsing, help and completions are made from it. */
export interface Command {
  readonly name: string;
  /** Its other names. */
  readonly aliases?: readonly string[];
  /** The operands, as help writes them. */
  readonly operands: string;
  /** The kind of operands; `models` by default. */
  readonly takes?: Operands;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Further help: examples indented by two spaces, and sentences on a line each. */
  readonly more?: string;
  readonly run: (given: Given, terminal: Terminal) => Promise<ExitCode>;
}

/** One option of a command. */
export interface Option {
  readonly name: string;
  /** The name of its value in help; a switch has none. */
  readonly value?: string;
  /** A single letter. */
  readonly short?: string;
  /** Whether it may be given several times. */
  readonly multiple?: boolean;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** Aliases of allowed values. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** The kind of its value, if that can be completed. */
  readonly takes?: Operands;
  /** One of these options is required with it. */
  readonly with?: readonly string[];
  /** It has no effect together with these options. */
  readonly without?: readonly string[];
  readonly meaning: string;
}

export interface Given {
  readonly operands: readonly string[];
  /** Whether a switch was given. */
  readonly has: (name: string) => boolean;
  readonly value: (name: string) => string | undefined;
  /** All values of an option that may be given several times. */
  readonly values: (name: string) => readonly string[];
}

/** The request cannot be understood: exit code 2. */
export class Usage extends Error {}

/** The request is understood, but an input is missing or unreadable: also exit code 2. */
export class InputFailure extends Usage {}

/** A word that is not a file, a model or a type. Another word may have been meant. */
export class UnknownName extends InputFailure {
  readonly word: string;
  constructor(word: string, message: string) {
    super(message);
    this.word = word;
  }
}

/** Aliases of formats. */
export const formatAliases: Readonly<Record<string, string>> = { md: 'markdown', tex: 'latex' };

/** The option of every command that answers. */
export const jsonOption: Option = {
  name: 'json',
  meaning: 'Print the whole answer as JSON, as the package returns it, even if the model is refused.',
};

/** An answer or a refusal as `--json` writes it. */
export const asJson = (answer: object) => `${JSON.stringify(answer, null, 2)}\n`;
