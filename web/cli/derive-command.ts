// How counts come about: the command `derive`.

import { whole } from '../lib/core/ledger.ts';
import { derivedFormats } from '../lib/export/derived-formats.ts';
import { nameOf } from '../lib/models/model.ts';
import { Usage, type Command, type ExitCode } from './command.ts';
import { changed, changing } from './count-command.ts';
import { sourceOf } from './operands.ts';

export const derive: Command = {
  name: 'derive',
  operands: '[FILE|FOLDER|-|MODEL]...',
  summary: 'How the count of each comes about, step by step, with every formula and number.',
  options: [
    {
      name: 'format',
      short: 'f',
      value: 'FORMAT',
      meaning: `One of ${derivedFormats.map(({ id }) => id).join(', ')};\nplain where nothing is said.`,
    },
    { name: 'json', meaning: 'The whole answer, as the package gives it.' },
    ...changing,
  ],
  more: `  param-ledger derive meta-llama/Llama-3.1-8B --format latex > count.tex
  param-ledger derive . --format article | param-ledger article -`,

  async run(given, terminal) {
    if (given.operands.length === 0 && process.stdin.isTTY) throw new Usage('nothing to derive');
    const id = given.value('format') ?? 'plain';
    const format = derivedFormats.find((one) => one.id === id);
    if (!format) throw new Usage(`--format is one of ${derivedFormats.map((one) => one.id).join(', ')}, not ${id}`);
    const ledger = await whole();
    let code: ExitCode = 0;
    for (const word of given.operands.length > 0 ? given.operands : ['-']) {
      let refused: string | undefined;
      try {
        const entry = changed(await sourceOf(word, ledger), given);
        const answer = ledger.derive(entry.text);
        if (answer.ok)
          await terminal.write(given.has('json') ? `${JSON.stringify(answer, null, 2)}\n` : format.text(answer, { title: nameOf(entry) }));
        else refused = `${nameOf(entry)}: ${answer.error.message}`;
      } catch (error) {
        if (error instanceof Usage) throw error;
        refused = (error as Error).message;
      }
      if (refused === undefined) continue;
      terminal.say(`param-ledger: ${refused}`);
      code = 1;
    }
    return code;
  },
};
