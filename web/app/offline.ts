// Stores the page in this browser for offline use, and detects when a newer build is waiting.

import { isFile } from '../support/build-info.ts';
import { trustScriptUrl } from './script-url.ts';

/** `kept`: every view works offline. `newer`: a newer build is stored as well, but not in use yet. */
export type Offline = '' | 'kept' | 'newer';

/**
 * Registers the service worker, which stores the hosted page, and passes its state to `tell`, now and after each change. Does nothing
 * inside a frame, in the offline file, without service workers, or if the user has asked the browser to save data.
 */
export async function keepOffline(tell: (state: Offline) => void): Promise<void> {
  // In a sandbox with an opaque origin, accessing the service worker throws.
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
    // The browser does not allow service workers. The page also works without one.
  }
}

/** Switches to the newer build and reloads the page, unless other tabs still use the current build. Returns whether it switches. */
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
