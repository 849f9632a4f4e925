// Keys that work wherever the reader is. Single letters can be switched off, and never work inside another page's frame.

import type { Store } from './store.ts';

export interface Places {
  /** Where a model is chosen. */
  readonly picker: () => HTMLElement | null;
  /** Where tensors are filtered. */
  readonly filter: () => HTMLElement | null;
  /** Shows or hides the list of keys. */
  readonly help: () => void;
}

const isFramed = () => window.top !== window.self;

/** Returns how to stop it. */
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

/** In a field of the form the browser takes back what was typed there; when that is all, the edits before follow. */
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
