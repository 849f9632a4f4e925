// The HTML around embedded content: the address of the hosted page, the widget's script, and a frame that adapts its height.

import { home, isFile } from '../support/build-info.ts';
import { escapeMarkup } from '../support/escape.ts';

/** A placeholder that the author of a post replaces with the address of a host. */
const YOUR_HOST = 'https://YOUR-HOST/';

/** The address of the folder with the hosted page, the package and the offline file; a placeholder if the address is unknown. */
export function findSite(): string {
  if (!isFile) return new URL('.', location.href.replace(/[?#].*/, '')).href;
  return home ? new URL('.', home).href : YOUR_HOST;
}

export const markScript = (site: string) => `<script type="module" src="${escapeMarkup(site)}package/widget.js"></script>\n`;

/** A configuration or a set of exercises as JSON inside the element. Each `<` is escaped, because `</script` would end the script. */
export const markJson = (text: string) => `  <script type="application/json">\n${text.trim().replaceAll('<', '\\u003c')}\n  </script>\n`;

/**
 * A frame that shows the offline file, because the hosted page's modules do not load in every sandbox. `hash` is the part of the address
 * that says what the file shows. `forms` allows forms in the frame, which exercises need.
 */
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
