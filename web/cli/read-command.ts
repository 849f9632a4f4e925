// The command `read`, which counts the tensors in files, lists and printed models and compares them with a configuration.

import { grouped, shapeText, short } from '../support/numbers.ts';
import { loadLedger } from '../core/ledger.ts';
import { partLabel } from '../texts/part-names.ts';
import { input } from '../inputs/input-texts.ts';
import { read as words } from '../texts/read.ts';
import type { Comparison, Difference, ReadTensors } from '../types/index.ts';
import { parseFieldValue } from '../inputs/field-value.ts';
import { asJson, jsonOption, Usage, type Command } from './command.ts';
import { readInput } from './input-files.ts';
import { loadSource } from './operands.ts';
import { formatColumns } from './text-table.ts';
import type { Terminal } from './terminal.ts';

export const read: Command = {
  name: 'read',
  operands: '[FILE|-]...',
  takes: 'files',
  summary:
    'Reads tensors and adapters: safetensors, GGUF and PyTorch files (only their headers; several shards together), an index, a list, a table, a printed model.',
  options: [
    {
      name: 'config',
      value: 'MODEL',
      takes: 'models',
      meaning: 'Compare with a configuration: a file, a folder, a published model or a model type.',
    },
    {
      name: 'field',
      value: 'NAME=VALUE',
      multiple: true,
      meaning: 'Give a field that a printed model does not show: num_local_experts=32.',
    },
    jsonOption,
  ],
  more: `  param-ledger read model-0000*.safetensors --config config.json
  param-ledger read Llama-3.1-8B-Q4_K_M.gguf              # and the configuration that it was converted from
  param-ledger read checkpoint.pt --config config.json    # nothing in it is executed
  python -c 'print(model)' | param-ledger read
  param-ledger read adapter_config.json --config meta-llama/Llama-3.1-8B`,

  async run(given, terminal) {
    const ledger = await loadLedger();
    const wanted = given.value('config');
    const config = wanted === undefined ? undefined : (await loadSource(wanted, ledger)).text;
    const files = await Promise.all((given.operands.length > 0 ? given.operands : ['-']).map((path) => readInput(path, ledger)));
    const fields = Object.fromEntries(given.values('field').map(parseField));
    const reading = ledger.read(files, { config, fields });
    if (given.has('json')) await terminal.write(asJson(reading));
    if (reading.ok && reading.kind === 'named') {
      const { what, id, parameters, adapter } = reading;
      if (!given.has('json')) {
        await terminal.write(`${input.named(what, id, parameters, adapter?.uncounted)}\n`);
        if (adapter?.parameters !== undefined) await terminal.write(`${input.trained(adapter.parameters)}\n`);
      }
      return adapter?.uncounted === undefined ? 0 : 1;
    }
    const refused = !reading.ok
      ? reading.error.message
      : reading.kind === 'config'
        ? words.isConfig
        : reading.kind === 'other'
          ? input.said(reading.what === 'words' ? input.noTensors : input[reading.what])
          : undefined;
    if (refused !== undefined || !('partial' in reading)) {
      terminal.say(`param-ledger: ${refused}`);
      return 1;
    }
    if (!given.has('json')) for (const text of formatReading(reading, terminal)) await terminal.write(text);
    return reading.partial || (reading.check && !(reading.check.ok && reading.check.agrees)) ? 1 : 0;
  },
};

/** Parses a value of `--field`, such as "num_local_experts=32". */
function parseField(text: string): [name: string, value: unknown] {
  const [name, ...value] = text.split('=');
  if (!name || value.length === 0) throw new Usage(`--field needs NAME=VALUE, not ${text}`);
  return [name, parseFieldValue(value.join('='))];
}

export function* formatReading(reading: ReadTensors, terminal: Terminal): Generator<string> {
  const { bold, dim } = terminal;
  const { totals, parts, dtypes, tensors, problems, check, recognised } = reading;
  yield `${bold(reading.class ?? words.kinds[reading.kind])}\n`;
  const all = totals.parameters ?? totals.shown;
  const what = totals.parameters === undefined ? words.shown : totals.if_tied ? words.ifTied(totals.if_tied) : words.parameters;
  yield all === undefined ? `${words.tensors(totals.tensors)}\n\n` : `${bold(grouped(all))} ${what}  ${dim(short(all))}\n\n`;
  const sums = Object.entries(words.sums).flatMap(([name, meaning]) => {
    const value = (totals as Readonly<Record<string, string | undefined>>)[name];
    return value === undefined || value === '0' ? [] : [[meaning, grouped(value)]];
  });
  yield formatColumns([...sums, ...parts.map(({ part, parameters }) => [partLabel(part), grouped(parameters)])], terminal, {
    right: [1],
    headless: true,
  });
  if (dtypes.length > 0) {
    const rows = dtypes.map(({ dtype, elements, bytes }) => [dtype, grouped(elements), grouped(bytes)]);
    yield `\n${formatColumns([[words.dtype, words.elements, words.bytes], ...rows], terminal, { right: [1, 2] })}`;
  }
  const rows = tensors.map(({ name, shape = [], dtype = '', copies = '1', total = '' }) => [
    name,
    shapeText(shape),
    dtype,
    grouped(copies),
    total && grouped(total),
  ]);
  yield `\n${formatColumns([[words.name, words.shape, words.dtype, words.copies, words.total], ...rows], terminal, { right: [3, 4], first: [2, 1] })}`;
  if (reading.tensors_left_out) yield `${words.more(reading.tensors_left_out)}\n`;
  for (const note of reading.notes ?? []) yield `${note}\n`;
  if (problems.length > 0) {
    yield `\n${words.problems}\n`;
    for (const { line, message } of problems) yield `- ${line === undefined ? '' : words.line(line)}${message}\n`;
    if (reading.problems_left_out) yield `${words.more(reading.problems_left_out)}\n`;
  }
  if (recognised) {
    const converted = reading.kind === 'gguf';
    yield `\n${words[converted ? 'converted' : 'recognised'](recognised.model_type, recognised.architecture)}\n`;
    yield* formatComparison(recognised, converted ? words.lists.missing : words.hiddenList, terminal);
    const open = recognised.open.map(({ field, assumed }) => `${field} = ${JSON.stringify(assumed)}`);
    if (open.length > 0) yield `${words.unsaid(open.join(', '))}\n`;
  }
  if (check) {
    yield `\n${words.checked}\n`;
    if (check.ok) yield* formatComparison(check, words.lists.missing, terminal);
    else yield `${check.error.message}\n`;
  }
}

function* formatComparison(comparison: Comparison, missing: string, terminal: Terminal): Generator<string> {
  const { agrees, totals } = comparison;
  yield `${agrees ? words.agrees(totals.matched_tensors, totals.matched) : words.differs(totals.matched_tensors)}\n`;
  for (const list of ['missing', 'unexpected', 'other_shape', 'tied_stored'] as const) {
    if (comparison[list].length === 0) continue;
    const rows = comparison[list].map(({ name, shape, expected, tensors, total }: Difference) => [
      name,
      shapeText(shape) + (expected ? ` ${words.expected(shapeText(expected))}` : ''),
      grouped(tensors),
      grouped(total),
    ]);
    yield `${list === 'missing' ? missing : words.lists[list]}\n`;
    yield formatColumns([[words.name, words.shape, words.copies, words.total], ...rows], terminal, { right: [2, 3], first: [1] });
    const more = comparison[`${list}_left_out`];
    if (more) yield `${words.more(more)}\n`;
  }
}
