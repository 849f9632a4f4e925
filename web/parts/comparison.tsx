// Shows how models differ: their parts on one scale, the causes that add up to the difference, the fields, and the matrices.

import { Fragment, type ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { grouped, percent, ratio, shapeText } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import * as words from '../texts/compare.ts';
import * as texts from '../texts/page.ts';
import type { Listing, Cells, ComparedCause, ComparedField, ComparedTensors, ModelComparison } from '../types/index.ts';

import { Segmented } from './buttons.tsx';
import { Waterfall } from './waterfall.tsx';

/** A comparison in which at least one model could be counted, with the names of the models. */
export type Compared = Required<ModelComparison> & { readonly names: readonly string[]; readonly catalog: Listing };

/** Formats a difference: `+788529152` as `+788,529,152`. */
const signed = (difference: string) => (difference.startsWith('+') ? `+${grouped(difference.slice(1))}` : grouped(difference));

/** The indices of the models that could be counted. */
const placesOf = ({ models }: Compared) => models.flatMap(({ ok }, at) => (ok ? [at] : []));

interface Part {
  readonly compared: Compared;
}

export function PartsOnOneScale({ compared }: Part) {
  const { names, totals, parts, base } = compared;
  const beneath = findOther(compared) === undefined;
  const [enlarged, setEnlarged] = useState<readonly number[]>([]);
  const places = placesOf(compared);
  const total = totals[0].values;
  const most = places.map((at) => BigInt(total[at] ?? 0)).reduce((a, b) => (a > b ? a : b));
  return (
    <section class="sheet">
      <h3>{words.parts}</h3>
      <div class="scale">
        {places.map((at) => {
          const times = most / (BigInt(total[at] ?? 0) || most);
          const isEnlarged = times > 1n && enlarged.includes(at);
          return (
            <div key={at} class="scale-line">
              <span class="scale-name">
                {names[at]}
                {times > 1n && (
                  <button
                    type="button"
                    class="quiet"
                    aria-pressed={isEnlarged}
                    aria-label={words.enlargeSpoken(names[at], grouped(String(times)))}
                    onClick={() => setEnlarged(isEnlarged ? enlarged.filter((one) => one !== at) : [...enlarged, at])}
                  >
                    {words.enlarge(grouped(String(times)))}
                  </button>
                )}
              </span>
              <Scale compared={compared} at={at} whole={isEnlarged ? most / times : most} />
            </div>
          );
        })}
      </div>
      {beneath && <p class="meaning">{words.beneath(names[base])}</p>}
      <Scroller label={words.parts}>
        <table class="contrast">
          <thead>
            <Heads first={words.part} compared={compared} numbers />
          </thead>
          <tbody>
            {parts.map(({ part, ...counts }) => (
              <tr key={part}>
                <th scope="row">
                  <span class="swatch" data-part={part} /> {partLabel(part)}
                </th>
                <NumberCells compared={compared} counts={counts} />
              </tr>
            ))}
          </tbody>
          <Total compared={compared} />
        </table>
      </Scroller>
    </section>
  );
}

/** The parts of a model as a bar, on the scale of the largest model or enlarged. */
function Scale({ compared: { names, totals, parts }, at, whole }: Part & { readonly at: number; readonly whole: bigint }) {
  const total = totals[0].values[at] ?? '0';
  const shares = parts.map(({ part, values }) => `${partLabel(part)} ${percent(values[at] ?? '0', total)}`);
  return (
    <div class="scale-bar" role="img" aria-label={words.partsOf(names[at], shares.join(', '))}>
      {parts
        .filter(({ values }) => (values[at] ?? '0') !== '0')
        .map(({ part, values }) => (
          <span key={part} data-part={part} title={partLabel(part)} style={{ width: `${ratio(values[at] ?? '0', whole) * 100}%` }}>
            <span>{partLabel(part)}</span>
          </span>
        ))}
    </div>
  );
}

/** A box for a table that may be wider than the page. It can be scrolled with the keyboard. */
const Scroller = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <div class="contrast-box" role="region" aria-label={label} tabIndex={0}>
    {children}
  </div>
);

/**
 * The index of the second model, if exactly two models could be counted; otherwise undefined. The differences of two models have a column
 * of their own.
 */
function findOther(compared: Compared): number | undefined {
  const others = placesOf(compared).filter((at) => at !== compared.base);
  return others.length === 1 ? others[0] : undefined;
}

const Heads = ({ first, compared, numbers = false, differ = true }: Part & { first: string; numbers?: boolean; differ?: boolean }) => (
  <tr>
    <th scope="col">{first}</th>
    {placesOf(compared).map((at) => (
      <th key={at} scope="col" class={numbers ? 'digits' : undefined}>
        {compared.names[at]}
      </th>
    ))}
    {differ && findOther(compared) !== undefined && (
      <th scope="col" class="digits">
        {words.difference}
      </th>
    )}
  </tr>
);

