// Runs before the first paint. Sets the user's colour theme, hides the introductory questions if one was used, hides the first model if the
// address or the history step may ask for something else, and shows a message if the page's script fails or does not load.

import { notStarted } from '../texts/page.ts';

const root = document.documentElement;
try {
  const theme = localStorage.getItem('param-ledger-theme');
  if (theme) root.dataset.theme = theme;
  if (localStorage.getItem('param-ledger-asked')) root.dataset.asked = '';
} catch {
  // Storage may be unavailable, for example inside a frame.
}
if (location.hash.startsWith('#view=')) root.dataset.compact = ''; // the page of a frame: see views/frame.tsx
if (location.hash.length > 1 || history.state) root.dataset.awaiting = '';

// Shows only errors before the page is ready, and not those of browser extensions.
addEventListener('error', ({ message, filename }) => {
  const banner = document.querySelector<HTMLElement>('.banner[role=status]');
  if (/extension:/.test(filename) || root.dataset.ready !== undefined || !banner) return;
  delete root.dataset.awaiting;
  banner.textContent = notStarted(message);
  banner.hidden = false;
});
