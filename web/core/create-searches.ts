// Runs searches that can be continued. The core holds the state of only one search at a time.

import type { Refusal, Search, SearchAnswer, SearchRequest } from '../types/index.ts';
import { askCore, refuseOnThrow } from './ask-core.ts';
import type { RunningCore } from './core.ts';
import { validateSearchRequest, validateStep } from './validators.ts';
import { packTexts } from './write-input.ts';

/** The number of evaluations per call if the caller gives no budget. */
const DEFAULT_BUDGET = 5_000_000;

const countWork = ({ evaluations, counted }: SearchAnswer) => BigInt(evaluations) + BigInt(counted);

const encoder = new TextEncoder();
const encodeRequest = (request: object) => encoder.encode(JSON.stringify(request));

/**
 * Returns a function that starts a search; its `config` is the bytes of a configuration. The function throws `InputError` for an invalid
 * request.
 */
export function createSearches(core: RunningCore): (config: Uint8Array, request: unknown) => Search | Refusal {
  /** Identifies the last search that was started in the core. The core holds its state unless it was restarted. */
  let latest: object | undefined;
  return (config, request) => {
    const asked = validateSearchRequest(request, '') as SearchRequest;
    const own = {};
    let spent = 0;
    const start = (budget: number) => {
      latest = own;
      return askCore<SearchAnswer>(core, 'search', () => packTexts(config, encodeRequest({ ...asked, budget })));
    };
    const step = (budget: number) => askCore<SearchAnswer>(core, 'search_step', () => [encodeRequest({ budget })]);
    const goOn = (last: SearchAnswer, budget: number) => {
      let answer = latest === own ? step(budget) : undefined;
      if (answer && (answer.ok || answer.error.code !== 'missing_field')) return answer;
      // Another search has replaced this one in the core, or the core was restarted. This search therefore starts again
      // and first repeats its earlier steps.
      answer = start(spent + budget);
      while (answer.ok && !answer.done && countWork(answer) <= countWork(last)) answer = step(budget);
      return answer;
    };
    const begin = (answer: SearchAnswer | Refusal, budget: number): Search | Refusal => {
      if (!answer.ok) return answer;
      spent += budget;
      const next = (given: unknown = DEFAULT_BUDGET) =>
        refuseOnThrow(() => {
          const { budget: more } = validateStep({ budget: given }, '') as { readonly budget: number };
          return answer.done ? search : begin(goOn(answer, more), more);
        });
      // Not enumerable, because structuredClone would throw for an enumerable function.
      const search = Object.defineProperty(answer, 'next', { value: next }) as Search;
      return search;
    };
    const first = asked.budget ?? DEFAULT_BUDGET;
    return begin(start(first), first);
  };
}
