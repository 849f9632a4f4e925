// What the words of the command line stand for: a file, a folder with a config.json, standard input, a published model, a model type.

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { modelBase, publishedModels, typeBase } from '../lib/models/catalogue.ts';
import { recognise } from '../lib/inputs/recognise.ts';
import type { Entry } from '../lib/models/entry.ts';
import { choicesOf, found } from '../lib/models/choices.ts';
import * as texts from '../lib/texts/page-texts.ts';
import * as commandLineTexts from '../lib/texts/command-line-texts.ts';
import type { Ledger } from '../lib/core/ledger.ts';
import { Usage } from './command.ts';
import { contentOf } from './contents.ts';
import { inputOf } from './input-files.ts';

/** Near names that are offered at most. */
const OFFERED = 3;

/** A configuration with what is known of its origin. Throws an error for people where what is there is no configuration. */
export async function sourceOf(word: string, ledger: Ledger): Promise<Entry> {
  if (word === '-') return read(ledger, commandLineTexts.standardInput, await contentOf('-'));
  const kind = await stat(word).catch(() => undefined);
  if (kind?.isDirectory()) return fromFile(ledger, word, join(word, 'config.json'));
  if (kind) return fromFile(ledger, word, word);
  const known = (await modelBase(word)) ?? (isType(word, ledger) ? typeBase(word, ledger) : undefined);
  if (known) return { base: known, text: known.text };
  const near = found(choicesOf(await publishedModels(), ledger.catalog().families, ''), word).slice(0, OFFERED);
  const meant = near.length > 0 ? ` Perhaps ${near.map(({ id }) => id).join(' or ')}?` : '';
  throw new Usage(`${word} is no file, no published model and no model type.${meant}`);
}

const isType = (word: string, ledger: Ledger) => ledger.catalog().families.some(({ model_type }) => model_type === word);

async function fromFile(ledger: Ledger, title: string, path: string): Promise<Entry> {
  const file = await inputOf(path, ledger);
  const bytes = file.content as Uint8Array;
  const isHead = file.size !== undefined && bytes.length < file.size;
  if (!isHead && !GGUF.every((byte, i) => bytes[i] === byte)) return read(ledger, title, bytes);
  const reading = ledger.read([file]);
  if (!reading.ok) throw new Error(`${title}: ${reading.error.message}`);
  const recognised = 'recognised' in reading ? reading.recognised : undefined;
  if (recognised?.agrees && 'partial' in reading && !reading.partial) return { title, text: JSON.stringify(recognised.config) };
  throw new Error(`${title}: ${texts.input.tensors}`);
}

/** What such a file begins with: its head says the configuration that it was converted from. */
const GGUF = new TextEncoder().encode('GGUF');

/** What is no configuration at all is named as what it is; the rest the core says. */
function read(ledger: Ledger, title: string, content: Uint8Array): Entry {
  const what = recognise(ledger, decoded(title, content));
  if (what.kind === 'config') return { title, text: what.text };
  if (what.kind === 'tensors') throw new Error(`${title}: ${texts.input.tensors}`);
  throw new Error(`${title}: ${what.kind === 'other' ? what.what : what.otherwise}`);
}

/** Text as it is meant: what is written in another way than UTF-8 would be read as something else. */
function decoded(title: string, content: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new Error(`${title}: ${commandLineTexts.notUtf8}`);
  }
}
