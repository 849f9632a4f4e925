// The parts of a model in words. Their order is the core's, their colours the style sheet's (`--part-…`).

const LABELS: Readonly<Record<string, string>> = { output_head: 'Output head', state_space: 'State space', feed_forward: 'Feed-forward' };

/** `state_space` as `State space`; also for parts that are not listed here. */
export const partLabel = (part: string) => LABELS[part] ?? (part.charAt(0).toUpperCase() + part.slice(1)).replaceAll('_', ' ');

/** Feed-forward networks of a mixture. */
export const feedForward: Readonly<Record<string, string>> = {
  dense: 'Dense feed-forward',
  shared: 'Shared experts',
  routed: 'Routed experts',
};

/** Experts by whether one token uses them. */
export const use = {
  used: (name: string) => `${name}, used`,
  idle: (name: string) => `${name}, idle`,
};

/** What files also store: the core's reason, in a few words. */
export const inFiles = (reason: string) => (/^An extra prediction/.test(reason) ? 'Prediction layer, in files' : 'In files only');
