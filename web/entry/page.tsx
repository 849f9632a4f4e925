// The entry point of the page: loads the counter, hydrates the HTML that the build has drawn, and follows the address.

import { isFile, home } from '../support/build-info.ts';
import { hydrate } from 'preact';
import { savePreferences, loadPreferences } from '../app/preferences.ts';
import { recordVisited } from '../app/visited.ts';
import { startRouter } from '../app/router.ts';
import { createStore } from '../app/store.ts';
import { createNumbers, setNumbers } from '../support/numbers.ts';
import { loadCounter, loadPublishedCounter } from '../core/counter.ts';
import { isEdited } from '../models/model.ts';
import { lazyCounter } from '../core/lazy-counter.ts';
import { loadLedger } from '../app/load-ledger.ts';
import * as texts from '../texts/page.ts';
import { loadView, parseDetails, findView, writeDetail } from '../views/all.ts';
import { firstEntry, FromHub, Page } from '../views/page-view.tsx';

setNumbers(createNumbers(navigator.language));

const root = document.documentElement;
const place = document.getElementById('page') as HTMLElement;

/** Lets the browser paint and respond between two pieces of work. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Calls `then` when the current state has been drawn and laid out, which avoids a layout shift. */
const afterFrame = (then: () => void) => requestAnimationFrame(() => requestAnimationFrame(then));

loadCounter()
  .then(async (common) => {
    const counter = lazyCounter(common, loadPublishedCounter, loadLedger);
    if (root.dataset.compact !== undefined) return (await import('../views/frame.tsx')).startFrame(counter, place);
    await pause();
    const store = createStore(counter, firstEntry);
    await pause();
    const router = startRouter(store, { parse: parseDetails, write: writeDetail, offer: FromHub.fetched });
    hydrate(<Page store={store} link={router.link} isAddress={!isFile || home !== ''} />, place);
    // Preferences, which the build could not know, are applied after the first drawing.
    store.act({ type: 'prefer', preferences: loadPreferences() });
    savePreferences(store, root);
    recordVisited(store);
    const settled = router.settled().then(async () => {
      const { view, models, active } = store.state;
      const parts = isEdited(models[active].entry) ? [import('../parts/edits.tsx')] : [];
      await Promise.all([loadView(findView(view)), ...parts]).catch(() => undefined); // if loading fails, the page shows a message
    });
    void settled.then(() =>
      afterFrame(() => {
        delete root.dataset.awaiting;
        root.dataset.ready = '';
      }),
    );
  })
  .catch((error: Error) => {
    delete root.dataset.awaiting;
    const banner = document.querySelector<HTMLElement>('.banner[role=status]');
    if (!banner) return;
    banner.textContent = texts.notStarted(error.message);
    banner.hidden = false;
  });
