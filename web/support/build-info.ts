// Values that the build sets (see bundles.mjs). Tests run without a build and use the defaults.

declare const PARAM_LEDGER_VERSION: string;
declare const PARAM_LEDGER_HOME: string;
declare const PARAM_LEDGER_SOURCE: string;
declare const PARAM_LEDGER_FILE: boolean;

/** The version of the package, the command line and the answers: see package.json. */
export const version = typeof PARAM_LEDGER_VERSION === 'string' ? PARAM_LEDGER_VERSION : '0.0.0';

/** The address of the hosted page, for links to it from elsewhere, such as the offline file or a widget; empty by default. */
export const home = typeof PARAM_LEDGER_HOME === 'string' ? PARAM_LEDGER_HOME : '';

/** The address of the source code; empty by default. */
export const source = typeof PARAM_LEDGER_SOURCE === 'string' ? PARAM_LEDGER_SOURCE : '';

/** Whether this page is the offline file, which others cannot open by its address. */
export const isFile = typeof PARAM_LEDGER_FILE === 'boolean' && PARAM_LEDGER_FILE;
