// Texts for the Design view.

export const title = 'Design your own';
export const lead =
  'Build a transformer from its parts: layer patterns, grouped or latent attention, state-space mixers, mixtures of experts, pre- or post-norm. The settings are plain JSON, and every view of this page works with them.';
export const begin = 'Start from';
export const templates = { dense: 'Dense', grouped: 'Grouped queries', mixture: 'Mixture of experts', hybrid: 'Hybrid' };
export const templateTitle = (template: string) => `A design: ${template.toLowerCase()}`;
export const apart = (name: string) => `Take ${name} apart`;
export const apartTitle = 'Finds the settings that are nearest to the model shown, and lists the differences if there are any';
export const ownTitle = (name: string) => `${name}, taken apart`;
export const exact = (name: string) => `These settings give the same tensors as ${name}, under other names.`;
export const transposed = 'Some matrices are stored transposed.';
export const inexact = (name: string) => `These settings are close to ${name}. The differences:`;
export const refused = (why: string) => `The nearest settings are refused: ${why}`;
export const missing = 'Only in the model';
export const extra = 'Only in the settings';
export const columns = { shape: 'Shape', copies: 'Copies', names: 'Tensors' };
export const settings = (name: string) => `${name} as a design`;
export const setting = { name: 'Setting', value: 'Value' };
