// Runs the browser tests: two files at a time, in Chromium and in Firefox. A failed test is run again to record a trace in
// .build/playwright (`tests/node_modules/.bin/playwright show-trace FILE`), because tracing every test takes a fifth longer. If the second
// run passes, the test still fails as flaky, unless PARAM_LEDGER_RETRIES allows it, as CI does on its shared machines.

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
  // The tags of a test tell in which browsers it runs: see `everywhere` in page/browsers.mjs.
  projects: ['chromium', 'firefox'].map((name) => ({ name, grep: new RegExp(`@${name}\\b`) })),
});
