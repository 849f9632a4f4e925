// The command `search`, which finds configurations close to a size. It runs in steps, reports progress, and prints its results so far at
// Ctrl-C.

import { setImmediate as turn } from 'node:timers/promises';
import { grouped } from '../support/numbers.ts';
import { parseQuantity, parseSize } from '../support/quantity.ts';
import { createTargetSetting, toSearchRequest } from '../settings/target-setting.ts';
import { loadLedger, type Ledger } from '../core/ledger.ts';
import { nameOf } from '../models/model.ts';
import * as targetTexts from '../texts/target.ts';
import type { Refusal, Search, SearchAnswer, SearchRequest } from '../types/index.ts';
import { formatSigned } from './claims.ts';
import { asJson, jsonOption, Usage, type Command, type Given } from './command.ts';
import { parseNumber } from './numbers.ts';
import { loadSource, splitClaim } from './operands.ts';
import type { Terminal } from './terminal.ts';
import { formatColumns } from './text-table.ts';

export const search: Command = {
  name: 'search',
  operands: 'MODEL NUMBER',
  summary: 'Varies some fields and finds the configurations with the number of parameters nearest to NUMBER.',
  options: [
    {
      name: 'vary',
      value: 'FIELD=A..B/STEP',
      multiple: true,
      meaning:
        'The field varies from A to B in steps of STEP (1 by default), or over a list: FIELD=8,16,32. 4k is 4,096. Without --vary, depth and width vary around values expected for the target.',
    },
    {
      name: 'tie',
      value: 'FIELD=RATIO*OTHER^MULTIPLE',
      multiple: true,
      meaning:
        'The field follows another one, rounded up to a multiple: intermediate_size=8/3*hidden_size^256;\nwithout a multiple, the product must be a whole number.',
    },
    {
      name: 'limit',
      value: 'FIELD/OTHER=A..B',
      multiple: true,
      meaning: 'Limits the ratio of two fields: hidden_size/num_attention_heads=64..256.',
    },
    { name: 'active', meaning: 'Search by active parameters: those that one token uses.' },
    { name: 'most', value: 'N', meaning: 'Number of results; 20 by default.' },
    {
      name: 'uneven',
      meaning:
        'Include models in which the number of heads is not a multiple of the key-value heads, or the width is not a multiple of the number of heads.',
    },
    jsonOption,
  ],
  more: `  param-ledger search llama 405B --vary num_hidden_layers=60..130 --vary hidden_size=8192..24576/256 \\
      --tie num_attention_heads=1/128*hidden_size --tie intermediate_size=13/4*hidden_size^256`,

  async run(given, terminal) {
    const { model, number } = splitClaim(given.operands);
    if (model === undefined || number === '') throw new Usage('search needs a model and a number');
    const asked = parseRequest(given);
    const ledger = await loadLedger();
    const entry = await loadSource(model, ledger);
    const chosen = asked.vary.length > 0 ? undefined : chooseRanges(ledger, entry.text, number);
    if (chosen) terminal.say(`param-ledger: ${describeRanges(chosen.vary)}`);
    const answer = await runSearch(ledger, entry.text, { ...asked, ...chosen, target: number }, terminal);
    if (given.has('json')) await terminal.write(asJson(answer));
    if (!answer.ok) {
      terminal.say(`param-ledger: ${nameOf(entry)}: ${answer.error.message}`);
      return 1;
    }
    if (!given.has('json')) {
      const names = Object.keys(answer.found[0]?.fields ?? {});
      const rows = answer.found.map(({ total, difference, fields }) => [
        grouped(total),
        difference === '0' ? '0' : formatSigned(difference),
        ...names.map((name) => String(fields[name])),
      ]);
      const right = names.map((_, i) => i + 2);
      await terminal.write(formatColumns([['parameters', 'off by', ...names], ...rows], terminal, { right: [0, 1, ...right] }));
      terminal.say(answer.done ? targetTexts.done(grouped(answer.evaluations), grouped(answer.points)) : formatProgress(answer));
      if (!answer.exact) terminal.say(answer.done ? targetTexts.notExact : targetTexts.stopped);
    }
    return answer.found.length > 0 ? 0 : 1;
  },
};

