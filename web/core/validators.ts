// Validates the options that callers pass. JavaScript callers have no type checks, so values of the wrong type and unknown names are
// refused instead of ignored. Most ranges of numbers are checked by the core.

import { findMistyped } from '../support/near-names.ts';
import { describeType, InputError } from './config-bytes.ts';

/** Returns the value in the form that the core expects, or throws `InputError` with the path of the value. */
export type Validator = (value: unknown, path: string) => unknown;

const wrongType = (path: string, wants: string, value: unknown) =>
  new InputError(
    'wrong_type',
    path,
    `${path || 'The request'} must be ${wants}, not ${typeof value === 'number' ? value : describeType(value)}.`,
  );

/** A finite number, or a string, for integers that a JavaScript number cannot hold exactly. A BigInt is converted to its digits. */
const number: Validator = (value, path) => {
  if (typeof value === 'bigint') return String(value);
  if ((typeof value === 'number' && Number.isFinite(value)) || typeof value === 'string') return value;
  throw wrongType(path, 'a number', value);
};

const integerFrom =
  (least: number): Validator =>
  (value, path) => {
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number') throw wrongType(path, 'a whole number', value);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new InputError('out_of_range', path, `${path} must be a whole number of at least ${least}.`);
  };

/** A string. A BigInt is converted to its digits. */
const string: Validator = (value, path) => {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return String(value);
  throw wrongType(path, 'a text', value);
};

const boolean: Validator = (value, path) => {
  if (typeof value === 'boolean') return value;
  throw wrongType(path, 'true or false', value);
};

/** The maximum length of a list. */
const MAX_ITEMS = 100_000;

const listOf =
  (item: Validator): Validator =>
  (value, path) => {
    if (!Array.isArray(value)) throw wrongType(path, 'a list', value);
    if (value.length > MAX_ITEMS) throw new InputError('too_large', path, `${path} has more than ${MAX_ITEMS} items.`);
    return Array.from(value, (one, i) => item(one, `${path}[${i}]`));
  };

const listOr =
  (first: Validator, second: Validator): Validator =>
  (value, path) =>
    Array.isArray(value) ? second(value, path) : first(value, path);

const plainObject: Validator = (value, path) => {
  if (Object.prototype.toString.call(value) === '[object Object]') return value;
  throw path
    ? wrongType(path, 'an object', value)
    : new InputError('wrong_type', '', `The options must be an object, not ${describeType(value)}.`);
};

/** An object whose members must all be named in `forms`. A member whose value is undefined counts as missing. */
const objectOf =
  (forms: Readonly<Record<string, Validator>>): Validator =>
  (value, path) => {
    plainObject(value, path);
    const made: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(value as object)) {
      const own = path ? `${path}.${name}` : name;
      if (!Object.hasOwn(forms, name)) {
        const names = Object.keys(forms);
        const meant = findMistyped(name, names);
        throw new InputError(
          'out_of_range',
          own,
          `${own} is not an option. The options are ${names.join(', ')}.`,
          meant === undefined ? undefined : [meant],
        );
      }
      if (member !== undefined) made[name] = forms[name](member, own);
    }
    return made;
  };

export const validateMemoryOptions = objectOf({
  tokens: number,
  batch: number,
  beams: number,
  source: number,
  weights: string,
  cache: string,
  room: number,
  devices: number,
  training: objectOf({
    optimizer: string,
    precision: string,
    stage: integerFrom(0),
    lora: objectOf({
      r: integerFrom(1),
      target_modules: listOr(string, listOf(string)),
      target_parameters: listOf(string),
      modules_to_save: listOf(string),
      use_dora: boolean,
      use_rslora: boolean,
    }),
  }),
});

/** A number that may have a fraction. It is converted to text. */
const decimal: Validator = (value, path) => String(number(value, path));

export const validateOperationsOptions = objectOf({
  tokens: number,
  batch: number,
  source: number,
  tokens_per_second: decimal,
  devices: number,
  peak: decimal,
});

export const validateDevicesOptions = objectOf({
  tensor: number,
  pipeline: number,
  expert: number,
  plan: string,
  tokens: number,
  batch: number,
  beams: number,
  source: number,
  weights: string,
  cache: string,
  room: number,
  rank: number,
  training: objectOf({ optimizer: string, precision: string, stage: integerFrom(0) }),
  data: number,
  sequence: boolean,
  against: objectOf({ tensor: number, pipeline: number, expert: number, plan: string }),
});

export const validateDeriveOptions = objectOf({ devices: validateDevicesOptions });

export const validateSearchRequest = objectOf({
  target: string,
  vary: listOf(objectOf({ field: string, from: integerFrom(0), to: integerFrom(0), step: integerFrom(1), values: listOf(integerFrom(0)) })),
  tied: listOf(objectOf({ field: string, of: string, times: number, multiple: integerFrom(1) })),
  limits: listOf(objectOf({ field: string, over: string, least: number, most: number })),
  total: string,
  most: integerFrom(1),
  uneven: boolean,
  budget: integerFrom(1),
});

export const validateStep = objectOf({ budget: integerFrom(1) });

export const validateClaim = objectOf({ claim: string });

/** The options of `read`. The configuration itself is validated when it is encoded. */
export const validateReadOptions = objectOf({ config: (value) => value, fields: plainObject });

const content: Validator = (value) => value;
export const validateFile = objectOf({
  name: string,
  content,
  size: integerFrom(0),
  further: listOf(objectOf({ at: integerFrom(0), content })),
});
