// Calls a running core. Callers may be untyped JavaScript, so every exception becomes a refusal.

import { withNumbers } from '../support/numbers.ts';
import type { ErrorCode, Refusal } from '../types/index.ts';
import { InputError } from './config-bytes.ts';
import type { Question, RunningCore } from './core.ts';

export const refuse = (code: ErrorCode, field: string, message: string, nearest?: readonly string[]): Refusal => ({
  ok: false,
  error: { code, field, message, ...(nearest && { nearest }) },
});

/** Returns the result of the call, or a refusal if it throws. */
export function refuseOnThrow<A>(call: () => A): A | Refusal {
  try {
    return call();
  } catch (error) {
    if (error instanceof InputError) return refuse(error.code, error.field, error.message, error.nearest);
    return refuse('internal', '', `This cannot be answered: ${String(error)}`);
  }
}

/** Asks the core a question. `pack` encodes the input and may throw an `InputError`; `parse` decodes the answer. */
export const askCore = <A>(
  core: RunningCore,
  question: Question,
  pack: () => readonly Uint8Array[],
  parse: (text: string) => A | Refusal = parseJson,
): A | Refusal => refuseOnThrow(() => parse(core.ask(question, pack())));

const parseJson = <A>(text: string) => JSON.parse(withNumbers(text)) as A | Refusal;
