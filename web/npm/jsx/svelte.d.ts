// Types of `<param-ledger>` for Svelte 5: write `import 'param-ledger/jsx/svelte'` in any module.

import type { HTMLAttributes } from 'svelte/elements';
import type { ParamLedgerAttributes, ParamLedgerElement, ParamLedgerHandlers } from './attributes.js';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'param-ledger': HTMLAttributes<ParamLedgerElement> & ParamLedgerAttributes & ParamLedgerHandlers;
  }
}
