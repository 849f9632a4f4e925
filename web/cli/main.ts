#!/usr/bin/env node
// `param-ledger`: the command line.

import { isMainThread } from 'node:worker_threads';
import { version } from '../package/index.ts';
import { help, understood, Usage } from './arguments.ts';
import { work } from './jobs.ts';
import { terminal } from './terminal.ts';

async function main(): Promise<void> {
  const screen = terminal();
  try {
    const { command, given } = understood(process.argv.slice(2));
    if (given.has('help')) await screen.write(help(command));
    else if (given.has('version')) await screen.write(`${version}\n`);
    else process.exitCode = await command.run(given, screen);
  } catch (error) {
    const usage = error instanceof Usage;
    screen.say(`param-ledger: ${(error as Error).message}${usage ? '\nparam-ledger --help says how it is used.' : ''}`);
    process.exitCode = usage ? 2 : 1;
  }
}

await (isMainThread ? main() : work());
