// The types of commands, options and parsed arguments.

import type { Terminal } from './terminal.ts';

/**
 * 0: success. 1: failure, such as a refused model or a result that differs from what the user claimed or required. 2: the command line was
 * not valid or an input could not be read. 130: `jsonl` was stopped by Ctrl-C.
 */
export type ExitCode = 0 | 1 | 2 | 130;

/** What an operand or the value of an option names, for shell completion. */
export type Operands = 'models' | 'files' | 'types' | 'commands' | 'shells' | 'columns';

/** One entry of the table of commands, from which parsing, help and completions are derived. */
export interface Command {
  readonly name: string;
  readonly aliases?: readonly string[];
  /** The operands as shown in help. */
  readonly operands: string;
  /** What the operands name; `models` by default. */
  readonly takes?: Operands;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Additional help text. Lines that begin with a space, such as examples, are printed unchanged; the other lines are wrapped. */
  readonly more?: string;
  readonly run: (given: Given, terminal: Terminal) => Promise<ExitCode>;
}

/** One option of a command. */
export interface Option {
  readonly name: string;
  /** The placeholder for the option's value in help. Switches have none. */
  readonly value?: string;
  /** The single-letter form. */
  readonly short?: string;
  readonly multiple?: boolean;
  /** The allowed values. Without them, only the command itself checks the value. */
  readonly choices?: readonly string[];
  /** Aliases of allowed values. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** What the value of the option names, if the shell can complete it. */
  readonly takes?: Operands;
  /** The option is accepted only together with at least one of these. */
  readonly with?: readonly string[];
  /** Options that cannot be combined with this one. */
  readonly without?: readonly string[];
  readonly meaning: string;
}

export interface Given {
  readonly operands: readonly string[];
  /** Whether the option was given. */
  readonly has: (name: string) => boolean;
  readonly value: (name: string) => string | undefined;
  /** All values of a repeatable option. */
  readonly values: (name: string) => readonly string[];
}

/** An error in the command line or, in the subclasses, in what it names. The exit code is 2. */
export class Usage extends Error {}

/** The command line is understood, but something that it names cannot be used, for example a missing file or an unknown field. */
export class InputFailure extends Usage {}

/** A word that is not a file, a model or a type, but may be a misspelt command. */
export class UnknownName extends InputFailure {
  readonly word: string;
  constructor(word: string, message: string) {
    super(message);
    this.word = word;
  }
}

/** Short names of output formats. */
export const formatAliases: Readonly<Record<string, string>> = { md: 'markdown', tex: 'latex' };

/** The option `--json` of every command that prints an answer. */
export const jsonOption: Option = {
  name: 'json',
  meaning: 'Print the whole answer as JSON, as the package returns it, even if the model is refused.',
};

/** Formats an answer or a refusal for `--json`. */
export const asJson = (answer: object) => `${JSON.stringify(answer, null, 2)}\n`;
