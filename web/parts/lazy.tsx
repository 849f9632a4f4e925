// Components that are loaded when they are first drawn or earlier. The page does not wait for them.

import { h, type ComponentChild, type ComponentType, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isFile } from '../support/build-info.ts';
import * as texts from '../texts/page.ts';

/** A message that a part did not load, with a button to retry. */
export const NotLoaded = ({ trouble, again }: { trouble: string; again: () => void }) => (
  <p class="banner">
    {trouble}{' '}
    <button type="button" class="quiet" onClick={again}>
      {texts.views.again}
    </button>
  </p>
);

/**
 * Reloads the page. Called after loading a part has failed twice, because Firefox caches failed imports. The address and the browser's
 * history keep the models and the view. Undo steps are lost. Does nothing in the offline file, or if the host does not deliver the page.
 */
export async function reloadWhereReachable(): Promise<void> {
  if (isFile) return;
  const answer = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok) location.reload();
}

export type LazyPart<P> = FunctionComponent<P> & {
  /** Loads the component ahead of time, so that it appears together with the rest. */
  readonly fetched: () => Promise<void>;
};

/**
 * Returns a function that loads something, but only after the page has drawn what its address asks for, or has failed to. The program that
 * counts the model must not share a slow connection with parts that are drawn below the number.
 */
export const afterModel =
  <T,>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    const root = document.documentElement;
    if (root.dataset.awaiting !== undefined)
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          resolve();
        });
        observer.observe(root, { attributeFilter: ['data-awaiting'] });
      });
    return load();
  };

/** Makes a component that loads itself. `waiting` is shown until it is loaded. If loading fails, the error is shown instead. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, waiting?: ComponentChild): LazyPart<P> {
  let loaded: ComponentType<P> | undefined;
  const fetched = async () => void (loaded = await load());
  function Lazy(props: P) {
    const [, arrive] = useState(false);
    const [trouble, setTrouble] = useState('');
    const load = (again: boolean) => {
      if (loaded) return;
      setTrouble('');
      fetched().then(
        () => arrive(true),
        (error: Error) => {
          setTrouble(texts.views.partNotLoaded(error.message));
          if (again) void reloadWhereReachable();
        },
      );
    };
    useEffect(() => load(false), []);
    return loaded ? h(loaded, props) : trouble ? <NotLoaded trouble={trouble} again={() => load(true)} /> : <>{waiting}</>;
  }
  return Object.assign(Lazy, { fetched });
}
