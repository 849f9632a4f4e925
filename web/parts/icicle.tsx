// Where the parameters sit, as an icicle: parts, their modules, their tensors, each as wide as it is large. It zooms in step with the table.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { listNodes, type Node } from '../answer/breakdown.ts';
import { grouped, percent } from '../support/numbers.ts';
import { shortenLabel, layOutCells, buildIcicleTree, listRows, findEnclosingPath, type Cell } from '../answer/icicle-tree.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';
import { focusedIn, memo, useIds } from './basics.tsx';
import { lightHandlers, lightTensors, useTensorLight, useTensorsLit } from './tensor-light.tsx';

interface IcicleProps {
  readonly answer: CountAnswer;
  readonly name: string;
  /** What is looked at: the smallest group that holds these; none: all of the model. */
  readonly focus: readonly TensorRow[];
  /** Looks at a group, or at all of the model again. */
  readonly look: (rows: readonly TensorRow[]) => void;
  /** What can be done with what is looked at: the way there from the whole. */
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
  // What holds no more than what is looked at is the same picture.
  const up = () => step(way.findLast((node) => here && listRows(node).length > listRows(here).length));

  // What was pressed may be gone from the picture: the focus goes to what was left for more, or to the first of what is in it.
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

  const press = (event: KeyboardEvent) => {
    const all = [...(box.current?.children ?? [])] as HTMLElement[];
    const at = all.indexOf(event.target as HTMLElement);
    const cell = cells[at];
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) return;
    const go = (to: number) => all[to]?.focus({ preventScroll: true });
    const beside = (direction: 1 | -1) => {
      for (let to = at + direction; cells[to]; to += direction) if (cells[to].depth === cell.depth) return go(to);
    };
    switch (event.key) {
      case 'ArrowRight':
        beside(1);
        break;
      case 'ArrowLeft':
        beside(-1);
        break;
      case 'ArrowDown':
        if (cells[at + 1]?.depth === cell.depth + 1) go(at + 1);
        break;
      case 'ArrowUp':
        if (cell.depth > 0) go(cells.findLastIndex(({ depth }, i) => i < at && depth === cell.depth - 1));
        break;
      case 'Enter':
      case ' ':
        left.current = cell.node.id;
        step(cell.node);
        break;
      case 'Escape':
      case 'Backspace':
        if (!here) return;
        left.current = here.id;
        up();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

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
      <div
        class="icicle"
        role="tree"
        ref={box}
        id={id('icicle')}
        aria-label={texts.picture.title(partsOf(answer))}
        onKeyDown={press}
        // What was clicked is gone and cannot.
        onPointerLeave={(event) => lightTensors(light, event)}
      >
        {cells.map((cell, i) => (
          <Slab key={cell.node.id} cell={cell} whole={whole} isFirst={i === 0} look={look} />
        ))}
      </div>
    </div>
  );
}

/** Those of the answer before are those of the same names now. */
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

interface SlabProps {
  readonly cell: Cell;
  readonly whole: string;
  readonly isFirst: boolean;
  readonly look: (rows: readonly TensorRow[]) => void;
}

const Slab = memo(
  function Slab({ cell, whole, isFirst, look }: SlabProps) {
    const { node, depth, left, width, rows: spans } = cell;
    const rows = listRows(node);
    const light = useTensorLight();
    const lit = useTensorsLit(rows);
    const share = percent(node.total, whole);
    return (
      <div
        class="slab"
        role="treeitem"
        aria-level={depth + 1}
        aria-label={texts.picture.slab(node.label, grouped(node.total), share)}
        tabIndex={isFirst ? 0 : -1}
        data-part={node.part ?? 'other'}
        data-depth={depth}
        data-rows={spans}
        data-room={width < 0.06 ? 'least' : width < 0.14 ? 'less' : undefined}
        data-lit={lit ? '' : undefined}
        title={`${node.label}: ${share}`}
        style={{ left: percentOf(left), width: percentOf(width) }}
        {...lightHandlers(light, rows)}
        onClick={() => look(rows)}
      >
        <span>{shortenLabel(node)}</span>
        <span class="initial" aria-hidden="true">
          {shortenLabel(node)[0]}
        </span>{' '}
        {depth === 0 && <span class="share">{share}</span>}
      </div>
    );
  },
  (a, b) =>
    a.whole === b.whole &&
    a.isFirst === b.isFirst &&
    a.cell.node.total === b.cell.node.total &&
    a.cell.node.label === b.cell.node.label &&
    a.cell.left === b.cell.left &&
    a.cell.width === b.cell.width,
);

const percentOf = (share: number) => `${(share * 100).toFixed(3)}%`;
