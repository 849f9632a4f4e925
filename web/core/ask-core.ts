// A running core, asked: what a caller hands in becomes bytes, and the reply an answer or a refusal.

import type { ErrorCode, Refusal } from '../types/index.ts';
import { withNumbers } from '../support/numbers.ts';
import { encodeConfig, InputError } from './config-bytes.ts';
import type { Question, RunningCore } from './core.ts';

export const refuse = (code: ErrorCode, field: string, message: string, nearest?: readonly string[]): Refusal => ({
  ok: false,
  error: { code, field, message, ...(nearest && { nearest }) },
});

/** What `parsed` makes of the core's answer to a question about these pieces. */
function askCorePieces<A>(core: RunningCore, question: Question, pieces: readonly Uint8Array[], parsed: (text: string) => A): A | Refusal {
  const reply = core.ask(question, ...pieces);
  return 'text' in reply ? parsed(reply.text) : refuse('internal', '', reply.failure);
}

const read = <Raw>(text: string) => JSON.parse(withNumbers(text)) as Raw | Refusal;

/** What `parsed` makes of the core's answer to a question about a text, bytes or an object. Throws `Unreadable`. */
export const askCoreText = <A>(core: RunningCore, question: Question, input: unknown, parsed: (text: string) => A) =>
  askCorePieces(core, question, [encodeConfig(input)], parsed);

/** The same where the answer is one JSON text. */
export const askCoreJson = <Raw>(core: RunningCore, question: Question, input: unknown) => askCoreText(core, question, input, read<Raw>);

/** The same about the pieces of a question. */
export const askCoreJsonPieces = <Raw>(core: RunningCore, question: Question, pieces: readonly Uint8Array[]) =>
  askCorePieces(core, question, pieces, read<Raw>);

/** The same questions, answered with a refusal whatever they are handed: types are erased, and callers write JavaScript. */
export function refuseOnThrow<Questions extends object>(questions: Questions): Questions {
  const guarded = ([name, ask]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...given: unknown[]) => {
      try {
        return ask(...given);
      } catch (error) {
        if (error instanceof InputError) return refuse(error.code, error.field, error.message, error.nearest);
        return refuse('internal', '', `This cannot be answered: ${String(error)}`);
      }
    },
  ];
  return Object.fromEntries(Object.entries(questions).map(guarded)) as Questions;
}

/** What is started once per document or process, and tried again where that failed, e.g. when the network is back. */
export function memoizeAsync<Options, Made>(start: (options: Options) => Promise<Made>): (options: Options) => Promise<Made> {
  let made: Promise<Made> | undefined;
  return (options) => {
    made ??= start(options).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
