// Where the command line writes: wide and in colours on a terminal, plain where it is piped.

import { once } from 'node:events';
import type { WriteStream } from 'node:tty';

export interface Terminal {
  /** Waits where the reader is slower than we are. */
  write(text: string | Uint8Array): Promise<void>;
  /** For people, on standard error. */
  say(text: string): void;
  /** A line that the next one replaces; nothing where nobody looks. */
  progress(text: string): void;
  /** Characters of a line; Infinity where it is no terminal. */
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

export function terminal(out: WriteStream = process.stdout, errors: WriteStream = process.stderr): Terminal {
  // A reader that has seen enough, such as `head`, is no failure.
  out.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  const coloured = out.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  const styled = (on: number, off: number) => (text: string) => (coloured ? `\x1b[${on}m${text}\x1b[${off}m` : text);
  return {
    async write(text) {
      if (text.length > 0 && !out.write(text)) await once(out, 'drain');
    },
    say: (text) => void errors.write(`${text}\n`),
    progress: (text) => void (errors.isTTY && errors.write(`\r\x1b[K${text}`)),
    width: out.isTTY ? out.columns || 80 : Infinity,
    bold: styled(1, 22),
    dim: styled(2, 22),
  };
}
