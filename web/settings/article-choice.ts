// Parses and writes the choice of a worked article in an address. The article either comes with the page, and the address contains its id,
// or it is the user's own, and the address contains its JSON.

import type { Article, ArticleStep } from '../types/index.ts';
import * as texts from './articles-texts.ts';

export type ArticleChoice =
  | { readonly kind: 'shipped'; readonly id: string }
  | { readonly kind: 'own'; readonly article: Article }
  /** The text of an invalid article in an address, and the message that says why it is invalid. */
  | { readonly kind: 'broken'; readonly text: string; readonly trouble: string };

export function parse(text: string): ArticleChoice | undefined {
  if (text === '') return undefined;
  if (!text.startsWith('{')) return { kind: 'shipped', id: text };
  try {
    return { kind: 'own', article: articleOf(JSON.parse(text)) };
  } catch (error) {
    const trouble = error instanceof SyntaxError ? texts.noJson(error.message) : (error as Error).message;
    return { kind: 'broken', text, trouble };
  }
}

export function write(choice: ArticleChoice): string {
  if (choice.kind === 'shipped') return choice.id;
  return choice.kind === 'own' ? JSON.stringify(choice.article) : choice.text;
}

/**
 * Reads an article from a value. Drops unknown members of the article, its source and its steps; the members of `setting` and `model` are
 * configurations and are kept. Throws an Error with a message for the user.
 */
function articleOf(value: unknown): Article {
  const { title, source, setting, model, names, steps, total } = membersOf(value, 'article');
  if (!Array.isArray(steps)) throw new Error(texts.noSteps);
  return {
    title: textOf(title, 'title') ?? '',
    ...(source !== undefined && { source: sourceOf(source) }),
    ...(setting !== undefined && { setting: membersOf(setting, 'setting') }),
    ...(model !== undefined && { model: membersOf(model, 'model') }),
    ...(names !== undefined && {
      names: Object.fromEntries(Object.entries(membersOf(names, 'names')).map(([name, meaning]) => [name, textOf(meaning, name) ?? ''])),
    }),
    steps: steps.map((step, i) => stepOf(step, `steps.${i}`)),
    ...(total !== undefined && { total: stepOf(total, 'total') }),
  };
}

function sourceOf(value: unknown): NonNullable<Article['source']> {
  const { name, url, note } = membersOf(value, 'source');
  return { name: textOf(name, 'source.name') ?? '', ...given({ url: textOf(url, 'source.url'), note: textOf(note, 'source.note') }) };
}

function stepOf(value: unknown, place: string): ArticleStep {
  const { says, name, expression, prints, tensors, each, matrix } = membersOf(value, place);
  if (tensors !== undefined && !Array.isArray(tensors)) throw new Error(texts.notRead(`${place}.tensors`));
  if (matrix !== undefined && !Array.isArray(matrix)) throw new Error(texts.notRead(`${place}.matrix`));
  return {
    says: textOf(says, `${place}.says`) ?? '',
    ...given({
      name: textOf(name, `${place}.name`),
      expression: textOf(expression, `${place}.expression`),
      prints: textOf(prints, `${place}.prints`),
      tensors: tensors?.map((part) => textOf(part, `${place}.tensors`) ?? ''),
      matrix: matrix?.map((side) => textOf(side, `${place}.matrix`) ?? ''),
    }),
    ...(each === true && { each }),
  };
}

/** Removes undefined members. */
const given = <Members extends object>(members: Members): Partial<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>;

function membersOf(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(texts.notRead(place));
  return value as Record<string, unknown>;
}

function textOf(value: unknown, place: string): string | undefined {
  if (value !== undefined && typeof value !== 'string') throw new Error(texts.notRead(place));
  return value;
}
