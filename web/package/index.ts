// The package: what `import { load, version } from 'param-ledger'` gives.

export { load } from '../lib/core/ledger.ts';

/** Of this package. */
export const version = PARAM_LEDGER_VERSION;
