// Writes output: fitted to the width and coloured on a terminal, plain into a pipe.

import type { WriteStream } from 'node:tty';
import * as words from './texts.ts';

export interface Terminal {
  /**
   * Writes to standard output, and waits while the reading program is slow. Does nothing if it has closed the pipe. Throws an Error if
   * writing has failed for another reason.
   */
  write(text: string | Uint8Array): Promise<void>;
  /** Resolves when all output is written or the reading program has closed the pipe. Throws an Error if writing has failed otherwise. */
  end(): Promise<void>;
  /** Writes a message to standard error. */
  say(text: string): void;
  /** Writes a progress line, which the next one overwrites. Does nothing if standard error is not a terminal, or TERM is `dumb`. */
  progress(text: string): void;
  /**
   * Whether writing has failed, so that writing more is pointless. This includes a pipe closed by the program that reads it, such as
   * `head`, which is not an error.
   */
  readonly closed: boolean;
  /** Characters per line; Infinity if the output is not a terminal. */
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

// eslint-disable-next-line no-control-regex
const CONTROLS = /\x1b\[(?:1|2|22)m|[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Replaces control characters, which names in files may contain, with their JSON escapes. Tabs, line breaks and the codes that this program
 * writes for bold and dim text are kept.
 */
const hideControls = (text: string) =>
  text.replace(CONTROLS, (found) => (found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`));

/** When to colour the output. `auto`: on a terminal, unless NO_COLOR is set or TERM is `dumb`. */
export type Colours = 'auto' | 'always' | 'never';

export function createTerminal(
  colours: Colours = 'auto',
  out: WriteStream = process.stdout,
  errors: WriteStream = process.stderr,
  { NO_COLOR, TERM }: NodeJS.ProcessEnv = process.env,
): Terminal {
  let failure: NodeJS.ErrnoException | undefined;
  let gone: () => void = () => {};
  const going = new Promise<void>((resolve) => (gone = resolve));
  out.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error;
    gone();
  });
  errors.on('error', () => {}); // if standard error fails, there is nowhere to report it
  const dumb = TERM === 'dumb';
  const coloured = colours === 'always' || (colours === 'auto' && out.isTTY && !NO_COLOR && !dumb);
  const styled = (on: number, off: number) => (text: string) => (coloured ? `\x1b[${on}m${text}\x1b[${off}m` : text);
  const check = () => {
    if (failure !== undefined && failure.code !== 'EPIPE') throw new Error(words.unwritable(failure.code ?? failure.message));
  };
  return {
    async write(text) {
      const safe = typeof text === 'string' ? hideControls(text) : text;
      if (failure === undefined && safe.length > 0 && !out.write(safe))
        await Promise.race([new Promise<void>((resolve) => out.once('drain', resolve)), going]);
      check();
    },
    async end() {
      if (failure === undefined) await Promise.race([new Promise<void>((resolve) => void out.write('', () => resolve())), going]);
      check();
    },
    say: (text) => void errors.write(`${hideControls(text)}\n`),
    progress: (text) => void (errors.isTTY && !dumb && errors.write(`\r\x1b[K${hideControls(text)}`)),
    get closed() {
      return failure !== undefined;
    },
    width: out.isTTY ? out.columns || 80 : Infinity,
    bold: styled(1, 22),
    dim: styled(2, 22),
  };
}
