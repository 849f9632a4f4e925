// Variants of the current model with one choice changed, for example a single key-value head or half of the layers. Each is an edited
// configuration, which the core counts.

import { parseConfig, setField } from '../config/config-text.ts';
import { fillMissingSection } from '../config/missing-section.ts';
import type { ParameterCounter } from './parameter-counter.ts';
import type { Count, CountAnswer } from '../types/index.ts';

export type Choice = 'every_head' | 'one_head' | 'tied' | 'untied' | 'half_layers' | 'twice_vocabulary' | 'no_gate' | 'dense';

export interface Variant {
  readonly choice: Choice;
  /** The text of the changed configuration. */
  readonly text: string;
  readonly parameters: Count;
  /** The changed field with its old and new value; the first one if several change. */
  readonly field?: readonly [name: string, before: string, after: string];
}

/**
 * Lists the variants that the core can count and whose count differs from the model's. `config`: the configuration that `answer` was
 * computed from.
 */
export function listVariants(answer: CountAnswer, config: string, counting: ParameterCounter): Variant[] {
  const field = (name: string) => answer.fields.find((row) => row.name === name || row.name.endsWith(`.${name}`));
  const dimension = (wanted: string) => answer.symbols.find(({ symbol, field: own }) => own && symbol === wanted);
  const vary = (choice: Choice, name: string | undefined, before: string, after: string, further: readonly [string, string][] = []) => {
    if (name === undefined || before === after) return [];
    const edits: readonly (readonly [string, string])[] = [[field(name)?.given_as ?? name, after], ...further];
    const base = fillMissingSection(config, edits[0][0], answer.fields, counting);
    const text = edits.reduce<string | undefined>((edited, [path, literal]) => edited && setField(edited, path, literal), base);
    const parameters = text === undefined ? undefined : counting(text);
    if (text === undefined || parameters === undefined || parameters === answer.totals.parameters) return [];
    return [{ choice, text, parameters, field: [name, before, after] } satisfies Variant];
  };
  const [heads, keys, layers, vocabulary] = ['n', 'n_kv', 'L', 'V'].map(dimension);
  const tie = field('tie_word_embeddings');
  const half = layers && String(BigInt(layers.value) / 2n);
  // Lists with as many entries as there are layers are assumed to have one per layer, and are cut to the remaining layers.
  const lists = half && layers ? listsOf(config, layers.value).map(([path, list]): [string, string] => [path, JSON.stringify(list.slice(0, Number(half)))]) : []; // prettier-ignore
  return [
    ...(heads && keys ? vary('every_head', keys.name, keys.value, heads.value) : []),
    ...(heads && keys ? vary('one_head', keys.name, keys.value, '1') : []),
    ...(tie ? vary(tie.value === true ? 'untied' : 'tied', tie.name, String(tie.value === true), String(tie.value !== true)) : []),
    ...(layers && half && half !== '0' ? vary('half_layers', layers.name, layers.value, half, lists) : []),
    ...(vocabulary ? vary('twice_vocabulary', vocabulary.name, vocabulary.value, String(2n * BigInt(vocabulary.value))) : []),
  ];
}

/** The lists of this length in a configuration, including nested sections. */
function listsOf(config: string, length: string): [path: string, list: readonly unknown[]][] {
  const within = (object: object, path: string): [string, readonly unknown[]][] =>
    Object.entries(object).flatMap(([name, value]) =>
      Array.isArray(value)
        ? String(value.length) === length
          ? [[path + name, value]]
          : []
        : typeof value === 'object' && value !== null
          ? within(value as object, `${path}${name}.`)
          : [],
    );
  return within(parseConfig(config), '');
}
