// Adds style sheets for components whose code is loaded on demand.

const worn = new Set<string>();

/** Adds a style sheet to the page, unless the page already has it. */
export function adoptStyle(style: string): void {
  if (worn.has(style)) return;
  worn.add(style);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
