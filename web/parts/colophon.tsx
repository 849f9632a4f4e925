// The foot of the page: links, whether the page works offline, a button that forgets the visited models, and the keyboard shortcuts.

import { keepOffline, useNewer, type Offline } from '../app/offline.ts';
import { isFile, source } from '../support/build-info.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import * as colophonTexts from './colophon-texts.ts';
import { lazy } from './lazy.tsx';

const Keys = lazy(async () => (await import('./keys.tsx')).Keys);

interface ColophonProps {
  /** Whether shortcuts of a single key, such as `f`, are enabled. */
  readonly keys: boolean;
  readonly setKeys: (on: boolean) => void;
  /** The collapsible list of keyboard shortcuts. */
  readonly help: { current: HTMLDetailsElement | null };
  /** Opens the view on how models are counted and verified. */
  readonly method: () => void;
  /** The number of visited models that are remembered, and a function that forgets them. */
  readonly visited: () => number;
  readonly forget: () => void;
}

/** The delay before caching starts, in milliseconds. Caching downloads all views and must not delay the first one. */
const AFTER = 2_000;

/** Caches the page for offline use where this is possible. Says when that is done or when a newer version is ready. */
function OfflineNote() {
  const [state, setState] = useState<Offline>('');
  const [others, setOthers] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => void keepOffline(setState), AFTER);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="offline" role="status">
      {state === 'kept' && colophonTexts.kept}
      {state === 'newer' && (
        <>
          {colophonTexts.newer}{' '}
          <button type="button" class="quiet" onClick={() => void useNewer().then((alone) => setOthers(!alone))}>
            {colophonTexts.useNewer}
          </button>{' '}
          {others && colophonTexts.otherTabs}
        </>
      )}
    </p>
  );
}

export function Colophon({ keys, setKeys, help, method, visited, forget }: ColophonProps) {
  const [, redraw] = useState(0);
  const printed = useRef<HTMLParagraphElement>(null);
  // Adds the page's address and the date to printouts.
  useEffect(() => {
    const date = () => {
      if (printed.current) printed.current.textContent = `${location.href}, ${new Date().toISOString().slice(0, 10)}`;
    };
    addEventListener('beforeprint', date);
    return () => removeEventListener('beforeprint', date);
  }, []);
  const [isOpen, setOpen] = useState(false);
  return (
    <footer class="colophon">
      <p class="printed" ref={printed} />
      <p>
        {colophonTexts.sentence} {!isFile && colophonTexts.hub}
      </p>
      {!isFile && <OfflineNote />}
      <ul class="links">
        <li>
          <a
            href="#supported"
            onClick={(event) => {
              event.preventDefault();
              method();
            }}
          >
            {colophonTexts.method}
          </a>
        </li>
        {!isFile && (
          <li>
            <a href="docs/page.html">{colophonTexts.documents}</a>
          </li>
        )}
        {source !== '' && (
          <li>
            <a href={source}>{colophonTexts.source}</a>
          </li>
        )}
        <li>{isFile ? colophonTexts.licence : <a href="LICENSE.txt">{colophonTexts.licence}</a>}</li>
        <li>
          <button
            type="button"
            class="quiet"
            title={colophonTexts.forgetTitle}
            onClick={() => {
              forget();
              redraw((n) => n + 1);
            }}
          >
            {colophonTexts.forget}
          </button>{' '}
          <span class="spoken" role="status">
            {visited() === 0 && colophonTexts.forgotten}
          </span>
        </li>
      </ul>
      <details class="keys" ref={help} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{colophonTexts.keys}</summary>
        {isOpen && <Keys keys={keys} setKeys={setKeys} />}
      </details>
    </footer>
  );
}
