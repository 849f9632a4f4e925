// The command `explain`, which explains one field.

import { loadLedger, type Ledger } from '../core/ledger.ts';
import { asJson, InputFailure, jsonOption, Usage, type Command, type ExitCode, type Given } from './command.ts';
import { changeOptions, loadEntry } from './count-command.ts';
import { explainField, findField } from './explain.ts';
import { listMeantFields } from './meant-fields.ts';
import type { Terminal } from './terminal.ts';

export const explain: Command = {
  name: 'explain',
  operands: 'FIELD [FILE|FOLDER|-|MODEL]',
  summary: 'Explains a field; for a model, also the origin of its value and the tensors that depend on it.',
  options: [jsonOption, ...changeOptions],
  more: `  param-ledger explain num_key_value_heads
  param-ledger explain num_key_value_heads Llama-3.1-8B`,

  async run(given, terminal) {
    const [field, word, ...more] = given.operands;
    if (field === undefined || more.length > 0) throw new Usage('explain needs a field, optionally followed by one model');
    const ledger = await loadLedger();
    return word === undefined ? explainKnown(field, ledger, given, terminal) : explainOf(field, word, ledger, given, terminal);
  },
};

/** Explains a field from the catalogue alone, without a model. */
async function explainKnown(field: string, ledger: Ledger, given: Given, terminal: Terminal): Promise<ExitCode> {
  const { fields } = ledger.catalog();
  if (!Object.hasOwn(fields, field)) {
    const meant = listMeantFields(field, Object.keys(fields));
    const offer = meant.length > 0 ? `\nDid you mean ${meant.join(' or ')}?` : '';
    throw new InputFailure(`${field} is not a known field. Name a model, too: explain ${field} MODEL${offer}`);
  }
  const known = fields[field];
  await terminal.write(given.has('json') ? asJson({ name: field, ...known }) : `${field}\n${known.meaning}\n`);
  return 0;
}

async function explainOf(field: string, word: string, ledger: Ledger, given: Given, terminal: Terminal): Promise<ExitCode> {
  const entry = await loadEntry(word, ledger, given, given.has('json'), terminal);
  const answer = typeof entry === 'string' ? entry : ledger.count(entry.text);
  if (typeof answer === 'string' || !answer.ok) {
    if (typeof answer !== 'string' && given.has('json')) await terminal.write(asJson(answer));
    terminal.say(`param-ledger: ${typeof answer === 'string' ? answer : answer.error.message}`);
    return 1;
  }
  if (given.has('json')) await terminal.write(asJson(findField(answer, field)));
  else for (const text of explainField(answer, field)) await terminal.write(text);
  return 0;
}
