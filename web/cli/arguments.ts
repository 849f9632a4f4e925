// What stands on the command line, read by the table of commands; and the help, written from the same.

import { parseArgs } from 'node:util';
import { mistyped } from '../lib/texts/near-names.ts';
import { version } from '../package/index.ts';
import { Usage, type Command, type Given, type Option } from './command.ts';

const SHARED: readonly Option[] = [
  { name: 'help', short: 'h', meaning: 'Say all this.' },
  { name: 'version', short: 'V', meaning: 'Say the version.' },
];

/** The command that is named first or, as `--NAME`, anywhere; else the one without a name. And what was given to it. */
export function understood(commands: readonly Command[], words: readonly string[]): { command: Command; given: Given } {
  const named = commands.find(({ name }) => name !== '' && (name === words[0] || words.includes(`--${name}`)));
  const command = named ?? (commands.find(({ name }) => name === '') as Command);
  const options = Object.fromEntries(
    [...command.options, ...SHARED].map(({ name, value, short, multiple = false }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple, ...(short && { short }) },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: named ? withoutName(words, named.name) : [...words],
      options,
      allowPositionals: true,
    });
    return {
      command,
      given: {
        operands: positionals,
        has: (name) => values[name] === true,
        value: (name) => values[name] as string | undefined,
        values: (name) => (values[name] ?? []) as string[],
      },
    };
  } catch (error) {
    throw new Usage(mistaken(error as Error, Object.keys(options)), { cause: error });
  }
}

/** What Node says, in a sentence; of an option that there is not, which was perhaps meant. */
function mistaken({ message }: Error, names: readonly string[]): string {
  const [, unknown] = /^Unknown option '--(.*?)'/.exec(message) ?? [];
  const near = unknown === undefined ? undefined : mistyped(unknown, names);
  return `${message.replace(/\. [^]*/, '')}.${near ? ` Perhaps --${near}?` : ''}`;
}

const withoutName = (words: readonly string[], name: string) =>
  words[0] === name ? words.slice(1) : words.filter((word) => word !== `--${name}`);

const INDENT = 26;
const SUMMARY = 6;
const WIDTH = 106;

/** Lines as wide as the help is. */
function wrapped(line: string, indent = INDENT): string[] {
  const lines = [''];
  for (const word of line.split(/(?<=\S) (?=\S)/)) {
    const last = lines[lines.length - 1];
    if (last !== '' && indent + last.length + word.length + 1 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** All of the documentation, or what there is on one command by its name. */
export function help(commands: readonly Command[], asked: Command): string {
  const option = ({ name, value, short, multiple, meaning }: Option) => {
    const spelled = `  ${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`;
    const [first, ...rest] = meaning.split('\n').flatMap((line) => wrapped(line));
    const more = [...rest, ...(multiple ? ['May be given again.'] : [])].map((line) => `${' '.repeat(INDENT)}${line}`);
    const head = spelled.length < INDENT - 1 ? spelled.padEnd(INDENT) + first : `${spelled}\n${' '.repeat(INDENT)}${first}`;
    return [head, ...more].join('\n');
  };
  const about = ({ name, operands, summary, options, more }: Command) =>
    [
      `  param-ledger ${[name, '[OPTION]...', operands].filter(Boolean).join(' ')}`,
      ...wrapped(summary, SUMMARY).map((line) => ' '.repeat(SUMMARY) + line),
      '',
      ...options.map(option),
      ...(more ? ['', more] : []),
    ].join('\n');
  return `param-ledger ${version}: the exact parameter count of language models, from their config.json alone.

${(asked.name === '' ? commands : [asked]).map(about).join('\n\n')}

Commands may also be written as options: param-ledger --memory MODEL.

Everywhere
${SHARED.map(option).join('\n')}

Exit codes
  0  counted, and as expected
  1  refused, or not as expected
  2  not understood, or not found

Colours and widths are the terminal's; what is piped is plain, and NO_COLOR is heeded. Counts are exact.
`;
}
