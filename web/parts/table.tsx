// The table: every tensor, as in the checkpoint or by part. Only the lines in sight exist as rows; a model may have 91,000.

import { options, type ComponentChildren } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  formatKey,
  layOutRuns,
  findLine,
  listNodes,
  canOpen,
  buildTree,
  findPath,
  type Grouping,
  type Line,
  type Node,
  type Run,
} from '../answer/breakdown.ts';
import { measureColumns, canKeep, type Columns } from '../answer/columns.ts';
import { grouped } from '../support/numbers.ts';
import type { Writing } from '../answer/formula.ts';
import { listRows, findEnclosingPath } from '../answer/icicle-tree.ts';
import { filterTensors } from '../answer/tensor-filter.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer, SymbolRow, TensorRow } from '../types/index.ts';
import { focusedIn, useIds, useStable } from './basics.tsx';
import { Segmented } from './buttons.tsx';
import type { Place } from './picture.tsx';
import { Row, ROW_HEIGHT } from './table-row.tsx';
import { lightTensors, useTensorLight } from './tensor-light.tsx';

/** Lines above and below those in sight. */
const MARGIN = 6;
/** Lines in sight before anything could be measured. */
const FIRST_ROOM = 40;
/** On paper all lines, within reason; what is left out is said. */
const MAX_PRINTED = 3_000;
/** Trees up to this size stand open. */
const SMALL_TREE = 72;
const INDENT = 14;
/** What names and numbers keep where there is little room, and the room that all columns shall do with, in pixels: first the names give way. */
const NAMES = 150;
const NUMBERS = 96;
const ROOM = 880;
const { headings } = texts.table;
const HEADINGS = ['tensor', 'shape', 'formula', 'numbers', 'copies', 'total', 'share'] as const;

/** How others make the table show something. */
export interface TableHandle {
  reveal(place: Place): void;
  /** Opens the group of these tensors, without taking the reader there; none: as it stood. */
  follow(rows: readonly TensorRow[]): void;
}

interface TableProps {
  readonly answer: CountAnswer;
  /** The answer before the last edit: what changed is marked. */
  readonly before?: CountAnswer;
  readonly writing: Writing;
  /** A group was opened: its tensors are looked at. */
  readonly look?: (rows: readonly TensorRow[]) => void;
  /** The ways to take it away, where they have no place of their own. */
  readonly exports?: ComponentChildren;
  readonly handle: { current: TableHandle | null };
}

