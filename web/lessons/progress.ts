// The user's progress in each lesson, stored only in this browser.

import type { GivenAnswer } from '../types/index.ts';

export interface Progress {
  readonly at: number;
  /** One answer per screen; null if there is none. */
  readonly answers: readonly (GivenAnswer | null)[];
  /** The indices of screens that were answered correctly, or whose answer was revealed on request. */
  readonly open: readonly number[];
}

export const NO_PROGRESS: Progress = { at: 0, answers: [], open: [] };

const KEY = 'param-ledger-lessons';

function loadAll(): Record<string, Progress> {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof all === 'object' && all !== null ? (all as Record<string, Progress>) : {};
  } catch {
    return {}; // storage may be unavailable or contain invalid data
  }
}

const isProgress = (value: Progress | undefined): value is Progress =>
  typeof value?.at === 'number' && Array.isArray(value.answers) && Array.isArray(value.open);

export function loadProgress(id: string): Progress {
  const all = loadAll();
  const own = Object.hasOwn(all, id) ? all[id] : undefined;
  return isProgress(own) ? own : NO_PROGRESS;
}

export function saveProgress(id: string, progress: Progress | undefined): void {
  const others = Object.fromEntries(Object.entries(loadAll()).filter(([key]) => key !== id));
  try {
    localStorage.setItem(KEY, JSON.stringify(progress ? { ...others, [id]: progress } : others));
  } catch {
    // Without storage, the progress lasts only until the page is closed.
  }
}
