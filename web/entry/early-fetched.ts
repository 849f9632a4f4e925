// Starts the first requests of the hosted page. The counting program is requested at once, and so is the catalogue if the address names a
// published model. The scripts of the page are requested after the browser has painted the prerendered page, because parsing them would
// delay the paint.

import './early.ts';

/** The addresses of the program and the catalogue, set by build.mjs. */
declare const EARLY_PROGRAM: string;
declare const EARLY_CATALOGUE: string;
/** All scripts of the first view. Requesting them together saves waiting for one script to import the next. */
declare const EARLY_SCRIPTS: readonly string[];

// Calls `fetch` instead of adding `<link rel="preload">`, because WebKit does not reuse a preloaded response when a script calls `fetch`.
// programs-fetched.ts and catalogue-fetched.ts read the responses.
Object.assign(globalThis, {
  countFetched: fetch(EARLY_PROGRAM),
  ...(/[#;]m=/.test(location.hash) && { catalogueFetched: fetch(EARLY_CATALOGUE) }),
});

const begin = () => {
  for (const script of EARLY_SCRIPTS) import(script).catch(reportError); // early.ts shows the error
};

// In a hidden tab nothing is painted. If the page hides the first model, because it may show something else, its paint need not come first.
if (document.hidden || document.documentElement.dataset.awaiting !== undefined) begin();
else requestAnimationFrame(() => setTimeout(begin));
