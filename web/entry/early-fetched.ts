// Makes the first requests of the hosted page. The program that counts is requested at once. The page's scripts are imported after the
// first paint of the prerendered page, because parsing them would delay it.

import './early.ts';

/** The addresses of the program and the scripts, set by build.mjs. */
declare const EARLY_PROGRAM: string;
/** All scripts of the first view, so that none has to wait for the script that imports it. */
declare const EARLY_SCRIPTS: readonly string[];

// WebKit does not use a preloaded response when a script fetches the file, so programs-fetched.ts uses this response.
Object.assign(globalThis, { countFetched: fetch(EARLY_PROGRAM) });

const begin = () => {
  for (const script of EARLY_SCRIPTS) import(script).catch(reportError); // early.ts shows the error
};

// If the tab is hidden, or the address names another model, nothing is painted that could be delayed.
if (document.hidden || document.documentElement.dataset.awaiting !== undefined) begin();
else requestAnimationFrame(() => setTimeout(begin));
