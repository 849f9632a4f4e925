// The unnamed command, which counts models.

import { refuse } from '../core/ask-core.ts';
import { loadLedger, type Ledger } from '../core/ledger.ts';
import { grouped } from '../support/numbers.ts';
import { isWrittenAs, parseQuantity, parseSize, type Quantity } from '../support/quantity.ts';
import { applyEdits } from '../config/link.ts';
import { findLiteral } from '../config/config-text.ts';
import { listMeantFields } from './meant-fields.ts';
import { nameOf } from '../models/model.ts';
import type { Entry } from '../config/entry.ts';
import type { CountAnswer, Totals } from '../types/index.ts';
import { asJson, formatAliases, InputFailure, jsonOption, Usage, type Command, type ExitCode, type Given, type Option } from './command.ts';
import { explainField, findField } from './explain.ts';
import { formats } from './output-formats.ts';
import { loadSource } from './operands.ts';
import type { Terminal } from './terminal.ts';

/** Options that change a configuration before the command uses it. */
export const changeOptions: readonly Option[] = [
  {
    name: 'set',
    value: 'FIELD=VALUE',
    multiple: true,
    meaning:
      'Change a field before counting, e.g. --set num_hidden_layers=40. Without a value, the field is removed, so its default is used. A dot leads into a section, as in text_config.hidden_size; 4k is 4,096.',
  },
  { name: 'class', value: 'NAME', meaning: 'Count this class of the model type, e.g. LlamaForSequenceClassification.' },
];

export const count: Command = {
  name: '',
  aliases: ['count'],
  operands: '[FILE|FOLDER|-|MODEL]...',
  summary:
    'Counts each model: a config.json, a folder with one, standard input, a published model by its id, name or address, or a model type.',
  options: [
    {
      name: 'format',
      short: 'f',
      value: 'FORMAT',
      choices: formats.map(({ name }) => name),
      aliases: formatAliases,
      without: ['explain'],
      meaning: formats.map(({ name, meaning }) => `${name.padEnd(9)} ${meaning}`).join('\n'),
    },
    ...changeOptions,
    {
      name: 'expect',
      value: 'N',
      meaning:
        'Fail unless the number of parameters equals N, to the precision of its digits (8030261248, 8.03B). NAME=N checks another total, e.g. stored=8030261248. For tests of model repositories.',
    },
    { name: 'explain', value: 'FIELD', meaning: 'Explain a field: its meaning, the origin of its value, and what depends on it.' },
    {
      ...jsonOption,
      without: ['format'],
      meaning: 'The same as --format json, even if the model is refused; with --explain, only the field.',
    },
  ],
  more: `  param-ledger meta-llama/Llama-3.1-8B
  param-ledger Llama-3.1-8B gpt2-xl
  param-ledger https://huggingface.co/Qwen/Qwen3-8B
  param-ledger ./config.json --set num_hidden_layers=40 --format markdown
  param-ledger . --expect 8030261248
  param-ledger model.gguf pretrain_gpt.sh     # what it was converted from; what Megatron's arguments build`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('no model is given');
    const words = given.operands.length > 0 ? given.operands : ['-'];
    const expected = parseExpectation(given.value('expect'));
    const says = createSayer(given);
    const ledger = await loadLedger();
    let code: ExitCode = 0;
    for (const [i, word] of words.entries()) {
      if (i > 0) await terminal.write('\n');
      const refused = await countOne(word, ledger, given, says, expected, terminal);
      if (refused !== undefined) {
        terminal.say(`param-ledger: ${refused}`);
        code = 1;
      }
    }
    return code;
  },
};

type Says = (answer: CountAnswer, entry: Entry, terminal: Terminal) => Iterable<string>;

/** Returns the function that formats an answer as the options request. */
function createSayer(given: Given): Says {
  const field = given.value('explain');
  if (field !== undefined) return (answer) => (given.has('json') ? [asJson(findField(answer, field))] : explainField(answer, field));
  const wanted = given.has('json') ? 'json' : (given.value('format') ?? 'table');
  return (formats.find(({ name }) => name === wanted) ?? formats[0]).write;
}

/** Counts one model. Returns an error message if it could not be loaded, was refused or differs from `--expect`. */
async function countOne(
  word: string,
  ledger: Ledger,
  given: Given,
  says: Says,
  expected: Expected | undefined,
  terminal: Terminal,
): Promise<string | undefined> {
  const json = given.has('json') || given.value('format') === 'json';
  const entry = await loadEntry(word, ledger, given, json, terminal);
  if (typeof entry === 'string') return entry;
  const answer = ledger.count(entry.text);
  if (!answer.ok) {
    if (json) await terminal.write(asJson(answer));
    return `${nameOf(entry)}: ${answer.error.message}`;
  }
  for (const text of says(answer, entry, terminal)) {
    if (terminal.closed) break; // the check of --expect still has to run
    await terminal.write(text);
  }
  for (const text of describeIdle(answer, given)) terminal.say(`param-ledger: ${text}`);
  return expected && describeUnexpected(expected, answer, nameOf(entry));
}

