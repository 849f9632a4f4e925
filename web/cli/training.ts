// The training options of `memory` and `devices`, and the rows that `memory` writes about training.

import type { Ledger } from '../core/ledger.ts';
import { findAdapterModules } from '../settings/adapter-modules.ts';
import { grouped } from '../support/numbers.ts';
import * as texts from '../settings/memory-texts.ts';
import type { MemoryAnswer, TrainingOptions } from '../types/index.ts';
import { Usage, type Given, type Option } from './command.ts';
import { parseNumber } from './numbers.ts';
import type { Terminal } from './terminal.ts';
import { formatColumns } from './text-table.ts';

const MAX_RANK = 99_999;

export const trainingOptions: readonly Option[] = [
  { name: 'train', meaning: 'Include training: weights, gradients and the optimizer.' },
  { name: 'optimizer', value: 'NAME', choices: Object.keys(texts.optimizers), meaning: `Optimizer: ${Object.keys(texts.optimizers).join(', ')}.` },
  { name: 'precision', value: 'NAME', choices: Object.keys(texts.precisions), meaning: `Precision: ${Object.values(texts.precisions).join('; ')}.` },
  { name: 'stage', value: '0..3', choices: Object.keys(texts.stages), meaning: 'What ZeRO or FSDP divides among the devices: 1 the optimizer states, 2 also the gradients, 3 also the weights.' },
  { name: 'lora', value: 'RANK', meaning: 'Train adapters of this rank instead of the weights.' },
  { name: 'modules', value: 'NAME,...', with: ['lora'], meaning: 'Modules that get adapters: q_proj,v_proj or q,v, or all-linear; q,v by default.' },
  { name: 'dora', with: ['lora'], meaning: 'Use DoRA: adapters with a magnitude per output.' },
  { name: 'save', value: 'NAME,...', with: ['lora'], meaning: 'Modules that are trained in full, in addition to the adapters (modules_to_save in peft): lm_head.' },
]; // prettier-ignore

/** Whether any training option was given. */
export const asksForTraining = (given: Given) => trainingOptions.some(({ name }) => given.has(name));

export function parseTraining(given: Given, config: string, ledger: Ledger): TrainingOptions {
  const r = parseNumber(given, 'lora', 1, MAX_RANK);
  return {
    ...parseTrainingWay(given),
    ...(r !== undefined && {
      lora: {
        r,
        target_modules: parseModules(given.value('modules') ?? 'q,v', config, ledger),
        use_dora: given.has('dora'),
        modules_to_save: given
          .value('save')
          ?.split(/[\s,]+/)
          .filter(Boolean),
      },
    }),
  };
}

/** Parses the training options except those for adapters. */
export function parseTrainingWay(given: Given): Omit<TrainingOptions, 'lora'> {
  const stage = given.value('stage');
  return {
    optimizer: given.value('optimizer') as TrainingOptions['optimizer'],
    precision: given.value('precision') as TrainingOptions['precision'],
    ...(stage !== undefined && { stage: Number(stage) as TrainingOptions['stage'] }),
  };
}

function parseModules(typed: string, config: string, ledger: Ledger): readonly string[] | 'all-linear' {
  if (typed === 'all-linear') return typed;
  const answer = ledger.count(config);
  const found = findAdapterModules(typed, answer.ok ? answer.tensors.map(({ name }) => name) : []);
  if (!answer.ok || 'modules' in found) return 'modules' in found ? found.modules : [];
  throw new Usage(`--modules: the model has no module ${found.unknown}; it has ${found.known.join(', ')}`);
}

export function formatTraining(training: NonNullable<MemoryAnswer['training']>, terminal: Terminal): string {
  if (!training.known) return `${texts.training}: ${training.reason}\n`;
  const { rows, trained, frozen, total, each, note } = training;
  const line = (name: string, all: { bytes: string; gb: string }, one: { gb: string }) => [name, grouped(all.bytes), all.gb, one.gb];
  const table = [
    [texts.training, 'bytes', 'GB', 'GB per device'],
    ...rows.map((row) => line(texts.trainingRows[row.name], row.total, row.each)),
    line('together', total, each),
  ];
  return `${formatColumns(table, terminal, { right: [1, 2, 3] })}${texts.trained(trained, frozen)}\n${note === undefined ? '' : `${note}\n`}${texts.activations}\n`;
}
