// A set of exercises as a link, a frame and the widget's element. Each carries the whole set.

import { home } from '../support/build-info.ts';
import { escapeMarkup } from '../support/escape.ts';

/** Browsers and messengers cut longer addresses. */
const MAX_LINK = 16_000;

const addressOf = (hash: string): string | undefined => {
  const page = typeof location === 'undefined' || location.protocol === 'file:' ? home : location.href.replace(/#.*/, '');
  return page && hash.length <= MAX_LINK ? page + hash : undefined;
};

/** `packed`: the set as a detail of an address. */
export const exerciseLink = (packed: string) => addressOf(`#lessons?${packed}`);

export function exerciseFrame(packed: string, title: string): string | undefined {
  const address = addressOf(`#view=exercise&set=${packed}`);
  return (
    address &&
    `<iframe src="${escapeMarkup(address)}" title="${escapeMarkup(title)}" width="100%" height="720" loading="lazy" sandbox="allow-scripts"></iframe>`
  );
}

/** `text`: the set as JSON. A script's text ends at the first `</script`. */
export const exerciseWidget = (text: string, page: string | undefined): string =>
  `<param-ledger view="exercise"${page ? ` page="${escapeMarkup(page)}"` : ''}><script type="application/json">${text.replaceAll('<', '\\u003c')}</script></param-ledger>`;
