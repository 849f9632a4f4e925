// What a reader prefers, kept in this browser where it may be.

import type { Preferences, Store, Theme } from './store.ts';

const THEME = 'param-ledger-theme';

/** `early.ts` reads the same before anything is painted. */
export function remembered(): Partial<Preferences> {
  try {
    const theme = localStorage.getItem(THEME);
    return theme === 'light' || theme === 'dark' ? { theme } : {};
  } catch {
    return {}; // storage may be closed, as inside a frame
  }
}

/** Keeps the theme on the root element and in the browser's storage. */
export function keepPreferences(store: Store, root: HTMLElement): void {
  apply(store.state.preferences.theme, root);
  store.subscribe(({ preferences: { theme } }, _, before) => {
    if (theme === before.preferences.theme) return;
    apply(theme, root);
    try {
      if (theme) localStorage.setItem(THEME, theme);
      else localStorage.removeItem(THEME);
    } catch {
      // Then the choice lasts as long as the page.
    }
  });
}

function apply(theme: Theme, root: HTMLElement): void {
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
}
