// Devices that share a model: one bar per device or per kind of device, the contents of the selected device, and tables.

import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import * as texts from '../settings/devices-texts.ts';
import * as memoryTexts from '../settings/memory-texts.ts';
import { inUnit, type Unit } from '../settings/memory-texts.ts';
import { grouped, ratio, shapeText } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import type { Bytes, DevicesAnswer, DeviceTraining, RankKind, Refusal } from '../types/index.ts';
import { BreakingName } from './breaking-name.tsx';
import { Digits, Scrolled } from './memory-tables.tsx';

/** Up to this many devices have one bar each. If there are more, one bar is drawn per kind of device. */
const MOST_BARS = 64;

interface DevicesProps {
  readonly answer: DevicesAnswer;
  readonly unit: Unit;
  /** The name of the plan, to distinguish its tables from those of another plan. */
  readonly plan?: string;
  /** The memory of one device in bytes; undefined if not given. */
  readonly room?: string;
  /** Computes what the device with this rank holds. */
  readonly ask: (rank: string) => DevicesAnswer | Refusal;
}

/** A bar for one device, or for all devices of a kind. */
interface Bar {
  readonly rank: string;
  readonly stage: string;
  readonly name: string;
  readonly kind: RankKind;
}

export function Devices({ answer, unit, plan, room, ask }: DevicesProps) {
  const heaviest = answer.ranks[answer.heaviest];
  const [pointed, point] = useState<string | undefined>();
  const [kept, keep] = useState<string | undefined>();
  const bars = useMemo(() => listBars(answer), [answer]);
  const shown = [kept, pointed].find((rank) => bars.some((bar) => bar.rank === rank)) ?? heaviest.rank;
  const one = useMemo(() => ask(shown), [ask, shown]);
  return (
    <>
      <Grid bars={bars} shown={shown} kept={kept} point={point} keep={keep} unit={unit} room={room} />
      <KindsTable answer={answer} unit={unit} plan={plan} room={room} />
      {heaviest.training && <TrainingTable training={heaviest.training} unit={unit} plan={plan} />}
      {one.ok && <RankTable answer={one} plan={plan} />}
    </>
  );
}

function listBars({ ranks, devices, tensor, expert }: DevicesAnswer): readonly Bar[] {
  if (BigInt(devices) > MOST_BARS) return ranks.map((kind) => ({ rank: kind.rank, stage: kind.stage, name: texts.ranksOf(kind), kind }));
  const across = Math.max(Number(tensor), Number(expert));
  return ranks
    .flatMap((kind) =>
      kind.ranks.flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, i) => ({
          rank: String(first + i),
          stage: String(Math.floor((first + i) / across)),
          name: texts.deviceOf(String(first + i)),
          kind,
        })),
      ),
    )
    .sort((a, b) => Number(a.rank) - Number(b.rank));
}

interface GridProps extends Pick<DevicesProps, 'unit' | 'room'> {
  readonly bars: readonly Bar[];
  readonly shown: string;
  readonly kept: string | undefined;
  readonly point: (rank: string) => void;
  readonly keep: (rank: string | undefined) => void;
}

function Grid({ bars, shown, kept, point, keep, unit, room }: GridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const scale = largest([room ?? '0', ...bars.map(({ kind }) => kind.need?.bytes ?? '0')]);
  const mostParameters = largest(bars.map(({ kind }) => kind.parameters));
  const move = (event: KeyboardEvent) => {
    const cells = [...(grid.current?.querySelectorAll('button') ?? [])];
    const next = findNext(cells, cells.indexOf(event.target as HTMLButtonElement), event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div class="devices-grid" role="group" aria-label={texts.grid} title={texts.gridHelp} ref={grid} onKeyDown={move}>
      {bars.map(({ rank, stage, name, kind }, i) => (
        <button
          key={rank}
          type="button"
          class="devices-cell"
          data-over={kind.fits === false ? '' : undefined}
          data-starts={i === 0 || bars[i - 1].stage !== stage ? '' : undefined}
          data-shown={rank === shown ? '' : undefined}
          aria-pressed={rank === kept}
          aria-label={texts.cell(kind, name, describe(kind, unit))}
          tabIndex={rank === shown ? 0 : -1}
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && point(rank)}
          onFocus={() => point(rank)}
          onClick={() => keep(rank === kept ? undefined : rank)}
        >
          <span class="devices-name">{name}</span>
          <Stack kind={kind} scale={scale} mostParameters={mostParameters} room={room} />
          <span class="digits">{kind.need ? inUnit(kind.need, unit) : grouped(kind.parameters)}</span>
        </button>
      ))}
    </div>
  );
}

