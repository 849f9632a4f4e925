// Writes a set of exercises as a link, a frame, or the widget's element. Each contains the entire set.

import { home, isFile } from '../support/build-info.ts';
import { escapeMarkup } from '../support/escape.ts';
import { findSite, markFrame, markJson, markScript } from './embed-markup.ts';

/**
 * The largest compressed set of exercises that is put into an address, in characters. Some browsers and messengers truncate longer
 * addresses.
 */
const MAX_LINK = 16_000;

/** The address of this page or, in the offline file, of the hosted page if that is known, without its hash. */
const findPage = () => (isFile && home) || location.href.replace(/#.*/, '');

/** A link to a set of exercises. `packed` is the compressed set. Undefined if it is too long for an address. */
export const exerciseLink = (packed: string): string | undefined =>
  packed.length <= MAX_LINK ? `${findPage()}#lessons?${packed}` : undefined;

/** HTML for a frame with the set. Undefined if the set is too long for an address. */
export const exerciseFrame = (packed: string, title: string): string | undefined =>
  packed.length <= MAX_LINK ? markFrame(findSite(), `#view=exercise&set=${packed}`, title, 720, 'allow-forms ') : undefined;

/** HTML for the widget with the set. `text` is the set as JSON. */
export function exerciseWidget(text: string, title: string): string {
  const site = findSite();
  return `<param-ledger view="exercise" page="${escapeMarkup(site)}">
  <a href="${escapeMarkup(site)}#lessons">${escapeMarkup(title)}</a>
${markJson(text)}</param-ledger>
${markScript(site)}`;
}
