// The Content-Security-Policies of the hosted page and of the offline file. They forbid scripts, styles and pictures from other hosts, and
// strings that are used as code or markup.

/** @param {Record<string, string>} directives */
const policy = (directives) =>
  Object.entries({
    'default-src': "'none'",
    ...directives,
    'base-uri': "'none'",
    'form-action': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'param-ledger-worker', // for the script URLs of the search worker and the service worker
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/**
 * The policy of the hosted page. build.mjs writes it into the markup, and serve.mjs also sends it as a header. Other sites may embed the
 * page in a frame.
 * @param {string} earlyHash of the script that runs first
 */
export const hostedPolicy = (earlyHash) =>
  policy({
    'script-src': `'self' '${earlyHash}' 'wasm-unsafe-eval'`,
    'style-src': "'self'",
    'img-src': "'self' data:",
    'worker-src': "'self' blob:", // 'self' for the service worker, blob: for the search worker
    // To load a config.json or the headers of a model's files when the user asks for them. The Hub redirects to its own content hosts.
    'connect-src': "'self' https://huggingface.co https://*.hf.co",
  });

/** The policy of the offline file: its own scripts and style, and no requests. @param {string[]} scriptHashes @param {string} styleHash */
export const offlinePolicy = (scriptHashes, styleHash) =>
  policy({
    'script-src': `${scriptHashes.map((hash) => `'${hash}'`).join(' ')} 'wasm-unsafe-eval'`,
    'style-src': `'${styleHash}'`,
    'img-src': 'data:',
    'connect-src': "'none'",
    'worker-src': 'blob:',
  });
