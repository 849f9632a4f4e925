// The attributes and events of `<param-ledger>` in templates.

import type { LedgerAnswerDetail, LedgerErrorDetail, ParamLedgerElement } from '../element.js';

/** Its attributes; `custom-elements.json` has their meanings. */
export interface ParamLedgerAttributes {
  model?: string;
  /** Frameworks that set properties also take the object. */
  config?: string | object | null;
  view?: string;
  editable?: string;
  theme?: '' | 'light' | 'dark';
  page?: string;
  height?: number | string;
}

/** Listeners by event name. */
export interface ParamLedgerListeners {
  'ledger-answer': (event: CustomEvent<LedgerAnswerDetail>) => void;
  'ledger-error': (event: CustomEvent<LedgerErrorDetail>) => void;
}

/** Listeners as JSX names them: `onledger-answer`. */
export type ParamLedgerHandlers = { [Name in keyof ParamLedgerListeners as `on${Name}`]?: ParamLedgerListeners[Name] };

export type { LedgerAnswerDetail, LedgerErrorDetail, ParamLedgerElement };
