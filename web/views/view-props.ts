// Properties of every view.

import type { State, Store } from '../app/store.ts';
import type { Ledger } from '../core/ledger.ts';

/** Properties of every view. A view has one `main` with a heading, which the page's skip link leads to. */
export interface ViewProps {
  readonly store: Store;
  readonly state: State;
  /** The link to share, by default of this view; undefined if it would be too long. */
  readonly link: (view?: string) => Promise<string | undefined>;
  /** Whether that is an address, or only its part after the `#`. */
  readonly isAddress: boolean;
}

/** Additional properties of a view that asks more than a count. */
export interface AskingProps extends ViewProps {
  readonly ledger: Ledger;
}
