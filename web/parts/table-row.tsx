// One row of the tensor table.

import { formatLabel, canOpen, findTag, type Line } from '../answer/breakdown.ts';
import { cutToFit } from '../answer/columns.ts';
import { grouped, percent, ratio, shapeText } from '../support/numbers.ts';
import { listSymbols, type Writing } from '../answer/formula.ts';
import { listRows } from '../answer/icicle-tree.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import type { Count, SymbolRow, TensorRow } from '../types/index.ts';
import { memo, Spoken, useLit } from './basics.tsx';
import { MathLine } from './math.tsx';
import { useTensorsLit } from './tensor-light.tsx';

/** The height of a row in pixels, as in `styles/table.css`. */
export const ROW_HEIGHT = 30;

const NO_ROWS: readonly TensorRow[] = [];

interface RowProps extends Line {
  readonly index: number;
  readonly open: boolean;
  readonly symbols: readonly SymbolRow[];
  /** The total that percentages refer to. */
  readonly whole: Count;
  readonly writing: Writing;
  /** Whether a line of text fits the column of numbers. */
  readonly fits: (text: string) => boolean;
  /** The row's total before the last edit; null if the row is new, undefined if nothing is compared. */
  readonly old: bigint | null | undefined;
  readonly found: boolean;
}

export const Row = memo(function Row(props: RowProps) {
  const { node, copy, more, index, symbols, writing, fits, found } = props;
  const { row } = node;
  const single = copy !== undefined || more === true;
  const lit = useLit(
    (name) => name !== undefined && row !== undefined && !single && listSymbols(row.math).some((at) => symbols[at].name === name),
  );
  const pointed = useTensorsLit(single ? NO_ROWS : listRows(node));
  const changed = props.old !== undefined && props.old !== node.total;
  const shape = row && !more ? shapeText(row.shape) || texts.table.scalar : undefined;
  return (
    <tr
      role="row"
      aria-rowindex={index + 2}
      style={{ top: `${index * ROW_HEIGHT}px` }}
      data-group={row ? undefined : ''}
      data-leaf={canOpen(node) && !single ? undefined : ''}
      data-single={single ? '' : undefined}
      data-wide={node.wide ? '' : undefined}
      data-aside={(row && row.kind !== 'parameter') || node.beside !== undefined ? '' : undefined}
      data-changed={changed ? '' : undefined}
      data-lit={lit ? '' : undefined}
      data-pointed={pointed ? '' : undefined}
      data-found={found && !single ? '' : undefined}
    >
      <Head {...props} shape={shape} />
      {!single && !node.wide && (
        <td role="cell" class="shape">
          {shape}
        </td>
      )}
      {!single && !node.wide && <FormulaCells row={row} symbols={symbols} writing={writing} fits={fits} />}
      <td role="cell" class="copies">
        {!single && (node.copies > 1n || row) && grouped(node.copies)}
      </td>
      <Sum {...props} changed={changed} />
    </tr>
  );
});

function Head(props: RowProps & { shape: string | undefined }) {
  const { node, depth, copy, more, open, shape } = props;
  const { row, part } = node;
  const single = copy !== undefined || more;
  const label = formatLabel(props);
  const tag = more ? undefined : findTag(node);
  const opening = canOpen(node) && !single;
  // Hidden from screen readers if the button that opens the row already contains this text.
  const unsaid = opening || undefined;
  return (
    <th role="rowheader" scope="row" class="tensor" colSpan={single || node.wide ? 4 : undefined}>
      <span class="lead" style={{ '--depth': String(depth) }}>
        {opening && (
          <button
            type="button"
            class="twist"
            aria-expanded={open}
            aria-label={row ? texts.table.tensorsOf(label, grouped(row.copies)) : label}
          />
        )}
        <span class="swatch" data-part={part ?? 'none'} />
        {node.wide ? (
          <span class="sentence" title={label} aria-hidden={unsaid}>
            {label}
          </span>
        ) : (
          <code title={row && copy === undefined ? row.name : undefined} aria-hidden={unsaid}>
            {label}
          </code>
        )}
        {part && row && <Spoken>, {partLabel(part)}</Spoken>}
        {tag && <span class="tag">{tag}</span>}
        {single && shape && <span class="size">{shape}</span>}
      </span>
    </th>
  );
}

function FormulaCells({ row, symbols, writing, fits }: Pick<RowProps, 'symbols' | 'writing' | 'fits'> & { row: TensorRow | undefined }) {
  if (row?.kind === 'tied' && row.tied_to !== undefined) {
    return (
      <td role="cell" class="formula tied" aria-colspan={2} colSpan={2} title={texts.table.tiedTitle(row.tied_to)}>
        {texts.table.tied(row.tied_to)}
      </td>
    );
  }
  return (
    <>
      <td role="cell" class="formula" title={row?.formula}>
        {row && <MathLine formula={row.math} symbols={symbols} writing={writing} />}
      </td>
      <td role="cell" class="numbers" title={row?.substitution}>
        {row && cutToFit(row.substitution, fits)}
      </td>
    </>
  );
}

function Sum({ node, copy, more, whole, old, changed }: RowProps & { changed: boolean }) {
  const { row } = node;
  const counted = (row === undefined ? node.beside === undefined : row.kind === 'parameter') && !more;
  const value = row === undefined ? String(node.beside ?? node.total) : copy === undefined ? row.total : row.elements;
  const title = !changed ? undefined : old == null ? texts.table.isNew : texts.table.before(grouped(old));
  return (
    <>
      <td role="cell" class="total" title={title}>
        {!more && (row?.kind === 'tied' ? texts.table.notAgain : grouped(value))}
      </td>
      <td role="cell" class="share">
        {counted && percent(value, whole)}
        <span class="track">
          <span
            class="bar"
            data-part={node.part ?? 'none'}
            style={{ width: counted ? `${(ratio(value, whole) * 100).toFixed(2)}%` : '0' }}
          />
        </span>
      </td>
    </>
  );
}
