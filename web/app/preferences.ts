// The user's preferences, stored in this browser if it allows that.

import type { Preferences, Store, Theme } from './store.ts';

const THEME = 'param-ledger-theme';
const KEYS = 'param-ledger-keys';
const ASKED = 'param-ledger-asked';

/** Loads the preferences. early.ts reads two of the storage keys, THEME and ASKED, before the first paint. */
export function loadPreferences(): Partial<Preferences> {
  try {
    const theme = localStorage.getItem(THEME);
    return {
      ...(theme === 'light' || theme === 'dark' ? { theme } : {}),
      keys: localStorage.getItem(KEYS) !== 'off',
      asked: localStorage.getItem(ASKED) !== null,
    };
  } catch {
    return {}; // storage may be unavailable, for example inside a frame
  }
}

/** Sets the theme on the root element, and stores changed preferences. `writing` is not stored. */
export function savePreferences(store: Store, root: HTMLElement): void {
  applyTheme(store.state.preferences.theme, root);
  store.subscribe(({ preferences: { theme, keys, asked } }, _, before) => {
    if (theme !== before.preferences.theme) {
      applyTheme(theme, root);
      saveItem(THEME, theme);
    }
    if (asked && !before.preferences.asked) saveItem(ASKED, 'yes');
    if (keys !== before.preferences.keys) saveItem(KEYS, keys ? '' : 'off');
  });
}

/** Stores a value. An empty one, which is the default, is removed instead. */
function saveItem(key: string, value: string): void {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // Without storage, the preference lasts only until the page is closed.
  }
}

function applyTheme(theme: Theme, root: HTMLElement): void {
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
}
