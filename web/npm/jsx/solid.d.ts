// `<param-ledger>` in Solid: `import 'param-ledger/jsx/solid'` in any module. An object goes into `prop:config`.

import type {} from 'solid-js';
import type { ParamLedgerAttributes, ParamLedgerElement, ParamLedgerListeners } from './attributes.js';

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'param-ledger': HTMLAttributes<ParamLedgerElement> &
        ParamLedgerAttributes & { 'prop:config'?: string | object | null } & {
          [Name in keyof ParamLedgerListeners as `on:${Name}`]?: ParamLedgerListeners[Name];
        };
    }
  }
}
