// Searches as objects that go on. The core is at one search at a time.

import type { Refusal, Search, SearchAnswer, SearchRequest } from '../types/index.ts';
import { refuseOnThrow, askCoreJsonPieces } from './ask-core.ts';
import type { RunningCore } from './core.ts';
import { validateSearchRequest, validateStep } from './validators.ts';
import { packTexts } from './write-input.ts';

/** Evaluations where nothing is said. */
const DEFAULT_BUDGET = 5_000_000;

const countWork = ({ evaluations, counted }: SearchAnswer) => BigInt(evaluations) + BigInt(counted);

const encoder = new TextEncoder();
const encodeRequest = (request: object) => encoder.encode(JSON.stringify(request));

/** How searches begin. `config`: bytes of one. Throws `Unreadable` for what is no request. */
export function createSearches(core: RunningCore): (config: Uint8Array, request: unknown) => Search | Refusal {
  /** The search that the core is at. */
  let latest: object | undefined;
  return (config, request) => {
    const asked = validateSearchRequest(request, '') as SearchRequest;
    const own = {};
    let spent = 0;
    const begun = (budget: number) => {
      latest = own;
      return askCoreJsonPieces<SearchAnswer>(core, 'search', packTexts(config, encodeRequest({ ...asked, budget })));
    };
    const stepped = (budget: number) => askCoreJsonPieces<SearchAnswer>(core, 'search_step', [encodeRequest({ budget })]);
    const goneOn = (last: SearchAnswer, budget: number) => {
      let answer = latest === own ? stepped(budget) : undefined;
      if (answer && (answer.ok || answer.error.code !== 'missing_field')) return answer;
      // Where another search, or another core, took its place it begins anew, and comes first to where it was.
      answer = begun(spent + budget);
      while (answer.ok && !answer.done && countWork(answer) <= countWork(last)) answer = stepped(budget);
      return answer;
    };
    const found = (answer: SearchAnswer | Refusal, budget: number): Search | Refusal => {
      if (!answer.ok) return answer;
      spent += budget;
      const { next } = refuseOnThrow({
        next(more: unknown = DEFAULT_BUDGET) {
          const step = (validateStep({ budget: more }, '') as { readonly budget: number }).budget;
          return answer.done ? search : found(goneOn(answer, step), step);
        },
      });
      // Not enumerable: what is data stays data, to be cloned and written.
      const search = Object.defineProperty(answer, 'next', { value: next }) as Search;
      return search;
    };
    const first = asked.budget ?? DEFAULT_BUDGET;
    return found(begun(first), first);
  };
}
