// Parts that are loaded when they are first drawn: the page stands before them.

import { h, type ComponentChild, type ComponentType, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isFile } from '../support/build-info.ts';
import * as texts from '../texts/page.ts';

/** Why something did not come, and another try. */
export const NotLoaded = ({ trouble, again }: { trouble: string; again: () => void }) => (
  <p class="banner">
    {trouble}{' '}
    <button type="button" class="quiet" onClick={again}>
      {texts.views.again}
    </button>
  </p>
);

/**
 * After a second try that failed, too: Firefox remembers that an import failed, and only a new page asks again. The address and the history hold the
 * state, so nothing is lost, as long as the host answers.
 */
export async function reloadWhereReachable(): Promise<void> {
  if (isFile) return;
  const answer = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok) location.reload();
}

export type LazyPart<P> = FunctionComponent<P> & {
  /** Fetches it before it is drawn, so that it is there with the rest. */
  readonly fetched: () => Promise<void>;
};

/** `waiting` stands in the part's place until it is there; in what went wrong, too, where it did not come. */
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
