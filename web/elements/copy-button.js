// A button that copies a text and says so where it stands.

import { h, setText, spoken } from '../dom.js';

/**
 * @param {string} label
 * @param {string} title what it copies, for those who cannot see what it stands beside
 * @param {() => string} text
 * @returns {HTMLButtonElement}
 */
export function copyButton(label, title, text) {
  const word = h('span', { textContent: label });
  const heard = h('span', { className: 'spoken', role: 'status' });
  let back = 0;
  const button = h('button', {
    type: 'button',
    className: 'quiet',
    title,
    onclick: async () => {
      const done = await copy(text());
      setText(word, done ? 'Copied' : 'Not allowed');
      setText(heard, done ? 'Copied' : 'The browser does not allow copying');
      clearTimeout(back);
      back = window.setTimeout(() => {
        setText(word, label);
        setText(heard, '');
      }, 1_500);
    },
  });
  button.append(word, spoken(`: ${title}`), heard);
  return button;
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Where the clipboard is not offered, as inside a frame: the way that needs only a gesture. @param {string} text */
function copyBySelection(text) {
  const focused = document.activeElement;
  const area = h('textarea', { className: 'spoken', value: text, 'aria-hidden': 'true' });
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
