// Texts of the page of cards.

import { plural } from '../support/numbers.ts';

export const title = 'More';
export const lead = 'What else to ask of a model. Each card shows the model at hand.';

/** The purpose of each view, by its id. */
export const purposes: Readonly<Record<string, string>> = {
  derive: 'The count, step by step, for a post or a paper.',
  check: 'Is a printed number right? If not, what was counted otherwise.',
  target: 'Configurations that come closest to a size.',
  design: 'A model of your own, from its parts.',
  models: 'All published models: sort, filter, compare.',
  supported: 'Every model type, and what its count was compared with.',
  lessons: 'Count a model by hand, screen by screen; exercises in a link.',
  articles: 'Worked articles, each step judged.',
  read: 'What tensors a file or a text holds, and whether they fit the configuration.',
  embed: 'The number in your own page: live, or as a badge.',
};

export const claims = (claim: string, verdict: string) => `“${claim}”: ${verdict}`;
export const around = (count: string) => `What comes close to ${count}?`;
export const between = (below: string, above: string) => `By size between ${below} and ${above}`;
export const types = (n: number) => plural(n, 'model type');
export const article = (title: string, right: number, wrong: number) =>
  `${title}: ${plural(right, 'step')} right, ${wrong === 0 ? 'none' : wrong} wrong`;
export const badge = (count: string) => `${count} parameters`;