/** The cell in the column of differences; nothing if there is no such column. */
function DifferenceCell({ compared, differences }: Part & { readonly differences: Cells<string> }) {
  const other = findOther(compared);
  if (other === undefined) return null;
  return (
    <td class="digits difference">
      <Change difference={differences[other] ?? '0'} />
    </td>
  );
}

interface NumberCellsProps extends Part {
  readonly counts: { readonly values: Cells<string>; readonly differences: Cells<string> };
}

/** A number for each model. The differences from the model `base` have their own column if there is one, otherwise they stand below. */
function NumberCells({ compared, counts: { values, differences } }: NumberCellsProps) {
  const beneath = findOther(compared) === undefined;
  return (
    <>
      {placesOf(compared).map((at) => (
        <td key={at} class="digits">
          {grouped(values[at] ?? '0')}
          {beneath && at !== compared.base && <Change difference={differences[at] ?? '0'} />}
        </td>
      ))}
      <DifferenceCell compared={compared} differences={differences} />
    </>
  );
}

const Total = ({ compared }: Part) => (
  <tfoot>
    <tr>
      <th scope="row">{words.total}</th>
      <NumberCells compared={compared} counts={compared.totals[0]} />
    </tr>
  </tfoot>
);

const Change = ({ difference }: { difference: string }) => (
  <span class={difference === '0' ? 'change unchanged' : 'change'}>{difference === '0' ? words.alike : signed(difference)}</span>
);

export function Causes({ compared }: Part) {
  const { names, totals, causes, base } = compared;
  return (
    <section class="sheet">
      <h3>{words.causes}</h3>
      {causes.map((steps, at) => {
        if (!steps) return null;
        const [from, to] = [names[base], names[at]];
        const difference = totals[0].differences[at] ?? '0';
        const named = steps.map((cause) => ({ cause, name: causeName(compared, cause, at) }));
        const total = totals[0].values;
        return (
          <Fragment key={at}>
            <p class="story">
              {difference === '0'
                ? words.same(from, to)
                : words.story(
                    from,
                    to,
                    amount(difference),
                    named.map(({ cause, name }) => words.cause(name, amount(cause.difference))).join('; '),
                  )}
            </p>
            {named.length > 0 && (
              <Scroller label={words.waterfall(from, to)}>
                <Waterfall
                  caption={words.waterfall(from, to)}
                  bars={[
                    { kind: 'model', label: from, total: total[base] ?? '0' },
                    ...named.map(({ cause, name }) => ({
                      kind: 'cause',
                      label: <CauseLabel cause={cause} name={name} />,
                      change: cause.difference.replace('+', ''),
                      total: cause.after,
                    })),
                    { kind: 'model', label: to, total: total[at] ?? '0' },
                  ]}
                />
              </Scroller>
            )}
          </Fragment>
        );
      })}
      <p class="meaning">{words.order}</p>
    </section>
  );
}

/** Puts a difference into words: `+5` as `5 more`. */
export const amount = (difference: string) => {
  if (difference === '0') return words.alike;
  const count = grouped(difference.slice(1));
  return difference.startsWith('-') ? words.fewer(count) : words.more(count);
};

/**
 * The name of a cause of a difference: up to three kinds of changed fields or, if no field causes it, the purpose of the parameters, the
 * change of the class, the two model types, or that no field explains it.
 */
function causeName(
  { models, catalog, base }: Compared,
  { fields, architecture, rest, purpose, tensors }: ComparedCause,
  at: number,
): string {
  if (purpose !== undefined) return words.purpose(purpose, tensors);
  const [from, to] = [models[base], models[at]];
  const pair = fields.find(([own, its]) => own ?? its);
  if (rest || !pair) {
    if (architecture) return words.architecture;
    return from.ok && to.ok && from.model_type !== to.model_type ? words.rest(from.model_type, to.model_type) : words.restAlike;
  }
  const titles = fields.map(([own, its]) => {
    const name = (its ?? own)?.name ?? '';
    const known = catalog.fields[name.slice(name.lastIndexOf('.') + 1)];
    return words.causeNames[known?.symbol ?? ''] ?? texts.panel.groups[known?.group ?? 'other'] ?? name;
  });
  return [...new Set(titles)].slice(0, 3).join(', ');
}

const CauseLabel = ({ cause, name }: { cause: ComparedCause; name: string }) => (
  <>
    {name}
    {cause.fields.map(([own, its], i) => (
      <span key={i} class="cause-field">
        <code>{(its ?? own)?.name}</code> {own ? valueText(own) : words.absent} → {its ? valueText(its) : words.absent}
      </span>
    ))}
  </>
);

