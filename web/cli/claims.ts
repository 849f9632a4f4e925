// Whether a number is right, what a worked article is worth, and which configurations come near a size.

import { grouped, MINUS } from '../lib/texts/format.ts';
import { whole } from '../lib/core/ledger.ts';
import { nameOf } from '../lib/models/model.ts';
import * as articlesTexts from '../lib/texts/articles-texts.ts';
import * as checkTexts from '../lib/texts/check-texts.ts';
import * as targetTexts from '../lib/texts/target-texts.ts';
import type { Article, JudgedStep, SearchAnswer, SearchRequest } from '../lib/types.ts';
import { numberOf, Usage, type Command, type Given } from './command.ts';
import { contentOf } from './contents.ts';
import { sourceOf } from './operands.ts';
import { columned } from './text-table.ts';

const JSON_OPTION = { name: 'json', meaning: 'The whole answer, as the package gives it.' };

export const check: Command = {
  name: 'check',
  operands: 'MODEL NUMBER',
  summary: 'Says how somebody came to a number of parameters or bytes, as people write it.',
  options: [JSON_OPTION],
  more: `  param-ledger check meta-llama/Llama-3.1-8B 8,030,257,152
  param-ledger check ./config.json "13.5 GB in fp16"`,

  async run(given, terminal) {
    const [model, ...number] = given.operands;
    if (model === undefined || number.length === 0) throw new Usage('check wants a model and a number');
    const ledger = await whole();
    const answer = ledger.check((await sourceOf(model, ledger)).text, number.join(' '));
    if (given.has('json')) await terminal.write(`${JSON.stringify(answer, null, 2)}\n`);
    if (!answer.ok) {
      terminal.say(`param-ledger: ${answer.error.message}`);
      return 1;
    }
    const [, ...others] = answer.agreeing;
    if (!given.has('json')) {
      await terminal.write(`${terminal.bold(checkTexts.verdicts[checkTexts.shown(answer)])}: ${answer.sentence}\n`);
      if (answer.known) await terminal.write(`${checkTexts.from(answer.known.source)}\n`);
      if (others.length > 0) await terminal.write(`${checkTexts.others}:\n${others.map(({ sentence }) => `  ${sentence}\n`).join('')}`);
    }
    return answer.agreeing.length > 0 ? 0 : 1;
  },
};

export const article: Command = {
  name: 'article',
  operands: 'FILE',
  summary: 'Computes each step of a worked article and says what it is worth; - is standard input.',
  options: [JSON_OPTION],
  more: `  param-ledger article llama-2-70b.json`,

  async run(given, terminal) {
    const [file] = given.operands;
    if (file === undefined || given.operands.length > 1) throw new Usage('article wants one file');
    const text = String(await contentOf(file));
    const answer = (await whole()).article(text);
    if (given.has('json')) await terminal.write(`${JSON.stringify(answer, null, 2)}\n`);
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
        await terminal.write(`${[says, [expression, prints].filter(Boolean).join(' = '), worth(step)].filter(Boolean).join('\n    ')}\n`);
      }
      const rows = answer.waterfall.map(({ kind, label, change, total: sum }) => [
        articlesTexts.bars[kind](label),
        change === undefined ? '' : signed(change),
        grouped(sum),
      ]);
      if (rows.length > 0) await terminal.write(`\n${columned([['from … to', 'change', 'total'], ...rows], terminal)}`);
    }
    return judged.some(({ verdict }) => ['wrong', 'unit', 'carried', 'unreadable'].includes(verdict)) ? 1 : 0;
  },
};

const worth = ({ verdict, sentence = '' }: JudgedStep) => [articlesTexts.verdicts[verdict], sentence].filter(Boolean).join(' ');

const signed = (change: string) => (change.startsWith('-') ? MINUS + grouped(change.slice(1)) : `+${grouped(change)}`);

