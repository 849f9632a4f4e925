// All models of the table as one picture: pointing names a model, choosing opens it. The table is its text.

import { useMemo, useState } from 'preact/hooks';
import { grouped, percent, short } from '../lib/texts/format.ts';
import * as words from '../lib/texts/overview-texts.ts';
import { partLabel } from '../lib/texts/part-names.ts';
import { columnNamed, labelOf, type Column } from '../lib/overview/model-columns.ts';
import { HEIGHT, nearestPoint, pointsOf, stacksOf, WIDTH } from '../lib/pictures/models-drawing.ts';
import type { Counted } from '../lib/overview/model-rows.ts';

interface PictureProps {
  readonly rows: readonly Counted[];
  readonly open: (model: Counted) => void;
}

/** What is named of the model that is pointed at. */
const Named = ({ row, more }: { row: Counted | undefined; more: string }) => (
  <p class="muted models-named" aria-hidden="true">
    {row ? (
      <>
        <b>{row.listed.name}</b> {grouped(row.answer.totals.parameters)}
        {more && `, ${more}`}
      </>
    ) : (
      words.drawnFrom
    )}
  </p>
);

/** Where in the picture somebody points, in its own units. */
function placeOf(event: PointerEvent | MouseEvent): [x: number, y: number] {
  const box = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
}

const parameters = columnNamed('parameters') as Column;

export function ModelPoints({ rows, column, open }: PictureProps & { column: Column }) {
  const [hot, heat] = useState<number>();
  const linear = column.kind === 'share';
  const points = useMemo(() => pointsOf(rows.map((row) => ({ x: parameters.of(row), y: column.of(row) })), linear), [rows, column]); // prettier-ignore
  const at = (event: PointerEvent | MouseEvent) => nearestPoint(points, ...placeOf(event));
  const value = hot === undefined || !rows[hot] ? undefined : column.of(rows[hot]);
  return (
    <figure class="models-picture">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={words.pointsTitle(labelOf(column))}
        onPointerMove={(event) => heat(at(event))}
        onPointerLeave={() => heat(undefined)}
        onClick={(event) => {
          const row = rows[at(event) ?? -1];
          if (row) open(row);
        }}
      >
        {points.across.map(({ at: x, value: power }) => (
          <g key={String(power)} class="models-axis">
            <line x1={x} x2={x} y1={10} y2={HEIGHT - 28} />
            <text x={x} y={HEIGHT - 10} text-anchor="middle">
              {short(String(power))}
            </text>
          </g>
        ))}
        {points.up.map(({ at: y, value: power }) => (
          <g key={String(power)} class="models-axis">
            <line x1={72} x2={WIDTH - 12} y1={y} y2={y} />
            <text x={66} y={y + 4} text-anchor="end">
              {linear ? percent(power, 1_000_000n) : short(String(power))}
            </text>
          </g>
        ))}
        {points.places.map(
          (place, i) =>
            place && (
              <circle key={i} cx={place.x} cy={place.y} r={i === hot ? 7 : 4} class={rows[i].listed.id === '' ? 'own' : undefined} />
            ),
        )}
      </svg>
      <Named
        row={hot === undefined ? undefined : rows[hot]}
        more={typeof value === 'bigint' ? `${labelOf(column).toLowerCase()} ${linear ? percent(value, 1_000_000n) : grouped(value)}` : ''}
      />
    </figure>
  );
}

const KINDS = ['embedding', 'attention', 'feed_forward'] as const;
/** What is none of these. */
const REST = 'other';

export function ModelShares({ rows, open }: PictureProps) {
  const [hot, heat] = useState<number>();
  const shares = useMemo(
    () =>
      rows.map((row) => {
        const own = KINDS.map((name) => (columnNamed(name)?.of(row) as bigint | undefined) ?? 0n);
        return [...own, own.reduce((rest, share) => rest - share, 1_000_000n)];
      }),
    [rows],
  );
  const paths = useMemo(() => stacksOf(shares), [shares]);
  const at = (event: PointerEvent | MouseEvent) => Math.floor((placeOf(event)[0] / WIDTH) * rows.length);
  const kinds = [...KINDS, REST];
  const label = (kind: string) => (kind === REST ? words.rest : partLabel(kind));
  const more = hot === undefined || !shares[hot] ? '' : kinds.map((kind, i) => `${label(kind)} ${percent(shares[hot][i], 1_000_000n)}`).join(', '); // prettier-ignore
  return (
    <figure class="models-picture">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
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
