// Names of the parts of a model. Their order comes from the core, their colours from the style sheet (`--part-…`).

const LABELS: Readonly<Record<string, string>> = { output_head: 'Output head', state_space: 'State space', feed_forward: 'Feed-forward' };

/** The name of a part of the model: `state_space` becomes `State space`. Also works for parts that are not listed here. */
export const partLabel = (part: string) => LABELS[part] ?? (part.charAt(0).toUpperCase() + part.slice(1)).replaceAll('_', ' ');

/** The names of the feed-forward blocks in a model with experts. */
export const feedForward: Readonly<Record<string, string>> = {
  dense: 'Dense feed-forward',
  shared: 'Shared experts',
  routed: 'Routed experts',
};

/** Suffixes of a name that tell whether one token uses the experts. */
export const use = {
  used: (name: string) => `${name}, used`,
  idle: (name: string) => `${name}, idle`,
};

/** A short name for tensors that only published files contain, chosen by the reason that the core gives. */
export const inFiles = (reason: string) => (/^An extra prediction/.test(reason) ? 'Prediction layer, in files' : 'In files only');
