// Tests what is written to a terminal: bold and dim text from the program, but no control characters from the input.

import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createTerminal } from '../../../web/cli/terminal.ts';

function screen(/** @type {'auto' | 'always' | 'never'} */ colours = 'auto', /** @type {Record<string, string>} */ env = {}, isTTY = true) {
  const texts = ['', ''];
  const streams = texts.map((_, i) => Object.assign(new Writable({ write: (chunk, __, done) => ((texts[i] += chunk), done()) }), { isTTY, columns: 72 })); // prettier-ignore
  const terminal = createTerminal(colours, /** @type {any} */ (streams[0]), /** @type {any} */ (streams[1]), env);
  return { terminal, texts };
}

test('control characters are escaped in answers, messages and progress', async () => {
  const { terminal, texts } = screen();
  const evil = 'a\u001b]0;t\u0007\u009b2J\u202e\r\b\u007fz\n\t';
  const safe = 'a\\u001b]0;t\\u0007\\u009b2J\\u202e\\u000d\\u0008\\u007fz\n\t';
  await terminal.write(evil);
  terminal.say(evil);
  terminal.progress('\u001b[31m');
  assert.deepEqual(texts, [safe, `${safe}\n\r\u001b[K\\u001b[31m`]);
});

test('bold and dim stay; bytes are written unchanged', async () => {
  const { terminal, texts } = screen();
  await terminal.write(terminal.bold('8') + terminal.dim('b'));
  await terminal.write(new Uint8Array([0x1b, 0x41]));
  assert.equal(texts[0], '\u001b[1m8\u001b[22m\u001b[2mb\u001b[22m\u001bA');
});

test('colours are for terminals, unless requested or disabled', () => {
  const bold = (/** @type {Parameters<typeof screen>} */ ...words) => screen(...words).terminal.bold('x') !== 'x';
  assert.deepEqual(
    [
      bold(),
      bold('auto', {}, false),
      bold('never'),
      bold('always', {}, false),
      bold('auto', { NO_COLOR: '1' }),
      bold('auto', { NO_COLOR: '' }),
      bold('always', { NO_COLOR: '1' }),
      bold('auto', { TERM: 'dumb' }),
    ],
    [true, false, false, true, false, true, true, false],
  );
  assert.deepEqual([screen().terminal.width, screen('auto', {}, false).terminal.width], [72, Infinity]);
});
