// The package: what `import { load } from './param-ledger.mjs'` gives.

export { load } from './lib/ledger.ts';
