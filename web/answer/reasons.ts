// Why a term of the closed formula is there, in a sentence with the model's own numbers. What another choice would cost, the core counts.

import { setField } from '../config/config-text.ts';
import { grouped, shapeText } from '../support/numbers.ts';
import { isIndex, parseName, splitName } from './tensor-names.ts';
import type { Term } from './terms.ts';
import * as reasonsTexts from './reasons-texts.ts';
import type { ParameterCounter } from './parameter-counter.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';

/** `config`: what the answer is to; `counting`: for what would be otherwise. */
export function explainTerm(term: Term, answer: CountAnswer, config: string, counting: ParameterCounter): string {
  const parts = [...new Set(term.rows.map(({ part }) => part))];
  const sentences = parts.map((part) => {
    const rows = term.rows.filter((row) => row.part === part);
    return explainPart(part, rows);
  });
  return [...sentences, describeVariant(term, answer, config, counting)].filter(Boolean).join(' ');
}

/** What such tensors of that part are for. */
export function explainPart(part: string, rows: readonly Pick<TensorRow, 'name' | 'shape' | 'role'>[]): string {
  const names = [...new Set(rows.map(findModuleName))];
  const told = names.length > 5 ? `${names.slice(0, 4).join(', ')}, …` : names.join(', ');
  const [first] = rows;
  const shape = shapeText(first.shape);
  const matrices = rows.filter(({ role }) => role === 'matrix');
  if (rows.every(({ name }) => name.endsWith('.bias'))) return reasonsTexts.bias(told);
  switch (part) {
    case 'embedding':
      return first.shape.length === 2
        ? reasonsTexts.table(told, grouped(first.shape[0]), grouped(first.shape[1]))
        : reasonsTexts.other(told, shape);
    case 'output_head':
      return first.shape.length === 2 ? reasonsTexts.head(told, grouped(first.shape[0])) : reasonsTexts.other(told, shape);
    case 'feed_forward': {
      const experts = countExperts(first);
      const block =
        matrices.length === 3
          ? reasonsTexts.gated(names.join(', '))
          : matrices.length === 2
            ? reasonsTexts.plain(told)
            : reasonsTexts.other(told, shape);
      return experts === undefined ? block : `${block} ${reasonsTexts.experts(experts)}`;
    }
    case 'attention':
      return matrices.length > 0 ? reasonsTexts.attention(told, shape) : reasonsTexts.other(told, shape);
    case 'norm':
      return reasonsTexts.norm(told);
    case 'router':
      return reasonsTexts.router(told);
    default:
      return reasonsTexts.other(told, shape);
  }
}

/** `model.layers.[0-31].mlp.gate_proj.weight` as `gate_proj`. */
const findModuleName = ({ name }: Pick<TensorRow, 'name'>) =>
  splitName(name).findLast((segment) => !isIndex(segment) && !/^(weight|bias)$/.test(segment)) ?? name;

/** How many there are of it in one layer. */
function countExperts({ name }: Pick<TensorRow, 'name'>): string | undefined {
  const sets = parseName(name).flatMap((piece) => ('count' in piece ? [piece.count] : []));
  return sets.length > 1 ? grouped(sets[sets.length - 1]) : undefined;
}

/** What the term would be with one other choice: keys and values for every head, a head of its own or none. */
export function describeVariant({ rows }: Pick<Term, 'rows'>, answer: CountAnswer, config: string, counting: ParameterCounter): string {
  const total = answer.totals.parameters;
  const field = (name: string) => answer.fields.find((row) => row.name === name || row.name.endsWith(`.${name}`));
  const otherwise = (path: string, literal: string) => {
    const text = setField(config, path, literal);
    const count = text === undefined ? undefined : counting(text);
    if (count === undefined || count === total) return undefined;
    const change = BigInt(count) - BigInt(total);
    return change > 0n ? reasonsTexts.more(grouped(change)) : reasonsTexts.fewer(grouped(-change));
  };
  const keys = answer.symbols.find(({ symbol, field: own }) => own && symbol === 'n_kv');
  const heads = answer.symbols.find(({ symbol, field: own }) => own && symbol === 'n');
  if (keys && heads && keys.value !== heads.value && rows.some(({ name }) => /\b(k|key|v|value)_proj\b|query_key_value|qkv/i.test(name))) {
    const change = otherwise(field(keys.name)?.given_as ?? keys.name, heads.value);
    if (change) return reasonsTexts.grouped(grouped(keys.value), grouped(heads.value), change);
  }
  const tie = field('tie_word_embeddings');
  if (tie && rows.some(({ part }) => part === 'embedding')) {
    const change = otherwise(tie.name, String(tie.value !== true));
    if (change) return tie.value === true ? reasonsTexts.tied(change) : reasonsTexts.untied(change);
  }
  return '';
}