export const search: Command = {
  name: 'search',
  operands: 'MODEL NUMBER',
  summary: 'Finds the configurations nearest to a number of parameters, over the fields that may vary.',
  options: [
    {
      name: 'vary',
      value: 'FIELD=A..B/STEP',
      multiple: true,
      meaning: 'From A to B by STEP (1 where it is not said), or a list: FIELD=8,16,32.',
    },
    {
      name: 'tie',
      value: 'FIELD=RATIO*OTHER^MULTIPLE',
      multiple: true,
      meaning: 'Follows another field, up to a multiple: intermediate_size=8/3*hidden_size^256;\nwithout a multiple it must come out even.',
    },
    {
      name: 'limit',
      value: 'FIELD/OTHER=A..B',
      multiple: true,
      meaning: 'The ratio of two fields: hidden_size/num_attention_heads=64..256.',
    },
    { name: 'active', meaning: 'Of the parameters that one token uses.' },
    { name: 'most', value: 'N', meaning: 'So many of them; 20 where it is not said.' },
    JSON_OPTION,
  ],
  more: `  param-ledger search llama 405B --vary num_hidden_layers=60..130 --vary hidden_size=8192..24576/256 \\
      --tie num_attention_heads=1/128*hidden_size --tie intermediate_size=13/4*hidden_size^256`,

  async run(given, terminal) {
    const [model, ...number] = given.operands;
    if (model === undefined || number.length === 0) throw new Usage('search wants a model and a number');
    const ledger = await whole();
    const entry = await sourceOf(model, ledger);
    let answer = ledger.search(entry.text, { ...requestOf(given), target: number.join(' '), budget: STEP });
    for (; answer.ok && !answer.done; answer = ledger.searchOn(STEP)) terminal.progress(progress(answer));
    terminal.progress('');
    if (given.has('json')) await terminal.write(`${JSON.stringify(answer, null, 2)}\n`);
    if (!answer.ok) {
      terminal.say(`param-ledger: ${nameOf(entry)}: ${answer.error.message}`);
      return 1;
    }
    if (!given.has('json')) {
      const names = Object.keys(answer.found[0]?.fields ?? {});
      const rows = answer.found.map(({ total, difference, fields }) => [
        grouped(total),
        difference === '0' ? '0' : signed(difference),
        ...names.map((name) => String(fields[name])),
      ]);
      await terminal.write(columned([['parameters', 'off by', ...names], ...rows], terminal));
      terminal.say(targetTexts.done(grouped(answer.evaluations), grouped(answer.points)));
      if (!answer.exact) terminal.say(targetTexts.notExact);
    }
    return answer.found.length > 0 ? 0 : 1;
  },
};

/** Evaluations between two lines of progress. */
const STEP = 100_000;

const progress = ({ percent, evaluations, points }: SearchAnswer) => targetTexts.progress(percent, grouped(evaluations), grouped(points));

function requestOf(given: Given): Omit<SearchRequest, 'target'> {
  const vary = given.values('vary').map((text) => {
    const [, field, from, to, step = '1'] = /^([\w.]+)=(\d+)\.\.(\d+)(?:\/(\d+))?$/.exec(text) ?? [];
    if (field !== undefined) return { field, from: Number(from), to: Number(to), step: Number(step) };
    const [, listed, values] = /^([\w.]+)=(\d+(?:,\d+)*)$/.exec(text) ?? [];
    if (listed === undefined) throw new Usage(`--vary wants FIELD=A..B/STEP or FIELD=A,B,C, not ${text}`);
    return { field: listed, values: values.split(',').map(Number) };
  });
  const tied = given.values('tie').map((text) => {
    const [, field, times, of, multiple] = /^([\w.]+)=([\d./]+)\*([\w.]+)(?:\^(\d+))?$/.exec(text) ?? [];
    if (field === undefined) throw new Usage(`--tie wants FIELD=RATIO*OTHER^MULTIPLE, not ${text}`);
    return { field, of, times, ...(multiple !== undefined && { multiple: Number(multiple) }) };
  });
  const limits = given.values('limit').map((text) => {
    const [, field, over, least, most] = /^([\w.]+)\/([\w.]+)=([\d.]*?)\.\.([\d.]*)$/.exec(text) ?? [];
    if (field === undefined || (least === '' && most === '')) throw new Usage(`--limit wants FIELD/OTHER=A..B, not ${text}`);
    return { field, over, ...(least !== '' && { least }), ...(most !== '' && { most }) };
  });
  const most = numberOf(given, 'most', 1, 200);
  return { vary, tied, limits, ...(given.has('active') && { total: 'active' as const }), ...(most !== undefined && { most }) };
}
