// An answer in compact form for a widget or a frame. It may show the total, the parts, a comparison, the formula, the derivation, the
// devices, the table and the fields that readers may change.

import type { ComponentChild, ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { arrangeParts, type Compact } from '../settings/compact.ts';
import { difference, grouped, percent, ratio, short } from '../support/numbers.ts';
import { listWarnings } from '../answer/warnings.ts';
import { formatFormula } from '../answer/formula.ts';
import { isStale, nameOf, type Model } from '../models/model.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import * as compactTexts from '../settings/compact-texts.ts';
import type { CountAnswer } from '../types/index.ts';
import { createLight, Lit, NamedView, setLight, useLight, useLit } from '../parts/basics.tsx';
import { DerivedCompact, DevicesCompact } from '../parts/derived-compact.tsx';
import { Fields } from '../parts/fields.tsx';
import { BrokenMath, MathSymbol } from '../parts/math.tsx';
import { PartsAccount, type Place } from '../parts/picture.tsx';
import { TensorTable, type TableHandle } from '../parts/table.tsx';

export interface CompactProps extends Pick<Compact, 'parts' | 'plan' | 'editable'> {
  /** A name that distinguishes this view from others on the page. */
  readonly name: string;
  readonly models: readonly Model[];
  /** Sets a field of the first model to a JSON literal. Without one, removes the field. */
  readonly set: (path: string, literal?: string) => void;
  /** The address of the full page with these models. */
  readonly page?: string;
  /** Returns the export controls, if there are any. */
  readonly exports?: (answer: CountAnswer, name: string, enabled: boolean) => ComponentChildren;
}

export function CompactView({ name, models, parts, plan, editable, set, page, exports }: CompactProps) {
  const { compares, alone } = arrangeParts(parts, models.length);
  return (
    <NamedView value={name}>
      <div class="compact" part="answer">
        {compares && <SideBySide models={models} />}
        {models.map((model, i) => (
          <NamedView key={i} value={`${name}-${i}`}>
            <One model={model} parts={alone} plan={plan} exports={exports} />
          </NamedView>
        ))}
        {editable.length > 0 && <Fields model={models[0]} editable={editable} set={set} />}
        {page !== undefined && (
          <p class="home" part="link">
            <a href={page} target="_blank" rel="noopener">
              {compactTexts.whole}
            </a>
          </p>
        )}
      </div>
    </NamedView>
  );
}

function One({ model, parts, plan = '8', exports }: Pick<CompactProps, 'parts' | 'plan' | 'exports'> & { model: Model }) {
  const light = useMemo(createLight, []);
  const table = useRef<TableHandle>(null);
  const { shown, before, entry, shownOf } = model;
  const reveal = parts.includes('table') ? (place: Place) => table.current?.reveal(place) : undefined;
  if (parts.length === 0) return null;
  if (!shown) return <Figure model={model} />;
  return (
    <Lit value={light}>
      <div class="answer" data-stale={isStale(model) ? '' : undefined}>
        {parts.includes('total') && <Figure model={model} />}
        {parts.includes('parts') && (
          <div class="compact-parts" part="parts">
            <PartsBar answer={shown} />
            <PartsAccount answer={shown} before={before} reveal={reveal} />
          </div>
        )}
        {parts.includes('formula') && <OneLine answer={shown} />}
        {parts.includes('derivation') && <DerivedCompact text={(shownOf ?? entry).text} />}
        {parts.includes('devices') && <DevicesCompact text={(shownOf ?? entry).text} plan={plan} />}
        {parts.includes('table') && (
          <div part="table">
            <TensorTable answer={shown} before={before} writing="symbols" look={() => undefined} handle={table} />
          </div>
        )}
        {exports?.(shown, nameOf(shownOf ?? entry), !isStale(model))}
      </div>
    </Lit>
  );
}

/** The model's name and its parameter count, with an error or warnings, if any. */
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
      {shown && <Warnings answer={shown} />}
    </div>
  );
}

function Warnings({ answer }: { answer: CountAnswer }) {
  const warnings = listWarnings(answer);
  if (warnings.length === 0) return null;
  return (
    <ul class="notes" part="warnings" aria-label={texts.total.notes}>
      {warnings.map((message, i) => (
        <li key={i} data-level="warning">
          {message}
        </li>
      ))}
    </ul>
  );
}

/** The parts of the model as a stacked bar. Its segments are proportional to the parameter counts. */
function PartsBar({ answer: { parts, totals } }: { answer: CountAnswer }) {
  const whole = totals.parameters;
  const own = parts.filter(({ parameters }) => parameters !== '0');
  const said = own.map(({ part, parameters }) => `${partLabel(part)} ${percent(parameters, whole)}`).join(', ');
  return (
    <div class="parts-bar" role="img" aria-label={texts.picture.title(said)}>
      {own.map(({ part, parameters }) => {
        const share = ratio(parameters, whole);
        return (
          <div
            key={part}
            data-part={part}
            title={`${partLabel(part)} ${percent(parameters, whole)}`}
            style={{ flexGrow: String(share * 1_000) }}
          >
            {share > 0.14 && (
              <>
                <span>{partLabel(part)}</span> <span>{percent(parameters, whole)}</span>
              </>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Gives a formula the height of a line of text in any math font, so that the height of the view is known in advance. */
const level = (math: ComponentChild) => <span class="level">{math}</span>;

/** The closed formula, with a list of its symbols. */
function OneLine({ answer: { formula, symbols } }: { answer: CountAnswer }) {
  const light = useLight();
  const lit = useLit((name) => name);
  const nameAt = ({ target }: Event) => (target as Element).closest?.('[data-symbol]')?.getAttribute('data-symbol') ?? undefined;
  const cast = (event: Event) => setLight(light, nameAt(event));
  return (
    <div part="formula" onPointerOver={cast} onPointerOut={() => setLight(light, undefined)}>
      <div
        class="formula"
        role="math"
        tabIndex={0}
        aria-label={`${formatFormula(formula.math, symbols, { writing: 'symbols', compact: true })} = ${grouped(formula.value)}`}
      >
        <BrokenMath formula={formula.math} symbols={symbols} writing="symbols" lit={lit} around={level} />
        {level(
          <math>
            <mrow>
              <mo>=</mo>
              <mn>{grouped(formula.value)}</mn>
            </mrow>
          </math>,
        )}
      </div>
      <ul class="symbols" aria-label={texts.formula.legend}>
        {symbols.map(({ name, symbol, value, meaning }) => (
          <li key={name} title={meaning} data-symbol={name} data-lit={lit === name ? '' : undefined}>
            {level(<MathSymbol text={symbol} />)} = {grouped(value)} <code>{name}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The parts of several models in one table. */
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
    <div class="side-by-side" part="compare" role="region" aria-label={compactTexts.compared} tabIndex={0}>
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
                {compactTexts.difference}
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
