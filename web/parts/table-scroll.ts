// Handles the scrolling box of the table: which rows are visible, and how arrow keys move the focus.

import { options } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { canOpen, findLine, type Line, type Node, type Run } from '../answer/breakdown.ts';
import { focusedIn } from './basics.tsx';
import { ROW_HEIGHT } from './table-row.tsx';

/** The minimum number of rows drawn above and below the visible ones, and the step by which the range of rows moves. */
const MARGIN = 6;
/** The number of rows drawn before the box has been measured. */
const FIRST_ROOM = 40;

/**
 * The range of rows to draw. It moves in steps of several rows, so that most scroll events do not redraw the table. The result also says
 * whether the page is being printed, and whether the table is wider than its box.
 */
export function useWindow(box: { current: HTMLDivElement | null }, count: number) {
  const [at, setAt] = useState({ first: 0, room: FIRST_ROOM, sideways: false });
  const [printing, setPrinting] = useState(false);
  const measure = useCallback(() => {
    const element = box.current;
    if (!element) return;
    const { scrollTop, clientHeight } = element;
    const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT / MARGIN) * MARGIN - MARGIN);
    const room = (Math.ceil((scrollTop + clientHeight) / ROW_HEIGHT / MARGIN) + 1) * MARGIN - first;
    const sideways = element.scrollWidth > element.clientWidth;
    setAt((now) => (now.first === first && now.room === room && now.sideways === sideways ? now : { first, room, sideways }));
  }, []);
  useEffect(() => {
    if (!box.current) return;
    const observer = new ResizeObserver(measure);
    observer.observe(box.current);
    observer.observe(box.current.firstElementChild as Element); // a wider or narrower table may change the box's scroll bar
    const toPaper = () => renderAtOnce(() => setPrinting(true));
    const back = () => renderAtOnce(() => setPrinting(false));
    addEventListener('beforeprint', toPaper);
    addEventListener('afterprint', back);
    return () => {
      observer.disconnect();
      removeEventListener('beforeprint', toPaper);
      removeEventListener('afterprint', back);
    };
  }, []);
  // When the content becomes shorter, the browser corrects the scroll position only after drawing.
  const first = Math.min(at.first, Math.max(0, count - at.room));
  return { first, last: Math.min(count, first + at.room), measure, printing, sideways: at.sideways };
}

/** Redraws synchronously, because the browser does not wait for a redraw before it prints. */
function renderAtOnce(change: () => void): void {
  const later = options.debounceRendering;
  options.debounceRendering = (draw) => draw();
  change();
  options.debounceRendering = later;
}

/** The index of the row that contains an element; NaN or negative if there is none. */
export const lineIndexOf = (element: Element | null) => Number(element?.closest('tr')?.getAttribute('aria-rowindex')) - 2;

/** Handles arrow keys on a button that opens a row. Up and down move to the next such button, right opens the row, left closes it. */
export function moveByKey(
  event: KeyboardEvent,
  box: HTMLElement | null,
  runs: readonly Run[],
  count: number,
  setOpen: (node: Node, open: boolean) => void,
) {
  const button = (event.target as Element).closest?.('button.twist');
  const index = lineIndexOf(button);
  if (!box || !(index >= 0) || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { node } = findLine(runs, index);
  if (step) moveFocus(box, runs, count, index, step);
  else if (event.key === 'ArrowRight') setOpen(node, true);
  else if (event.key === 'ArrowLeft') setOpen(node, false);
  else return;
  event.preventDefault();
}

function moveFocus(box: HTMLElement, runs: readonly Run[], count: number, from: number, step: number): void {
  const stops = (line: Line) => line.copy === undefined && !line.more && canOpen(line.node);
  let to = from + step;
  while (to >= 0 && to < count && !stops(findLine(runs, to))) to += step;
  if (to < 0 || to >= count) return;
  const [top, room] = [to * ROW_HEIGHT, box.clientHeight - 3 * ROW_HEIGHT];
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top > box.scrollTop + room) box.scrollTop = top - room;
  focusLine(box, to);
}

/**
 * Focuses the button that opens a row, once it is drawn. If the row has no button, focuses the box, so that the arrow keys scroll. Does
 * nothing if another element in the box has the focus by then.
 */
export function focusLine(box: HTMLElement, index: number): void {
  const find = () => box.querySelector<HTMLElement>(`tr[aria-rowindex="${index + 2}"] button.twist`);
  const now = find();
  if (now) return now.focus({ preventScroll: true });
  requestAnimationFrame(() => {
    if (focusedIn(box) === box || !box.contains(focusedIn(box))) (find() ?? box).focus({ preventScroll: true });
  });
}
