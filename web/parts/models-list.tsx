// The table of models. A heading sorts by its column, a name opens the model, and models can be selected for comparison.

import { formatCellExactly, formatCell, type ModelTable, type Row } from '../models/model-table.ts';
import { columnLabel, columnMeaning, isText, releaseOf } from '../models/model-columns.ts';
import { modelPage } from '../hub/address.ts';
import { grouped } from '../support/numbers.ts';
import * as words from '../models/models-texts.ts';
import { memo } from './basics.tsx';
import { useMoreAndMore } from './idle.ts';

/** The number of rows drawn at first. Further rows follow when the browser is idle. */
const AT_ONCE = 24;

interface ListProps {
  readonly table: ModelTable;
  readonly sort: string;
  readonly sortBy: (sort: string) => void;
  readonly open: (row: Row) => void;
  readonly selected: readonly Row['model']['listed'][];
  readonly select: (row: Row) => void;
  /** The remark next to a model's name, if any. */
  readonly markOf: (listed: Row['model']['listed']) => string | undefined;
}

export function ModelsList({ table: { columns, rows }, sort, sortBy, open, selected, select, markOf }: ListProps) {
  const drawn = useMoreAndMore(rows.length, AT_ONCE);
  const direction = (name: string) => (sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined);
  return (
    <div class="models-box" tabIndex={0} role="region" aria-label={words.tableLabel}>
      <table class="account models-table" role="table" style={`--columns: 32px ${columns.map(widthOf).join(' ')}`}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              <span class="spoken">{words.selectHead}</span>
            </th>
            {columns.map((column) => {
              const { name, kind } = column;
              const now = direction(name);
              // The first click on a column of numbers or dates sorts it in descending order.
              const next = kind === 'word' ? (now === 'ascending' ? `-${name}` : name) : now === 'descending' ? name : `-${name}`;
              return (
                <th
                  key={name}
                  scope="col"
                  role="columnheader"
                  class={isText(column) ? undefined : 'digits'}
                  aria-sort={now}
                  title={columnMeaning(column)}
                >
                  <button type="button" class="part" onClick={() => sortBy(next)} aria-label={words.sorted(columnLabel(column))}>
                    {columnLabel(column)} <span aria-hidden="true">{now === 'ascending' ? '▲' : now === 'descending' ? '▼' : ''}</span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {/* Keyed by position, because moving a row is slower than writing another model into it. */}
          {rows.slice(0, drawn).map((row, i) => (
            <Line
              key={i}
              row={row}
              columns={columns}
              open={open}
              select={select}
              isSelected={selected.includes(row.model.listed)}
              mark={markOf(row.model.listed)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * The width of a column as a grid track. Each row is a grid of its own, so that the browser skips layout and painting of rows out of sight.
 * The tracks do not depend on the rows, so that the columns of all grids align.
 */
function widthOf(column: ModelTable['columns'][number]): string {
  if (column.name === 'name') return 'minmax(var(--least-name), 2.4fr)';
  return `minmax(${column.kind === 'word' ? 15 : column.kind === 'date' ? 12 : Math.max(11, columnLabel(column).length + 3)}ch, 1fr)`;
}

interface LineProps {
  readonly row: Row;
  readonly columns: ModelTable['columns'];
  readonly open: (row: Row) => void;
  readonly select: (row: Row) => void;
  readonly isSelected: boolean;
  readonly mark: string | undefined;
}

/** A row of the table. It is redrawn only when its model, columns, selection or remark change. */
const Line = memo(
  ({ row, columns, open, select, isSelected, mark }: LineProps) => {
    const { listed } = row.model;
    const { cells } = row;
    return (
      <tr role="row" data-own={listed.id === '' ? '' : undefined}>
        <td role="cell">
          <input type="checkbox" checked={isSelected} aria-label={words.select(listed.name)} onChange={() => select(row)} />
        </td>
        {columns.map((column, i) => {
          const cell = cells[i];
          if (column.name !== 'name')
            return (
              <td key={column.name} role="cell" class={isText(column) ? undefined : 'digits'} title={titleOf(cell, column)}>
                <Cell cell={cell} column={column} id={listed.id} />
              </td>
            );
          return (
            <th key={column.name} scope="row" role="rowheader">
              <button type="button" class="part" title={listed.id} onClick={() => open(row)}>
                {listed.name}
              </button>{' '}
              {mark && <span class="muted">{mark}</span>}
            </th>
          );
        })}
      </tr>
    );
  },
  (a, b) => a.row.model === b.row.model && a.columns === b.columns && a.isSelected === b.isSelected && a.mark === b.mark,
);

/** A cell. A release date links to its source. Id and license link to the model's page on the Hub. */
function Cell({ cell, column, id }: { cell: Row['cells'][number]; column: ModelTable['columns'][number]; id: string }) {
  const text = formatCell(cell, column);
  const link = { released: releaseOf(id)?.source, license: modelPage(id), id: modelPage(id) }[column.name];
  if (text === '' || link === undefined) return <>{text}</>;
  return (
    <a href={link} rel="noreferrer" target="_blank">
      {text}
    </a>
  );
}

/** The tooltip of a count, which may be abbreviated: all of its digits. Undefined for other cells. */
const titleOf = (cell: Row['cells'][number], column: ModelTable['columns'][number]) =>
  typeof cell === 'bigint' && column.kind === 'count' ? grouped(formatCellExactly(cell, column)) : undefined;
