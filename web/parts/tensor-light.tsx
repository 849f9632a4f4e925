// The tensors that are pointed at or focused, to be marked wherever they are drawn: in the pictures and in the table.

import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { TensorRow } from '../lib/types.ts';

export interface TensorLight {
  /** Their names. */
  at: ReadonlySet<string>;
  readonly listeners: Set<() => void>;
}

const NONE: ReadonlySet<string> = new Set();

export const createTensorLight = (): TensorLight => ({ at: NONE, listeners: new Set() });

const Context = createContext<TensorLight>(createTensorLight());

export const TensorsLit = Context.Provider;
export const useTensorLight = () => useContext(Context);

/** Lights these tensors; none where nothing is pointed at. */
export function shineOn(light: TensorLight, rows: readonly TensorRow[] = []): void {
  if (rows.length === 0 && light.at.size === 0) return;
  light.at = rows.length === 0 ? NONE : new Set(rows.map(({ name }) => name));
  for (const listener of light.listeners) listener();
}

/** Whether all of these are lit. */
export function useTensorsLit(rows: readonly TensorRow[]): boolean {
  const light = useTensorLight();
  const now = useRef(rows);
  now.current = rows;
  const [, redraw] = useState(false);
  const lit = () => light.at.size > 0 && now.current.length > 0 && now.current.every(({ name }) => light.at.has(name));
  useEffect(() => {
    const listener = () => redraw(lit());
    light.listeners.add(listener);
    return () => void light.listeners.delete(listener);
  }, [light]);
  return lit();
}
