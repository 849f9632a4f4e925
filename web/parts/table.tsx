// The table of all tensors, by their names in the checkpoint or by part. Only the rows near the visible ones are in the document, because a
// model may have 91,000 tensors. While the page is printed, up to MAX_PRINTED rows are.

import { type ComponentChildren, type Ref } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatKey, layOutRuns, findLine, listNodes, buildTree, findPath, type Grouping, type Node } from '../answer/breakdown.ts';
import { measureColumns, canKeep, type Columns } from '../answer/columns.ts';
import { grouped } from '../support/numbers.ts';
import type { Writing } from '../answer/formula.ts';
import { listRows, findEnclosingPath } from '../answer/icicle-tree.ts';
import { filterTensors } from '../answer/tensor-filter.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer, SymbolRow, TensorRow } from '../types/index.ts';
import { useIds, useStable } from './basics.tsx';
import { Segmented } from './buttons.tsx';
import type { Place } from './picture.tsx';
import { Row, ROW_HEIGHT } from './table-row.tsx';
import { focusLine, lineIndexOf, moveByKey, useWindow } from './table-scroll.ts';
import { lightTensors, useTensorLight } from './tensor-light.tsx';

/** The maximum number of rows that are printed. The table says how many are left out. */
const MAX_PRINTED = 3_000;
/**
 * A tree with at most this many nodes is open at first, except for tensors that only published files contain. These do not count as nodes.
 */
const SMALL_TREE = 72;
const INDENT = 14;
/** Widths in pixels: the minimum for names, the minimum for products, and the width that all columns should fit in. Names shrink first. */
const NAMES = 150;
const NUMBERS = 96;
const ROOM = 880;
const { headings } = texts.table;
const HEADINGS = ['tensor', 'shape', 'formula', 'numbers', 'copies', 'total', 'share'] as const;

/** Lets other components show rows in the table. */
export interface TableHandle {
  reveal(place: Place): void;
  /**
   * Opens the groups that contain all of these tensors, and scrolls the table to the smallest of them or, for a single tensor, to its row.
   * The page is not scrolled, and the focus does not move. Does nothing if the list is empty or if the table has no such group or row.
   */
  follow(rows: readonly TensorRow[]): void;
}

interface TableProps {
  readonly answer: CountAnswer;
  /** The answer before the last edit, to mark changed rows. */
  readonly before?: CountAnswer;
  readonly writing: Writing;
  /** Called when the user opens or closes a single group of the model: with its tensors, or with none when it is closed. */
  readonly look?: (rows: readonly TensorRow[]) => void;
  /** Export controls to show above the table. */
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
  const [numbersHead, fits] = useFit();
  const box = useRef<HTMLDivElement>(null);

  const query = filter.trim();
  const { tree, all, old, symbols, columns } = useTree(answer, before, { grouping, query, writing });

  // Until the user opens or closes them, the top-level groups are open. If the tree is small, so are the groups inside them, except those
  // of additional tensors in published files. With a filter, all groups are open.
  const standOpen = listNodes(tree.filter(({ beside }) => beside === undefined)).length <= SMALL_TREE;
  const standsOpen = (node: Node) => query !== '' || tree.includes(node) || (standOpen && node.beside === undefined);
  const isOpen = (node: Node) => opened.get(node.id) ?? (!node.row && standsOpen(node));
  const { runs, count } = layOutRuns(tree, isOpen);
  const scrolled = useWindow(box, count);
  const groups = all.filter(({ children }) => children.length > 0);
  const allOpen = groups.every((node) => node.beside !== undefined || isOpen(node));

  const setOpen = useCallback((node: Node, open: boolean) => setOpened((now) => new Map(now).set(node.id, open)), []);
  /** Opens or closes a group, or a row that stands for several tensors. Passes the tensors of an opened group of the model to `look`. */
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
  /** Highlights the tensors that are pointed at or focused. */
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
  // Scrolls to the requested row after its groups have been opened.
  useLayoutEffect(() => {
    const run = target && runs.find(({ line }) => line.node.id === target.id);
    if (!run || !box.current) return;
    box.current.scrollTop = Math.max(0, run.first - 1) * ROW_HEIGHT;
    scrolled.measure();
    if (target?.quiet) return;
    box.current.scrollIntoView({ block: 'nearest' });
    focusLine(box.current, run.first);
  }, [target]);

  const { first, last } = scrolled.printing ? { first: 0, last: Math.min(count, MAX_PRINTED) } : scrolled;
  const lines = Array.from({ length: Math.max(0, last - first) }, (_, i) => findLine(runs, first + i));

  return (
    <div class="tensor-table">
      <div class="sheet-head">
        <h2 id={id('table')}>{texts.table.title}</h2>
        <TableTools
          grouping={grouping}
          group={setGrouping}
          filter={filter}
          setFilter={setFilter}
          allOpen={groups.length > 0 ? allOpen : undefined}
          openAll={openAll}
        >
          {exports}
        </TableTools>
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
          <TableHead numbers={numbersHead} />
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
          <TableFoot totals={answer.totals} shown={query === '' ? undefined : tree.reduce((sum, { total }) => sum + total, 0n)} />
        </table>
      </div>
    </div>
  );
}

