// What the hosted page asks for as it begins: the program that counts at once, its own scripts when what the build has drawn is being painted, which
// reading them would hold up.

import './early.ts';

/** By build.mjs: the addresses beside the page. */
declare const EARLY_PROGRAM: string;
/** Those of all scripts that the page begins with: what one imports does not wait for that one. */
declare const EARLY_SCRIPTS: readonly string[];

// Not by a preload, which WebKit leaves unused where a script fetches: core/bytes-fetched takes it.
Object.assign(globalThis, { countFetched: fetch(EARLY_PROGRAM) });

const begin = () => {
  for (const script of EARLY_SCRIPTS) import(script).catch(reportError); // which early.ts says
};

// Nothing is painted that could be held up in a tab that is not in sight, and where the address asks for another model.
if (document.hidden || document.documentElement.dataset.awaiting !== undefined) begin();
else requestAnimationFrame(() => setTimeout(begin));
