// Adds the style sheets of components that are loaded on demand.

const worn = new Set<string>();

/** Adds a style sheet to the document. Does nothing if it was added before. */
export function adoptStyle(style: string): void {
  if (worn.has(style)) return;
  worn.add(style);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