function valueText({ value }: ComparedField): string {
  if (value === undefined) return words.long;
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)))
    return Number.isInteger(Number(value)) ? grouped(value) : String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 58)} …` : text;
}

export function DifferingFields({ compared }: Part) {
  const { fields, catalog } = compared;
  const places = placesOf(compared);
  return (
    <section class="sheet">
      <h3>{words.fields}</h3>
      {fields.length === 0 && <p>{words.fieldsAlike}</p>}
      {fields.length > 0 && (
        <Scroller label={words.fields}>
          <table class="contrast">
            <thead>
              <Heads first={words.field} compared={compared} numbers differ={false} />
            </thead>
            <tbody>
              {fields.map(({ cells }, i) => {
                const { name = '' } = cells.find((cell) => cell !== null) ?? {};
                const meaning = catalog.fields[name.slice(name.lastIndexOf('.') + 1)]?.meaning;
                return (
                  <tr key={i}>
                    <th scope="row">
                      <code>{name}</code>
                      {meaning && <span class="meaning">{meaning}</span>}
                    </th>
                    {places.map((at) => (
                      <FieldCell key={at} cell={cells[at]} name={name} />
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scroller>
      )}
    </section>
  );
}

function FieldCell({ cell, name }: { cell: ComparedField | null; name: string }) {
  if (!cell) return <td class="digits muted">{words.absent}</td>;
  return (
    <td class="digits">
      {valueText(cell)}
      {cell.name !== name && <code class="aside">{cell.name}</code>}
      {cell.source && <span class="aside">{texts.field[cell.source]}</span>}
    </td>
  );
}

export function MatrixByMatrix({ compared }: Part) {
  const { tensors, base } = compared;
  const beneath = findOther(compared) === undefined;
  const [which, setWhich] = useState<'all' | 'differing'>('differing');
  const places = placesOf(compared);
  const shown = which === 'all' ? tensors : tensors.filter(({ status }) => status !== 'same');
  return (
    <section class="sheet">
      <div class="sheet-head">
        <h3>{words.matrices}</h3>
        <div class="tools">
          <Segmented
            label={words.which}
            name="which"
            choices={[
              ['all', words.all],
              ['differing', words.differing],
            ]}
            chosen={which}
            choose={setWhich}
          />
        </div>
      </div>
      <Scroller label={words.matrices}>
        <table class="contrast matrices">
          <thead>
            <Heads first={words.tensor} compared={compared} numbers />
          </thead>
          <tbody>
            {shown.map((row, i) => (
              <tr key={i} data-status={row.status}>
                <th scope="row">
                  <div class="matrix-head">
                    <span class="swatch" data-part={row.part} />
                    <span class="matrix-name">
                      <TensorName name={nameOf(row)} />
                      <span class="aside">
                        {row.role && `${row.role}, `}
                        {words.statuses[row.status]}
                      </span>
                    </span>
                  </div>
                </th>
                {places.map((at) => (
                  <MatrixCell key={at} row={row} at={at} base={base} beneath={beneath} />
                ))}
                <DifferenceCell compared={compared} differences={row.differences} />
              </tr>
            ))}
          </tbody>
          <Total compared={compared} />
        </table>
      </Scroller>
    </section>
  );
}

/** The name of a tensor. Lines may break after dots and underscores. */
const TensorName = ({ name }: { name: string }) => (
  <code>
    {name.split(/(?<=[._])/).map((segment) => (
      <>
        {segment}
        <wbr />
      </>
    ))}
  </code>
);

const nameOf = ({ cells }: ComparedTensors) => cells.find((cell) => cell !== null)?.[0].name ?? '';

function MatrixCell({ row, at, base, beneath }: { row: ComparedTensors; at: number; base: number; beneath: boolean }) {
  const cell = row.cells[at];
  const difference = row.differences[at] ?? '0';
  const shapes = [...new Set(cell?.map(({ shape }) => (shape.length > 0 ? shapeText(shape) : texts.table.scalar)))];
  const kind = cell?.[0].kind;
  return (
    <td class="digits">
      {cell ? (
        <>
          <span class="matrix-shape">{shapes.slice(0, 2).join(', ') + (shapes.length > 2 ? `, ${words.moreShapes}` : '')}</span>
          {kind && <span class="aside">{kind}</span>}
          {cell[0].name !== nameOf(row) && <code class="aside">{cell[0].name}</code>}
          <span class="matrix-count">{grouped(row.values[at] ?? '0')}</span>
        </>
      ) : (
        <span class="muted">{words.none}</span>
      )}
      {beneath && at !== base && difference !== '0' && <Change difference={difference} />}
    </td>
  );
}
