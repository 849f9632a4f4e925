// Renders the page as HTML, with the first model's answer already drawn. build.mjs runs it in Node.

import { home } from '../support/build-info.ts';
import { renderToString } from 'preact-render-to-string';
import { createStore } from '../app/store.ts';
import { drawCard } from '../drawings/card-drawing.ts';
import { formatSvg } from '../drawings/svg.ts';
import { nameOf, publishedOf } from '../models/model.ts';
import { loadCounter, loadFullCounter } from '../core/counter.ts';
import { lazyCounter } from '../core/lazy-counter.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer } from '../types/index.ts';
import { firstEntry, Page, formatTitle } from '../views/page-view.tsx';

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='6' fill='%23135d54'/%3E%3Cpath d='M7 9h18M7 14h18M7 21h18M7 25h18' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

export interface Drawn {
  readonly head: string;
  readonly body: string;
  /** CSS rules that replace style attributes, which a strict Content-Security-Policy does not allow. */
  readonly style: string;
  /** The preview picture as SVG. */
  readonly preview: string;
}

/** Renders the page. `isAddress`: whether the page has an address that others can open. */
export async function drawn(wasm: Uint8Array, isAddress: boolean): Promise<Drawn> {
  const store = createStore(lazyCounter(await loadCounter({ wasm }), loadFullCounter), firstEntry);
  const html = renderToString(<Page store={store} link={() => Promise.resolve(undefined)} isAddress={isAddress} />);
  const styles = new Map<string, string>();
  const body = html.replace(/ style="([^"]*)"/g, (_, style: string) => {
    const key = styles.get(style) ?? styles.size.toString(36);
    styles.set(style, key);
    return ` data-s="${key}"`;
  });
  const [model] = store.state.models;
  const published = publishedOf(model);
  const card = drawCard(model.shown as CountAnswer, {
    name: nameOf(model.entry),
    source: published && `${published.source}; ${published.recorded}`,
    address: home,
  });
  const head = renderToString(
    <>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{formatTitle(store.state)}</title>
      <meta name="description" content={texts.description} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={texts.product} />
      <meta property="og:title" content={formatTitle(store.state)} />
      <meta property="og:description" content={texts.description} />
      {home !== '' && <meta property="og:url" content={home} />}
      {home !== '' && <meta property="og:image" content={new URL('preview.png', home).href} />}
      {home !== '' && <meta property="og:image:alt" content={texts.previewAlt} />}
      <meta name="twitter:card" content={home === '' ? 'summary' : 'summary_large_image'} />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <link rel="icon" href={ICON} />
    </>,
  );
  const noScript = renderToString(
    <noscript>
      <p class="banner">{texts.noScript}</p>
    </noscript>,
  );
  return {
    head,
    body: `${noScript}<div id="page">${body}</div>`,
    preview: formatSvg(card),
    style: [...styles].map(([style, key]) => `[data-s="${key}"]{${style}}`).join('\n'),
  };
}
