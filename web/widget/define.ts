// Registers the widget as `<param-ledger>`; where that is done already, it stays as it is.

import { ParamLedgerElement } from './element.ts';

export { ParamLedgerElement };

if (typeof customElements !== 'undefined' && !customElements.get('param-ledger')) customElements.define('param-ledger', ParamLedgerElement);
