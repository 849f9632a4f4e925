// The commands `check`, which judges the numbers stated in a text, and `article`, which checks the steps of a worked article.

import { grouped, MINUS } from '../support/numbers.ts';
import { loadLedger } from '../core/ledger.ts';
import * as articlesTexts from '../settings/articles-texts.ts';
import * as checkTexts from '../texts/check.ts';
import type { Article, JudgedClaim, JudgedStep } from '../types/index.ts';
import { asJson, jsonOption, Usage, type Command } from './command.ts';
import { readContent } from './read-content.ts';
import { changeEntry, changeOptions } from './count-command.ts';
import { loadSource, splitClaim } from './operands.ts';
import type { Terminal } from './terminal.ts';
import { formatColumns } from './text-table.ts';

export const check: Command = {
  name: 'check',
  operands: 'MODEL NUMBER',
  summary: 'Explains how a published number of parameters or bytes was counted; a text may contain several numbers.',
  options: [jsonOption, ...changeOptions],
  more: `  param-ledger check meta-llama/Llama-3.1-8B 8,030,257,152
  param-ledger check deepseek-ai/DeepSeek-V3 "671B total, 37B activated"
  param-ledger check ./config.json "13.5 GB in fp16" --set num_hidden_layers=40`,

  async run(given, terminal) {
    const { model, number } = splitClaim(given.operands);
    if (model === undefined || number === '') throw new Usage('check needs a model and a number');
    const ledger = await loadLedger();
    const { text } = changeEntry(await loadSource(model, ledger), ledger, given);
    const answer = ledger.check(text, number);
    if (given.has('json')) await terminal.write(asJson(answer));
    if (!answer.ok) {
      terminal.say(`param-ledger: ${answer.error.message}`);
      return 1;
    }
    if (!given.has('json')) {
      for (const judged of answer.claims) await terminal.write(formatJudged(judged, terminal));
      if (answer.contradiction !== undefined) await terminal.write(`${answer.contradiction}\n`);
    }
    return answer.contradiction === undefined && answer.claims.every(({ agreeing }) => agreeing.length > 0) ? 0 : 1;
  },
};

function formatJudged(judged: JudgedClaim, terminal: Terminal): string {
  const [, ...others] = judged.agreeing;
  const lines = [`${terminal.bold(checkTexts.verdicts[checkTexts.shown(judged)])}: ${judged.sentence}`];
  if (judged.known) lines.push(checkTexts.from(judged.known.source));
  if (others.length > 0) lines.push(`${checkTexts.others}:`, ...others.map(({ sentence }) => `  ${sentence}`));
  return lines.map((line) => `${line}\n`).join('');
}

export const article: Command = {
  name: 'article',
  operands: 'FILE',
  takes: 'files',
  summary: 'Computes each step of a worked article and judges it. FILE is a JSON file; - is standard input.',
  options: [jsonOption],
  more: `  param-ledger article llama-2-70b.json`,

  async run(given, terminal) {
    const [file] = given.operands;
    if (file === undefined || given.operands.length > 1) throw new Usage('article needs one file');
    const text = String(await readContent(file));
    const answer = (await loadLedger()).article(text);
    if (given.has('json')) await terminal.write(asJson(answer));
    if (!answer.ok) {
      terminal.say(`param-ledger: ${answer.error.message}`);
      return 1;
    }
    const judged = [...answer.steps, ...(answer.total ? [answer.total] : [])];
    if (!given.has('json')) {
      const { title, steps, total } = JSON.parse(text) as Article;
      const written = [...steps, ...(total ? [total] : [])];
      await terminal.write(`${terminal.bold(title)}\n`);
      for (const [i, step] of judged.entries()) {
        const { says, expression = '', prints = '' } = written[i];
        await terminal.write(
          `${[says, [expression, prints].filter(Boolean).join(' = '), formatWorth(step)].filter(Boolean).join('\n    ')}\n`,
        );
      }
      const rows = answer.waterfall.map(({ kind, label, change, total: sum }) => [
        articlesTexts.bars[kind](label),
        change === undefined ? '' : formatSigned(change),
        grouped(sum),
      ]);
      if (rows.length > 0) await terminal.write(`\n${formatColumns([['from … to', 'change', 'total'], ...rows], terminal)}`);
    }
    return judged.some(({ verdict }) => ['wrong', 'unit', 'misread', 'carried', 'unreadable'].includes(verdict)) ? 1 : 0;
  },
};

const formatWorth = ({ verdict, sentence = '' }: JudgedStep) => [articlesTexts.verdicts[verdict], sentence].filter(Boolean).join(' ');

/** Formats a difference with grouped digits and a plus or minus sign. */
export const formatSigned = (change: string) => (change.startsWith('-') ? MINUS + grouped(change.slice(1)) : `+${grouped(change)}`);
