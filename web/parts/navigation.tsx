// The tabs of the page: links to views, with the current one marked.

import { useEffect, useRef } from 'preact/hooks';
import * as texts from '../texts/page.ts';

interface NavigationProps {
  readonly views: readonly { readonly id: string; readonly title: string }[];
  readonly current: string;
  readonly go: (id: string) => void;
  /** Makes the address fragment that shows the current models in that view; without the models if it would be too long. */
  readonly address: (id: string) => Promise<string>;
}

export function Navigation({ views, current, go, address }: NavigationProps) {
  const list = useRef<HTMLUListElement>(null);
  // In a narrow window the links scroll sideways. Keeps the current one visible.
  useEffect(() => {
    const strip = list.current;
    const here = strip?.querySelector<HTMLElement>('[aria-current]');
    if (strip && here) strip.scrollLeft = here.offsetLeft - (strip.clientWidth - here.offsetWidth) / 2;
  }, [current]);
  /** Sets a link's address. It contains all models, so it is written only when the link is about to be used. */
  const aim = async (event: Event, id: string) => {
    const link = event.currentTarget as HTMLAnchorElement;
    link.href = await address(id);
  };
  const follow = (event: MouseEvent, id: string) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(id);
  };
  return (
    <nav class="views" aria-label={texts.views.label}>
      <ul ref={list}>
        {views.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              data-title={title}
              aria-current={id === current ? 'page' : undefined}
              onClick={(event) => follow(event, id)}
              onPointerEnter={(event) => void aim(event, id)}
              onFocus={(event) => void aim(event, id)}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
