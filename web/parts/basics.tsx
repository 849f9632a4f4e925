// What all parts use: names for ids, the light that a symbol casts, memory of what was drawn.

import { type ComponentChildren, type FunctionComponent, createContext, h } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { shallowEqual } from '../support/shallow-equal.ts';

/** A part may stand on a page several times: ids begin with the name of the view that it stands in. */
const ViewName = createContext('model');

export const NamedView = ViewName.Provider;

/** `id('total')` is this view's id for a total. */
export function useIds(): (name: string) => string {
  const view = useContext(ViewName);
  return (name) => `${view}-${name}`;
}

/** The name that is pointed at or focused, to be marked wherever it occurs in the view. */
export interface Light {
  name: string | undefined;
  readonly listeners: Set<() => void>;
}

export const createLight = (): Light => ({ name: undefined, listeners: new Set() });

export function setLight(light: Light, name: string | undefined): void {
  if (light.name === name) return;
  light.name = name;
  for (const listener of light.listeners) listener();
}

const LightContext = createContext<Light>(createLight());

export const Lit = LightContext.Provider;
export const useLight = () => useContext(LightContext);

/** What of the light concerns a part: it is drawn again only where that changes. */
export function useLit<T>(concerns: (name: string | undefined) => T): T {
  const light = useLight();
  const now = useRef(concerns);
  now.current = concerns;
  const [, redraw] = useState(() => concerns(light.name));
  useEffect(() => {
    const listener = () => redraw(() => now.current(light.name));
    light.listeners.add(listener);
    return () => void light.listeners.delete(listener);
  }, [light]);
  return concerns(light.name);
}

/** A component that is not drawn again while its properties are the same, or alike to those who know better. */
export function memo<P extends object>(
  component: FunctionComponent<P>,
  alike: (a: P, b: P) => boolean = shallowEqual,
): FunctionComponent<P> {
  return function Memo(this: { props: P; shouldComponentUpdate?: (next: P) => boolean }, props: P) {
    this.shouldComponentUpdate = (next) => !alike(this.props, next);
    return h(component, props);
  } as FunctionComponent<P>;
}

/** What was there before, while it is alike: for those who only look at what is alike. */
export function useStable<T>(value: T, alike: (a: T, b: T) => boolean): T {
  const kept = useRef(value);
  if (kept.current !== value && !alike(kept.current, value)) kept.current = value;
  return kept.current;
}

interface LaterProps<T> {
  readonly of: T;
  /** Not by itself: the frame after that of the rest. */
  readonly waits: boolean;
  readonly draw: (of: T) => ComponentChildren;
}

/** What is drawn of something that changes; where it waits, once the rest has been painted: a key is answered sooner. */
export function Deferred<T>({ of, waits, draw }: LaterProps<T>) {
  const [arrived, setArrived] = useState(of);
  const drawn = useRef<ComponentChildren>(undefined);
  useEffect(() => setArrived(of), [of]);
  // The same as before is not compared by Preact.
  if (!waits || arrived === of) drawn.current = draw(of);
  return <>{drawn.current}</>;
}

/** For readers who listen, not look. */
export const Spoken = ({ children }: { children: ComponentChildren }) => <span class="spoken">{children}</span>;

/** The element that has the focus, also where the view stands in a shadow root. */
export const focusedIn = (element: Element) => (element.getRootNode() as Document | ShadowRoot).activeElement;
