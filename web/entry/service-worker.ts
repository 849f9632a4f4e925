// Stores the hosted page for offline use, always a complete build. A page and everything it loads later must belong to one build, so the
// next build waits until no page of the current one is open, or until the only open page asks for it.

/** Set by build.mjs: the SHA-256 hashes of the page's files, and one hash for all of them. */
declare const KEPT_FILES: Readonly<Record<string, string>>;
declare const KEPT_BUILD: string;

interface Waits extends Event {
  waitUntil(until: Promise<unknown>): void;
}
interface Answers extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
/** The members of the service worker's global scope that are used here. */
const worker = globalThis as unknown as {
  addEventListener(type: 'install' | 'activate', listener: (event: Waits) => void): void;
  addEventListener(type: 'fetch', listener: (event: Answers) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent & Waits) => void): void;
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void>; matchAll(options: { includeUncontrolled: boolean }): Promise<readonly unknown[]> };
  skipWaiting(): Promise<void>;
};

const PREFIX = 'param-ledger-';
const OWN = PREFIX + KEPT_BUILD;
const PAGE = 'index.html';

const addressOf = (name: string) => new URL(name, worker.registration.scope).href;

async function digest(response: Response): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await response.arrayBuffer());
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Gets a file of this build, from an earlier build if the file is unchanged, otherwise from the host. Throws if its hash differs. */
async function fetchFile(name: string, hash: string): Promise<Response> {
  const known = await caches.match(addressOf(name));
  if (known && (await digest(known.clone())) === hash) return known;
  const response = await fetch(addressOf(name), { cache: 'no-cache' });
  // While a host is being updated, it may have files of two builds. This build is then stored later.
  if (!response.ok || (await digest(response.clone())) !== hash) throw new Error(`${name} is not of this build`);
  return response;
}

async function keep(): Promise<void> {
  const cache = await caches.open(OWN);
  try {
    for (const [name, hash] of Object.entries(KEPT_FILES)) await cache.put(addressOf(name), await fetchFile(name, hash));
  } catch (error) {
    await caches.delete(OWN);
    throw error;
  }
}

async function forgetOthers(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== OWN);
  await Promise.all(others.map((name) => caches.delete(name)));
}

worker.addEventListener('install', (event) => event.waitUntil(keep()));

worker.addEventListener('activate', (event) => event.waitUntil(forgetOthers().then(() => worker.clients.claim())));

/** A page asks to switch to the next build, which is done only if no other page is open. */
worker.addEventListener('message', (event) => {
  if (event.data !== 'use') return;
  const use = async () => {
    const alone = (await worker.clients.matchAll({ includeUncontrolled: true })).length <= 1;
    event.ports[0]?.postMessage(alone);
    if (alone) await worker.skipWaiting();
  };
  event.waitUntil(use());
});

worker.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const address = url.replace(/[?#].*/, '');
  const kept = address === addressOf('.') ? addressOf(PAGE) : address;
  if (method !== 'GET' || !Object.keys(KEPT_FILES).some((name) => addressOf(name) === kept)) return;
  event.respondWith(caches.open(OWN).then(async (cache) => (await cache.match(kept)) ?? fetch(event.request)));
});
