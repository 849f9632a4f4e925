// Hooks and helpers that many components use: ids, highlighting of names, and memoized drawing.

import { type ComponentChildren, type FunctionComponent, createContext, h } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { shallowEqual } from '../support/shallow-equal.ts';

/** The name of the view that a component is in. Ids begin with it, because the same component may be on the page several times. */
const ViewName = createContext('model');

export const NamedView = ViewName.Provider;

/** Returns a function that makes ids unique to this view: `id('total')`. */
export function useIds(): (name: string) => string {
  const view = useContext(ViewName);
  return (name) => `${view}-${name}`;
}

/** The name of the field or symbol that is pointed at or focused. The view highlights it in the form, the formulas and the table. */
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

/**
 * Computes a value from the highlighted name, for example whether to highlight this component. The component is redrawn only when the value
 * changes.
 */
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

/** Wraps a component so that it is redrawn only when its properties change. They are compared shallowly by default. */
export function memo<P extends object>(
  component: FunctionComponent<P>,
  alike: (a: P, b: P) => boolean = shallowEqual,
): FunctionComponent<P> {
  return function Memo(this: { props: P; shouldComponentUpdate?: (next: P) => boolean }, props: P) {
    this.shouldComponentUpdate = (next) => !alike(this.props, next);
    return h(component, props);
  } as FunctionComponent<P>;
}

/** Returns the previous object as long as the new one is equal to it. */
export function useStable<T>(value: T, alike: (a: T, b: T) => boolean): T {
  const kept = useRef(value);
  if (kept.current !== value && !alike(kept.current, value)) kept.current = value;
  return kept.current;
}

interface DeferredProps<T> {
  readonly of: T;
  /** Whether to draw after the rest of the page has been painted. */
  readonly waits: boolean;
  readonly draw: (of: T) => ComponentChildren;
}

/**
 * Draws content that depends on a value. With `waits`, the content is drawn after the rest of the page has been painted, so that typing in
 * the form is not slowed down.
 */
export function Deferred<T>({ of, waits, draw }: DeferredProps<T>) {
  const [arrived, setArrived] = useState(of);
  const drawn = useRef<ComponentChildren>(undefined);
  useEffect(() => setArrived(of), [of]);
  // With an unchanged vnode, Preact skips the subtree.
  if (!waits || arrived === of) drawn.current = draw(of);
  return <>{drawn.current}</>;
}

/** Text for screen readers only. */
export const Spoken = ({ children }: { children: ComponentChildren }) => <span class="spoken">{children}</span>;

/** The focused element in the document or shadow root of an element. */
export const focusedIn = (element: Element) => (element.getRootNode() as Document | ShadowRoot).activeElement;
