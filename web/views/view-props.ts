// The properties of all views.

import type { State, Store } from '../app/store.ts';
import type { Ledger } from '../core/ledger.ts';

/** Each view has one `main` element, which contains a heading and is the target of the skip link. */
export interface ViewProps {
  readonly store: Store;
  readonly state: State;
  /** Makes the link to share, by default for the current view; undefined if it would be too long. */
  readonly link: (view?: string) => Promise<string | undefined>;
  /** True if the link is a full address, false if it is only the part after the `#`. */
  readonly isAddress: boolean;
}

/** The properties of views that need more than counts. */
export interface AskingProps extends ViewProps {
  readonly ledger: Ledger;
}
