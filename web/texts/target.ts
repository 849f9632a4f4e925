// Texts of the Target size view.

export const title = 'Target size';
export const lead =
  'How large should a model be? Say how many parameters, and which fields may vary: every combination is considered, and the nearest ones come out. A field may also follow another, as the feed-forward follows the width.';
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
export const limits = 'Limits of shape: what is far from them is no usual model';
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
export const done = (evaluations: string, points: string) => `${points} configurations, of which ${evaluations} had to be evaluated.`;
export const cancelled = 'Cancelled: these are the nearest so far.';
export const stopped = 'Stopped before the end: there may be nearer ones.';
export const notExact = 'The formula did not give what was counted: there may be nearer ones.';
export const through = (fields: string) => `The formula is not closed over ${fields}: each value was gone through.`;
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
export const far = (best: string) => `The nearest in these ranges has ${best}.`;
export const fit = (target: string) => `Take ranges for ${target}`;
export const noLimits = 'Take away the limits of shape';
export const open = 'Open';
export const openTitle = (rank: number) => `Opens configuration ${rank}`;
export const compare = 'Compare';
export const compareTitle = (rank: number) => `Puts configuration ${rank} beside the models here`;
export const full = 'There is room for four models to compare.';
export const none = 'No configuration of this space is a model within the limits.';
export const candidate = (size: string) => `${size}, by target`;
export const noWorker = 'The search could not be started beside the page.';
export const nothingVaries = 'Let at least one field vary.';
