// The towers of a model, and the projectors between them and the text model.

import type { Part } from '../types/index.ts';

export const TOWERS: readonly Part[] = ['vision', 'audio', 'projector'];

/** Whether a part or a section of a model is a tower or a projector. The fields of the outer configuration do not describe these. */
export const isTower = (name: string) => (TOWERS as readonly string[]).includes(name);
