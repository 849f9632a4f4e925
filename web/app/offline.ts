// Whether this browser keeps the page for offline use, and whether a newer build is waiting.

import { isFile } from '../support/build-info.ts';
import { trustScriptUrl } from './script-url.ts';

/** `kept`: every view opens offline. `newer`: a newer build is kept, too, but not used yet. */
export type Offline = '' | 'kept' | 'newer';

/**
 * Registers the service worker, which keeps the hosted page. Not in a frame, which belongs to another page, and not if the reader saves
 * data.
 */
export async function keepOffline(tell: (state: Offline) => void): Promise<void> {
  // In a sandbox with an opaque origin, asking for the service worker throws.
  if (isFile || window.top !== window || origin === 'null') return;
  const { serviceWorker, connection } = navigator as { serviceWorker?: ServiceWorkerContainer; connection?: { saveData?: boolean } };
  if (!serviceWorker || connection?.saveData) return;
  try {
    const registration = await serviceWorker.register(trustScriptUrl('service-worker.js'));
    const look = () => tell(registration.waiting && serviceWorker.controller ? 'newer' : registration.active ? 'kept' : '');
    const watch = (worker: ServiceWorker | null) => worker?.addEventListener('statechange', look);
    watch(registration.installing);
    watch(registration.active);
    registration.addEventListener('updatefound', () => watch(registration.installing));
    look();
  } catch {
    // The browser stores nothing for the page; the page works without it.
  }
}

/** Switches to the newer build if no other page of this build is open; otherwise returns false. */
export async function useNewer(): Promise<boolean> {
  const registration = await navigator.serviceWorker.getRegistration();
  const waiting = registration?.waiting;
  if (!waiting) return false;
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  const { port1, port2 } = new MessageChannel();
  const alone = new Promise<boolean>((resolve) => (port1.onmessage = ({ data }) => resolve(data === true)));
  waiting.postMessage('use', [port2]);
  return alone;
}