export function TensorTable({ answer, before, writing: wanted, look, exports, handle }: TableProps) {
  const id = useIds();
  const writing = wanted === 'names' ? 'names' : 'symbols';
  const [grouping, setGrouping] = useState<Grouping>('module');
  const [filter, setFilter] = useState('');
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [target, setTarget] = useState<{ id: string; quiet?: boolean } | undefined>();
  const [fits, setFits] = useState<(text: string) => boolean>(() => alwaysFits);
  const box = useRef<HTMLDivElement>(null);

  const query = filter.trim();
  const tensors = useMemo(() => filterTensors(answer.tensors, query, answer.symbols), [answer, query]);
  const tree = useMemo(() => buildTree(answer, grouping, tensors), [answer, grouping, tensors]);
  const all = useMemo(() => listNodes(tree), [tree]);
  const old = useMemo(() => listOldTotals(before, grouping, query), [before, grouping, query]);
  // Rows are written in names or symbols: other values are no other formulas.
  const symbols = useStable(answer.symbols, haveSameNames);
  const columns = useStable(
    useMemo(() => measureColumns(tree, symbols, writing, INDENT), [tree, symbols, writing]),
    canKeep,
  );

  // What files hold beside the model opens when it is asked for.
  const standOpen = listNodes(tree.filter(({ beside }) => beside === undefined)).length <= SMALL_TREE;
  const standsOpen = (node: Node) => query !== '' || tree.includes(node) || (standOpen && node.beside === undefined);
  const isOpen = (node: Node) => opened.get(node.id) ?? (!node.row && standsOpen(node));
  const { runs, count } = layOutRuns(tree, isOpen);
  const scrolled = useWindow(box, count);
  const groups = all.filter(({ children }) => children.length > 0);
  const allOpen = groups.every((node) => node.beside !== undefined || isOpen(node));

  const setOpen = useCallback((node: Node, open: boolean) => setOpened((now) => new Map(now).set(node.id, open)), []);
  /** As the reader opens and closes it, which the picture follows. */
  const twist = useCallback(
    (node: Node, open: boolean) => {
      setOpen(node, open);
      if (node.beside === undefined && !node.row) look?.(open ? listRows(node) : []);
    },
    [look],
  );
  const light = useTensorLight();
  const nodeAt = (element: Element | null) => {
    const index = lineIndexOf(element);
    return index >= 0 && index < count ? findLine(runs, index).node : undefined;
  };
  const click = ({ target }: Event) => {
    const node = nodeAt((target as Element).closest('.twist'));
    if (node) twist(node, !isOpen(node));
  };
  /** Lights what is pointed at or focused. */
  const cast = (event: Event) => {
    const node = nodeAt(event.target as Element);
    lightTensors(light, event, node && listRows(node));
  };
  const fade = (event: Event) => lightTensors(light, event);
  const openAll = () => setOpened((now) => new Map([...now, ...groups.map(({ id: key }): [string, boolean] => [key, !allOpen])]));

  const reveal = ({ part, tensor }: Place) => {
    const by = part === undefined ? grouping : 'part';
    const way = findPath(buildTree(answer, by), (node) => (part === undefined ? node.row?.name === tensor : node.id === `part:${part}`));
    setFilter('');
    setGrouping(by);
    if (!way) return;
    const toOpen = part === undefined ? way.slice(0, -1) : way;
    setOpened((now) => new Map([...now, ...toOpen.map((node): [string, boolean] => [node.id, true])]));
    setTarget({ id: way[way.length - 1].id });
  };
  const follow = (rows: readonly TensorRow[]) => {
    const way = rows.length === 1 ? findPath(tree, ({ row }) => row?.name === rows[0].name) : findEnclosingPath(tree, rows);
    if (!way || way.length === 0 || !box.current) return;
    const opening = way.filter(({ row }) => !row);
    setOpened((now) => new Map([...now, ...opening.map((node): [string, boolean] => [node.id, true])]));
    setTarget({ id: way[way.length - 1].id, quiet: true });
  };
  handle.current = { reveal, follow };
  // Goes to what was asked for, once it is among the lines.
  useLayoutEffect(() => {
    const run = target && runs.find(({ line }) => line.node.id === target.id);
    if (!run || !box.current) return;
    box.current.scrollTop = Math.max(0, run.first - 1) * ROW_HEIGHT;
    scrolled.measure();
    if (target?.quiet) return;
    box.current.scrollIntoView({ block: 'nearest' });
    focusLine(box.current, run.first);
  }, [target]);

  const numbersHead = useRef<HTMLTableCellElement>(null);
  useEffect(() => {
    if (!numbersHead.current) return;
    const fitting = measureFit(numbersHead.current);
    const observer = new ResizeObserver(([{ contentRect }]) => setFits(() => fitting(contentRect.width)));
    observer.observe(numbersHead.current);
    return () => observer.disconnect();
  }, []);

  const { first, last } = scrolled.printing ? { first: 0, last: Math.min(count, MAX_PRINTED) } : scrolled;
  const lines = Array.from({ length: Math.max(0, last - first) }, (_, i) => findLine(runs, first + i));
  const shown = tree.reduce((sum, { total }) => sum + total, 0n);
  const heldBeside = BigInt(answer.totals.published) - BigInt(answer.totals.stored);

  return (
    <div class="tensor-table">
      <div class="sheet-head">
        <h2 id={id('table')}>{texts.table.title}</h2>
        <div class="tools">
          <Segmented
            label={texts.table.groupBy}
            name="grouping"
            choices={[
              ['module', texts.table.byModule],
              ['part', texts.table.byPart],
            ]}
            chosen={grouping}
            choose={setGrouping}
          />
          <input
            type="search"
            placeholder={texts.table.filterHint}
            aria-label={texts.table.filter}
            spellcheck={false}
            autocomplete="off"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          {groups.length > 0 && (
            <button type="button" class="quiet open-all" onClick={openAll}>
              {allOpen ? texts.table.closeAll : texts.table.openAll}
            </button>
          )}
          {exports}
        </div>
      </div>
      <div class="table-box" ref={box} tabIndex={0} role="region" aria-labelledby={id('table')} onScroll={scrolled.measure}>
        <table
          class="tensors"
          role="table"
          aria-labelledby={id('table')}
          aria-rowcount={count + 1}
          data-writing={writing}
          data-printing={scrolled.printing ? '' : undefined}
          data-scrolls={scrolled.sideways && !scrolled.printing ? '' : undefined}
          style={columnStyles(columns)}
        >
          <thead role="rowgroup">
            <tr role="row" aria-rowindex={1}>
              {HEADINGS.map((heading) => (
                <th key={heading} role="columnheader" scope="col" class={heading} ref={heading === 'numbers' ? numbersHead : undefined}>
                  {headings[heading]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody
            role="rowgroup"
            style={{ height: `${Math.max(1, count) * ROW_HEIGHT}px` }}
            onClick={click}
            onKeyDown={(event) => moveByKey(event, box.current, runs, count, twist)}
            onPointerOver={cast}
            onPointerMove={cast}
            onPointerLeave={fade}
            onFocusIn={cast}
            onFocusOut={fade}
          >
            {lines.map((line, i) => (
              <Row
                key={formatKey(line)}
                {...line}
                index={first + i}
                open={isOpen(line.node)}
                symbols={symbols}
                whole={answer.totals.parameters}
                writing={writing}
                fits={scrolled.printing ? alwaysFits : fits}
                old={old && line.copy === undefined && !line.more ? (old.get(line.node.id) ?? null) : undefined}
                found={target?.id === line.node.id && line.copy === undefined}
              />
            ))}
            {count === 0 && (
              <tr role="row" class="nothing">
                <td role="cell" aria-colspan={7}>
                  {texts.table.none(query)}
                </td>
              </tr>
            )}
            {scrolled.printing && count > MAX_PRINTED && (
              <tr role="row" class="nothing">
                <td role="cell" aria-colspan={7} colSpan={7}>
                  {texts.table.notPrinted(grouped(count - MAX_PRINTED))}
                </td>
              </tr>
            )}
          </tbody>
          <tfoot role="rowgroup">
            {query !== '' && <FootLine label={texts.table.shown} value={String(shown)} kind="subtotal" />}
            <FootLine label={texts.table.parameters} value={answer.totals.parameters} kind="grand" />
            {answer.totals.buffers !== '0' && <FootLine label={texts.table.buffers} value={answer.totals.buffers} kind="aside" />}
            {heldBeside !== 0n && <FootLine label={texts.table.heldBeside} value={String(heldBeside)} kind="aside" />}
          </tfoot>
        </table>
      </div>
    </div>
  );
}

const alwaysFits = () => true;

/** What lines of numbers consist of; anything else is taken to be as wide as a nought, and digits are. */
const SIGNS = '0 ,.×÷+−·()[]…';

/**
 * Tells whether a line fits an element, in the face that the reader's machine has for it. Measured before anything is drawn with it: a
 * browser lays out what is there when it measures, and half a row is no markup.
 */
function measureFit(element: Element): (width: number) => (text: string) => boolean {
  const canvas = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  const { fontSize, fontFamily } = getComputedStyle(element);
  canvas.font = `${fontSize} ${fontFamily}`;
  const widths = new Map([...SIGNS].map((sign) => [sign, canvas.measureText(sign).width]));
  const widthOf = (text: string) => [...text].reduce((sum, sign) => sum + (widths.get(sign) ?? widths.get('0') ?? 0), 0);
  return (width) => (text) => widthOf(text) <= width;
}

const haveSameNames = (a: readonly SymbolRow[], b: readonly SymbolRow[]) =>
  a.length === b.length && a.every(({ name, symbol }, i) => name === b[i].name && symbol === b[i].symbol);

const listOldTotals = (before: CountAnswer | undefined, grouping: Grouping, query: string) =>
  before &&
  new Map(listNodes(buildTree(before, grouping, filterTensors(before.tensors, query, before.symbols))).map(({ id, total }) => [id, total]));

/** The columns share what room there is; too little room first takes from the names, which a title tells in full, then from the products. */
function columnStyles({ tensor, shape, formula, numbers, copies, total, share }: Columns) {
  const track = (width: number, least = width) => `minmax(${least}px, ${width}fr)`;
  const sum = shape + formula + copies + total + share;
  // Beside the names the totals are in sight, and that there is more.
  const narrowNames = `max(124px, 100cqi - ${total + 36}px)`;
  const products = Math.min(numbers, Math.max(NUMBERS, ROOM - NAMES - sum));
  const names = Math.min(tensor, Math.max(NAMES, ROOM - products - sum));
  return {
    '--columns': `${track(tensor, names)} ${track(shape)} ${track(formula)} ${track(numbers, products)} ${track(copies)} ${track(total)} ${share}px`,
    '--least': `${sum + names + products}px`,
    '--narrow-columns': `${narrowNames} ${shape}px ${formula}px ${numbers}px ${copies}px ${share}px ${total}px`,
    '--narrow-least': `calc(${narrowNames} + ${sum + numbers}px)`,
  };
}

const FootLine = ({ label, value, kind }: { label: string; value: string; kind: string }) => (
  <tr role="row" class={kind}>
    <th role="rowheader" scope="row" class="label" aria-colspan={5} colSpan={5}>
      {label}
    </th>
    <td role="cell" class="total">
      {grouped(value)}
    </td>
    <td role="cell" class="share" />
  </tr>
);

/** Which lines are in sight of a scrolling box, in steps, so that not every pixel draws anew. */
function useWindow(box: { current: HTMLDivElement | null }, count: number) {
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
    observer.observe(box.current.firstElementChild as Element); // other columns may scroll where those before did not
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
  // The browser moves a box that has become shorter only after the drawing.
  const first = Math.min(at.first, Math.max(0, count - at.room));
  return { first, last: Math.min(count, first + at.room), measure, printing, sideways: at.sideways };
}

/** Draws before it returns: paper does not wait. */
function renderAtOnce(change: () => void): void {
  const later = options.debounceRendering;
  options.debounceRendering = (draw) => draw();
  change();
  options.debounceRendering = later;
}

/** Which line an element stands in; no number, or one below 0, for none. */
const lineIndexOf = (element: Element | null) => Number(element?.closest('tr')?.getAttribute('aria-rowindex')) - 2;

/** Arrows walk the lines that open; right opens, left closes. */
function moveByKey(
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

/** Gives the focus to a line that opens, when it is drawn; else to the box, from which the arrow keys scroll. */
function focusLine(box: HTMLElement, index: number): void {
  const find = () => box.querySelector<HTMLElement>(`tr[aria-rowindex="${index + 2}"] button.twist`);
  const now = find();
  if (now) return now.focus({ preventScroll: true });
  requestAnimationFrame(() => {
    if (focusedIn(box) === box || !box.contains(focusedIn(box))) (find() ?? box).focus({ preventScroll: true });
  });
}
