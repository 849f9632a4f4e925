// The ledger: every question, by the whole program.

import { wholeBytes } from '#core-bytes';
import { filesOf, readingOf, readRequest, type RawReading } from './read-request.ts';
import type * as types from '../types/index.ts';
import { withNumbers } from '../support/numbers.ts';
import { answering, asked, askedOf, once, refusal } from './ask-core.ts';
import { configBytes, Unreadable } from './config-bytes.ts';
import { startCore, type RunningCore } from './core.ts';
import { derivationOf } from './decode-derivation.ts';
import { counterOf } from './counter.ts';
import { claimForm, memoryForm, readForm } from './validators.ts';
import { memoryAnswer } from './decode-memory.ts';
import { texts } from './write-input.ts';
import type { RawDerivation, RawMemory } from './raw.ts';
import { searches } from './search.ts';

/** What it lists says nothing of how that is verified: see verified-catalog.ts. */
export type Ledger = types.Ledger<types.Listing>;

/** Starts the whole program, once per document or process; later calls return the same promise. */
export const whole: (options?: types.LoadOptions) => Promise<Ledger> = /* @__PURE__ */ once(async ({ wasm }: types.LoadOptions = {}) =>
  ledgerOf(await startCore(await (wasm ?? wholeBytes()))),
);

const encoder = new TextEncoder();

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
  const search = searches(core);
  const ledger = answering<Ledger>({
    has,
    count,
    totals,
    catalog,
    memory(config, options = {}) {
      const request = encoder.encode(JSON.stringify(memoryForm(options, '')));
      const raw = askedOf<RawMemory>(core, 'memory', texts(configBytes(config), request));
      return raw.ok ? memoryAnswer(raw, catalog()) : raw;
    },
    read: (input, options = {}) => read(input, options),
    wants(input) {
      const reply = core.ask('wants', ...readRequest(filesOf(input), undefined, undefined));
      return 'text' in reply
        ? (JSON.parse(withNumbers(reply.text)) as types.Wants | types.Refusal)
        : refusal('internal', '', reply.failure);
    },
    check(config, claim) {
      const { claim: written } = claimForm({ claim }, '') as { readonly claim: string };
      return askedOf<types.Check>(core, 'check', texts(configBytes(config), encoder.encode(written)));
    },
    article: (article) => asked<types.ArticleAnswer>(core, 'article', article),
    derive(config) {
      const raw = asked<RawDerivation>(core, 'derive', config);
      return raw.ok ? derivationOf(raw, catalog()) : raw;
    },
    search: (config, request) => search(configBytes(config), request),
    compare(configs) {
      if (!Array.isArray(configs)) throw new Unreadable('wrong_type', '', 'What is compared is a list of configurations.');
      const { given, refused } = readable(configs);
      const raw = askedOf<types.ModelComparison>(core, 'compare', texts(...given));
      return raw.ok ? { ...raw, models: raw.models.map((model, i) => refused.get(i) ?? model) } : raw;
    },
  });
  programs.set(ledger, core.program);
  return ledger;
}

/** As many as the core compares; of more one is enough to have it say so. */
const MOST = 4;

/** The bytes of configurations; what has none is empty there, and refused in its place. */
function readable(configs: readonly unknown[]): { given: readonly Uint8Array[]; refused: ReadonlyMap<number, types.Refusal> } {
  const refused = new Map<number, types.Refusal>();
  const given = Array.from(configs.slice(0, MOST + 1), (config, i) => {
    try {
      return configBytes(config);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      refused.set(i, refusal(error.code, error.field, error.message));
      return new Uint8Array();
    }
  });
  return { given, refused };
}