/**
 * The contents of a bar, to scale: the weights by part, the cache, and the memory of a device, if given. If the bytes of weights or cache
 * are unknown, the bar shows parameter counts by part instead.
 */
function Stack({
  kind,
  scale,
  mostParameters,
  room,
}: Pick<DevicesProps, 'room'> & { kind: RankKind; scale: string; mostParameters: string }) {
  const { need, parts, cache } = kind;
  const width = (bytes: string) => ({ width: `${(ratio(bytes, scale) * 100).toFixed(3)}%` });
  return (
    <span class="devices-bar">
      {need && room !== undefined && <span class="devices-room" style={width(room)} />}
      <span class="devices-stack">
        {parts.map(({ part, parameters, bytes = '0' }) => (
          <span
            key={part}
            data-part={part}
            style={need ? width(bytes) : { width: `${(ratio(parameters, mostParameters) * 100).toFixed(3)}%` }}
          />
        ))}
        {need && cache.known && <span class="devices-cache" style={width(cache.total.bytes)} />}
      </span>
    </span>
  );
}

const largest = (counts: readonly string[]) => String(counts.map(BigInt).reduce((most, count) => (count > most ? count : most), 1n));

/**
 * The bar that a key leads to, if any: the previous or next one for the left and right arrows, the first or last one for Home and End, the
 * nearest one above or below for the up and down arrows.
 */
function findNext(cells: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
  const ends: Readonly<Record<string, number>> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: cells.length - 1 };
  if (at < 0) return undefined;
  if (Object.hasOwn(ends, key)) return cells[ends[key]];
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined;
  const { left, top } = cells[at].getBoundingClientRect();
  const below = key === 'ArrowDown';
  const others = cells.filter((cell) => {
    const box = cell.getBoundingClientRect();
    return Math.abs(box.left - left) < 2 && (below ? box.top > top + 2 : box.top < top - 2);
  });
  return below ? others[0] : others[others.length - 1];
}

const amountOf = (part: RankKind['weights'] | RankKind['cache'], unit: Unit) =>
  part.known ? inUnit('loaded' in part ? part.loaded : part.total, unit) : texts.unknown;

const roomOf = ({ left, missing }: RankKind, unit: Unit) =>
  left ? texts.left(inUnit(left, unit)) : missing ? texts.missing(inUnit(missing, unit)) : '';

const describe = (kind: RankKind, unit: Unit) =>
  texts.amounts(amountOf(kind.weights, unit), amountOf(kind.cache, unit), roomOf(kind, unit));

/** The grid as a table, with one line per kind of device. */
function KindsTable({ answer: { ranks, heaviest }, unit, plan, room }: Omit<DevicesProps, 'ask'>) {
  return (
    <Scrolled label={texts.titleIn(texts.kinds, plan)}>
      <caption>{texts.kinds}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.table.devices}</th>
          <Digits head>{texts.table.parameters}</Digits>
          <Digits head>{texts.table.weights}</Digits>
          <Digits head>{texts.table.cache}</Digits>
          {room !== undefined && <Digits head>{texts.table.room}</Digits>}
        </tr>
      </thead>
      <tbody>
        {ranks.map((kind, i) => (
          <tr key={kind.rank}>
            <th scope="row">
              {texts.ranksOf(kind)}, {texts.stagesOf(kind)}
              {ranks.length > 1 && i === heaviest && <em> {texts.heaviest}</em>}
            </th>
            <Digits>{grouped(kind.parameters)}</Digits>
            <Digits>{amountOf(kind.weights, unit)}</Digits>
            <Digits>{amountOf(kind.cache, unit)}</Digits>
            {room !== undefined && <Digits>{kind.left ? inUnit(kind.left, unit) : roomOf(kind, unit) || texts.unknown}</Digits>}
          </tr>
        ))}
      </tbody>
    </Scrolled>
  );
}

