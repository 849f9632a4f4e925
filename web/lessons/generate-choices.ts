// Generates the lesson screens with choices: which fields change the count, which part is the largest, and what has parameters.

import { setField } from '../config/config-text.ts';
import type { Ledger } from '../core/ledger.ts';
import type { CountAnswer, CountedName, Derivation, DerivedStep, FieldRow, LessonChoice, LessonScreen } from '../types/index.ts';
import * as generateTexts from './generate-texts.ts';
import { listAll } from './generate-wrong.ts';

const MAX_FIELDS = 4;

const listParts = (derivation: Derivation) => listAll(derivation).filter(({ kind, value }) => kind === 'part' && value !== '0');

/** Keeps only the first of several parts with the same name, because a learner could not tell them apart. */
const distinct = (parts: readonly DerivedStep[]) => {
  const names = parts.map(({ says }) => generateTexts.lineName(says));
  return parts.filter((_, i) => names.indexOf(names[i]) === i);
};

/**
 * Asks which fields change the count. Offers up to MAX_FIELDS fields that do and up to MAX_FIELDS that do not. A field is offered only if
 * the model can be counted with the value from `otherValue`. Undefined if no field that changes the count, or fewer than two fields in all,
 * can be offered.
 */
export function askFields(answer: CountAnswer, config: string, ledger: Ledger): LessonScreen | undefined {
  const names: Record<string, CountedName> = {};
  const choices: LessonChoice[] = [];
  const total = answer.totals.parameters;
  const offer = (field: FieldRow, changes: boolean) => {
    const literal = otherValue(field);
    const name = field.given_as ?? field.name;
    const text = literal === undefined ? undefined : setField(config, name, literal);
    const counted = text === undefined ? undefined : ledger.totals(text);
    if (literal === undefined || !counted?.ok || (counted.totals.parameters !== total) !== changes) return false;
    const other = `other_${choices.length}`;
    names[other] = { with: { [name]: JSON.parse(literal) as unknown } };
    choices.push({
      says: name,
      right: `${other} ≠ parameters`,
      because: changes ? generateTexts.counts(field.meaning ?? '') : generateTexts.countsNot(field.reason ?? ''),
    });
    return true;
  };
  const taken = (fields: readonly FieldRow[], changes: boolean) => {
    let n = 0;
    for (const field of fields) if (n < MAX_FIELDS && offer(field, changes)) n++;
    return n;
  };
  const own = answer.fields.filter(({ source }) => source !== 'ignored');
  const changing = taken([...own.filter(({ headline }) => headline), ...own.filter(({ headline }) => !headline)], true);
  const silent = taken(
    answer.fields.filter(({ source, reason }) => source === 'ignored' && reason !== undefined),
    false,
  );
  if (changing === 0 || changing + silent < 2) return undefined;
  return {
    title: generateTexts.fieldsTitle,
    says: generateTexts.fieldsSays,
    asks: generateTexts.fieldsAsks,
    names,
    choices,
    several: true,
    hint: generateTexts.fieldsHint,
    reveals: generateTexts.fieldsReveals,
  };
}

/** Another value of a boolean or a positive number, as JSON: an integer is doubled, another number is halved. Undefined for others. */
function otherValue({ value }: FieldRow): string | undefined {
  if (typeof value === 'boolean') return String(!value);
  if (typeof value !== 'number' || value <= 0) return undefined;
  return Number.isInteger(value) && Number.isSafeInteger(2 * value) ? String(BigInt(value) * 2n) : String(value / 2);
}

export function askLargest(derivation: Derivation): LessonScreen | undefined {
  const parts = listParts(derivation);
  const size = ({ value, copies = '1' }: DerivedStep) => BigInt(value) * BigInt(copies);
  const most = parts.reduce((largest, one) => (size(one) > size(largest) ? one : largest), parts[0]);
  const shown = distinct(parts).slice(0, MAX_FIELDS + 1);
  if (shown.length < 2) return undefined;
  if (!shown.some(({ says }) => generateTexts.lineName(says) === generateTexts.lineName(most.says))) shown[shown.length - 1] = most;
  const expression = ({ name, copies = '1' }: DerivedStep) => `${name} * ${copies}`;
  return {
    title: generateTexts.largestTitle,
    says: generateTexts.largestSays,
    lit: most.tensors.map(({ name }) => name),
    asks: generateTexts.largestAsks,
    choices: shown.map((one) => ({
      says: generateTexts.lineName(one.says),
      right: `${expression(one)} = ${expression(most)}`,
      because: generateTexts.largestBecause(expression(one)),
    })),
    hint: generateTexts.largestHint,
    reveals: generateTexts.largestReveals(generateTexts.lineName(most.says), expression(most)),
  };
}

/** The beginning of a sentence up to its verb, to label a choice. */
const topicOf = (sentence: string) => /^(.*?) (?:is|are|have|has|rotate|rotates|bias|biases|add|adds)\b/.exec(sentence)?.[1] ?? sentence;

export function askNothing(derivation: Derivation): LessonScreen | undefined {
  const { without_parameters: without } = derivation;
  const parts = distinct(listParts(derivation));
  if (without.length === 0 || parts.length === 0) return undefined;
  return {
    title: generateTexts.nothingTitle,
    says: generateTexts.nothingSays,
    asks: generateTexts.nothingAsks,
    several: true,
    choices: [
      ...without.slice(0, MAX_FIELDS).map((sentence) => ({ says: topicOf(sentence), right: false, because: sentence })),
      ...parts.slice(0, 2).map(({ says, name, copies = '1' }) => ({
        says: generateTexts.lineName(says),
        right: `${name} > 0`,
        because: generateTexts.hasParameters(`${name} * ${copies}`),
      })),
    ],
    hint: generateTexts.nothingHint,
    reveals: generateTexts.nothingReveals,
  };
}
