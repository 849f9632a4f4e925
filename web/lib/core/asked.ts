// A running core, asked: what a caller hands in becomes bytes, and the reply an answer or a refusal.

import type { ErrorCode, Refusal, TotalsAnswer } from '../types.ts';
import { withNumbers } from '../texts/format.ts';
import { configBytes, Unreadable } from './config-bytes.ts';
import type { Question, RunningCore } from './core.ts';

export const refusal = (code: ErrorCode, field: string, message: string, nearest?: readonly string[]): Refusal => ({
  ok: false,
  error: { code, field, message, ...(nearest && { nearest }) },
});

/** What `parsed` makes of the core's answer to a question about a text, bytes or an object. Throws `Unreadable`. */
export function told<A>(core: RunningCore, question: Question, input: unknown, parsed: (text: string) => A): A | Refusal {
  const reply = core.ask(question, configBytes(input));
  return 'text' in reply ? parsed(reply.text) : refusal('internal', '', reply.failure);
}

/** The same where the answer is one JSON text. */
export const asked = <Raw>(core: RunningCore, question: Question, input: unknown) =>
  told(core, question, input, (text) => JSON.parse(withNumbers(text)) as Raw | Refusal);

/** What the core answers to a request around a text that must be JSON: a configuration, an article. */
export function askedWith<Raw>(core: RunningCore, question: Question, members: unknown, text: unknown, name = 'config'): Raw | Refusal {
  // Alone first: what is no JSON must not reach into the request around it, and its error has a place in its own text.
  const alone = asked<TotalsAnswer>(core, 'totals', text);
  if (!alone.ok && (alone.error.line !== undefined || alone.error.code === 'wrong_type')) return alone;
  return askedOf(core, question, members, name, textOf(text));
}

/** The same where the text is known to be JSON: it stands in the request as it is, after the other members. */
export function askedOf<Raw>(core: RunningCore, question: Question, members: unknown, name: string, text: string) {
  const begin = `${JSON.stringify(members).slice(0, -1)},`.replace(/^\{,/, '{');
  const reply = core.ask(question, encoder.encode(`${begin}"${name}":${text}}`));
  return 'text' in reply ? (JSON.parse(withNumbers(reply.text)) as Raw | Refusal) : refusal('internal', '', reply.failure);
}

const encoder = new TextEncoder();

/** What is to stand in a request: without a mark before it. Throws `Unreadable`. */
export const textOf = (input: unknown) => new TextDecoder().decode(configBytes(input));

/** The same questions, answered with a refusal whatever they are handed: types are erased, and callers write JavaScript. */
export function answering<Questions extends object>(questions: Questions): Questions {
  const guarded = ([name, ask]: [string, (...given: unknown[]) => unknown]) => [
    name,
    (...given: unknown[]) => {
      try {
        return ask(...given);
      } catch (error) {
        if (error instanceof Unreadable) return refusal(error.code, error.field, error.message, error.nearest);
        return refusal('internal', '', `This cannot be answered: ${String(error)}`);
      }
    },
  ];
  return Object.fromEntries(Object.entries(questions).map(guarded)) as Questions;
}

/** What is started once per document or process, and tried again where that failed, e.g. when the network is back. */
export function once<Options, Made>(start: (options: Options) => Promise<Made>): (options: Options) => Promise<Made> {
  let made: Promise<Made> | undefined;
  return (options) => {
    made ??= start(options).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
