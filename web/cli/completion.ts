// Finds the candidates for shell completion from the table of commands, the catalogue and the model types.

import { shared } from './arguments.ts';
import type { Command, Operands, Option } from './command.ts';

export interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/** Returns the candidates for operands or option values of one kind. Files are completed by the shell itself. */
export type Names = (what: Operands) => Promise<readonly Candidate[]>;

/** The candidates for the last of the words typed after `param-ledger`. */
export async function listCandidates(commands: readonly Command[], words: readonly string[], names: Names): Promise<readonly Candidate[]> {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  const command = commands.find(({ name }) => name !== '' && (name === before[0] || before.includes(`--${name}`))) ?? commands[0];
  const options = [...command.options, ...shared];
  const fitting = (all: readonly Candidate[], prefix = '') =>
    all.flatMap(({ word, meaning }) =>
      (prefix + word).toLowerCase().startsWith(typed.toLowerCase()) ? { word: prefix + word, meaning } : [],
    );
  const valuesOf = async ({ choices, takes }: Option) =>
    choices ? choices.map((word) => ({ word, meaning: '' })) : takes ? names(takes) : [];

  const inline = options.find(({ name, value }) => value !== undefined && typed.startsWith(`--${name}=`));
  if (inline) return fitting(await valuesOf(inline), `--${inline.name}=`);
  const last = before.at(-1);
  const open = options.find(({ name, short, value }) => value !== undefined && (last === `--${name}` || (short && last === `-${short}`)));
  if (open) return fitting(await valuesOf(open));
  if (typed.startsWith('-')) {
    const may = options.filter(({ name, multiple, without = [] }) => {
      const given = (other: string) => before.some((word) => word === `--${other}` || word.startsWith(`--${other}=`));
      return !without.some(given) && (multiple || !given(name));
    });
    return fitting(may.map(({ name, meaning }) => ({ word: `--${name}`, meaning: firstSentence(meaning) })));
  }
  const ofCommands = before.length === 0 ? commands.flatMap(({ name, summary }) => (name ? { word: name, meaning: firstSentence(summary) } : [])) : []; // prettier-ignore
  return fitting([...ofCommands, ...(await names(command.takes ?? 'models'))]);
}

const firstSentence = (text: string) => text.split(/[\n.:;]/, 1)[0];
