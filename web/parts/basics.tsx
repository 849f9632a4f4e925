// What all parts use: names for ids, the light that a symbol casts, memory of what was drawn.

import { type ComponentChildren, type FunctionComponent, createContext, h } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

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

export function shine(light: Light, name: string | undefined): void {
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
  const lit = concerns(light.name);
  const [, redraw] = useState<T>();
  useEffect(() => {
    const listener = () => redraw(() => concerns(light.name));
    light.listeners.add(listener);
    return () => void light.listeners.delete(listener);
  });
  return lit;
}

/** A component that is not drawn again while its properties are the same. */
export function memo<P extends object>(component: FunctionComponent<P>): FunctionComponent<P> {
  return function Memo(this: { props: P; shouldComponentUpdate?: (next: P) => boolean }, props: P) {
    this.shouldComponentUpdate = (next) => differ(this.props, next);
    return h(component, props);
  } as FunctionComponent<P>;
}

const differ = <P extends object>(a: P, b: P) => {
  const keys = Object.keys(b) as (keyof P)[];
  return keys.length !== Object.keys(a).length || keys.some((key) => a[key] !== b[key]);
};

/** For readers who listen, not look. */
export const Spoken = ({ children }: { children: ComponentChildren }) => <span class="spoken">{children}</span>;

/** The element that has the focus, also where the view stands in a shadow root. */
export const focusedIn = (element: Element) => (element.getRootNode() as Document | ShadowRoot).activeElement;
