// A ledger answers every question about a model that the core can answer. It needs the full program.

import { toBytesFiles, decodeReading, packReadRequest, type RawReading } from './read-request.ts';
import type * as types from '../types/index.ts';
import { memoizeAsync } from '../support/memoize-async.ts';
import { askCore, refuse, refuseOnThrow } from './ask-core.ts';
import { encodeConfig, InputError } from './config-bytes.ts';
import type { RunningCore } from './core.ts';
import type { RawCounterfactual } from './decode-counterfactuals.ts';
import { decodeDerivation } from './decode-derivation.ts';
import { createCounter, loadFullCore } from './counter.ts';
import {
  validateClaim,
  validateDeriveOptions,
  validateDevicesOptions,
  validateMemoryOptions,
  validateOperationsOptions,
  validateReadOptions,
} from './validators.ts';
import { decodeDevices } from './decode-devices.ts';
import { parseLesson } from './decode-lesson.ts';
import { compareDevices } from './device-differences.ts';
import { withDevice } from './derive-device.ts';
import { decodeMemory } from './decode-memory.ts';
import { packTexts } from './write-input.ts';
import type { RawDerivation, RawDevices, RawMemory } from './raw.ts';
import { createSearches } from './create-searches.ts';

/** A ledger whose catalogue lacks the test results: verified-catalog.ts adds them. */
export type Ledger = types.Ledger<types.Listing>;

/** Starts the full program once per document or process. Later calls return the same promise, unless it was rejected. */
export const loadLedger: (options?: types.LoadOptions) => Promise<Ledger> = /* @__PURE__ */ memoizeAsync(
  async (options?: types.LoadOptions) => createLedger(await loadFullCore(options)),
);

interface RawCounterfactuals {
  readonly ok: true;
  readonly counterfactuals: readonly RawCounterfactual[];
}

const encoder = new TextEncoder();

const programs = new WeakMap<Ledger, WebAssembly.Module>();

/** The compiled program of a ledger, from which a worker can start its own instance. */
export const getProgram = (of: Ledger) => programs.get(of);

/** Creates a ledger from a running core of the full program. */
export function createLedger(core: RunningCore): Ledger {
  const { has, count, totals, catalog } = createCounter(core);
  const createSearch = createSearches(core);
  const askDevices = (config: types.ConfigInput, options: types.DevicesOptions, steps = false) =>
    askCore<RawDevices>(core, 'devices', () => {
      const request = { ...(validateDevicesOptions(options, '') as types.DevicesOptions), against: undefined, steps };
      return packTexts(encodeConfig(config), encoder.encode(JSON.stringify(request)));
    });
  const askLesson = <A>(lesson: types.Lesson, request: object) =>
    askCore<A>(core, 'lesson', () => packTexts(encodeConfig(lesson), encoder.encode(JSON.stringify(request))), parseLesson);
  const ledger: Ledger = {
    has,
    count,
    totals,
    catalog,
    memory(config, options = {}) {
      const pack = () => packTexts(encodeConfig(config), encoder.encode(JSON.stringify(validateMemoryOptions(options, ''))));
      const raw = askCore<RawMemory>(core, 'memory', pack);
      return raw.ok ? decodeMemory(raw, catalog()) : raw;
    },
    operations(config, options = {}) {
      const pack = () => packTexts(encodeConfig(config), encoder.encode(JSON.stringify(validateOperationsOptions(options, ''))));
      return askCore<types.OperationsAnswer>(core, 'operations', pack);
    },
    devices(config, options = {}) {
      const decode = (asked: types.DevicesOptions) => {
        const raw = askDevices(config, asked);
        return raw.ok ? decodeDevices(raw, catalog()) : raw;
      };
      const answer = decode(options);
      // Since the options were not refused, they can be read safely.
      if (!answer.ok || !options.against) return answer;
      const { against } = options;
      const other = decode({ ...options, tensor: 1, pipeline: 1, expert: 1, rank: undefined, ...against });
      return other.ok ? { ...answer, against: { answer: other, differences: compareDevices(answer, other) } } : other;
    },
    read: (input, options = {}) =>
      refuseOnThrow(() => {
        const { config, fields } = validateReadOptions(options, '') as types.ReadOptions;
        const given = config === undefined ? undefined : encodeConfig(config);
        const files = toBytesFiles(input);
        const raw = askCore<Exclude<RawReading, types.Refusal>>(core, 'read', () => packReadRequest(files, given, fields));
        return decodeReading(raw, files);
      }),
    wants: (input) => askCore<types.Wants>(core, 'wants', () => packReadRequest(toBytesFiles(input), undefined, undefined)),
    check(config, claim) {
      const pack = () => {
        const { claim: written } = validateClaim({ claim }, '') as { readonly claim: string };
        return packTexts(encodeConfig(config), encoder.encode(written));
      };
      const raw = askCore<Omit<types.Check, keyof types.JudgedClaim>>(core, 'check', pack);
      return raw.ok ? { ...raw, ...raw.claims[0] } : raw;
    },
    article: (article) => askCore<types.ArticleAnswer>(core, 'article', () => [encodeConfig(article)]),
    lesson: (lesson) => askLesson<types.LessonAnswer>(lesson, {}),
    judge: (lesson, screen, answer) => askLesson<types.JudgedAnswer>(lesson, { screen, answer }),
    derive(config, options = {}) {
      // Encodes the configuration now: the counterfactuals are computed later, when the caller may have changed the object.
      const written = refuseOnThrow(() => ({ ok: true as const, bytes: encodeConfig(config) }));
      if (!written.ok) return written;
      const raw = askCore<RawDerivation>(core, 'derive', () => [written.bytes]);
      if (!raw.ok) return raw;
      const derivation = decodeDerivation(raw, catalog(), () => {
        const counted = askCore<RawCounterfactuals>(core, 'counterfactuals', () => [written.bytes]);
        return counted.ok ? counted.counterfactuals : [];
      });
      return refuseOnThrow(() => {
        const { devices } = validateDeriveOptions(options, '') as types.DeriveOptions;
        if (devices === undefined) return derivation;
        const held = askDevices(config, devices, true);
        return held.ok ? withDevice(derivation, held, catalog()) : held;
      });
    },
    search: (config, request) => refuseOnThrow(() => createSearch(encodeConfig(config), request)),
    compare: (configs) =>
      refuseOnThrow(() => {
        if (!Array.isArray(configs)) throw new InputError('wrong_type', '', 'compare needs a list of configurations.');
        const { given, refused } = encodeConfigs(configs);
        const raw = askCore<types.ModelComparison>(core, 'compare', () => packTexts(...given));
        return raw.ok ? { ...raw, models: raw.models.map((model, i) => refused.get(i) ?? model) } : raw;
      }),
  };
  programs.set(ledger, core.program);
  return ledger;
}

/** The maximum number of models in a comparison. If there are more, one more than this is sent to the core, which refuses the request. */
const MAX_COMPARED = 4;

/** Encodes several configurations. An invalid one is sent to the core as empty bytes, and its refusal is stored by position. */
function encodeConfigs(configs: readonly unknown[]): { given: readonly Uint8Array[]; refused: ReadonlyMap<number, types.Refusal> } {
  const refused = new Map<number, types.Refusal>();
  const given = Array.from(configs.slice(0, MAX_COMPARED + 1), (config, i) => {
    try {
      return encodeConfig(config);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      refused.set(i, refuse(error.code, error.field, error.message));
      return new Uint8Array();
    }
  });
  return { given, refused };
}
