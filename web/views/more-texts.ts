// Texts for the More view.

import { plural } from '../support/numbers.ts';

export const title = 'More';
export const lead = 'More questions about a model. Each card shows an example with the current model.';

/** The purpose of each view, by view id. */
export const purposes: Readonly<Record<string, string>> = {
  derive: 'The count, step by step, for a post or a paper.',
  check: 'Is a printed number right? If not, what was counted instead?',
  target: 'Configurations that come closest to a size.',
  design: 'Build a model from its parts.',
  models: 'All published models: sort, filter, compare.',
  supported: 'Every model type, and how its count is verified.',
  lessons: 'Count a model by hand, screen by screen; share exercises as a link.',
  articles: 'Worked articles, with a verdict on each step.',
  read: 'The tensors in a file or a text, and whether they match the configuration.',
  embed: 'The number on your own page: live, or as a badge.',
};

export const claims = (claim: string, verdict: string) => `“${claim}”: ${verdict}`;
export const around = (count: string) => `What comes close to ${count}?`;
export const between = (below: string, above: string) => `Between ${below} and ${above} in size`;
export const types = (n: number) => plural(n, 'model type');
export const lesson = (title: string, screens: number) => `${title}: ${plural(screens, 'screen')}`;
export const article = (title: string, right: number, wrong: number) =>
  `${title}: ${plural(right, 'step')} right, ${wrong === 0 ? 'none' : wrong} wrong`;
export const badge = (count: string) => `${count} parameters`;
