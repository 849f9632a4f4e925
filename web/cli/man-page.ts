// The man page, made from the table of commands.

import type { Command, Option } from './command.ts';
import { shared } from './arguments.ts';
import { describeBounds, formatOption } from './format-option.ts';

/** Text as roff takes it: no sign of it begins or escapes anything. */
const escapeRoff = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll('’', "'")
    .replace(/^(?=[.'])/gm, '\\&');

const formatManOption = (one: Option) => `.TP\n.B ${escapeRoff(formatOption(one))}\n${escapeRoff([...one.meaning.split('\n'), ...describeBounds(one)].join('\n.br\n'))
  .replaceAll('\\&.br', '.br')}\n`; // prettier-ignore

/** Examples stand behind an indent and stay as they are; all else is filled. */
const formatExamples = (text: string) =>
  text
    .split('\n\n')
    .map((block) => (block.startsWith(' ') ? `.PP\n.nf\n${escapeRoff(block)}\n.fi\n` : `.PP\n${escapeRoff(block)}\n`))
    .join('');

/** Of all commands, or of one. */
export function formatManPage(commands: readonly Command[], version: string): string {
  const about = ({ name, operands, summary, options, more }: Command) =>
    `.SS ${escapeRoff(['param-ledger', name, options.length > 0 && '[OPTION]...', operands].filter(Boolean).join(' '))}\n${escapeRoff(summary)}\n` +
    options.map(formatManOption).join('') +
    (more ? formatExamples(more) : '');
  return `.TH PARAM\\-LEDGER 1 "" "param\\-ledger ${escapeRoff(version)}" "User Commands"
.SH NAME
param\\-ledger \\- the exact parameter count of language models, from their config.json alone
.SH SYNOPSIS
.B param\\-ledger
[\\fIOPTION\\fR]... [\\fIFILE\\fR|\\fIFOLDER\\fR|\\-|\\fIMODEL\\fR]...
.br
.B param\\-ledger
\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...
.SH DESCRIPTION
${commands.map(about).join('')}.SS Everywhere
${shared.map(formatManOption).join('')}.SH EXIT STATUS
.TP
.B 0
counted, and as expected
.TP
.B 1
refused, or not as expected
.TP
.B 2
not understood, or not there
.TP
.B 130
stopped by Ctrl\\-C
.SH ENVIRONMENT
.TP
.B NO_COLOR
Where it is set to anything there are no colours, unless by
.BR \\-\\-color=always .
`;
}
