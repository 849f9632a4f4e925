// Resolves operands: a file, a folder with a config.json, standard input, a published model or a model type.

import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createBase, findModelBase, loadPublishedModels, createTypeBase } from '../models/catalogue.ts';
import { recognise } from '../inputs/recognise.ts';
import type { Base, Entry } from '../config/entry.ts';
import { listChoices, searchChoices } from '../models/choices.ts';
import { MAX_BYTES } from '../core/wanted-bytes.ts';
import { configAddress } from '../hub/address.ts';
import { parseHubId } from '../hub/id.ts';
import { input } from '../inputs/input-texts.ts';
import * as commandLineTexts from './texts.ts';
import type { Ledger } from '../core/ledger.ts';
import { InputFailure, UnknownName, Usage } from './command.ts';
import { readContent, describeReadError } from './read-content.ts';
import { readInput } from './input-files.ts';

/** The largest number of similar names that an error message suggests. */
const OFFERED = 3;

/** Loads the configuration that an operand names. Throws an Error whose message can be shown to the user. */
export async function loadSource(word: string, ledger: Ledger): Promise<Entry> {
  if (word === '') throw new Usage(commandLineTexts.emptyOperand);
  if (word === '-') return recogniseConfig(ledger, commandLineTexts.standardInput, await readContent('-'));
  const kind = await stat(word).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw describeReadError(word, error);
  });
  if (kind?.isDirectory()) return readFileConfig(ledger, word, await readFolderConfig(word));
  if (kind) return readFileConfig(ledger, word, word);
  const address = /^https?:\/\//i.test(word) ? parseHubId(word) : undefined;
  if (address === undefined && /^https?:\/\//i.test(word)) throw new InputFailure(commandLineTexts.notFetched(word, word));
  const known = await findModel(address ?? parseHubId(word) ?? word, ledger);
  if (known) return { base: known, text: known.text };
  throw await unknownNameError(word, address ?? parseHubId(word), ledger);
}

/** Splits the operands of `check` and `search` into the model and the number, which may come in either order. */
export function splitClaim(operands: readonly string[]): { readonly model: string | undefined; readonly number: string } {
  const [first, ...rest] = operands;
  const last = operands.at(-1);
  const swapped = rest.length > 0 && NUMBER.test(first) && !NUMBER.test(last ?? '') && !existsSync(first);
  return swapped ? { model: last, number: operands.slice(0, -1).join(' ') } : { model: first, number: rest.join(' ') };
}

/** Matches a stated size: `8.03B`, `8,030,261,248`, `13.5 GB in fp16`. */
const NUMBER = /^[~≈]?\d[\d.,_]*\s*([kmbgt]|[kmgt]i?b|billion|million)?(\s.*)?$/i;

/** Finds a published model by its id or an alias, then a model type, then a published model by its name or by an id without the owner. */
async function findModel(word: string, ledger: Ledger): Promise<Base | undefined> {
  const base = (await findModelBase(word)) ?? (isType(word, ledger) ? createTypeBase(word, ledger) : undefined);
  if (base) return base;
  const wanted = plainName(word);
  // A test of the catalogue checks that these names are unique.
  const named = (await loadPublishedModels()).find(({ id, name, aliases = [] }) =>
    [name, ...[id, ...aliases].map((own) => own.slice(own.indexOf('/') + 1))].some((own) => plainName(own) === wanted),
  );
  return named && createBase(named);
}

/** Normalises a name, so that `Llama-3.1-8B`, `llama-3.1-8b` and `Llama 3.1 8B` are equal. */
const plainName = (name: string) => name.trim().toLowerCase().replace(/[\s_]+/g, '-'); // prettier-ignore

const isType = (word: string, ledger: Ledger) => ledger.catalog().families.some(({ model_type }) => model_type === word);

/**
 * The error for an unknown word. For a path, it says that there is no such file. Otherwise it suggests similar names and, for an id of the
 * Hub, says how to get the model from there.
 */
async function unknownNameError(word: string, address: string | undefined, ledger: Ledger): Promise<Error> {
  if (/^[.~/\\]|\.(json|jsonl|txt|safetensors|gguf|bin|pth?|ckpt|ya?ml)$/i.test(word))
    return new InputFailure(commandLineTexts.noFile(word));
  const id = address ?? (/^[\w.-]+\/[\w.-]+$/.test(word) ? word : undefined);
  const near = searchChoices(listChoices(await loadPublishedModels(), ledger.catalog().families, ''), id ?? word).slice(0, OFFERED);
  const meant = near.length > 0 ? ` ${commandLineTexts.perhaps(near.map((choice) => choice.id))}` : '';
  return new UnknownName(
    word,
    `${commandLineTexts.unknownModel(word)}${meant}${id ? `\n${commandLineTexts.notFetched(id, configAddress(id))}` : ''}`,
  );
}

/** The path of the folder's config.json. If there is none, throws `InputFailure`, which suggests another JSON file of the folder if any. */
async function readFolderConfig(folder: string): Promise<string> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw describeReadError(folder, error);
  });
  if (names.includes('config.json')) return join(folder, 'config.json');
  const other = names.find((name) => name === 'params.json') ?? names.filter((name) => name.endsWith('.json')).sort()[0];
  throw new InputFailure(commandLineTexts.noConfig(folder, other && join(folder, other)));
}

async function readFileConfig(ledger: Ledger, title: string, path: string): Promise<Entry> {
  const file = await readInput(path, ledger);
  const bytes = file.content as Uint8Array;
  const isHead = file.size !== undefined && bytes.length < file.size;
  if (!isHead && !GGUF.every((byte, i) => bytes[i] === byte)) return recogniseConfig(ledger, title, bytes);
  const reading = ledger.read([file]);
  if (!reading.ok) throw new Error(`${title}: ${reading.error.message}`);
  const recognised = 'recognised' in reading ? reading.recognised : undefined;
  if (recognised?.agrees && 'partial' in reading && !reading.partial) return { title, text: JSON.stringify(recognised.config) };
  throw reading.kind === 'config' || reading.kind === 'other' || reading.kind === 'named'
    ? new InputFailure(commandLineTexts.tooLarge(title, MAX_BYTES))
    : new InputFailure(commandLineTexts.holdsTensors(title, reading.kind));
}

/** The first bytes of every GGUF file. Its metadata may give the configuration of the model that was converted. */
const GGUF = new TextEncoder().encode('GGUF');

/**
 * Returns the configuration if the input is one. Otherwise throws an error that says what the input is. Invalid configurations are returned
 * too, because the core explains what is wrong with them.
 */
function recogniseConfig(ledger: Ledger, title: string, content: Uint8Array): Entry {
  const what = recognise(ledger, decodeText(title, content));
  if (what.kind === 'config') return { title, text: what.text };
  if (what.kind === 'tensors') throw new Error(`${title}: ${input.tensors}`);
  throw new Error(`${title}: ${what.kind === 'other' ? what.what : what.otherwise}`);
}

/** Decodes UTF-8, or UTF-16 with a byte order mark. Throws an Error for bytes that are not valid in the encoding. */
function decodeText(title: string, content: Uint8Array): string {
  const mark = ((content[0] ?? 0) << 8) | (content[1] ?? 0);
  try {
    return new TextDecoder({ 0xfffe: 'utf-16le', 0xfeff: 'utf-16be' }[mark] ?? 'utf-8', { fatal: true }).decode(content);
  } catch {
    throw new Error(`${title}: ${commandLineTexts.notUtf8}`);
  }
}