/** The fields set by `--set` that the count ignores. */
const listIdle = ({ fields }: CountAnswer, given: Given) =>
  listEdits(given).flatMap(([path]) => fields.find(({ name, source }) => name === path && source === 'ignored') ?? []);

const describeIdle = (answer: CountAnswer, given: Given): string[] =>
  listIdle(answer, given).map(({ name, reason }) => `${name}: ${reason}`);

/**
 * Throws `InputFailure` if `--set` names a field that is probably misspelt: the original configuration does not contain it, the count
 * ignores it, and its name resembles that of a field that the count uses. Does nothing if the changed configuration is refused.
 */
function refuseMistyped(before: Entry, after: Entry, ledger: Ledger, given: Given): void {
  if (given.values('set').length === 0) return;
  const answer = ledger.count(after.text);
  if (!answer.ok) return;
  const counted = answer.fields.flatMap(({ name, source }) => (source === 'ignored' ? [] : [name]));
  for (const { name } of listIdle(answer, given)) {
    const meant = findLiteral(before.text, name) === undefined ? listMeantFields(name, counted) : [];
    if (meant.length > 0)
      throw new InputFailure(`--set ${name}: ${answer.model_type} has no such field.\nDid you mean ${meant.join(' or ')}?`);
  }
}

/**
 * Loads the configuration that an operand names and applies the options to it. Throws `Usage` if the options are invalid, or if the input
 * cannot be found or read, is too large, or is a file of weights that gives no configuration. For other errors, such as a text that is not
 * a configuration, returns the error message and, if `json` is set, also prints a refusal.
 */
export async function loadEntry(word: string, ledger: Ledger, given: Given, json: boolean, terminal: Terminal): Promise<Entry | string> {
  try {
    return changeEntry(await loadSource(word, ledger), ledger, given);
  } catch (error) {
    if (error instanceof Usage) throw error;
    const { message } = error as Error;
    if (json) await terminal.write(asJson(refuse('unsupported', '', message)));
    return message;
  }
}

/** Applies `--set` and `--class` to the configuration. Throws `Usage` for a malformed `--set` or a field that is probably mistyped. */
export function changeEntry(entry: Entry, ledger: Ledger, given: Given): Entry {
  const edits = listEdits(given);
  const architecture = given.value('class');
  if (architecture !== undefined) edits.push(['architectures', JSON.stringify([architecture])]);
  if (edits.length === 0) return entry;
  const changed = { ...entry, text: applyEdits(entry.text, edits) };
  refuseMistyped(entry, changed, ledger, given);
  return changed;
}

function listEdits(given: Given): [path: string, literal: string][] {
  return given.values('set').map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new Usage(`--set needs FIELD=VALUE, not ${text}`);
    const value = text.slice(at + 1);
    // Numbers may be written `4k` or `4,096`. Other values are kept unchanged.
    return [text.slice(0, at), (/^\d/.test(value) && parseSize(value)) || value];
  });
}

/** The parsed value of `--expect`. */
interface Expected {
  readonly sum: string;
  readonly number: Quantity;
  readonly written: string;
}

function parseExpectation(text: string | undefined): Expected | undefined {
  if (text === undefined) return undefined;
  const [, sum = 'parameters', written = ''] = /^(?:(\w+)=)?(.*)$/s.exec(text) ?? [];
  // `k` is refused, because it would mean 1,000 here but means 1,024 in sizes.
  const number = /k$/i.test(written) ? undefined : parseQuantity(written);
  if (number === undefined) throw new Usage(`--expect needs a number such as 8030261248, 8,030,261,248 or 8.03B, not ${text}`);
  return { sum, number, written: number.unit === 1n ? grouped(number.value) : written };
}

/** Describes how an answer differs from the expectation, if it does. Throws `Usage` if the answer has no such total. */
function describeUnexpected({ sum, number, written }: Expected, { totals }: CountAnswer, name: string): string | undefined {
  const counted = Object.hasOwn(totals, sum) ? totals[sum as keyof Totals] : undefined;
  if (counted === undefined) throw new Usage(`--expect knows ${Object.keys(totals).join(', ')}, not ${sum}`);
  return isWrittenAs(BigInt(counted), number) ? undefined : `${name}: ${grouped(counted)} ${sum}, expected ${written}`;
}
