// `<param-ledger>` in Solid: `import 'param-ledger/jsx/solid'` in any module. An object goes into `prop:config`.

import type { JSX } from 'solid-js';
import type { ParamLedgerAttributes, ParamLedgerElement, ParamLedgerListeners } from './attributes.js';

declare module 'solid-js' {
  // eslint-disable-next-line ts/no-unused-vars -- it is merged with Solid's own
  namespace JSX {
    interface IntrinsicElements {
      'param-ledger': JSX.HTMLAttributes<ParamLedgerElement> &
        ParamLedgerAttributes & { 'prop:config'?: string | object | null } & {
          [Name in keyof ParamLedgerListeners as `on:${Name}`]?: ParamLedgerListeners[Name];
        };
    }
  }
}
