// The command `types`, which lists the supported model types.

import { loadLedger } from '../core/ledger.ts';
import { asJson, jsonOption, Usage, type Command } from './command.ts';
import { formatColumns } from './text-table.ts';

export const types: Command = {
  name: 'types',
  operands: '[PART]...',
  takes: 'types',
  summary: 'Lists the model types that can be counted, with their classes; optionally only those with a given word in their names.',
  options: [jsonOption],
  more: `  param-ledger types qwen`,

  async run(given, terminal) {
    const parts = given.operands.map((part) => part.toLowerCase());
    const named = ({ model_type }: { model_type: string }) => parts.length === 0 || parts.some((part) => model_type.includes(part));
    const families = (await loadLedger()).catalog().families.filter(named);
    if (families.length === 0) throw new Usage(`no model type has ${parts.join(' or ')} in its name`);
    if (given.has('json')) {
      await terminal.write(asJson(families));
      return 0;
    }
    const rows = families.map(({ model_type, summary, architectures }) => [model_type, summary, architectures.join(' ')]);
    await terminal.write(formatColumns([['type', 'what it is', 'classes'], ...rows], terminal));
    return 0;
  },
};
