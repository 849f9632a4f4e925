// The markup around what is embedded: where the page is hosted, the widget's script, a frame that takes the height of what is in it.

import { home, isFile } from '../support/build-info.ts';
import { escapeMarkup } from '../support/escape.ts';

/** Where an author puts the address of a host of their own. */
const YOUR_HOST = 'https://YOUR-HOST/';

/** The address of the hosted page, with a slash at its end; the package and the one file are next to it. */
export function findSite(): string {
  if (!isFile) return new URL('.', location.href.replace(/[?#].*/, '')).href;
  return home ? new URL('.', home).href : YOUR_HOST;
}

export const markScript = (site: string) => `<script type="module" src="${escapeMarkup(site)}package/widget.js"></script>\n`;

/** A configuration or a set of exercises inside the element. A script's text ends at the first `</script`. */
export const markJson = (text: string) => `  <script type="application/json">\n${text.trim().replaceAll('<', '\\u003c')}\n  </script>\n`;

/** `forms`: what is asked in it is answered in a form. `hash`: what the one-file page shows in it. It is the file because the modules of the hosted page do not load in a sandbox everywhere. */
export const markFrame = (
  site: string,
  hash: string,
  title: string,
  height: number,
  forms: '' | 'allow-forms ' = '',
) => `<iframe src="${escapeMarkup(`${site}param-ledger.html${hash}`)}"
  title="${escapeMarkup(title)}" width="100%" height="${height}" loading="lazy" referrerpolicy="no-referrer"
  sandbox="allow-scripts ${forms}allow-downloads allow-popups allow-popups-to-escape-sandbox"></iframe>
<script>
  // The frame sends its height. Without this code it keeps the height above.
  addEventListener('message', ({ source, data }) => {
    if (data?.type !== 'param-ledger-height') return;
    for (const frame of document.querySelectorAll('iframe')) if (frame.contentWindow === source) frame.height = data.height;
  });
</script>
`;
