// The page in compact form, inside a frame in a post: `#view=parts;m=…`. It reports its height to the surrounding page.

import compactStyle from '#compact-style';
import { home, isFile } from '../support/build-info.ts';
import { render } from 'preact';
import { resolveLink } from '../models/catalogue.ts';
import { unpackDetail } from '../config/link.ts';
import { parseCompactHash, type CompactLink } from '../settings/compact.ts';
import { openModel } from '../models/model.ts';
import * as texts from '../texts/page.ts';
import type { LazyCounter } from '../core/lazy-counter.ts';
import { adoptStyle } from '../parts/adopt-style.ts';
import { Exports } from '../parts/exports.tsx';
import { createCompactModels } from './compact-models.ts';
import { prepareExercise } from './exercise-place.ts';

/** The type of the message to the surrounding page: `{ type, height }`. */
const HEIGHT_MESSAGE = 'param-ledger-height';

export async function startFrame(counter: LazyCounter, place: HTMLElement): Promise<void> {
  const root = document.documentElement;
  let link: CompactLink | undefined;
  const page = isFile ? home : location.href.replace(/#.*/, '');
  /** The address of the page on which a teacher opens a learner's answers: this page, or the hosted page if this one is not on a server. */
  const answersPage = /^https?:$/.test(location.protocol) ? location.href.replace(/#.*/, '') : home;
  const models = createCompactModels('compact', place, () => ({
    parts: link?.parts ?? [],
    plan: link?.plan,
    editable: link?.editable ?? [],
    page: page || undefined,
    exports: (answer, name, enabled) => <Exports answer={answer} name={name} enabled={enabled} />,
  }));

  const follow = async () => {
    const set = /^#view=exercise&set=(.*)$/.exec(location.hash)?.[1];
    link = parseCompactHash(location.hash);
    if (link?.theme) root.dataset.theme = link.theme;
    else delete root.dataset.theme;
    try {
      if (set !== undefined) (await prepareExercise(await unpackDetail(set), root.lang, answersPage || undefined))(place);
      else if (!link) throw new Error(texts.link.nothing);
      else {
        const entries = await Promise.all(link.models.map((model) => resolveLink(model, counter)));
        models.show(
          entries.map((entry) => openModel(counter, entry)),
          counter,
        );
      }
    } catch (error) {
      models.show([]);
      render(<p class="banner">{(error as Error).message}</p>, place);
    }
    delete root.dataset.awaiting;
    root.dataset.ready = '';
  };

  adoptStyle(compactStyle);
  place.replaceChildren();
  if (parent !== window) {
    new ResizeObserver(() => {
      const height = Math.ceil(place.getBoundingClientRect().height);
      // Sends no height while nothing is drawn, because browsers do not draw in a frame of height 0. The message may go to any origin,
      // since a height is not secret.
      if (height > 0) parent.postMessage({ type: HEIGHT_MESSAGE, height }, '*');
    }).observe(place);
  }
  addEventListener('hashchange', () => (location.hash.startsWith('#view=') ? void follow() : location.reload()));
  await follow();
}
