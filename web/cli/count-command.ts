// Counting: the command without a name.

import { whole, type Ledger } from '../lib/core/ledger.ts';
import { grouped } from '../lib/texts/format.ts';
import { withEdits } from '../lib/models/link.ts';
import { mistyped } from '../lib/texts/near-names.ts';
import { nameOf } from '../lib/models/model.ts';
import type { Entry } from '../lib/models/entry.ts';
import type { CountAnswer, Totals } from '../lib/types.ts';
import { numberOf, Usage, type Command, type ExitCode, type Given, type Option } from './command.ts';
import { explained } from './explain.ts';
import { formats } from './output-formats.ts';
import { countLines } from './jsonl.ts';
import { sourceOf } from './operands.ts';
import type { Terminal } from './terminal.ts';
import { columned } from './text-table.ts';

/** Worker threads at most. */
const MAX_JOBS = 256;

/** Options that change a configuration first. */
export const changing: readonly Option[] = [
  {
    name: 'set',
    value: 'FIELD=VALUE',
    multiple: true,
    meaning:
      'Change a field first, e.g. --set num_hidden_layers=40; without a value it is taken out, so that its default counts. Sections by dots.',
  },
  { name: 'class', value: 'NAME', meaning: 'As this class of the model type, e.g. LlamaForSequenceClassification.' },
];

export const count: Command = {
  name: '',
  operands: '[FILE|FOLDER|-|MODEL]...',
  summary: 'Counts each: a config.json, a folder that holds one, standard input, a published model, a model type.',
  options: [
    { name: 'format', short: 'f', value: 'FORMAT', meaning: formats.map(({ name, meaning }) => `${name.padEnd(9)} ${meaning}`).join('\n') },
    ...changing,
    {
      name: 'expect',
      value: 'N',
      meaning: 'Fail unless there are so many parameters; NAME=N for another sum, e.g. stored=8030261248. For tests of model repositories.',
    },
    { name: 'explain', value: 'FIELD', meaning: 'What a field means, where its value comes from, what depends on it.' },
    { name: 'types', meaning: 'List the model types that are counted, and their classes; those with the operands in their names.' },
    {
      name: 'jsonl',
      meaning:
        'One configuration a line in, one answer a line out, of files or standard input: {"id": …, "config": {…}} or the configuration alone.',
    },
    { name: 'totals', meaning: 'With --jsonl: the sums alone, which is faster.' },
    { name: 'jobs', short: 'j', value: 'N', meaning: 'With --jsonl: threads that count.' },
  ],
  more: `  param-ledger meta-llama/Llama-3.1-8B
  param-ledger ./config.json --set num_hidden_layers=40 --format markdown
  param-ledger . --expect 8030261248
  zcat configs.jsonl.gz | param-ledger --jsonl --totals --jobs 4 > totals.jsonl`,

  async run(given, terminal) {
    if (given.has('types')) return listTypes(await whole(), given.operands, terminal);
    if (given.has('jsonl')) {
      for (const name of ['format', 'set', 'class', 'expect', 'explain'])
        if (given.value(name) !== undefined) throw new Usage(`--${name} does not go with --jsonl`);
      return countLines(given.operands, { totals: given.has('totals'), jobs: numberOf(given, 'jobs', 1, MAX_JOBS) ?? 1 }, terminal);
    }
    for (const name of ['totals', 'jobs']) if (given.has(name) || given.value(name)) throw new Usage(`--${name} goes with --jsonl`);
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('nothing to count');
    const words = given.operands.length > 0 ? given.operands : ['-'];
    const expected = expectation(given.value('expect'));
    const says = sayer(given);
    const ledger = await whole();
    let code: ExitCode = 0;
    for (const [i, word] of words.entries()) {
      if (i > 0) await terminal.write('\n');
      const refused = await one(word, ledger, given, says, expected, terminal);
      if (refused !== undefined) {
        terminal.say(`param-ledger: ${refused}`);
        code = 1;
      }
    }
    return code;
  },
};

