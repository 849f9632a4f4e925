// The page in compact form, as a frame in a post shows it: `#view=parts;m=…`. It tells the page around it how high it is.

import compactStyle from '#compact-style';
import { home, isFile } from '../lib/told.ts';
import { render } from 'preact';
import { entryOf } from '../lib/models/catalogue.ts';
import { parseCompact, type CompactLink } from '../lib/settings/compact.ts';
import { hashOf } from '../lib/models/link.ts';
import { opened, withValue, type Model } from '../lib/models/model.ts';
import * as texts from '../lib/texts/page-texts.ts';
import type { Growing } from '../lib/core/growing.ts';
import { wear } from '../parts/style.ts';
import { Exports } from '../parts/exports.tsx';
import { CompactView } from './compact-view.tsx';

/** What the page around is told: `{ type, height }`. */
const HEIGHT_MESSAGE = 'param-ledger-height';

export async function frame(counter: Growing, place: HTMLElement): Promise<void> {
  const root = document.documentElement;
  let models: readonly Model[] = [];
  let link: CompactLink | undefined;

  const draw = async () => {
    if (!link) return;
    const { parts, editable } = link;
    const hash = await hashOf(
      models.map(({ entry }) => entry),
      models.length > 1 ? 'compare' : '',
    );
    const page = isFile ? home : location.href.replace(/#.*/, '');
    render(
      <CompactView
        name="compact"
        models={models}
        parts={parts}
        editable={editable}
        set={(path, literal) => {
          models = [withValue(counter, models[0], path, literal), ...models.slice(1)];
          void draw();
        }}
        page={page && hash !== undefined ? page + hash : undefined}
        exports={(answer, name, enabled) => <Exports answer={answer} name={name} enabled={enabled} />}
      />,
      place,
    );
  };

  const follow = async () => {
    link = parseCompact(location.hash);
    if (link?.theme) root.dataset.theme = link.theme;
    try {
      if (!link) throw new Error(texts.link.nothing);
      models = (await Promise.all(link.models.map((model) => entryOf(model, counter)))).map((entry) => opened(counter, entry));
      await draw();
    } catch (error) {
      render(<p class="banner">{(error as Error).message}</p>, place);
    }
    delete root.dataset.awaiting;
    root.dataset.ready = '';
  };

  wear(compactStyle);
  place.replaceChildren();
  if (parent !== window) {
    new ResizeObserver(() => {
      // To whoever is around: a height is no secret.
      parent.postMessage({ type: HEIGHT_MESSAGE, height: Math.ceil(place.getBoundingClientRect().height) }, '*');
    }).observe(place);
  }
  addEventListener('hashchange', () => (location.hash.startsWith('#view=') ? void follow() : location.reload()));
  await follow();
}
