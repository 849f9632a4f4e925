// Holds the tensors that are pointed at, focused or clicked. The pictures, the formula, the derivation and the table highlight them.

import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { TensorRow } from '../types/index.ts';
import { useLive } from './basics.tsx';

export interface TensorLight {
  /** The names of the highlighted tensors. */
  at: ReadonlySet<string>;
  /** Whether the highlight comes from the focus or a click instead of the pointer. */
  focused: boolean;
  readonly listeners: Set<() => void>;
}

const NONE: ReadonlySet<string> = new Set();

export const createTensorLight = (): TensorLight => ({ at: NONE, focused: false, listeners: new Set() });

const Context = createContext<TensorLight>(createTensorLight());

export const TensorsLit = Context.Provider;
export const useTensorLight = () => useContext(Context);

/**
 * Highlights the tensors of the element that received an event; without `rows`, ends the highlight. Focused tensors stay highlighted until
 * the focus or the pointer moves. The page scrolls to the focus, so other elements pass under a resting pointer, and their events are
 * ignored. Returns whether the event was not ignored.
 */
export function lightTensors(light: TensorLight, { type, target }: Event, rows: readonly TensorRow[] = []): boolean {
  const isFocus = type === 'focus' || type === 'focusin';
  if (isFocus && !(target as Element).matches(':focus-visible')) return false; // a click also moves the focus, but then the pointer decides
  if (type.startsWith('pointer') ? light.focused && type !== 'pointermove' : !isFocus && !light.focused) return false;
  light.focused = isFocus;
  if (rows.length === light.at.size && rows.every(({ name }) => light.at.has(name))) return true;
  light.at = rows.length === 0 ? NONE : new Set(rows.map(({ name }) => name));
  for (const listener of light.listeners) listener();
  return true;
}

/**
 * Highlights the clicked tensors until the focus or the pointer moves. The click may scroll the page, so that the resting pointer is above
 * another element.
 */
export function holdLight(light: TensorLight, rows: readonly TensorRow[]): void {
  light.focused = true;
  light.at = new Set(rows.map(({ name }) => name));
  for (const listener of light.listeners) listener();
}

/**
 * The event handlers of an element that represents these tensors and cannot be focused. In a picture, handlers of the focus must be missing:
 * with them, Chromium's Tab key would stop at every shape.
 */
export const pointerHandlers = (light: TensorLight, rows: readonly TensorRow[]) => {
  const on = (event: Event) => lightTensors(light, event, rows);
  return { onPointerEnter: on, onPointerMove: on, onPointerLeave: (event: Event) => lightTensors(light, event) };
};

/** The event handlers of an element whose focus highlights these tensors. */
export const focusHandlers = (light: TensorLight, rows: readonly TensorRow[]) => ({
  onFocus: (event: Event) => lightTensors(light, event, rows),
  onBlur: (event: Event) => lightTensors(light, event),
});

/** The event handlers of an element that represents these tensors and can be focused. */
export const lightHandlers = (light: TensorLight, rows: readonly TensorRow[]) => ({
  ...pointerHandlers(light, rows),
  ...focusHandlers(light, rows),
});

/** Whether all of these tensors are highlighted; false if there are none. */
export function useTensorsLit(rows: readonly TensorRow[]): boolean {
  const light = useTensorLight();
  return useLive(light.listeners, () => light.at.size > 0 && rows.length > 0 && rows.every(({ name }) => light.at.has(name)));
}
