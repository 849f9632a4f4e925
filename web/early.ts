// Runs before anything is painted: the reader's colours, and no first model in sight where the address asks for another.

const root = document.documentElement;
try {
  const theme = localStorage.getItem('param-ledger-theme');
  if (theme) root.dataset.theme = theme;
} catch {
  // Storage may be closed, as inside a frame.
}
if (location.hash.startsWith('#view=')) root.dataset.compact = ''; // see views/framed.tsx
if (location.hash.length > 1 || history.state) root.dataset.awaiting = '';
