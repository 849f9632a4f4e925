// An answer in little room, for a widget or a frame: the number, its parts, two models side by side, the formula, the table, and the few
// fields that may be changed.

import { useMemo, useRef, useState } from 'preact/hooks';
import type { Compact } from '../lib/compact.ts';
import { difference, grouped, short } from '../lib/format.ts';
import type { Writing } from '../lib/formula.ts';
import { isStale, nameOf, type Model } from '../lib/model.ts';
import { partLabel } from '../lib/part-names.ts';
import { texts } from '../lib/texts.ts';
import { createLight, Lit, NamedView } from '../parts/basics.tsx';
import { Fields } from '../parts/fields.tsx';
import { ClosedFormula } from '../parts/formula.tsx';
import { PartsAccount, PartsPicture, type Place } from '../parts/picture.tsx';
import { TensorTable, type TableHandle } from '../parts/table.tsx';

export interface CompactProps extends Pick<Compact, 'parts' | 'editable'> {
  /** Tells it from others on the page. */
  readonly name: string;
  readonly models: readonly Model[];
  /** Changes a field of the first model. */
  readonly set: (path: string, literal?: string) => void;
  /** The whole page with the same models. */
  readonly page?: string;
}

export function CompactView({ name, models, parts, editable, set, page }: CompactProps) {
  const compares = parts.includes('compare') && models.length > 1;
  return (
    <NamedView value={name}>
      <div class="compact" part="answer">
        {compares && <SideBySide models={models} />}
        {models.map((model, i) => (
          <NamedView key={i} value={`${name}-${i}`}>
            <One model={model} parts={compares ? parts.filter((one) => one !== 'total' && one !== 'parts') : parts} />
          </NamedView>
        ))}
        {editable.length > 0 && <Fields model={models[0]} editable={editable} set={set} />}
        {page !== undefined && (
          <p class="home" part="link">
            <a href={page} target="_blank" rel="noopener">
              {texts.compact.whole}
            </a>
          </p>
        )}
      </div>
    </NamedView>
  );
}

function One({ model, parts }: Pick<CompactProps, 'parts'> & { model: Model }) {
  const light = useMemo(createLight, []);
  const [writing, write] = useState<Writing>('symbols');
  const table = useRef<TableHandle>(null);
  const { shown, before, entry, shownOf } = model;
  const reveal = parts.includes('table') ? (place: Place) => table.current?.reveal(place) : undefined;
  if (!shown) return parts.length > 0 ? <Figure model={model} /> : null;
  return (
    <Lit value={light}>
      <div class="answer" data-stale={isStale(model) ? '' : undefined}>
        {parts.includes('total') && <Figure model={model} />}
        {parts.includes('parts') && (
          <div class="compact-parts" part="parts">
            <PartsPicture answer={shown} reveal={reveal} />
            <PartsAccount answer={shown} before={before} reveal={reveal} />
          </div>
        )}
        {parts.includes('formula') && (
          <div part="formula">
            <ClosedFormula answer={shown} writing={writing} write={write} visit={() => undefined} copies={!isStale(model)} />
          </div>
        )}
        {parts.includes('table') && (
          <div part="table">
            <TensorTable
              answer={shown}
              before={before}
              writing={writing}
              name={nameOf(shownOf ?? entry)}
              exports={!isStale(model)}
              handle={table}
            />
          </div>
        )}
      </div>
    </Lit>
  );
}

/** The number. */
function Figure({ model }: { model: Model }) {
  const { shown, before, answer, entry } = model;
  const total = shown?.totals.parameters;
  const changed = before && total !== undefined && before.totals.parameters !== total;
  return (
    <div class="compact-total" part="total">
      <p class="name" part="name">
        {nameOf(entry)}
      </p>
      <p class="number" part="number">
        {total === undefined ? texts.total.notCounted : grouped(total)}
      </p>
      <p class="words" role="status">
        {answer.ok ? total !== undefined && texts.total.parameters(short(total)) : answer.error.message}
        {changed && <span class="change"> {difference(before.totals.parameters, total)}</span>}
      </p>
    </div>
  );
}

/** The parts of several models in one account. */
function SideBySide({ models }: { models: readonly Model[] }) {
  const answers = models.map(({ shown }) => shown);
  const names = [...new Set(answers.flatMap((answer) => answer?.parts.map(({ part }) => part) ?? []))];
  const two = answers.length === 2 ? answers : [];
  const line = (label: string, counts: readonly (string | undefined)[]) => (
    <>
      <th scope="row">{label}</th>
      {counts.map((count, i) => (
        <td key={i} class="digits">
          {count === undefined ? '–' : grouped(count)}
        </td>
      ))}
      {two.length === 2 && <td class="digits change">{difference(counts[0] ?? '0', counts[1] ?? '0')}</td>}
    </>
  );
  return (
    <div class="side-by-side" part="compare" role="region" aria-label={texts.compact.compared} tabIndex={0}>
      <table class="account">
        <thead>
          <tr>
            <th scope="col">{texts.picture.part}</th>
            {models.map(({ entry }, i) => (
              <th key={i} scope="col" class="digits">
                {nameOf(entry)}
              </th>
            ))}
            {two.length === 2 && (
              <th scope="col" class="digits">
                {texts.compact.difference}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              {line(
                partLabel(name),
                answers.map((answer) => answer?.parts.find(({ part }) => part === name)?.parameters),
              )}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            {line(
              texts.picture.total,
              answers.map((answer) => answer?.totals.parameters),
            )}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
