// Texts of the Embed view.

export const title = 'Embed';
export const about = 'Put the number into a post: live, or as text.';
export const shows = 'It shows';
export const parts = {
  total: 'the number',
  parts: 'its parts',
  compare: 'models side by side',
  formula: 'the formula',
  derivation: 'its derivation',
  devices: 'what each of eight devices holds',
  table: 'every tensor',
};
export const mayChange = 'Readers may change';
export const bound = {
  least: (field: string) => `Minimum of ${field}`,
  most: (field: string) => `Maximum of ${field}`,
};
export const size = 'Size of the preview';
export const wide = 'wide';
export const phone = 'phone';
export const preview = 'As readers will see it';
export const form = 'Form';
export const forms = {
  script: 'Widget',
  frame: 'Frame',
  markdown: 'Markdown',
  html: 'HTML',
  svg: 'SVG',
  badge: 'Badge',
  badgeMarkdown: 'Badge in Markdown',
};
export const meanings = {
  script: 'One element and one script, for pages that allow scripts. Without scripts a link is shown.',
  frame: 'For pages that allow frames. The framed file makes no requests.',
  markdown: 'No script: for a README, a model card, an issue.',
  html: 'No script, no style: for pages that allow only markup.',
  svg: 'A picture, for pages that allow only pictures.',
  badge: 'Save it as parameters.svg, for a README or a model card.',
  badgeMarkdown: 'Shows the saved parameters.svg and links to the count.',
};
/** The HTTP headers that the widget needs. */
export const needs = (host: string) =>
  `A page with a Content-Security-Policy needs script-src ${host} 'wasm-unsafe-eval'; connect-src ${host}. If the widget is on another host than the page, that host must send Access-Control-Allow-Origin: *.`;
export const copy = 'Copy';
export const copyTitle = (form: string) => `Copy as ${form}`;
export const save = 'Save';
export const saveTitle = 'Save the picture';
export const snippet = 'Snippet to paste';
export const notCounted = 'This configuration cannot be counted, or is too long for a link.';
export const sentence = (name: string, count: string, short: string) => `${name} has ${count} parameters (${short}).`;
export const parameters = 'parameters';
export const countedBy = 'Counted exactly by Param Ledger';
export const frameTitle = (names: string) => `Parameters of ${names}, counted`;
