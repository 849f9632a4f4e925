// Parts that are loaded when they are first drawn: the page stands before them.

import { h, type ComponentChild, type ComponentType, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** `waiting` stands in the part's place until it is there; in what went wrong, too, where it did not come. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>, waiting?: ComponentChild): FunctionComponent<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, arrive] = useState(false);
    const [trouble, say] = useState('');
    useEffect(() => {
      if (loaded) return;
      load().then(
        (part) => {
          loaded = part;
          arrive(true);
        },
        (error: Error) => say(error.message),
      );
    }, []);
    return loaded ? h(loaded, props) : trouble ? <p class="error">{trouble}</p> : <>{waiting}</>;
  };
}
