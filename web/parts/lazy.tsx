// Parts that are loaded when they are first drawn: the page stands before them.

import { h, type ComponentChild, type ComponentType, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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
    const fetch = () => {
      if (loaded) return;
      setTrouble('');
      fetched().then(
        () => arrive(true),
        (error: Error) => setTrouble(error.message),
      );
    };
    useEffect(fetch, []);
    return loaded ? h(loaded, props) : trouble ? <NotLoaded trouble={trouble} again={fetch} /> : <>{waiting}</>;
  }
  return Object.assign(Lazy, { fetched });
}
