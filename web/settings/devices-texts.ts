// What is said of a model that several devices share.

import { grouped } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import type { DevicesAnswer, DivisionRule, RankKind, Span } from '../types/index.ts';

export const rules: Readonly<Record<DivisionRule, string>> = {
  column: 'by columns',
  row: 'by rows',
  embedding: 'by tokens of the vocabulary',
  expert: 'by experts',
  layer: 'by layers',
  replicated: 'replicated',
  whole: 'whole',
};
export const columns = {
  ranks: 'devices',
  stage: 'stage',
  tensor: 'tensor',
  whole: 'full shape',
  local: 'local shape',
  rule: 'rule',
  parameters: 'parameters',
};
export const weights = 'weights';
export const cache = 'cache';

const spans = (list: readonly Span[]) => list.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(', ');

/** "device 0", "devices 0-7, 16-23" */
export const ranksOf = ({ ranks, count }: RankKind) => `${count === '1' ? 'device' : 'devices'} ${spans(ranks)}`;
export const stagesOf = ({ stages }: RankKind) => `${spans(stages).includes('-') ? 'stages' : 'stage'} ${spans(stages)}`;

/** Why a device holds more than its share, with the numbers. */
export function overShare({ total, share, devices, ranks, heaviest, over, replicated }: DevicesAnswer): string {
  const { parameters } = ranks[heaviest];
  const sum = `${grouped(total)} parameters ÷ ${grouped(devices)} ${devices === '1' ? 'device' : 'devices'} = ${grouped(share)}.`;
  if (over.parameters === '0') return `${sum} The heaviest device holds ${grouped(parameters)}, no more than its share.`;
  const parts = [...replicated]
    .filter(({ each }) => each !== '0')
    .sort((a, b) => (BigInt(a.each) < BigInt(b.each) ? 1 : -1))
    .map(({ part, each, copies }) => `${partLabel(part).toLowerCase()} ${grouped(each)} (on ${grouped(copies)} devices)`);
  const why = parts.length > 0 ? ` On average each device holds more because whole tensors stand on several: ${parts.join(', ')}.` : '';
  return `${sum} The heaviest device holds ${grouped(parameters)}, ${over.percent} % more.${why}`;
}

export const sumOf = ({ sum }: DevicesAnswer) =>
  sum &&
  `All devices hold ${grouped(sum.ranks)}; without what stands on several (${grouped(sum.replicas)}) that is the model: ${grouped(sum.model)}.`;

export const unfit = (kind: RankKind, need: string, room: string) => `${ranksOf(kind)} need ${need} of ${room}`;
