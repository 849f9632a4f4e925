// Types of `<param-ledger>` for Preact: write `import 'param-ledger/jsx/preact'` in any module.

import type { ClassAttributes, HTMLAttributes } from 'preact';
import type { ParamLedgerAttributes, ParamLedgerElement, ParamLedgerHandlers } from './attributes.js';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'param-ledger': HTMLAttributes<ParamLedgerElement> &
        ClassAttributes<ParamLedgerElement> &
        ParamLedgerAttributes &
        ParamLedgerHandlers;
    }
  }
}
