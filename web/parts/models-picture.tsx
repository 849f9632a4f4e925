// The models of the table in one picture: a scatter plot, without the models that lack a value, or the shares of all models. Pointing shows
// a model's name, clicking opens the model. The table is the text alternative.

import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { grouped, percent, typedShort } from '../support/numbers.ts';
import * as words from '../models/models-texts.ts';
import { partLabel } from '../texts/part-names.ts';
import { findColumn, columnLabel, type Column } from '../models/model-columns.ts';
import { BOTTOM, HEIGHT, LEFT, findNearestPoint, placeNames, placePoints, RIGHT, placeStacks, TOP } from '../drawings/models-drawing.ts';
import type { Counted } from '../models/model-rows.ts';

interface PictureProps {
  readonly rows: readonly Counted[];
  readonly open: (model: Counted) => void;
}

/** The model under the pointer: its name, its parameter count and `more`. Without one, a note on the picture. */
const Named = ({ row, more }: { row: Counted | undefined; more: string }) => (
  <p class="muted models-named" aria-hidden="true">
    {row ? (
      <>
        <b>{row.listed.name}</b> {grouped(row.sums.totals.parameters)}
        {more && `, ${more}`}
      </>
    ) : (
      words.drawnFrom
    )}
  </p>
);

/** A placeholder with the height of the picture, shown until it can be drawn. */
export const NoPicture = () => (
  <figure class="models-picture">
    <svg aria-hidden="true" />
    <Named row={undefined} more="" />
  </figure>
);

/** The pointer's position in the picture, in pixels. */
function placeOf(event: PointerEvent | MouseEvent): [x: number, y: number] {
  const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** The width of the picture's container in pixels, at least 200. */
function useWidth(): [ref: { current: HTMLElement | null }, width: number] {
  const place = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(900);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    setWidth(Math.max(200, element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [place, width];
}

/** Formats a power of ten for an axis: `1M`, `10`. */
const power = (value: bigint) => typedShort(String(value)).replace(/\.0+(?=\D|$)/, '');

/** The number of publishers with a colour of their own: see models.css. */
const COLOURED = 7;
const publisherOf = ({ listed: { id } }: Counted) => id.split('/', 1)[0];

/** The publishers with the most models, at most one per colour, in descending order, each with the number of its colour. */
function findPublishers(rows: readonly Counted[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of rows.map(publisherOf)) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, COLOURED);
  return new Map(most.map(([name], i) => [name, i + 1]));
}

const parameters = findColumn('parameters') as Column;

export function ModelPoints({ rows, column, open }: PictureProps & { column: Column }) {
  const [hot, setHot] = useState<number>();
  const [place, width] = useWidth();
  const linear = column.kind === 'share';
  const points = useMemo(() => placePoints(rows.map((row) => ({ x: parameters.of(row), y: column.of(row) })), linear, width), [rows, column, width]); // prettier-ignore
  const publishers = useMemo(() => findPublishers(rows), [rows]);
  const names = useMemo(() => placeNames(points, rows.map(({ listed }) => listed.name), width), [points, rows, width]); // prettier-ignore
  const at = (event: PointerEvent | MouseEvent) => findNearestPoint(points, ...placeOf(event));
  const said = hot === undefined || !rows[hot] ? undefined : column.of(rows[hot]);
  return (
    <figure class="models-picture" ref={place}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={words.pointsTitle(columnLabel(column))}
        onPointerMove={(event) => setHot(at(event))}
        onPointerLeave={() => setHot(undefined)}
        onClick={(event) => {
          const row = rows[at(event) ?? -1];
          if (row) open(row);
        }}
      >
        {points.across.map(({ at: x, value }) => (
          <g key={String(value)} class="models-axis">
            <line x1={x} x2={x} y1={TOP} y2={HEIGHT - BOTTOM} />
            <text x={x} y={HEIGHT - 10} text-anchor="middle">
              {power(value)}
            </text>
          </g>
        ))}
        {points.up.map(({ at: y, value }) => (
          <g key={String(value)} class="models-axis">
            <line x1={LEFT} x2={width - RIGHT} y1={y} y2={y} />
            <text x={LEFT - 6} y={y + 4} text-anchor="end">
              {linear ? percent(value, 1_000_000n) : power(value)}
            </text>
          </g>
        ))}
        {points.places.map(
          (place, i) =>
            place && (
              <circle
                key={i}
                cx={place.x}
                cy={place.y}
                r={i === hot ? 7 : 4}
                class={rows[i].listed.id === '' ? 'own' : undefined}
                data-publisher={publishers.get(publisherOf(rows[i]))}
              />
            ),
        )}
        {names.map(({ row, x, y, anchor }) => (
          <text key={row} class="models-name" x={x} y={y} text-anchor={anchor}>
            {rows[row].listed.name}
          </text>
        ))}
        <text class="models-title" x={width - RIGHT} y={HEIGHT - BOTTOM - 6} text-anchor="end">
          {columnLabel(parameters)} →
        </text>
        <text class="models-title" x={LEFT + 6} y={TOP + 8}>
          ↑ {columnLabel(column)}
        </text>
      </svg>
      <ul class="models-legend" aria-label={words.publishers}>
        {[...publishers].map(([name, place]) => (
          <li key={name} data-publisher={place}>
            {name}
          </li>
        ))}
        {rows.some((row) => !publishers.has(publisherOf(row))) && <li>{words.otherPublishers}</li>}
      </ul>
      <Named
        row={hot === undefined ? undefined : rows[hot]}
        more={typeof said === 'bigint' ? `${columnLabel(column).toLowerCase()} ${linear ? percent(said, 1_000_000n) : grouped(said)}` : ''}
      />
    </figure>
  );
}

const KINDS = ['embedding', 'attention', 'feed_forward'] as const;
/** Stands for everything outside the columns in `KINDS`. The column of the feed-forward part includes routers. */
const REST = 'other';

export function ModelShares({ rows, open }: PictureProps) {
  const [hot, heat] = useState<number>();
  const [place, width] = useWidth();
  const shares = useMemo(
    () =>
      rows.map((row) => {
        const own = KINDS.map((name) => (findColumn(name)?.of(row) as bigint | undefined) ?? 0n);
        return [...own, own.reduce((rest, share) => rest - share, 1_000_000n)];
      }),
    [rows],
  );
  const paths = useMemo(() => placeStacks(shares, width), [shares, width]);
  const at = (event: PointerEvent | MouseEvent) => Math.floor((placeOf(event)[0] / width) * rows.length);
  const kinds = [...KINDS, REST];
  const label = (kind: string) => (kind === REST ? words.rest : partLabel(kind));
  const more = hot === undefined || !shares[hot] ? '' : kinds.map((kind, i) => `${label(kind)} ${percent(shares[hot][i], 1_000_000n)}`).join(', '); // prettier-ignore
  return (
    <figure class="models-picture" ref={place}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={words.sharesTitle}
        onPointerMove={(event) => heat(at(event))}
        onPointerLeave={() => heat(undefined)}
        onClick={(event) => {
          const row = rows[at(event)];
          if (row) open(row);
        }}
      >
        {kinds.map((kind, i) => (
          <path key={kind} d={paths[i] ?? ''} data-part={kind} />
        ))}
      </svg>
      <ul class="models-legend">
        {kinds.map((kind) => (
          <li key={kind} class="part" data-part={kind}>
            {label(kind)}
          </li>
        ))}
      </ul>
      <Named row={hot === undefined ? undefined : rows[hot]} more={more} />
    </figure>
  );
}