type Says = (answer: CountAnswer, entry: Entry, terminal: Terminal) => Iterable<string>;

/** What is written of an answer. */
function sayer(given: Given): Says {
  const field = given.value('explain');
  if (field !== undefined) return (answer) => explained(answer, field);
  const wanted = given.value('format') ?? 'table';
  const format = formats.find(({ name }) => name === wanted);
  if (!format) throw new Usage(`--format is one of ${formats.map(({ name }) => name).join(', ')}, not ${wanted}`);
  return format.write;
}

/** Counts one; says why that was not done, or not as expected. */
async function one(
  word: string,
  ledger: Ledger,
  given: Given,
  says: Says,
  expected: Expected | undefined,
  terminal: Terminal,
): Promise<string | undefined> {
  let entry: Entry;
  try {
    entry = changed(await sourceOf(word, ledger), given);
  } catch (error) {
    if (error instanceof Usage) throw error;
    return (error as Error).message;
  }
  const answer = ledger.count(entry.text);
  if (!answer.ok) return `${nameOf(entry)}: ${answer.error.message}`;
  for (const text of says(answer, entry, terminal)) await terminal.write(text);
  for (const text of idle(answer, given)) terminal.say(`param-ledger: ${text}`);
  return expected && unexpected(expected, answer, nameOf(entry));
}

/** What `--set` changed and nothing depends on: a slip, most likely. */
function idle({ fields }: CountAnswer, given: Given): string[] {
  const names = fields.flatMap(({ name, source }) => (source === 'ignored' ? [] : [name]));
  return edited(given).flatMap(([path]) => {
    const field = fields.find(({ name, source }) => name === path && source === 'ignored');
    if (!field) return [];
    const near = mistyped(path, names);
    return [`${path}: ${field.reason}${near ? ` Perhaps ${near}?` : ''}`];
  });
}

/** The configuration as the options change it. */
export function changed(entry: Entry, given: Given): Entry {
  const edits = edited(given);
  const architecture = given.value('class');
  if (architecture !== undefined) edits.push(['architectures', JSON.stringify([architecture])]);
  return edits.length === 0 ? entry : { ...entry, text: withEdits(entry.text, edits) };
}

function edited(given: Given): [path: string, literal: string][] {
  return given.values('set').map((text) => {
    const at = text.indexOf('=');
    if (at < 1) throw new Usage(`--set wants FIELD=VALUE, not ${text}`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
}

/** What `--expect` says. */
interface Expected {
  readonly sum: string;
  readonly digits: string;
}

function expectation(text: string | undefined): Expected | undefined {
  if (text === undefined) return undefined;
  const [, sum = 'parameters', number] = /^(?:(\w+)=)?(\d[\d,_]*)$/.exec(text) ?? [];
  if (number === undefined) throw new Usage(`--expect wants a number, not ${text}`);
  return { sum, digits: number.replaceAll(/[,_]/g, '') };
}

/** Why an answer is not as expected. */
function unexpected({ sum, digits }: Expected, { totals }: CountAnswer, name: string): string | undefined {
  const counted = Object.hasOwn(totals, sum) ? totals[sum as keyof Totals] : undefined;
  if (counted === undefined) throw new Usage(`--expect knows ${Object.keys(totals).join(', ')}, not ${sum}`);
  return BigInt(digits) === BigInt(counted)
    ? undefined
    : `${name}: ${grouped(counted)} ${sum}, not the ${grouped(digits)} that were expected`;
}

async function listTypes(ledger: Ledger, parts: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const named = ({ model_type }: { model_type: string }) => parts.length === 0 || parts.some((part) => model_type.includes(part));
  const families = ledger.catalog().families.filter(named);
  if (families.length === 0) throw new Usage(`no model type has ${parts.join(' or ')} in its name`);
  const rows = families.map(({ model_type, summary, architectures }) => [model_type, summary, architectures.join(' ')]);
  await terminal.write(columned([['type', 'what it is', 'classes'], ...rows], terminal));
  return 0;
}
