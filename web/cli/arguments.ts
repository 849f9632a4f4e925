// Parses the command line according to the table of commands.

import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findNearName } from '../support/near-names.ts';
import { Usage, type Command, type Given, type Option } from './command.ts';

/** Options that every command accepts. */
export const shared: readonly Option[] = [
  {
    name: 'color',
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    meaning: 'When to use colours: on a terminal only (auto), always or never.',
  },
  { name: 'no-color', without: ['color'], meaning: 'The same as --color never.' },
  { name: 'help', short: 'h', meaning: 'Show this help.' },
  { name: 'version', short: 'V', meaning: 'Show the version.' },
];

/** Names of commands that are not accepted as `--NAME`: the empty name, `completion`, and names of options that the unnamed command has. */
const WORDS_ALONE: ReadonlySet<string> = new Set(['', 'help', 'completion', 'version', 'explain']);

/** The length of the shortest accepted abbreviation of a command. */
const SHORTEST_PREFIX = 3;

export interface ParsedArguments {
  readonly command: Command;
  readonly given: Given;
}

/**
 * Finds the command and parses its options and operands. The command is the first word after `--help` and options for colours, or is given
 * as `--NAME` anywhere before `--`. Otherwise it is the unnamed one, which counts models. Throws `Usage` if an option is not valid.
 */
export function parseArguments(commands: readonly Command[], words: readonly string[]): ParsedArguments {
  const { command, rest } = findCommand(commands, words);
  const options = [...command.options, ...shared];
  // Not strict, because the errors below are more helpful than those of parseArgs.
  const { tokens } = parseArgs({
    args: [...rest],
    options: Object.fromEntries(
      options.map(({ name, value, short }) => [name, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) }]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const operands: string[] = [];
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const option = options.find(({ name }) => name === token.name);
    if (!option) throw new Usage(describeUnknownOption(token.rawName, command, commands, rest[0]));
    const value = checkValue(option, token.value, token.inlineValue === true);
    values.set(option.name, option.multiple ? [...(values.get(option.name) ?? []), value] : [value]);
  }
  const given: Given = {
    operands,
    has: (name) => values.has(name),
    value: (name) => values.get(name)?.[0],
    values: (name) => values.get(name) ?? [],
  };
  if (!given.has('help')) for (const option of options) if (given.has(option.name)) checkCombination(option, given);
  return { command, given };
}

/**
 * Finds the command whose name or alias is `word`, or else the only command whose name starts with it. A word of fewer than SHORTEST_PREFIX
 * characters is not taken for an abbreviation, and neither is an existing path.
 */
export function findNamed(word: string | undefined, commands: readonly Command[]): Command | undefined {
  if (word === undefined || word === '') return undefined;
  const named = commands.find(({ name, aliases = [] }) => name === word || aliases.includes(word));
  if (named || word.length < SHORTEST_PREFIX || existsSync(word)) return named;
  const begun = commands.filter(({ name }) => name.startsWith(word));
  return begun.length === 1 ? begun[0] : undefined;
}

function findCommand(commands: readonly Command[], words: readonly string[]): { command: Command; rest: readonly string[] } {
  let first = 0; // index of the first word after switches that may precede a command
  while (/^(--color(=.*)?|--no-color|--help|-h)$/.test(words[first] ?? '')) first += words[first] === '--color' ? 2 : 1;
  const named = findNamed(words[first], commands);
  if (named) return { command: named, rest: removeAt(words, first) };
  const end = words.indexOf('--');
  const options = end < 0 ? words : words.slice(0, end);
  const asOption = commands.find(({ name }) => !WORDS_ALONE.has(name) && options.includes(`--${name}`));
  if (asOption) return { command: asOption, rest: removeAt(words, words.indexOf(`--${asOption.name}`)) };
  return { command: commands.find(({ name }) => name === '') as Command, rest: words };
}

const removeAt = (words: readonly string[], at: number) => words.filter((_, i) => i !== at);

/** Checks an option's value and resolves its aliases. Returns an empty string for a switch. Throws `Usage` if the value is not valid. */
function checkValue({ name, value: kind, choices, aliases = {} }: Option, value: string | undefined, inline: boolean): string {
  if (kind === undefined) {
    if (value !== undefined) throw new Usage(`--${name} takes no value`);
    return '';
  }
  if (value === undefined) throw new Usage(`--${name} needs ${kind}`);
  if (!inline && /^--|^-[a-z]$/i.test(value)) throw new Usage(`--${name} needs ${kind}, not the option ${value}`);
  if (choices && Object.hasOwn(aliases, value) && choices.includes(aliases[value])) return aliases[value];
  if (choices && !choices.includes(value)) {
    const near = findNearName(value, choices);
    throw new Usage(`--${name} must be one of ${choices.join(', ')}, not ${value}${near ? `. Did you mean ${near}?` : ''}`);
  }
  return value;
}

/** Throws `Usage` if an option is given together with one that excludes it, or without any of those that it needs. */
function checkCombination(option: Option, given: Given): void {
  const other = option.without?.find(given.has);
  if (other !== undefined) throw new Usage(`--${option.name} cannot be combined with --${other}`);
  if (option.with && !option.with.some(given.has))
    throw new Usage(`--${option.name} needs ${option.with.map((name) => `--${name}`).join(' or ')}`);
}

function describeUnknownOption(raw: string, command: Command, commands: readonly Command[], word: string | undefined): string {
  const meant = command.name === '' && word !== undefined ? findNearCommand(word, commands) : undefined;
  if (meant !== undefined) return `${word} is not a command. Did you mean ${meant}?`;
  const name = raw.replace(/^-+/, '');
  const has = ({ options }: Command) => options.some((option) => option.name === name || (raw.length === 2 && option.short === name));
  const elsewhere = commands.filter(has).map((other) => other.name || 'that counts');
  if (elsewhere.length > 0)
    return `${raw} is an option of the command ${elsewhere.join(', ')}${command.name ? `, not of ${command.name}` : ''}`;
  const near = findNearName(
    name,
    [...command.options, ...shared].map((option) => option.name),
  );
  return `there is no option ${raw}${near ? `. Did you mean --${near}?` : ''}`;
}

/** The name of the command that a misspelt word probably means; undefined if no name is similar. */
export const findNearCommand = (word: string, commands: readonly Command[]) =>
  findNearName(
    word,
    commands.flatMap(({ name }) => name || []),
  );
