// Texts of the Target size view and of the command `search`.

export const title = 'Target size';
export const lead =
  'Find configurations of a given size. Enter a number of parameters and choose which fields may vary: every combination is considered, and the nearest ones are listed. A field may also follow another, as the feed-forward width follows the hidden size.';
export const target = 'Parameters';
export const fields = 'Fields';
export const field = 'Field';
export const value = 'Now';
export const mode = 'May it vary?';
export const modes = { fixed: 'fixed', vary: 'varies', tied: 'follows' };
export const from = 'from';
export const to = 'to';
export const step = 'step';
export const of = 'of';
export const times = 'times';
export const multiple = 'up to a multiple of';
export const ofField = (what: string, field: string) => `${what}: ${field}`;
export const limits = 'Limits on the shape: models outside them are unusual';
export const limitNames = {
  head: 'Width of a head',
  depth: 'Width by number of layers',
  ratio: 'Feed-forward by width',
};
export const least = 'at least';
export const most = 'at most';
export const begin = 'Search';
export const cancel = 'Cancel';
export const points = (n: string) => `${n} configurations`;
export const progress = (percent: number, evaluations: string, points: string) =>
  `${percent} %: ${evaluations} evaluations for ${points} configurations`;
export const done = (evaluations: string, points: string) => `${points} configurations. ${evaluations} of them had to be evaluated.`;
export const cancelled = 'Cancelled. These are the nearest configurations so far.';
export const stopped = 'Stopped before the end. There may be closer configurations.';
export const notExact = 'The formula and the count differ here, so there may be closer configurations.';
export const through = (fields: string) => `The formula does not hold for all values of ${fields}, so each value was tried.`;
export const found = 'Nearest configurations';
export const rank = 'Rank';
export const total = 'Parameters';
export const difference = 'Off by';
export const percentOff = 'In %';
export const ofWhat = 'Of what';
export const totals = [
  ['parameters', 'all'],
  ['active', 'active'],
] as const;
export const far = (best: string) => `The nearest configuration in these ranges has ${best}.`;
export const fit = (target: string) => `Use ranges around ${target}`;
export const noLimits = 'Remove the limits on the shape';
export const open = 'Open';
export const openTitle = (rank: number) => `Opens configuration ${rank}`;
export const compare = 'Compare';
export const compareTitle = (rank: number) => `Adds configuration ${rank} to the comparison`;
export const full = 'At most four models can be compared.';
export const none = 'No configuration in these ranges is within the limits.';
export const candidate = (size: string) => `${size}, by target`;
export const noWorker = 'The search could not be started.';
export const nothingVaries = 'Let at least one field vary.';
