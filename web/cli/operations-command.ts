// The command `operations`, which shows how many operations models need.

import { loadLedger } from '../core/ledger.ts';
import { nameOf } from '../models/model.ts';
import * as texts from '../settings/memory-texts.ts';
import { grouped } from '../support/numbers.ts';
import type { OperationsAnswer, OperationsOptions } from '../types/index.ts';
import { asJson, jsonOption, Usage, type Command, type ExitCode, type Given } from './command.ts';
import { changeOptions, loadEntry } from './count-command.ts';
import { parseNumber } from './numbers.ts';
import type { Terminal } from './terminal.ts';
import { formatColumns } from './text-table.ts';

export const operations: Command = {
  name: 'operations',
  operands: '[FILE|FOLDER|-|MODEL]...',
  summary:
    'Shows the number of operations of each model under each common convention: 2·N, 6·N, PaLM, and attention in full, causal or within windows.',
  options: [
    { name: 'context', short: 'n', value: 'TOKENS', meaning: 'Tokens in the context; 4096 by default. 128k is 131,072.' },
    { name: 'batch', short: 'b', value: 'N', meaning: 'Sequences in a batch.' },
    { name: 'source', value: 'TOKENS', meaning: 'Tokens that an encoder reads; by default as many as the context.' },
    {
      name: 'tokens-per-second',
      value: 'N',
      with: ['peak'],
      meaning: 'Throughput of all devices together, for computing the model FLOPs utilization.',
    },
    { name: 'peak', value: 'TFLOPS', with: ['tokens-per-second'], meaning: 'Peak performance of one device in TFLOP/s, e.g. 989.5.' },
    { name: 'devices', value: 'N', meaning: 'Number of devices.' },
    jsonOption,
    ...changeOptions,
  ],
  more: `  param-ledger operations meta-llama/Llama-2-7b-hf --context 8192 --batch 4
  param-ledger operations openai/gpt-oss-120b --context 4096 --tokens-per-second 250000 --devices 64 --peak 989.5`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('no model is given');
    const options = parseOptions(given);
    const ledger = await loadLedger();
    let code: ExitCode = 0;
    for (const word of given.operands.length > 0 ? given.operands : ['-']) {
      const entry = await loadEntry(word, ledger, given, given.has('json'), terminal);
      if (typeof entry === 'string') {
        terminal.say(`param-ledger: ${entry}`);
        code = 1;
        continue;
      }
      const answer = ledger.operations(entry.text, options);
      if (given.has('json')) await terminal.write(asJson(answer));
      if (!answer.ok) {
        terminal.say(`param-ledger: ${nameOf(entry)}: ${answer.error.message}`);
        code = 1;
      } else if (!given.has('json')) await terminal.write(formatOperations(answer, nameOf(entry), terminal));
    }
    return code;
  },
};

function parseOptions(given: Given): OperationsOptions {
  const number = (name: string) => parseNumber(given, name, 1, Number.MAX_SAFE_INTEGER);
  return {
    tokens: number('context'),
    batch: number('batch'),
    source: number('source'),
    devices: number('devices'),
    tokens_per_second: given.value('tokens-per-second'),
    peak: given.value('peak'),
  };
}

function formatOperations({ conventions, tokens, unknown, left_out }: OperationsAnswer, name: string, terminal: Terminal): string {
  const judged = conventions.some(({ utilization }) => utilization !== undefined);
  const rows = [
    [name, texts.conventionColumns.formula, texts.conventionColumns.total(tokens), texts.conventionColumns.perToken],
    ...conventions.map(({ label, formula, total, per_token }) => [label, formula, grouped(total), per_token ? grouped(per_token) : '']),
  ].map((row, i) => {
    if (!judged) return row;
    const share = i === 0 ? texts.conventionColumns.utilization : conventions[i - 1].utilization;
    return [...row, share === undefined ? '' : i === 0 ? share : `${share} %`];
  });
  const lines = [...(unknown === undefined ? [] : [unknown]), ...left_out.map(texts.leftOut), texts.conventionSymbols];
  return `${formatColumns(rows, terminal, { right: [2, 3, 4] })}${lines.map((line) => `${line}\n`).join('')}`;
}
