// The command `verify`, which compares a model's published files with its configuration. It is the only command that uses the network.

import { refuse } from '../core/ask-core.ts';
import { loadLedger, type Ledger } from '../core/ledger.ts';
import { HUB } from '../hub/address.ts';
import { verifyOnHub, type HubVerified } from '../hub/files.ts';
import { parseHubPlace, type HubPlace } from '../hub/address.ts';
import * as words from '../hub/hub-files-texts.ts';
import { input } from '../inputs/input-texts.ts';
import { asJson, jsonOption, Usage, type Command } from './command.ts';
import { parseNumber } from './numbers.ts';
import { loadSource } from './operands.ts';
import { formatReading } from './read-command.ts';
import type { Terminal } from './terminal.ts';
import { silentHub } from './texts.ts';

/** The largest timeout: one day, in seconds. */
const MAX_PATIENCE = 86_400;
/** The default timeout: the command stops if nothing arrives for this many seconds. */
const PATIENCE = 60;

export const verify: Command = {
  name: 'verify',
  operands: 'MODEL',
  summary:
    'Compares the files of a model on the Hub with its configuration, tensor by tensor, reading only their headers. This is the only command that uses the network: it asks huggingface.co (or $HF_ENDPOINT), and sends no token.',
  options: [
    {
      name: 'config',
      value: 'MODEL',
      takes: 'models',
      meaning: 'Use this instead of the model’s own config.json: a file, a folder, a published model or a model type.',
    },
    { ...jsonOption, meaning: 'Print what was read and the result as JSON, even if the model is refused.' },
    { name: 'timeout', value: 'SECONDS', meaning: `Stop if nothing arrives for this many seconds; ${PATIENCE} by default.` },
    { name: 'offline', meaning: 'Do not use the network. The command then fails without a request.' },
  ],
  more: `  param-ledger verify Qwen/Qwen2.5-0.5B
  param-ledger verify Qwen/Qwen2.5-0.5B@main
  param-ledger verify https://huggingface.co/OWNER/NAME/blob/main/model-Q4_K_M.gguf`,

  async run(given, terminal) {
    const [word, ...more] = given.operands;
    const place = word === undefined || more.length > 0 ? undefined : parseHubPlace(word);
    if (!place) throw new Usage('verify needs one model on the Hub: owner/name, owner/name@revision, or an address.');
    if (given.has('offline')) {
      terminal.say('param-ledger: with --offline, verify makes no request.');
      return 1;
    }
    const patience = parseNumber(given, 'timeout', 1, MAX_PATIENCE) ?? PATIENCE;
    const ledger = await loadLedger();
    const wanted = given.value('config');
    const config = wanted === undefined ? undefined : (await loadSource(wanted, ledger)).text;
    const verified = await verifyModel(ledger, place, config, patience, terminal);
    terminal.progress('');
    if (verified instanceof Error) {
      if (given.has('json')) await terminal.write(asJson(refuse('not_loaded', '', verified.message)));
      terminal.say(`param-ledger: ${verified.message}`);
      return 1;
    }
    const { reading, files, bytes, commit } = verified;
    if (given.has('json')) await terminal.write(asJson(verified));
    if (!reading.ok || !('partial' in reading)) {
      terminal.say(`param-ledger: ${reading.ok ? input.said('') : reading.error.message}`);
      return 1;
    }
    if (!given.has('json')) {
      for (const text of formatReading(reading, terminal)) await terminal.write(text);
      const size = files.reduce((sum, file) => sum + BigInt(file.size), 0n);
      await terminal.write(`\n${words.read(files.length, String(size), bytes, commit)}\n`);
    }
    const found = reading.check ?? reading.recognised;
    if (!found) {
      terminal.say(words.noConfig(place.id));
      return 1;
    }
    if ('ok' in found && !found.ok) return 1;
    const equal = 'agrees' in found && found.agrees && !reading.partial;
    if (!given.has('json') && equal && 'totals' in found)
      await terminal.write(`${words.equal(found.totals.matched_tensors, files.length, found.totals.matched)}\n`);
    if (!equal) terminal.say(words.different);
    return equal ? 0 : 1;
  },
};

/**
 * Compares the model's files on the Hub with `config` or else its own config.json. Returns an Error if they could not be read, for example
 * because a request failed, the user pressed Ctrl-C, or the Hub sent nothing for `patience` seconds.
 */
async function verifyModel(
  ledger: Ledger,
  place: HubPlace,
  config: string | undefined,
  patience: number,
  terminal: Terminal,
): Promise<HubVerified | Error> {
  const stop = new AbortController();
  const interrupted = () => stop.abort();
  let timedOut = false;
  const giveUp = () => {
    timedOut = true;
    stop.abort();
  };
  let timer = setTimeout(giveUp, patience * 1000);
  process.once('SIGINT', interrupted);
  try {
    return await verifyOnHub(ledger, place, {
      host: process.env.HF_ENDPOINT || HUB,
      signal: stop.signal,
      progress: ({ files, of, bytes }) => {
        clearTimeout(timer);
        timer = setTimeout(giveUp, patience * 1000);
        terminal.progress(words.running(files, of, bytes));
      },
      ...(config !== undefined && { config }),
    });
  } catch (error) {
    return timedOut ? new Error(silentHub(patience)) : (error as Error);
  } finally {
    clearTimeout(timer);
    process.removeListener('SIGINT', interrupted);
  }
}