/**
 * The ranges searched without `--vary`, which are those of the page's Target size view: depth and width vary around values expected for the
 * target size, and other sizes follow from them. Undefined if the model is refused or has no parameters, or if the number is not
 * understood; the search then reports the error.
 */
function chooseRanges(ledger: Ledger, config: string, number: string): Pick<SearchRequest, 'vary' | 'tied' | 'limits'> | undefined {
  const answer = ledger.count(config);
  const target = parseQuantity(number);
  if (!answer.ok || target === undefined || answer.totals.parameters === '0') return undefined;
  const { vary, tied, limits } = toSearchRequest(createTargetSetting(answer, number), answer);
  return { vary, tied, limits };
}

const describeRanges = (vary: SearchRequest['vary']) =>
  `without --vary, these fields vary: ${vary.map((range) => ('from' in range ? `--vary ${range.field}=${range.from}..${range.to}/${range.step}` : '')).join(' ')}`;

/** The number of evaluations between two progress reports. For most models they take a few tens of milliseconds. */
const STEP = 20_000;

/** Searches until done or until Ctrl-C. A second Ctrl-C ends the program. */
async function runSearch(ledger: Ledger, config: string, request: SearchRequest, terminal: Terminal): Promise<Search | Refusal> {
  let stopped = false;
  const stop = () => void (stopped = true);
  process.once('SIGINT', stop);
  let answer = ledger.search(config, { ...request, budget: STEP });
  while (answer.ok && !answer.done) {
    terminal.progress(formatProgress(answer));
    await turn(); // lets pending signals be handled
    if (stopped) break;
    answer = answer.next(STEP);
  }
  process.off('SIGINT', stop);
  terminal.progress('');
  return answer;
}

const formatProgress = ({ percent, evaluations, points }: SearchAnswer) =>
  targetTexts.progress(percent, grouped(evaluations), grouped(points));

function parseRequest(given: Given): Omit<SearchRequest, 'target'> {
  const vary = given.values('vary').map((text) => {
    const wrong = new Usage(`--vary needs FIELD=A..B/STEP or FIELD=A,B,C, not ${text}`);
    const size = (written: string) => {
      const number = Number(parseSize(written) ?? NaN);
      if (!Number.isSafeInteger(number)) throw wrong;
      return number;
    };
    const [, field, from, to, step = '1'] = /^([\w.]+)=(\w+)\.\.(\w+)(?:\/(\w+))?$/.exec(text) ?? [];
    if (field !== undefined) return { field, from: size(from), to: size(to), step: size(step) };
    const [, listed, values] = /^([\w.]+)=(\w+(?:,\w+)*)$/.exec(text) ?? [];
    if (listed === undefined) throw wrong;
    return { field: listed, values: values.split(',').map(size) };
  });
  const tied = given.values('tie').map((text) => {
    const [, field, times, of, multiple] = /^([\w.]+)=([\d./]+)\*([\w.]+)(?:\^(\d+))?$/.exec(text) ?? [];
    if (field === undefined) throw new Usage(`--tie needs FIELD=RATIO*OTHER^MULTIPLE, not ${text}`);
    return { field, of, times, ...(multiple !== undefined && { multiple: Number(multiple) }) };
  });
  const limits = given.values('limit').map((text) => {
    const [, field, over, least, most] = /^([\w.]+)\/([\w.]+)=([\d.]*?)\.\.([\d.]*)$/.exec(text) ?? [];
    if (field === undefined || (least === '' && most === '')) throw new Usage(`--limit needs FIELD/OTHER=A..B, not ${text}`);
    return { field, over, ...(least !== '' && { least }), ...(most !== '' && { most }) };
  });
  if (vary.length === 0 && tied.length + limits.length > 0) throw new Usage('--tie and --limit need --vary, too');
  const most = parseNumber(given, 'most', 1, 200);
  return {
    vary,
    tied,
    limits,
    ...(given.has('active') && { total: 'active' as const }),
    ...(given.has('uneven') && { uneven: true }),
    ...(most !== undefined && { most }),
  };
}
