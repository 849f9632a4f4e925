// Texts of the Design view.

export const title = 'Design your own';
export const lead =
  'A transformer of one’s own, each part a switch: patterns of layers, grouped or latent attention, state-space mixers, mixtures of experts, norms before, after or around. Its settings are readable JSON, and everything else on this page works on them.';
export const begin = 'Start from';
export const templates = { dense: 'Dense', grouped: 'Grouped queries', mixture: 'Mixture of experts', hybrid: 'Hybrid' };
export const templateTitle = (template: string) => `A design: ${template.toLowerCase()}`;
export const apart = (name: string) => `Take ${name} apart`;
export const apartTitle = 'The nearest settings of the model that is shown: exact, or with what cannot be said so';
export const ownTitle = (name: string) => `${name}, taken apart`;
export const exact = (name: string) => `These settings are ${name}, tensor by tensor but for their names.`;
export const transposed = 'Some matrices are stored the other way round.';
export const inexact = (name: string) => `These settings come near ${name}. What cannot be said so:`;
export const refused = (why: string) => `The nearest settings are refused: ${why}`;
export const missing = 'The model has';
export const extra = 'The settings have instead';
export const columns = { shape: 'Shape', copies: 'Copies', names: 'Tensors' };
export const settings = (name: string) => `${name} as a design`;
export const setting = { name: 'Setting', value: 'Value' };
