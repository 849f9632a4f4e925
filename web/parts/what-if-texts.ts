// Texts about variants of a model.

export const heading = 'What if';
export const caption = 'Each number is a new count. Click a name to open that model as an edit; Undo reverts it.';
export const choices = {
  every_head: 'No grouped queries',
  one_head: 'One key-value head',
  tied: 'Head tied to the embedding',
  untied: 'Head not tied',
  half_layers: 'Half of the layers',
  twice_vocabulary: 'Twice the vocabulary',
  no_gate: 'No gate in the feed-forward network',
  dense: 'A dense network instead of the experts',
};
export const field = (name: string, before: string, after: string) => (after === '' ? `without ${name}` : `${name} ${before} → ${after}`);
export const compare = 'Compare';
export const compareTitle = (choice: string) => `Compare with: ${choice}`;
export const title = (name: string, choice: string) => `${name}: ${choice.toLowerCase()}`;
