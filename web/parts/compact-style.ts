// The styles of the views in compact form, which come with these views.

import style from 'compact-style';

let worn = false;

/** Adds them to the page, once. */
export function wearCompactStyle(): void {
  if (worn) return;
  worn = true;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
