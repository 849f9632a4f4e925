// The page in real browsers: Debian's Chromium and Firefox, each with the hosted page and with the file opened from disk.
//
//   everywhere('what should hold', async ({ page, open, name, place }) => { await open('#m=llama'); ... }, { viewport, dark });
//
// registers a test for both browsers: Chromium with the hosted page, Firefox with the file; `places: PLACES` for all four, where it matters
// how the page was opened. A test fails, whatever it asserts, where the page logs an error, throws, violates its
// Content-Security-Policy or asks another host for anything.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { address, serve } from '../../web/build/serve.mjs';
import { launchChromium, launchFirefox } from './launch.mjs';

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */
/** @typedef {'chromium' | 'firefox'} Name */
/** @typedef {'hosted' | 'file'} Place */

/**
 * @typedef {object} Setting
 * @property {Page} page a fresh page; nothing is open in it yet
 * @property {import('playwright-core').BrowserContext} context
 * @property {(fragment?: string) => Promise<void>} open opens the page, e.g. with the state `#m=llama`
 * @property {string} url what `open` opens
 * @property {Name} name of the browser
 * @property {Place} place
 */

/**
 * @typedef {object} Choices besides those of Playwright's newContext
 * @property {boolean} [dark]
 * @property {boolean} [still] the reader prefers reduced motion
 * @property {boolean} [forced] the reader chose all colours
 * @property {Name[]} [names]
 * @property {Place[]} [places] in each of the browsers
 * @property {RegExp} [faults] that are meant
 * @property {RegExp} [asks] of what else the page may ask, when its reader does
 */

/** @type {Place[]} */
export const PLACES = ['hosted', 'file'];

/** What each browser opens where a test does not say. @type {Readonly<Record<Name, Place>>} */
const USUAL = { chromium: 'hosted', firefox: 'file' };

/** What a test may take, in milliseconds, whichever of its steps takes it. */
const LIMIT = 180_000;

const server = (await serve(0)).unref();
const urls = { hosted: address(server), file: new URL('../../web/dist/param-ledger.html', import.meta.url).href };

/** @type {Map<string, Promise<Browser>>} by name and preferences */
const running = new Map();

/** Ends all browsers. */
export const close = async () => {
  await Promise.all([...running.values()].map(async (browser) => (await browser).close()));
};
/** pool.mjs started this process: it closes them after the last of its files. */
const pooled = process.send !== undefined;
if (!pooled) after(close);

/**
 * @param {string} title
 * @param {(setting: Setting) => Promise<void>} check
 * @param {Choices & import('playwright-core').BrowserContextOptions} [choices]
 */
export function everywhere(
  title,
  check,
  { dark = false, still = false, forced = false, names = ['chromium', 'firefox'], places, faults: meant, asks, ...options } = {},
) {
  for (const name of names) {
    for (const place of places ?? [USUAL[name]]) {
      const once = async () => {
        const browser = await launched(name, dark, still, forced);
        const context = await browser.newContext({
          colorScheme: dark ? 'dark' : 'light',
          reducedMotion: still ? 'reduce' : 'no-preference',
          forcedColors: forced ? 'active' : 'none',
          serviceWorkers: 'block', // what they keep would be fetched in each test
          ...options,
        });
        context.setDefaultTimeout(LIMIT / 4); // a busy machine is no fault of the page; whose step fails should say which
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
        } finally {
          await context.close();
        }
      };
      test(`${title} (${name}, ${place})`, { timeout: LIMIT }, (t) => (pooled ? twice(once, t.name) : once()));
    }
  }
}

/**
 * A browser on a busy machine may run out of time: what fails gets a second run. Whether that passes or not, pool.mjs reports the first.
 * @param {() => Promise<void>} run @param {string} title
 */
async function twice(run, title) {
  try {
    await run();
  } catch (error) {
    process.send?.({ title, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    await run();
  }
}

/**
 * What axe finds wrong with the page as it is now, in readable lines. All its rules; to name each place where they hold takes it five times
 * as long, and no rule that is on reads the style sheets that it would fetch.
 * @param {Page} page
 */
export async function inaccessible(page) {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'], preload: false })
    .analyze();
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** @param {Name} name @param {boolean} dark @param {boolean} still @param {boolean} forced */
function launched(name, dark, still, forced) {
  // Firefox does not follow the context's settings: it needs them as preferences, so a browser for each.
  const key = name === 'chromium' ? name : `${name} ${dark} ${still} ${forced}`;
  const browser = running.get(key) ?? (name === 'chromium' ? launchChromium() : launchFirefox(dark, still, forced));
  running.set(key, browser);
  return browser;
}

/** Collects whatever no page of ours may do. @param {Page} page @param {RegExp} [asks] */
async function watched(page, asks) {
  /** @type {string[]} */
  const faults = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  // Firefox may lay a formula out while its parser is in the middle of it: not thrown, and drawn again at once. `opens on` counts the children.
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
