// Keyboard shortcuts of the page. Single-key shortcuts can be switched off, and do nothing inside a frame.

import type { Store } from './store.ts';

export interface Places {
  /** The field in which a model is chosen. */
  readonly picker: () => HTMLElement | null;
  /** The field that filters tensors. */
  readonly filter: () => HTMLElement | null;
  /** Shows or hides the list of shortcuts. */
  readonly help: () => void;
}

const isFramed = () => window.top !== window.self;

/** Starts listening for shortcuts. Returns a function that stops it. */
export function startShortcuts(store: Store, { picker, filter, help }: Places): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const typing = (event.composedPath()[0] as Element).closest?.('input:not([type=radio], [type=checkbox]), textarea, select');
    if (typing) {
      if (typing.closest('.field')) goOn(event, typing as HTMLInputElement, store);
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      const direction = undoes(event);
      if (!direction) return;
      event.preventDefault();
      store.act({ type: 'travel', direction });
      return;
    }
    if (isFramed() || !store.state.preferences.keys) return;
    const place = event.key === '/' ? picker() : event.key === 'f' ? filter() : undefined;
    if (event.key === '?') help();
    else if (place) place.focus();
    else return;
    event.preventDefault();
  };
  addEventListener('keydown', press);
  return () => removeEventListener('keydown', press);
}

/**
 * Handles undo and redo in a field of the form. The browser first undoes what was typed there; when nothing is left, the page's own edits
 * are undone.
 */
function goOn(event: KeyboardEvent, input: HTMLInputElement, store: Store): void {
  const direction = event.ctrlKey || event.metaKey ? undoes(event) : undefined;
  if (!direction) return;
  const before = input.value;
  setTimeout(() => {
    if (input.value === before) store.act({ type: 'travel', direction });
  });
}

function undoes({ key, shiftKey }: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (key.toLowerCase() === 'z') return shiftKey ? 'redo' : 'undo';
  return key.toLowerCase() === 'y' && !shiftKey ? 'redo' : undefined;
}
