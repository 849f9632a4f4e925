// The ledger: every question, by the whole program.

import { wholeBytes } from '#core-bytes';
import { filesOf, readingOf, readRequest, type RawReading } from '../inputs/request.ts';
import type * as types from '../types.ts';
import { withNumbers } from '../texts/format.ts';
import { answering, asked, askedOf, askedWith, once, refusal, textOf } from './asked.ts';
import { configBytes, Unreadable } from './config-bytes.ts';
import { startCore, type RunningCore } from './core.ts';
import { derivationOf } from './derived.ts';
import { counterOf } from './counter.ts';
import { claimForm, memoryForm, readForm, searchForm, stepForm } from './forms.ts';
import { memoryAnswer } from './memory-answer.ts';
import type { RawDerivation, RawMemory } from './raw.ts';

/** What it lists says nothing of how that is verified: see verified-catalog.ts. */
export type Ledger = types.Ledger<types.Listing>;

/** Starts the whole program, once per document or process; later calls return the same promise. */
export const whole: (options?: types.LoadOptions) => Promise<Ledger> = /* @__PURE__ */ once(async ({ wasm }: types.LoadOptions = {}) =>
  ledgerOf(await startCore(await (wasm ?? wholeBytes()))),
);

const programs = new WeakMap<Ledger, WebAssembly.Module>();

/** What a worker can start a core of its own from. */
export const programOf = (of: Ledger) => programs.get(of);

function ledgerOf(core: RunningCore): Ledger {
  const { has, count, totals, catalog } = counterOf(core);
  const read = (input: Parameters<Ledger['read']>[0], options: types.ReadOptions): types.Reading => {
    const { config, fields } = readForm(options, '') as types.ReadOptions;
    const beside = config === undefined ? undefined : configBytes(config);
    const files = filesOf(input);
    const reply = core.ask('read', ...readRequest(files, beside, fields));
    return 'text' in reply ? readingOf(JSON.parse(withNumbers(reply.text)) as RawReading, files) : refusal('internal', '', reply.failure);
  };
  const ledger = answering<Ledger>({
    has,
    count,
    totals,
    catalog,
    memory(config, options = {}) {
      const raw = askedWith<RawMemory>(core, 'memory', memoryForm(options, ''), config);
      return raw.ok ? memoryAnswer(raw, catalog()) : raw;
    },
    read: (input, options = {}) => read(input, options),
    wants(input) {
      const reply = core.ask('wants', ...readRequest(filesOf(input), undefined, undefined));
      return 'text' in reply
        ? (JSON.parse(withNumbers(reply.text)) as types.Wants | types.Refusal)
        : refusal('internal', '', reply.failure);
    },
    check: (config, claim) => askedWith<types.Check>(core, 'check', claimForm({ claim }, ''), config),
    article: (article) => askedWith<types.ArticleAnswer>(core, 'article', {}, article, 'article'),
    derive(config) {
      const raw = asked<RawDerivation>(core, 'derive', config);
      return raw.ok ? derivationOf(raw, catalog()) : raw;
    },
    search: (config, request) => askedWith<types.SearchAnswer>(core, 'search', searchForm(request, ''), config),
    searchOn: (budget) => asked<types.SearchAnswer>(core, 'search_step', stepForm({ budget }, '') as object),
    compare(configs) {
      // Alone first: what is no JSON must not reach into the request around it.
      if (!Array.isArray(configs)) throw new Unreadable('wrong_type', '', 'What is compared is a list of configurations.');
      const alone = configs.map((config) => asked<types.TotalsAnswer>(core, 'totals', config));
      const counted = configs.map((config, i) => (alone[i].ok ? textOf(config) : 'null'));
      const raw = askedOf<types.ModelComparison>(core, 'compare', {}, 'configs', `[${counted.join()}]`);
      return raw.ok ? { ...raw, models: raw.models.map((model, i) => (alone[i].ok ? model : alone[i])) } : raw;
    },
  });
  programs.set(ledger, core.program);
  return ledger;
}
