// Hooks and helpers for all components: ids, highlighting of names, memoized drawing.

import { type ComponentChildren, type FunctionComponent, createContext, h } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { shallowEqual } from '../support/shallow-equal.ts';

/** A component may be on a page several times, so ids begin with the name of its view. */
const ViewName = createContext('model');

export const NamedView = ViewName.Provider;

/** `id('total')` is this view's id for a total. */
export function useIds(): (name: string) => string {
  const view = useContext(ViewName);
  return (name) => `${view}-${name}`;
}

/** The name that is pointed at or focused, which is marked wherever it occurs in the view. */
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

/** What the highlighted name means for a part. The part is drawn again only when the result changes. */
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

/** A component that is not drawn again while its properties are equal, or equal by the given comparison. */
export function memo<P extends object>(
  component: FunctionComponent<P>,
  alike: (a: P, b: P) => boolean = shallowEqual,
): FunctionComponent<P> {
  return function Memo(this: { props: P; shouldComponentUpdate?: (next: P) => boolean }, props: P) {
    this.shouldComponentUpdate = (next) => !alike(this.props, next);
    return h(component, props);
  } as FunctionComponent<P>;
}

/** The previous value while the new one is equal to it. */
export function useStable<T>(value: T, alike: (a: T, b: T) => boolean): T {
  const kept = useRef(value);
  if (kept.current !== value && !alike(kept.current, value)) kept.current = value;
  return kept.current;
}

interface DeferredProps<T> {
  readonly of: T;
  /** Whether to draw one frame after the rest. */
  readonly waits: boolean;
  readonly draw: (of: T) => ComponentChildren;
}

/** Draws something that changes. If it waits, it is drawn after the rest has been painted, so that a key is answered sooner. */
export function Deferred<T>({ of, waits, draw }: DeferredProps<T>) {
  const [arrived, setArrived] = useState(of);
  const drawn = useRef<ComponentChildren>(undefined);
  useEffect(() => setArrived(of), [of]);
  // The same vnode: Preact skips the subtree.
  if (!waits || arrived === of) drawn.current = draw(of);
  return <>{drawn.current}</>;
}

/** Text for screen readers only. */
export const Spoken = ({ children }: { children: ComponentChildren }) => <span class="spoken">{children}</span>;

/** The focused element, also inside a shadow root. */
export const focusedIn = (element: Element) => (element.getRootNode() as Document | ShadowRoot).activeElement;
