// What the build was told: see bundles.mjs. Where nothing is built, as in tests, it is as if nobody had said anything.

declare const PARAM_LEDGER_VERSION: string;
declare const PARAM_LEDGER_HOME: string;
declare const PARAM_LEDGER_SOURCE: string;
declare const PARAM_LEDGER_FILE: boolean;

/** Of the package, the command line and the answers: see package.json. */
export const version = typeof PARAM_LEDGER_VERSION === 'string' ? PARAM_LEDGER_VERSION : '0.0.0';

/** Where the hosted page stands, for links out of a file; empty where nobody has said. */
export const home = typeof PARAM_LEDGER_HOME === 'string' ? PARAM_LEDGER_HOME : '';

/** Where the sources can be read; empty where nobody has said. */
export const source = typeof PARAM_LEDGER_SOURCE === 'string' ? PARAM_LEDGER_SOURCE : '';

/** Whether this page is the one file, whose own address nobody else can open. */
export const isFile = typeof PARAM_LEDGER_FILE === 'boolean' && PARAM_LEDGER_FILE;
