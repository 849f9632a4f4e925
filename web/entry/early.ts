// Runs before anything is painted: the reader's colours, no questions that were asked before, no first model in sight where the address asks for another, and a word where the page's
// own script does not come or stops.

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

// What is thrown after the page is ready is no trouble of its start, and what an extension throws is none of the page's.
addEventListener('error', ({ message, filename }) => {
  const banner = document.querySelector<HTMLElement>('.banner[role=status]');
  if (/extension:/.test(filename) || root.dataset.ready !== undefined || !banner) return;
  delete root.dataset.awaiting;
  banner.textContent = notStarted(message);
  banner.hidden = false;
});
