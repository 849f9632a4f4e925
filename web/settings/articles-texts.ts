// Texts about worked articles, and the headings of waterfall charts.

import { escapeMarkup } from '../support/escape.ts';

export const title = 'Worked articles';
export const lead =
  'People who add up parameters by hand make mistakes. Here, each step of an article’s computation is computed again. It is right, right under a convention, or wrong; if it is wrong, the mistake is named. Below the steps, the article’s total is reconciled with that of the model. Verdicts are computed, never stored. You can write an article of your own and have it checked.';
export const source = 'From';
export const noAddress = ' (address not known)';
export const setting = 'It counts';
export const list = 'Articles';
export const write = 'Write one …';
export const edit = 'Edit a copy';
export const ours = 'Ours: the same model, derived';
export const share = 'Copies a link that contains the whole article';
export const embed = 'Embed';
export const embedTitle = 'Copies the HTML of a frame with this article';
export const frame = (address: string, title: string) =>
  `<iframe src="${escapeMarkup(address)}" title="${escapeMarkup(title)}" width="100%" height="900" loading="lazy" sandbox="allow-scripts"></iframe>`;
export const save = 'Save';
export const saveTitle = 'Saves the article as a JSON file';
export const noSteps = 'This article has no steps.';
export const noJson = (why: string) => `This article is not JSON: ${why}`;
export const notRead = (place: string) => `This article cannot be read: ${place} has the wrong type.`;
export const noObject = 'A configuration must be an object.';
export const untitled = (name: string) => `The parameters of ${name}`;
export const firstStep = 'Token embeddings';
export const titleLabel = 'Title';
export const settingLabel = 'The configuration with the fields and symbols that the steps use';
export const modelLabel = 'The configuration of the real model, for comparison';
export const steps = 'The steps of the computation';
export const step = 'Step';
export const says = 'What it says';
export const name = 'Name';
export const expression = 'Computes';
export const prints = 'Prints';
export const verdict = 'Verdict';
export const total = 'Total';
export const ofStep = (what: string, at: number) => `${what}, step ${at}`;
export const remove = 'Remove';
export const removeStep = (at: number) => `Removes step ${at}`;
export const addStep = 'Add a step';
export const addTotal = 'Add a total';
export const verdicts = {
  right: 'Right.',
  convention: 'Under a convention.',
  carried: 'Carries an earlier error.',
  wrong: 'Wrong.',
  unit: 'Wrong unit.',
  misread: 'Misread.',
  left_out: 'Left out.',
  unprinted: '',
  unreadable: 'Not read.',
};
export const waterfall = 'From the article’s total to the model’s';
export const change = 'Change';
export const totalColumn = 'Total';
export const begin = (total: string) => `bars begin at ${total}`;
export const bars = {
  printed: (label: string) => `The article prints ${label}`,
  rounding: () => 'In full',
  slip: (label: string) => `Corrected: ${label}`,
  own: () => 'Correct under the article’s own assumptions',
  convention: (label: string) => `Convention: ${label}`,
  cause: (label: string) => `Then ${label}`,
  rest: (label: string) => label.slice(0, 1).toUpperCase() + label.slice(1),
  model: () => 'The model',
} as Readonly<Record<string, (label: string) => string>>;