interface Shown {
  readonly grouping: Grouping;
  readonly query: string;
  readonly writing: Writing;
}

/** The tree of rows, all of its nodes, the totals before the last edit, the symbols of the formulas, and the widths of the columns. */
function useTree(answer: CountAnswer, before: CountAnswer | undefined, { grouping, query, writing }: Shown) {
  const tensors = useMemo(() => filterTensors(answer.tensors, query, answer.symbols), [answer, query]);
  const tree = useMemo(() => buildTree(answer, grouping, tensors), [answer, grouping, tensors]);
  const all = useMemo(() => listNodes(tree), [tree]);
  const old = useMemo(() => listOldTotals(before, grouping, query), [before, grouping, query]);
  // Formulas are written with names or symbols, so a change of values does not affect them.
  const symbols = useStable(answer.symbols, haveSameNames);
  const columns = useStable(
    useMemo(() => measureColumns(tree, symbols, writing, INDENT), [tree, symbols, writing]),
    canKeep,
  );
  return { tree, all, old, symbols, columns };
}

interface ToolsProps {
  readonly grouping: Grouping;
  readonly group: (grouping: Grouping) => void;
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
  /** Whether all groups are open; undefined if there are none. */
  readonly allOpen: boolean | undefined;
  readonly openAll: () => void;
  readonly children: ComponentChildren;
}

function TableTools({ grouping, group, filter, setFilter, allOpen, openAll, children }: ToolsProps) {
  return (
    <div class="tools">
      <Segmented
        label={texts.table.groupBy}
        name="grouping"
        choices={[
          ['module', texts.table.byModule],
          ['part', texts.table.byPart],
        ]}
        chosen={grouping}
        choose={group}
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
      {allOpen !== undefined && (
        <button type="button" class="quiet open-all" onClick={openAll}>
          {allOpen ? texts.table.closeAll : texts.table.openAll}
        </button>
      )}
      {children}
    </div>
  );
}

const TableHead = ({ numbers }: { numbers: Ref<HTMLTableCellElement> }) => (
  <thead role="rowgroup">
    <tr role="row" aria-rowindex={1}>
      {HEADINGS.map((heading) => (
        <th key={heading} role="columnheader" scope="col" class={heading} ref={heading === 'numbers' ? numbers : undefined}>
          {headings[heading]}
        </th>
      ))}
    </tr>
  </thead>
);

/** The totals below the table. `shown`: the parameters of the rows that match the filter; undefined without a filter. */
function TableFoot({ totals, shown }: { totals: CountAnswer['totals']; shown: bigint | undefined }) {
  const heldBeside = BigInt(totals.published ?? totals.stored) - BigInt(totals.stored);
  return (
    <tfoot role="rowgroup">
      {shown !== undefined && <FootLine label={texts.table.shown} value={String(shown)} kind="subtotal" />}
      <FootLine label={texts.table.parameters} value={totals.parameters} kind="grand" />
      {totals.buffers !== '0' && <FootLine label={texts.table.buffers} value={totals.buffers} kind="aside" />}
      {heldBeside !== 0n && <FootLine label={texts.table.heldBeside} value={String(heldBeside)} kind="aside" />}
    </tfoot>
  );
}

/** Returns a ref for the heading of the column of numbers, and a function that returns whether a text fits that column. */
function useFit() {
  const head = useRef<HTMLTableCellElement>(null);
  const [fits, setFits] = useState<(text: string) => boolean>(() => alwaysFits);
  useEffect(() => {
    if (!head.current) return;
    const fitting = measureFit(head.current);
    const observer = new ResizeObserver(([{ contentRect }]) => setFits(() => fitting(contentRect.width)));
    observer.observe(head.current);
    return () => observer.disconnect();
  }, []);
  return [head, fits] as const;
}

const alwaysFits = () => true;

/**
 * The characters that are measured for the column of numbers. All others, such as the digits 1 to 9, are assumed to be as wide as a zero.
 */
const SIGNS = '0 ,.×÷+−·()[]…';

/**
 * Returns a function that checks whether a text fits into a width, in the font of an element. Character widths are measured in advance on a
 * canvas, because measuring in the document would force layout.
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

/**
 * Divides the width among the columns, as CSS properties for a wide and for a narrow window. If there is too little space in a wide window,
 * the names shrink first, because their tooltips have the full text, and then the products.
 */
function columnStyles({ tensor, shape, formula, numbers, copies, total, share }: Columns) {
  const track = (width: number, least = width) => `minmax(${least}px, ${width}fr)`;
  const sum = shape + formula + copies + total + share;
  // In a narrow window, names and totals are visible together, unless this leaves less than 124 px for the names.
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
