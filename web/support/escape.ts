// Escapes text for other languages.

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** For HTML, SVG and MathML: between tags and in quoted attributes. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]);

/** For a cell of a Markdown table. */
export const escapeMarkdownCell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/[\r\n]+/g, ' ');

/** A cell that begins like a formula gets an apostrophe: a spreadsheet then shows it and does not run it. */
export const guardFormula = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);

/** For a cell of CSV. */
export function csvCell(cell: string): string {
  const safe = guardFormula(cell);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
