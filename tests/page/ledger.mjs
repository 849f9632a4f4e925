// The built package, for the tests of what works on its answers.

/** @returns {Promise<import('../../web/types').Ledger>} */
export async function loadLedger() {
  const { load } = await import(new URL('../../web/dist/param-ledger.mjs', import.meta.url).href);
  return load();
}
