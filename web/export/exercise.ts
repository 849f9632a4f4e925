// A set of exercises as a link, a frame and the widget's element. Each contains the whole set.

import { home, isFile } from '../support/build-info.ts';
import { escapeMarkup } from '../support/escape.ts';
import { findSite, markFrame, markJson, markScript } from './embed-markup.ts';

/** Browsers and messengers cut longer addresses. */
const MAX_LINK = 16_000;

/** The address of this page, or of the hosted one, without its hash. */
const findPage = () => (isFile && home) || location.href.replace(/#.*/, '');

/** A link to a set of exercises, which is `packed` into the address. Undefined if the set is too long for one. */
export const exerciseLink = (packed: string): string | undefined =>
  packed.length <= MAX_LINK ? `${findPage()}#lessons?${packed}` : undefined;

/** HTML that embeds the set. Undefined if the set is too long for an address. */
export const exerciseFrame = (packed: string, title: string): string | undefined =>
  packed.length <= MAX_LINK ? markFrame(findSite(), `#view=exercise&set=${packed}`, title, 720, 'allow-forms ') : undefined;

/** `text`: the set as JSON. */
export function exerciseWidget(text: string, title: string): string {
  const site = findSite();
  return `<param-ledger view="exercise" page="${escapeMarkup(site)}">
  <a href="${escapeMarkup(site)}#lessons">${escapeMarkup(title)}</a>
${markJson(text)}</param-ledger>
${markScript(site)}`;
}
