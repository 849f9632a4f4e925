// Where the parameters are, as an icicle chart of parts, modules and tensors, with widths proportional to their sizes. In a view with the
// tensor table, the chart and the table zoom together.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { listNodes, type Node } from '../answer/breakdown.ts';
import { grouped, percent } from '../support/numbers.ts';
import {
  buildIcicleTree,
  type Cell,
  findEnclosingPath,
  formatCellName,
  layOutCells,
  layOutLeaders,
  listRows,
  shortenLabel,
} from '../answer/icicle-tree.ts';
import { measureText } from '../drawings/drawing.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';
import { focusedIn, memo, useIds } from './basics.tsx';
import { lightHandlers, lightTensors, pointerHandlers, useTensorLight, useTensorsLit } from './tensor-light.tsx';

interface IcicleProps {
  readonly answer: CountAnswer;
  readonly name: string;
  /** The chart shows the smallest group that contains all of these rows. Without rows, or if no group does, it shows the whole model. */
  readonly focus: readonly TensorRow[];
  /** Zooms to the group with these rows; without rows, out to the whole model. */
  readonly look: (rows: readonly TensorRow[]) => void;
  /** Controls for the group that is shown. `way` is the path to it from the root. */
  readonly tools?: (way: readonly Node[]) => ComponentChildren;
}

export function Icicle({ answer, name, focus, look, tools }: IcicleProps) {
  const id = useIds();
  const light = useTensorLight();
  const box = useRef<HTMLDivElement>(null);
  const tree = useMemo(() => buildIcicleTree(answer), [answer]);
  const way = useMemo(() => findEnclosingPath(tree, rowsNow(tree, focus)), [tree, focus]);
  const here = way[way.length - 1];
  const cells = useMemo(() => layOutCells(here ? here.children : tree), [tree, here]);
  const whole = answer.totals.parameters;
  const step = (node: Node | undefined) => look(node ? listRows(node) : []);
  // Skips enclosing groups that contain exactly the rows shown, because their pictures would look alike.
  const up = () => step(way.findLast((node) => here && listRows(node).length > listRows(here).length));

  // The cell that was activated may disappear when the chart zooms. The focus then moves to the cell of the group that was left, or to the
  // first cell of the group that was entered.
  const left = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    const wanted = left.current;
    left.current = undefined;
    const slabs = box.current;
    if (wanted === undefined || !slabs) return;
    const focused = focusedIn(slabs);
    if (focused && focused !== document.body && !slabs.contains(focused)) return;
    const at = cells.findIndex(({ node }) => node.id === wanted);
    (slabs.children[Math.max(0, at)] as HTMLElement | undefined)?.focus({ preventScroll: true });
  });

  /** Zooms, and remembers a node. If its cell is drawn afterwards, that cell gets the focus, otherwise the first cell. */
  const leave = (from: Node, go: () => void) => {
    left.current = from.id;
    go();
  };
  const press = (event: KeyboardEvent) =>
    pressKey(event, box.current, cells, (node) => leave(node, () => step(node)), here && (() => leave(here, up)));

  return (
    <div class="icicle-box">
      <div class="crumbs">
        <span>
          <button type="button" class="crumb" aria-current={here ? undefined : 'true'} onClick={() => step(undefined)}>
            {name}
          </button>
          {way.map((node) => (
            <>
              {' › '}
              <button type="button" class="crumb" aria-current={node === here ? 'true' : undefined} onClick={() => step(node)}>
                {node.label}
              </button>
            </>
          ))}
        </span>
        {tools?.(way)}
      </div>
      {WIDTHS.map((width) => (
        <Leaders key={width} cells={cells} whole={whole} width={width} look={look} />
      ))}
      <div
        class="icicle"
        role="tree"
        ref={box}
        id={id('icicle')}
        aria-label={texts.picture.title(partsOf(answer))}
        onKeyDown={press}
        // A clicked cell may be removed and then sends no leave event, so leaving the chart clears the highlight.
        onPointerLeave={(event) => lightTensors(light, event)}
      >
        {cells.map((cell, i) => (
          <Slab key={`${cell.node.id} ${cell.use ?? ''}`} cell={cell} whole={whole} isFirst={i === 0} look={look} />
        ))}
      </div>
    </div>
  );
}

/** Handles the keys of the chart. Arrow keys move within a row and between rows, Enter or Space zooms in, Escape or Backspace zooms out. */
function pressKey(
  event: KeyboardEvent,
  box: HTMLElement | null,
  cells: readonly Cell[],
  enter: (node: Node) => void,
  leave: (() => void) | undefined,
): void {
  const all = [...(box?.children ?? [])] as HTMLElement[];
  const at = all.indexOf(event.target as HTMLElement);
  const cell = cells[at];
  if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
  const go = (to: number) => all[to]?.focus({ preventScroll: true });
  const goAlong = (direction: 1 | -1) => {
    for (let to = at + direction; cells[to]; to += direction) if (cells[to].depth === cell.depth) return go(to);
  };
  switch (event.key) {
    case 'ArrowRight':
      goAlong(1);
      break;
    case 'ArrowLeft':
      goAlong(-1);
      break;
    case 'ArrowDown':
      goDown(cells, at, go);
      break;
    case 'ArrowUp':
      if (cell.depth > 0) go(cells.findLastIndex(({ depth }, i) => i < at && depth === cell.depth - 1));
      break;
    case 'Enter':
    case ' ':
      enter(cell.node);
      break;
    case 'Escape':
    case 'Backspace':
      if (!leave) return;
      leave();
      break;
    default:
      return;
  }
  event.preventDefault();
}

