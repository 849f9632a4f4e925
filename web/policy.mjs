// The Content-Security-Policy of each output: nothing from elsewhere, no string turned into code or markup.

/** @param {Record<string, string>} directives */
const policy = (directives) =>
  Object.entries({
    'default-src': "'none'",
    ...directives,
    'base-uri': "'none'",
    'form-action': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/** The hosted page, by header and in its own markup. Who may frame it is not restricted. */
export const hostedPolicy = policy({
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
});

/**
 * The offline file: its own script and style, and not one request.
 * @param {string} scriptHash
 * @param {string} styleHash
 */
export const offlinePolicy = (scriptHash, styleHash) =>
  policy({
    'script-src': `'${scriptHash}' 'wasm-unsafe-eval'`,
    'style-src': `'${styleHash}'`,
    'img-src': 'data:',
    'connect-src': "'none'",
  });
