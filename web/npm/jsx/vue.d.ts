// `<param-ledger>` in templates of Vue 3: `import 'param-ledger/jsx/vue'` in any module. The compiler wants to be told, too, that it is no
// component: `isCustomElement: (tag) => tag === 'param-ledger'`.

import type { HTMLAttributes, PublicProps } from 'vue';
import type { ParamLedgerAttributes, ParamLedgerElement, ParamLedgerListeners } from './attributes.js';

type Listeners = { [Name in keyof ParamLedgerListeners as `on${Capitalize<Name>}`]?: ParamLedgerListeners[Name] } & {
  onLedgerAnswer?: ParamLedgerListeners['ledger-answer'];
  onLedgerError?: ParamLedgerListeners['ledger-error'];
};

declare module 'vue' {
  interface GlobalComponents {
    'param-ledger': new () => ParamLedgerElement & {
      /** @deprecated only for the types of templates */
      $props: HTMLAttributes & ParamLedgerAttributes & Listeners & PublicProps;
    };
  }
}
