#!/usr/bin/env node
// The entry point of `param-ledger`, with the table of its commands.

import { isMainThread } from 'node:worker_threads';
import { version } from '../support/build-info.ts';
import { findNearCommand, parseArguments } from './arguments.ts';
import { article, check } from './claims.ts';
import { InputFailure, UnknownName, Usage, type Command, type ExitCode } from './command.ts';
import { compare } from './compare-command.ts';
import { completion } from './completion-command.ts';
import { count } from './count-command.ts';
import { devices } from './devices-command.ts';
import { derive } from './derive-command.ts';
import { help, formatHelp } from './help-command.ts';
import { runWorker } from './batch-counter.ts';
import { jsonl } from './jsonl-command.ts';
import { memory } from './memory-command.ts';
import { models } from './models-command.ts';
import { operations } from './operations-command.ts';
import { read } from './read-command.ts';
import { search } from './search-command.ts';
import { createTerminal, type Colours } from './terminal.ts';
import { explain } from './explain-command.ts';
import { types } from './types-command.ts';
import { verify } from './verify-command.ts';

/** The table of commands. The first one has no name and counts models. */
// prettier-ignore
const commands: Command[] = [
  count,
  jsonl,
  compare,
  derive,
  memory,
  operations,
  devices,
  read,
  verify,
  check,
  article,
  search,
  models,
  types,
  explain,
];
commands.push(help(commands), completion(commands), {
  name: 'version',
  operands: '',
  summary: 'Shows the version.',
  options: [],
  run: async (_, terminal) => (await terminal.write(`${version}\n`), 0),
});

/** Shown on a terminal when there are no arguments. */
const USAGE = `param-ledger MODEL          counts a published model, a config.json, a folder with one, a model type
param-ledger COMMAND ...    ${commands.flatMap(({ name }) => name || []).join(', ')}
param-ledger help           shows everything; param-ledger help COMMAND explains one

For example: param-ledger meta-llama/Llama-3.1-8B
`;

async function main(words: readonly string[]): Promise<ExitCode> {
  if (words.length === 0 && process.stdin.isTTY) {
    process.stderr.write(USAGE);
    return 2;
  }
  let command = commands[0];
  let screen = createTerminal('never');
  try {
    const asked = parseArguments(commands, words);
    command = asked.command;
    screen = createTerminal((asked.given.has('no-color') ? 'never' : (asked.given.value('color') ?? 'auto')) as Colours);
    const { given } = asked;
    let code: ExitCode = 0;
    if (given.has('help')) await screen.write(formatHelp(commands, command, screen.width));
    else if (given.has('version')) await screen.write(`${version}\n`);
    else code = await command.run(given, screen);
    await screen.end();
    return code;
  } catch (error) {
    screen.say(`param-ledger: ${(error as Error).message}${hint(error, command, words)}`);
    return error instanceof Usage ? 2 : 1;
  }
}

/** The hint appended to an error message, or an empty string. */
function hint(error: unknown, command: Command, words: readonly string[]): string {
  const meant = error instanceof UnknownName && command.name === '' && error.word === words[0] && findNearCommand(error.word, commands);
  if (meant) return ` Did you mean the command ${meant}?`;
  if (!(error instanceof Usage) || error instanceof InputFailure) return '';
  return `\nparam-ledger ${command.name && `${command.name} `}--help explains it.`;
}

// Calls `exit`, because a read that is still pending would keep the process alive.
if (isMainThread) process.exit(await main(process.argv.slice(2)));
else await runWorker();
