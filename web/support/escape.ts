// Escapes text for HTML, Markdown tables, CSV and spreadsheets.

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for HTML, SVG and MathML, between tags and in double-quoted attributes. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character]);

/** Escapes text for a cell of a Markdown table. */
export const escapeMarkdownCell = (text: string): string =>
  text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/[\r\n]+/g, ' ');

/** Puts an apostrophe before a cell that begins like a formula, so that a spreadsheet shows its text and does not evaluate it. */
export const guardFormula = (cell: string): string => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell);

/** Escapes a cell for CSV. A cell that begins like a formula gets an apostrophe: see `guardFormula`. */
export function csvCell(cell: string): string {
  const safe = guardFormula(cell);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
