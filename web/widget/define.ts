// Registers the widget as `<param-ledger>`, unless that name is already registered.

import { ParamLedgerElement } from './element.ts';

export { ParamLedgerElement };

if (typeof customElements !== 'undefined' && !customElements.get('param-ledger')) customElements.define('param-ledger', ParamLedgerElement);
