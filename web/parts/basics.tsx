// Hooks and helpers for components: ids, highlighting of names, memoized and deferred drawing, text for screen readers, and the focus.

import { type ComponentChildren, type FunctionComponent, createContext, h } from 'preact';
import { useContext, useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { shallowEqual } from '../support/shallow-equal.ts';

/**
 * The name of the view, or of the part of a view, that a component is in. Ids begin with it, because the same component may be on the page
 * several times.
 */
const ViewName = createContext('model');

export const NamedView = ViewName.Provider;

/** Returns a function that prefixes an id with the name of the view: `id('total')` is `model-total` in the view `model`. */
export function useIds(): (name: string) => string {
  const view = useContext(ViewName);
  return (name) => `${view}-${name}`;
}

/**
 * The name of the symbol in the closed formula or its legend that is pointed at or focused; undefined if there is none. The form, the
 * formula and the table highlight it.
 */
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
 * Computes a value, such as whether something is highlighted. When a listener is called, the component is redrawn only if the value is not
 * the one that was drawn last.
 */
export function useLive<T>(listeners: Set<() => void>, value: () => T): T {
  const now = useRef(value);
  now.current = value;
  const drawn = useRef<T | undefined>(undefined);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    const listener = () => now.current() !== drawn.current && redraw(undefined);
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listeners]);
  drawn.current = value();
  return drawn.current;
}

/** Computes a value from the highlighted name, for example whether to highlight this component. */
export function useLit<T>(concerns: (name: string | undefined) => T): T {
  const light = useLight();
  return useLive(light.listeners, () => concerns(light.name));
}

/** Wraps a component so that its parent redraws it only if its properties have changed. They are compared shallowly by default. */
export function memo<P extends object>(
  component: FunctionComponent<P>,
  alike: (a: P, b: P) => boolean = shallowEqual,
): FunctionComponent<P> {
  return function Memo(this: { props: P; shouldComponentUpdate?: (next: P) => boolean }, props: P) {
    this.shouldComponentUpdate = (next) => !alike(this.props, next);
    return h(component, props);
  } as FunctionComponent<P>;
}

/** Returns the value that it returned last time if `alike(last, value)` holds, otherwise the new value. */
export function useStable<T>(value: T, alike: (a: T, b: T) => boolean): T {
  const kept = useRef(value);
  if (kept.current !== value && !alike(kept.current, value)) kept.current = value;
  return kept.current;
}

interface DeferredProps<T> {
  readonly of: T;
  /** Whether a new value is drawn only after the rest of the page has been painted. */
  readonly waits: boolean;
  readonly draw: (of: T) => ComponentChildren;
}

/**
 * Draws content that depends on a value. The first value is drawn at once. With `waits`, a new value is drawn after the rest of the page
 * has been painted, so that typing in the form is not slowed down. Until then, the previous content stays.
 */
export function Deferred<T>({ of, waits, draw }: DeferredProps<T>) {
  const [arrived, setArrived] = useState(of);
  const drawn = useRef<ComponentChildren>(undefined);
  useEffect(() => setArrived(of), [of]);
  // With an unchanged vnode, Preact skips the subtree.
  if (!waits || arrived === of) drawn.current = draw(of);
  return <>{drawn.current}</>;
}

/** Visually hidden content, such as text for screen readers. */
export const Spoken = ({ children }: { children: ComponentChildren }) => <span class="spoken">{children}</span>;

/**
 * The focused element in the document or shadow root that contains an element. If nothing in it is focused: the document's body, or null in
 * a shadow root.
 */
export const focusedIn = (element: Element) => (element.getRootNode() as Document | ShadowRoot).activeElement;
