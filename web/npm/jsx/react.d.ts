// Types of `<param-ledger>` for React 19: write `import 'param-ledger/jsx/react'` in any module.

import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { ParamLedgerAttributes, ParamLedgerElement, ParamLedgerHandlers } from './attributes.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'param-ledger': DetailedHTMLProps<HTMLAttributes<ParamLedgerElement>, ParamLedgerElement> &
        ParamLedgerAttributes &
        ParamLedgerHandlers;
    }
  }
}
