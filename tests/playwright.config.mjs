// How the browser tests run: two files at a time, each in Chromium and in Firefox. A test that fails is run again, to leave a trace in
// .build/playwright (`tests/node_modules/.bin/playwright show-trace FILE`): tracing every test takes a fifth longer. If the second run passes, the
// test still fails as flaky, unless PARAM_LEDGER_RETRIES allows that, as CI does on machines that others use, too.

import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: ['page/*.test.mjs', 'widget/*.test.mjs'],
  outputDir: '../.build/playwright',
  workers: 2,
  retries: 1,
  failOnFlakyTests: !process.env.PARAM_LEDGER_RETRIES,
  timeout: 180_000,
  forbidOnly: true,
  reporter: [['dot']],
  // A test says by its tags in which browsers it runs: `everywhere` in page/browsers.mjs.
  projects: ['chromium', 'firefox'].map((name) => ({ name, grep: new RegExp(`@${name}\\b`) })),
});
