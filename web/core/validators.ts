// The forms of what callers ask for beside a configuration. Types are erased, so each is held to them here: what has another kind or another
// name is refused, never taken for something else or left out. Which numbers make sense is the core's to say.

import { mistyped } from '../support/near-names.ts';
import { nameOf, Unreadable } from './config-bytes.ts';

/** The value as the core is asked, or `Unreadable` with its path. */
export type Form = (value: unknown, path: string) => unknown;

const wrong = (path: string, wants: string, value: unknown) =>
  new Unreadable(
    'wrong_type',
    path,
    `${path || 'What is asked'} must be ${wants}, not ${typeof value === 'number' ? value : nameOf(value)}.`,
  );

/** A number, or the digits of one: what does not fit a number is one of many digits. */
const number: Form = (value, path) => {
  if (typeof value === 'bigint') return String(value);
  if ((typeof value === 'number' && Number.isFinite(value)) || typeof value === 'string') return value;
  throw wrong(path, 'a number', value);
};

const whole =
  (least: number): Form =>
  (value, path) => {
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number') throw wrong(path, 'a whole number', value);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new Unreadable('out_of_range', path, `${path} must be a whole number, at least ${least}.`);
  };

/** A BigInt is a number as people write it. */
const word: Form = (value, path) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  throw wrong(path, 'a text', value);
};

const flag: Form = (value, path) => {
  if (typeof value === 'boolean') return value;
  throw wrong(path, 'true or false', value);
};

/** Items of a list: one of four billion holes would never end. */
const MOST = 100_000;

const list =
  (item: Form): Form =>
  (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, 'a list', value);
    if (value.length > MOST) throw new Unreadable('too_large', path, `${path} has more than ${MOST} items.`);
    return Array.from(value, (one, i) => item(one, `${path}[${i}]`));
  };

const either =
  (first: Form, second: Form): Form =>
  (value, path) =>
    Array.isArray(value) ? second(value, path) : first(value, path);

const plain: Form = (value, path) => {
  if (Object.prototype.toString.call(value) === '[object Object]') return value;
  throw path ? wrong(path, 'an object', value) : new Unreadable('wrong_type', '', `The options are an object, not ${nameOf(value)}.`);
};

/** An object with some of these names, and no others; what is undefined is not said. */
const members =
  (forms: Readonly<Record<string, Form>>): Form =>
  (value, path) => {
    plain(value, path);
    const made: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value as object)) {
      const own = path ? `${path}.${name}` : name;
      if (!Object.hasOwn(forms, name)) {
        const names = Object.keys(forms);
        const meant = mistyped(name, names);
        throw new Unreadable(
          'out_of_range',
          own,
          `${own} is not known here. There are ${names.join(', ')}.`,
          meant === undefined ? undefined : [meant],
        );
      }
      if (member !== undefined) made[name] = forms[name](member, own);
    }
    return made;
  };

export const memoryForm = members({
  tokens: number,
  batch: number,
  beams: number,
  source: number,
  weights: word,
  cache: word,
  room: number,
  devices: number,
  training: members({
    optimizer: word,
    precision: word,
    stage: whole(0),
    lora: members({ r: whole(1), target_modules: either(word, list(word)), target_parameters: list(word) }),
  }),
});

export const searchForm = members({
  target: word,
  vary: list(members({ field: word, from: whole(0), to: whole(0), step: whole(1), values: list(whole(0)) })),
  tied: list(members({ field: word, of: word, times: number, multiple: whole(1) })),
  limits: list(members({ field: word, over: word, least: number, most: number })),
  total: word,
  most: whole(1),
  uneven: flag,
  budget: whole(1),
});

export const stepForm = members({ budget: whole(1) });

export const claimForm = members({ claim: word });

/** Beside a reading; the configuration is held to its form where configurations are read. */
export const readForm = members({ config: (value) => value, fields: plain });

const content: Form = (value) => value;
export const fileForm = members({ name: word, content, size: whole(0), further: list(members({ at: whole(0), content })) });
