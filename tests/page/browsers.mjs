// Runs tests of the page in the installed Chromium and Firefox, with the hosted page or with the offline file opened from disk.
//
//   everywhere('what should hold', async ({ page, open, name, place }) => { await open('#m=llama'); ... }, { viewport, dark });
//
// registers a test for both browsers: Chromium with the hosted page, Firefox with the file. With `places: PLACES` it runs in all four
// combinations, for tests that depend on how the page was opened. Unless it expects that, a test fails if the page logs an error, throws,
// violates its Content-Security-Policy or sends a request to another host.

import assert from 'node:assert/strict';
import { test as base } from '@playwright/test';
import { AxeBuilder } from '@axe-core/playwright';
import { address, serve } from '../../web/build/serve.mjs';
import { launchChromium, launchFirefox } from './launch.mjs';

/** @typedef {import('@playwright/test').Browser} Browser */
/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {'chromium' | 'firefox'} Name */
/** @typedef {'hosted' | 'file'} Place */

/**
 * @typedef {object} Setting
 * @property {Page} page a new page, in which nothing is open yet
 * @property {import('@playwright/test').BrowserContext} context
 * @property {(fragment?: string) => Promise<void>} open opens the page, e.g. with the state `#m=llama`
 * @property {string} url the URL that `open` opens
 * @property {Name} name of the browser
 * @property {Place} place
 */

/**
 * @typedef {object} Choices in addition to those of Playwright's newContext
 * @property {boolean} [dark]
 * @property {boolean} [still] the user prefers reduced motion
 * @property {boolean} [forced] the user's system forces its own colours
 * @property {Name[]} [names]
 * @property {Place[]} [places] where the page is opened, in each of the browsers
 * @property {RegExp} [faults] errors that the test expects
 * @property {RegExp} [asks] other URLs that the page may request, because the user asks for them
 */

/** @type {Place[]} */
export const PLACES = ['hosted', 'file'];

/** What each browser opens by default: the hosted page or the offline file. @type {Readonly<Record<Name, Place>>} */
const USUAL = { chromium: 'hosted', firefox: 'file' };

const server = (await serve(0)).unref();
const urls = { hosted: address(server), file: new URL('../../web/dist/param-ledger.html', import.meta.url).href };

/** Starts each browser when it is first needed, once per process, Firefox once for each combination of settings. */
const test = base.extend({
  launched: [
    // Playwright requires a destructuring pattern here, which tells it what other fixtures this fixture uses.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      /** @type {Map<string, Promise<Browser>>} by name and preferences */
      const running = new Map();
      await use((/** @type {Name} */ name, /** @type {boolean} */ dark, /** @type {boolean} */ still, /** @type {boolean} */ forced) => {
        // Firefox ignores these settings in a context and needs preferences instead, so each combination of them has its own browser
        // process.
        const key = name === 'chromium' ? name : `${name} ${dark} ${still} ${forced}`;
        const browser = running.get(key) ?? (name === 'chromium' ? launchChromium() : launchFirefox(dark, still, forced));
        running.set(key, browser);
        return browser;
      });
      await Promise.all([...running.values()].map(async (browser) => (await browser).close()));
    },
    { scope: 'worker' },
  ],
});

/**
 * @param {string} title
 * @param {(setting: Setting) => Promise<void>} check
 * @param {Choices & import('@playwright/test').BrowserContextOptions} [choices]
 */
export function everywhere(
  title,
  check,
  { dark = false, still = false, forced = false, names = ['chromium', 'firefox'], places, faults: meant, asks, ...options } = {},
) {
  for (const name of names) {
    for (const place of places ?? [USUAL[name]]) {
      test(`${title} (${name}, ${place})`, { tag: `@${name}` }, async ({ launched }, testInfo) => {
        const browser = await launched(name, dark, still, forced);
        const context = await browser.newContext({
          colorScheme: dark ? 'dark' : 'light',
          reducedMotion: still ? 'reduce' : 'no-preference',
          forcedColors: forced ? 'active' : 'none',
          serviceWorkers: 'block', // otherwise the service worker would fetch all files in each test
          ...options,
        });
        // a busy machine may be slow, but the failing step should be named before the test times out
        context.setDefaultTimeout(testInfo.timeout / 4);
        const traced = testInfo.retry > 0;
        if (traced) await context.tracing.start({ screenshots: true, snapshots: true });
        try {
          const page = await context.newPage();
          const faults = await watched(page, asks);
          const open = async (fragment = '') => void (await page.goto(urls[place] + fragment));
          await check({ page, context, open, url: urls[place], name, place });
          assert.deepEqual(
            faults.filter((fault) => !meant?.test(fault)),
            [],
            'the page misbehaved',
          );
        } catch (error) {
          if (traced) await context.tracing.stop({ path: testInfo.outputPath('trace.zip') });
          throw error;
        } finally {
          await context.close();
        }
      });
    }
  }
}

/**
 * All violations that axe finds on the current page, as readable lines. The result omits passing elements, because listing them would take
 * five times as long. Style sheets are not preloaded, because no active rule reads them.
 * @param {Page} page
 */
export async function inaccessible(page) {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], preload: false })
    .analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/**
 * Records everything that our page must not do: log errors, throw exceptions, violate its policy, or send requests to other hosts.
 * @param {Page} page @param {RegExp} [asks]
 */
async function watched(page, asks) {
  /** @type {string[]} */
  const faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  // Ignores an error that Firefox reports if it lays out a formula before it has parsed the whole formula. Nothing is thrown, and Firefox
  // draws the formula again at once. The test `opens on Llama 3.1 8B` counts the children of formulas instead.
  page.on(
    'pageerror',
    (error) => /^Invalid markup: Incorrect number of children/.test(error.message) || faults.push(`thrown: ${error.stack ?? error}`),
  );
  page.on('request', (request) => {
    const url = request.url();
    const own = url.startsWith('http://localhost:') || url.replace(/[?#].*/, '') === urls.file || /^(data|blob|about):/.test(url);
    if (!own && !asks?.test(url)) faults.push(`request: ${url}`);
  });
  await page.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      console.error(`securitypolicyviolation: ${violatedDirective} ${blockedURI} at ${sourceFile}:${lineNumber}`),
    ),
  );
  return faults;
}
