// A static server for web/dist, to try the page locally: `node web/build/serve.mjs [--port N]`. Any other static host works equally well.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** @type {Record<string, string>} */
const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** Reads the policy from the markup of the hosted page, because it is also sent as a header. @param {string} folder */
async function policyOf(folder) {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => '');
  return /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
}

/** @param {string} name @param {string | undefined} policy */
function headers(name, policy) {
  const common = {
    'content-type': types[extname(name)] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Pages of other hosts load the widget from here: its scripts, its WebAssembly programs and the catalogue.
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  };
  // Only index.html gets the header. The offline file and most examples have stricter policies of their own in their markup.
  return name === 'index.html' && policy ? { ...common, 'content-security-policy': policy } : common;
}

/**
 * Serves a folder on this machine only.
 * @param {number} port 0 for a free one
 * @param {string} [folder]
 * @returns {Promise<import('node:http').Server>} listening
 */
export function serve(port, folder = dist) {
  const server = createServer(async (request, response) => {
    try {
      const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
      const name = normalize(path === '/' ? 'index.html' : path.slice(1));
      if (name.startsWith('..') || name.includes('\0')) throw new Error('outside');
      const body = await readFile(join(folder, name));
      response.writeHead(200, headers(name, await policyOf(folder))).end(request.method === 'HEAD' ? undefined : body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
    }
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server)));
}

/** @param {import('node:http').Server} server */
export function address(server) {
  return `http://localhost:${/** @type {import('node:net').AddressInfo} */ (server.address()).port}/`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--port');
  const server = at < 0 ? await serve(8000).catch(() => serve(0)) : await serve(Number(process.argv[at + 1]));
  console.log(`Param Ledger: ${address(server)}`);
}
