// The command `help`, which writes the documentation from the table of commands, as text or as JSON.

import { version } from '../support/build-info.ts';
import { findNamed, findNearCommand, shared } from './arguments.ts';
import { asJson, Usage, type Command, type Option } from './command.ts';
import { describeBounds, formatOption } from './format-option.ts';

export const help = (commands: readonly Command[]): Command => ({
  name: 'help',
  operands: '[COMMAND]',
  takes: 'commands',
  summary: 'Shows help for all commands, or for one.',
  options: [{ name: 'json', meaning: 'Print the table of commands and options as JSON, for programs.' }],

  async run({ operands: [name, ...more], has }, terminal) {
    const asked = name === undefined ? commands[0] : findNamed(name, commands);
    if (more.length > 0 || !asked) {
      const near = more.length === 0 && findNearCommand(name, commands);
      const names = commands.flatMap((command) => command.name || []).join(', ');
      throw new Usage(`help explains one of ${names}, not ${[name, ...more].join(' ')}${near ? `. Did you mean ${near}?` : ''}`);
    }
    const shown = asked.name === '' ? commands : [asked];
    await terminal.write(has('json') ? asJson(shown) : formatHelp(commands, asked, terminal.width));
    return 0;
  },
});

const INDENT = 26;
const SUMMARY = 6;
/** The largest and the smallest width of help, in characters. */
const [WIDEST, NARROWEST] = [106, 50];

/** Breaks a line at spaces into lines of at most `width` characters. Longer words are kept whole. */
function wrapLine(line: string, width: number): string[] {
  const lines = [''];
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const last = lines[lines.length - 1];
    if (last !== '' && last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** The help for one command, for a terminal of `room` characters per line. The help for the unnamed command also lists the others. */
export function formatHelp(commands: readonly Command[], asked: Command, room: number): string {
  const width = Math.max(NARROWEST, Math.min(WIDEST, room - 1));
  const indented = (line: string, indent: number) => wrapLine(line, width - indent).map((one) => ' '.repeat(indent) + one);
  const option = (one: Option) => {
    const head = `  ${formatOption(one)}`;
    const lines = [...one.meaning.split('\n'), ...describeBounds(one)].flatMap((line) => indented(line, INDENT));
    return (head.length < INDENT - 1 ? [head + lines[0].slice(head.length), ...lines.slice(1)] : [head, ...lines]).join('\n');
  };
  const about = ({ name, operands, summary, options, more }: Command) =>
    [
      `  param-ledger ${[name, options.length > 0 && '[OPTION]...', operands].filter(Boolean).join(' ')}`,
      ...indented(summary, SUMMARY),
      ...(options.length > 0 ? ['', ...options.map(option)] : []),
      ...(more ? ['', ...more.split('\n').flatMap((line) => (line.startsWith(' ') ? line : wrapLine(line, width)))] : []),
    ].join('\n');
  const list = () =>
    commands.flatMap(({ name, summary }) => (name ? [`  ${name.padEnd(INDENT - 2)}${wrapLine(summary, width - INDENT).join(`\n${' '.repeat(INDENT)}`)}`] : [])).join('\n'); // prettier-ignore
  return `param-ledger ${version}: the exact parameter count of language models, from their config.json alone.

${about(asked)}
${asked.name === '' ? `\nCommands: param-ledger help COMMAND explains one\n${list()}\n` : ''}
Everywhere
${shared.map(option).join('\n')}

Exit codes
  0  counted, and as expected
  1  refused, or not as expected
  2  not understood, or not found
  130  stopped by Ctrl-C

${wrapLine('Colours and widths follow the terminal; piped output is plain, and NO_COLOR is respected. Counts are exact. Commands may also be written as options: param-ledger --memory MODEL.', width).join('\n')}
`;
}
