// The parts of a model in words. Their order is the core's, their colours are the style sheet's (`--part-…`).

const LABELS: Readonly<Record<string, string>> = { output_head: 'Output head', state_space: 'State space', feed_forward: 'Feed-forward' };

/** `state_space` as `State space`, also for parts that nobody has named here. */
export const partLabel = (part: string) => LABELS[part] ?? (part.charAt(0).toUpperCase() + part.slice(1)).replaceAll('_', ' ');
