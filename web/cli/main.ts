#!/usr/bin/env node
// `param-ledger`: the command line, with the table of its commands.

import { isMainThread } from 'node:worker_threads';
import { version } from '../package/index.ts';
import { help, understood } from './arguments.ts';
import { article, check } from './claims.ts';
import { Usage, type Command } from './command.ts';
import { compare } from './compare-command.ts';
import { count } from './count-command.ts';
import { work } from './jobs.ts';
import { memory } from './memory-command.ts';
import { read } from './read-command.ts';
import { search } from './search-command.ts';
import { terminal } from './terminal.ts';
import { verify } from './verify-command.ts';

/** What the command line can do. The one without a name counts. */
const commands: readonly Command[] = [count, compare, memory, read, verify, check, article, search];

async function main(): Promise<void> {
  const screen = terminal();
  try {
    const { command, given } = understood(commands, process.argv.slice(2));
    if (given.has('help')) await screen.write(help(commands, command));
    else if (given.has('version')) await screen.write(`${version}\n`);
    else process.exitCode = await command.run(given, screen);
  } catch (error) {
    const usage = error instanceof Usage;
    screen.say(`param-ledger: ${(error as Error).message}${usage ? '\nparam-ledger --help says how it is used.' : ''}`);
    process.exitCode = usage ? 2 : 1;
  }
}

await (isMainThread ? main() : work());
