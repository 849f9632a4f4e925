// Launches the installed Chromium and Firefox for tests and benchmarks, not Playwright's builds. Chromium's headless shell is the same
// engine without windows and opens a page three times as fast. If it is not installed, Chromium or Chrome itself is used.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, firefox } from '@playwright/test';

export const launchChromium = () =>
  chromium.launch({
    executablePath: program('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'),
    chromiumSandbox: process.getuid?.() !== 0, // not available to root
    args: ['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'],
  });

/** @param {boolean} dark @param {boolean} still @param {boolean} [forced] */
export const launchFirefox = (dark, still, forced = false) =>
  firefox.launch({
    channel: 'moz-firefox', // Debian's, not Playwright's patched one
    executablePath: program('firefox-esr', 'firefox'),
    firefoxUserPrefs: {
      // Playwright turns this off. A page that is split into several files would then seem to work from disk.
      'security.fileuri.strict_origin_policy': true,
      'layout.css.prefers-color-scheme.content-override': dark ? 0 : 1,
      'ui.prefersReducedMotion': still ? 1 : 0,
      'browser.display.document_color_use': forced ? 2 : 1,
    },
  });

/** The path of the first of the named programs that is installed. @param {string[]} names */
function program(...names) {
  const paths = names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)));
  const found = paths.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error(`none of ${names.join(', ')} is installed`);
  return found;
}