/** Moves to the first cell below, if there is one. Active and inactive experts are two cells of one group. Both lead to the same cell. */
function goDown(cells: readonly Cell[], at: number, go: (to: number) => void): void {
  const below = cells.findIndex(({ node }, i) => i > at && node !== cells[at].node);
  if (cells[below]?.depth === cells[at].depth + 1) go(below);
}

/** Finds the rows of the current answer by their names, because `rows` may come from an earlier answer. */
function rowsNow(tree: readonly Node[], rows: readonly TensorRow[]): readonly TensorRow[] {
  if (rows.length === 0) return rows;
  const names = new Set(rows.map(({ name }) => name));
  return listNodes(tree).flatMap(({ row }) => (row && names.has(row.name) ? [row] : []));
}

const partsOf = ({ parts, totals }: CountAnswer) =>
  parts
    .filter(({ parameters }) => parameters !== '0')
    .map(({ part, parameters }) => `${partLabel(part)} ${percent(parameters, totals.parameters)}`)
    .join(', ');

/** The smallest width of the chart in pixels, in a wide window and on a phone. */
const WIDTHS = [640, 270] as const;

const hasRoom = (cell: Cell, width: number) => cell.width * width > measureText(formatCellName(cell), 'on') + 16;

interface LeadersProps {
  readonly cells: readonly Cell[];
  readonly whole: string;
  /**
   * The chart's width in pixels for which the labels are laid out. Both layouts are drawn, and the style sheet hides the one that does not
   * fit.
   */
  readonly width: (typeof WIDTHS)[number];
  readonly look: (rows: readonly TensorRow[]) => void;
}

/** The names that do not fit in the cells of the top row, with lines to the cells. Screen readers find the names in the cells instead. */
function Leaders({ cells, whole, width, look }: LeadersProps) {
  const lengthOf = (cell: Cell) => (measureText(`${formatCellName(cell)} ${percent(cell.size, whole)}`, 'small') + 12) / width;
  const leaders = layOutLeaders(cells, (cell) => hasRoom(cell, width), lengthOf);
  const height = Math.max(0, ...leaders.map(({ row }) => row));
  return (
    <div class="leaders" data-width={width} aria-hidden="true" style={{ height: `${height * LEADER}px` }}>
      {leaders.map(({ cell, at, row, side }) => (
        <Leader
          key={`${cell.node.id} ${cell.use ?? ''}`}
          {...{ cell, side, look }}
          share={percent(cell.size, whole)}
          style={{ [side === 'right' ? 'left' : 'right']: percentOf(side === 'right' ? at : 1 - at), height: `${row * LEADER}px` }}
        />
      ))}
    </div>
  );
}

/** The height of one row of names, in pixels. */
const LEADER = 18;

interface LeaderProps {
  readonly cell: Cell;
  readonly side: string;
  readonly share: string;
  readonly style: Record<string, string>;
  readonly look: (rows: readonly TensorRow[]) => void;
}

function Leader({ cell, side, share, style, look }: LeaderProps) {
  const rows = listRows(cell.node);
  const light = useTensorLight();
  const lit = useTensorsLit(rows);
  return (
    <span
      class="leader"
      data-side={side}
      data-part={cell.node.part ?? 'other'}
      data-lit={lit ? '' : undefined}
      style={style}
      {...pointerHandlers(light, rows)}
      onClick={() => look(rows)}
    >
      {formatCellName(cell)} <span class="share">{share}</span>
    </span>
  );
}

interface SlabProps {
  readonly cell: Cell;
  readonly whole: string;
  readonly isFirst: boolean;
  readonly look: (rows: readonly TensorRow[]) => void;
}

const Slab = memo(
  function Slab({ cell, whole, isFirst, look }: SlabProps) {
    const { node, depth, left, width, rows: spans, use, size } = cell;
    const rows = listRows(node);
    const light = useTensorLight();
    const lit = useTensorsLit(rows);
    const share = percent(size, whole);
    const name = use ? formatCellName(cell) : node.label;
    return (
      <div
        class="slab"
        role="treeitem"
        aria-level={depth + 1}
        aria-label={texts.picture.slab(name, grouped(size), share)}
        tabIndex={isFirst ? 0 : -1}
        data-part={node.part ?? 'other'}
        data-depth={depth}
        data-rows={spans}
        data-use={use ?? (node.beside ? 'beside' : undefined)}
        data-room={WIDTHS.filter((wide) => hasRoom(cell, wide)).join(' ')}
        data-lit={lit ? '' : undefined}
        title={`${name}: ${share}`}
        style={{ left: percentOf(left), width: percentOf(width) }}
        {...lightHandlers(light, rows)}
        onClick={() => look(rows)}
      >
        <span class="name">{depth === 0 ? formatCellName(cell) : shortenLabel(node)}</span>{' '}
        {depth === 0 && <span class="share">{share}</span>}
      </div>
    );
  },
  (a, b) =>
    a.whole === b.whole &&
    a.isFirst === b.isFirst &&
    a.cell.size === b.cell.size &&
    a.cell.use === b.cell.use &&
    a.cell.node.label === b.cell.node.label &&
    a.cell.left === b.cell.left &&
    a.cell.width === b.cell.width &&
    a.cell.depth === b.cell.depth &&
    a.cell.rows === b.cell.rows,
);

const percentOf = (share: number) => `${(share * 100).toFixed(3)}%`;
