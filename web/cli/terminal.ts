// Where the command line writes: wide and in colours on a terminal, plain where it is piped.

import type { WriteStream } from 'node:tty';
import * as words from './texts.ts';

export interface Terminal {
  /** Waits where the reader is slower than we are. Where nobody reads any more it does nothing. */
  write(text: string | Uint8Array): Promise<void>;
  /** Returns when all is written. */
  end(): Promise<void>;
  /** For people, on standard error. */
  say(text: string): void;
  /** A line that the next one replaces; nothing where nobody looks. */
  progress(text: string): void;
  /** Whether the reader has gone, such as `head` that has seen enough: that is no failure, but there is no use in going on. */
  readonly closed: boolean;
  /** Characters of a line; Infinity where it is no terminal. */
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

// eslint-disable-next-line no-control-regex
const CONTROLS = /\x1b\[(?:1|2|22)m|[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Names in files may hold characters that steer a terminal: each is written as its code, as JSON has it. Bold and dim, which are ours, stay.
 */
const hideControls = (text: string) =>
  text.replace(CONTROLS, (found) => (found.length > 1 ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`));

/** When there are colours: `always`, `never`, else on a terminal where nothing speaks against it. */
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
  errors.on('error', () => {}); // what is told to nobody is not told
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
