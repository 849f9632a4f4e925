// Runs before the first paint: sets the reader's colours, hides first questions that were used and the first model if the address asks for another, and says so when the page's
// script does not arrive or fails.

import { notStarted } from '../texts/page.ts';

const root = document.documentElement;
try {
  const theme = localStorage.getItem('param-ledger-theme');
  if (theme) root.dataset.theme = theme;
  if (localStorage.getItem('param-ledger-asked')) root.dataset.asked = '';
} catch {
  // Storage may be closed, as inside a frame.
}
if (location.hash.startsWith('#view=')) root.dataset.compact = ''; // see views/framed.tsx
if (location.hash.length > 1 || history.state) root.dataset.awaiting = '';

// Errors after the page is ready do not concern its start, and errors of extensions are not the page's.
addEventListener('error', ({ message, filename }) => {
  const banner = document.querySelector<HTMLElement>('.banner[role=status]');
  if (/extension:/.test(filename) || root.dataset.ready !== undefined || !banner) return;
  delete root.dataset.awaiting;
  banner.textContent = notStarted(message);
  banner.hidden = false;
});
