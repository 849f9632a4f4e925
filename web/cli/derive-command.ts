// The command `derive`, which derives counts step by step.

import { loadLedger, type Ledger } from '../core/ledger.ts';
import { derivedFormats, type DerivedFormat } from '../export/derived-formats.ts';
import { nameOf } from '../models/model.ts';
import { asJson, formatAliases, jsonOption, Usage, type Command, type ExitCode, type Given } from './command.ts';
import { changeOptions, loadEntry } from './count-command.ts';
import type { DevicesOptions } from '../types/index.ts';
import { parseNumber } from './numbers.ts';
import type { Terminal } from './terminal.ts';

export const derive: Command = {
  name: 'derive',
  operands: '[FILE|FOLDER|-|MODEL]...',
  summary: 'Derives each count step by step, with every formula and number.',
  options: [
    {
      name: 'format',
      short: 'f',
      value: 'FORMAT',
      choices: derivedFormats.map(({ id }) => id),
      aliases: formatAliases,
      meaning: `One of ${derivedFormats.map(({ id }) => id).join(', ')};\nplain by default.`,
    },
    { name: 'tp', value: 'N', meaning: 'Also derive what one device holds if N devices share each tensor, as with the command devices.' },
    { name: 'pp', value: 'N', meaning: 'The same with N pipeline stages.' },
    { name: 'ep', value: 'N', meaning: 'The same with N devices that share the experts of a layer.' },
    { ...jsonOption, without: ['format'] },
    ...changeOptions,
  ],
  more: `  param-ledger derive meta-llama/Llama-3.1-8B --format latex > count.tex
  param-ledger derive . --format article | param-ledger article -`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('no model is given');
    const id = given.value('format') ?? 'plain';
    const format = derivedFormats.find((one) => one.id === id) ?? derivedFormats[0];
    const ledger = await loadLedger();
    let code: ExitCode = 0;
    for (const word of given.operands.length > 0 ? given.operands : ['-']) {
      const refused = await deriveOne(word, ledger, given, format, terminal);
      if (refused === undefined) continue;
      terminal.say(`param-ledger: ${refused}`);
      code = 1;
    }
    return code;
  },
};

/** The parallel plan, if the options request one. */
function parsePlan(given: Given): DevicesOptions | undefined {
  const number = (name: string) => parseNumber(given, name, 1, Number.MAX_SAFE_INTEGER);
  const plan = { tensor: number('tp'), pipeline: number('pp'), expert: number('ep') };
  return Object.values(plan).some((size) => size !== undefined) ? plan : undefined;
}

/** Writes one derivation. Returns an error message if the model cannot be loaded or is refused. */
async function deriveOne(
  word: string,
  ledger: Ledger,
  given: Given,
  format: DerivedFormat,
  terminal: Terminal,
): Promise<string | undefined> {
  const entry = await loadEntry(word, ledger, given, given.has('json'), terminal);
  if (typeof entry === 'string') return entry;
  const answer = ledger.derive(entry.text, { devices: parsePlan(given) });
  if (given.has('json')) await terminal.write(asJson(answer));
  else if (answer.ok) await terminal.write(format.text(answer, { title: nameOf(entry) }));
  return answer.ok ? undefined : `${nameOf(entry)}: ${answer.error.message}`;
}