/** The memory that training needs on the heaviest device, without activations, before and after ZeRO divides it. */
function TrainingTable({ training, unit, plan }: { training: DeviceTraining; unit: Unit; plan?: string }) {
  const line = (name: string, all: Bytes, one: Bytes) => (
    <tr key={name}>
      <th scope="row">{name}</th>
      <Digits>{inUnit(all, unit)}</Digits>
      <Digits>{inUnit(one, unit)}</Digits>
    </tr>
  );
  return (
    <Scrolled label={texts.titleIn(texts.trainingOf, plan)}>
      <caption>{texts.trainingDivided(training)}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.trainingOf}</th>
          <Digits head>{texts.ofAll}</Digits>
          <Digits head>{texts.onDevice}</Digits>
        </tr>
      </thead>
      <tbody>
        {training.rows.map(({ name, total, each }) => line(memoryTexts.trainingRows[name], total, each))}
        {line(texts.together, training.total, training.each)}
      </tbody>
    </Scrolled>
  );
}

/** What one device holds, tensor by tensor. */
function RankTable({ answer: { rows, ranks }, plan }: Pick<DevicesProps, 'answer' | 'plan'>) {
  const [kind] = ranks;
  const title = texts.heldBy(kind.rank);
  const cell = (shape: readonly (number | string)[]) => shapeText(shape) || '1';
  return (
    <div class="devices-rank">
      <h3>{title}</h3>
      <Scrolled label={texts.titleIn(title, plan)}>
        <thead>
          <tr>
            <th scope="col">{texts.table.why}</th>
            <th scope="col">{texts.table.whole}</th>
            <th scope="col">{texts.table.local}</th>
            <th scope="col">{texts.table.rule}</th>
            <Digits head>{texts.table.parameters}</Digits>
          </tr>
        </thead>
        <tbody>
          {kind.rows.map(({ row, name, shape, elements }) => (
            <tr key={name}>
              <th scope="row">
                <span class="swatch" data-part={rows[row].part} />
                <BreakingName name={name} />
                <span class="devices-why">{rows[row].why}</span>
              </th>
              <td>{cell(rows[row].shape)}</td>
              <td>{cell(shape)}</td>
              <td>{texts.rules[rows[row].rule]}</td>
              <Digits>{grouped(elements)}</Digits>
            </tr>
          ))}
        </tbody>
      </Scrolled>
    </div>
  );
}

/** The legend of the bars' colours. */
export function DevicesLegend({ answer: { ranks }, children }: { answer: DevicesAnswer; children?: ComponentChildren }) {
  const parts = [...new Set(ranks.flatMap((kind) => kind.parts.map(({ part }) => part)))];
  return (
    <ul class="devices-legend">
      {parts.map((part) => (
        <li key={part}>
          <span class="swatch" data-part={part} />
          {partLabel(part)}
        </li>
      ))}
      <li>
        <span class="swatch devices-cache" />
        {texts.table.cache}
      </li>
      {children}
    </ul>
  );
}

/**
 * The answer in sentences: by how much the heaviest device exceeds an even share and why, the sum over all devices, the notes, and why some
 * values are unknown.
 */
export function DevicesWords({ answer }: { answer: DevicesAnswer }) {
  const { ranks, notes } = answer;
  const unknown = ranks.flatMap(({ weights, cache }) => [weights, cache]).flatMap((part) => (part.known ? [] : [part.reason]));
  const lines = [...notes, ...[...new Set(unknown)].map((message) => ({ level: 'info', message }))];
  return (
    <>
      <p>{texts.overShare(answer)}</p>
      <p class="muted">{texts.sumOf(answer)}</p>
      {lines.length > 0 && (
        <ul class="notes">
          {lines.map(({ level, message }) => (
            <li key={message} data-level={level}>
              {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
