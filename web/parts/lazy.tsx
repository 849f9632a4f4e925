// Components that are loaded when they are first drawn; the page does not wait for them.

import { h, type ComponentChild, type ComponentType, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isFile } from '../support/build-info.ts';
import * as texts from '../texts/page.ts';

/** Why something did not load, with a retry. */
export const NotLoaded = ({ trouble, again }: { trouble: string; again: () => void }) => (
  <p class="banner">
    {trouble}{' '}
    <button type="button" class="quiet" onClick={again}>
      {texts.views.again}
    </button>
  </p>
);

/**
 * After a second failure: Firefox caches failed imports, so only reloading the page asks again. The address and the history hold the state,
 * so nothing is lost if the host answers.
 */
export async function reloadWhereReachable(): Promise<void> {
  if (isFile) return;
  const answer = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok) location.reload();
}

export type LazyPart<P> = FunctionComponent<P> & {
  /** Fetches it before it is drawn, so that it appears with the rest. */
  readonly fetched: () => Promise<void>;
};

/** `waiting` is shown in its place until it is loaded. If loading fails, the error is shown there. */
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
