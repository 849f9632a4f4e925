// How the browser tests run: two files at a time, each in Chromium and in Firefox. A second try only where PARAM_LEDGER_RETRIES asks for one, as CI
// does on machines that others use, too; it reports what was flaky. What fails leaves a trace in .build/playwright: `tests/node_modules/.bin/playwright show-trace FILE`.

import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  testMatch: ['page/*.test.mjs', 'widget/*.test.mjs'],
  outputDir: '../.build/playwright',
  workers: 2,
  retries: Number(process.env.PARAM_LEDGER_RETRIES ?? 0),
  timeout: 180_000,
  forbidOnly: true,
  reporter: [['dot']],
  // A test says by its tags in which browsers it runs: `everywhere` in page/browsers.mjs.
  projects: ['chromium', 'firefox'].map((name) => ({ name, grep: new RegExp(`@${name}\\b`) })),
});
