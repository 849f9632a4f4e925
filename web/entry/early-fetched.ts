// The first requests of the hosted page. The program that counts is asked for at once, and so is the catalogue if the address names one of
// its models; the page's scripts when the browser paints what the build has drawn, because parsing them would delay that.

import './early.ts';

/** The addresses of the program and the scripts, set by build.mjs. */
declare const EARLY_PROGRAM: string;
declare const EARLY_CATALOGUE: string;
/** All scripts of the first view, so that none waits for the one that imports it. */
declare const EARLY_SCRIPTS: readonly string[];

// WebKit does not use a preload for a script's fetch, so programs-fetched.ts and catalogue-fetched.ts take these responses.
Object.assign(globalThis, {
  countFetched: fetch(EARLY_PROGRAM),
  ...(/[#;]m=/.test(location.hash) && { catalogueFetched: fetch(EARLY_CATALOGUE) }),
});

const begin = () => {
  for (const script of EARLY_SCRIPTS) import(script).catch(reportError); // early.ts shows the error
};

// If the tab is hidden, or the address names another model, nothing is painted that could be delayed.
if (document.hidden || document.documentElement.dataset.awaiting !== undefined) begin();
else requestAnimationFrame(() => setTimeout(begin));
