// Light, dark, or as the reader's system has it.

import { segmented } from './segmented.js';

const KEY = 'param-ledger-theme';

export class ThemeSwitch extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    const stored = remembered();
    apply(stored);
    this.append(segmented('Colours', [['', 'auto'], ['light', 'light'], ['dark', 'dark']], stored, apply));
  }
}

/** @param {string} theme */
function apply(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  try {
    if (theme) localStorage.setItem(KEY, theme);
    else localStorage.removeItem(KEY);
  } catch {
    // Storage may be closed, as inside a frame: then the choice lasts as long as the page.
  }
}

function remembered() {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === 'light' || theme === 'dark' ? theme : '';
  } catch {
    return '';
  }
}

customElements.define('theme-switch', ThemeSwitch);
