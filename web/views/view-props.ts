// What every view is given.

import type { State, Store } from '../app/store.ts';
import type { Ledger } from '../core/ledger.ts';

/** What every view is given. Each has one `main` with a heading, which is where the page's skip link leads. */
export interface ViewProps {
  readonly store: Store;
  readonly state: State;
  /** What to hand to somebody else; undefined where it is too long for a link. Of another view where that is named. */
  readonly link: (view?: string) => Promise<string | undefined>;
  /** Whether that is an address, or only what stands behind it. */
  readonly isAddress: boolean;
}

/** And a view that asks more than a count. */
export interface AskingProps extends ViewProps {
  readonly ledger: Ledger;
}
