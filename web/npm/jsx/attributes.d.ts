// The attributes and events of `<param-ledger>` in JSX and templates.

import type { LedgerAnswerDetail, LedgerErrorDetail, ParamLedgerElement } from '../element.js';

/** The attributes of the element. `custom-elements.json` describes them. */
export interface ParamLedgerAttributes {
  model?: string;
  /** An object works only in frameworks that set it as a property, not as an attribute. */
  config?: string | object | null;
  view?: string;
  editable?: string;
  theme?: '' | 'light' | 'dark';
  page?: string;
  height?: number | string;
}

/** Event listeners by the name of the event. */
export interface ParamLedgerListeners {
  'ledger-answer': (event: CustomEvent<LedgerAnswerDetail>) => void;
  'ledger-error': (event: CustomEvent<LedgerErrorDetail>) => void;
}

/** Event listeners by their names in JSX, such as `onledger-answer`. */
export type ParamLedgerHandlers = { [Name in keyof ParamLedgerListeners as `on${Name}`]?: ParamLedgerListeners[Name] };

export type { LedgerAnswerDetail, LedgerErrorDetail, ParamLedgerElement };
