// The steps of a derivation. An opened step lists its tensors, if it has any of its own. Used on the page, in widgets and in frames.

import { useState } from 'preact/hooks';
import { grouped } from '../support/numbers.ts';
import * as texts from '../core/derivation-texts.ts';
import * as overviewTexts from '../texts/overview.ts';
import { isComputed, listSettingCells, listTensors, formatShape } from '../export/derived-pieces.ts';
import type { Derivation, DerivedSection, DerivedStep, DerivedTensor, SymbolRow, TensorRow } from '../types/index.ts';
import { memo, useIds } from './basics.tsx';
import { BrokenMath, MathLine, MathSymbol } from './math.tsx';
import { focusHandlers, pointerHandlers, useTensorLight, useTensorsLit } from './tensor-light.tsx';

interface StepsProps {
  readonly derivation: Derivation;
  /**
   * The count's tensor rows by name. With them, a step and its tensors are highlighted together with the same tensors in the icicle chart.
   */
  readonly rows?: ReadonlyMap<string, TensorRow>;
}

export const rowsByName = (rows: readonly TensorRow[]): ReadonlyMap<string, TensorRow> => new Map(rows.map((row) => [row.name, row]));

const NO_ROWS: ReadonlyMap<string, TensorRow> = new Map();

export function Steps({ derivation: { setting, sections, symbols, overview, without_parameters }, rows = NO_ROWS }: StepsProps) {
  const id = useIds();
  return (
    <div class="derivation">
      {overview.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <section aria-labelledby={id('setting')}>
        <h3 id={id('setting')}>{texts.setting}</h3>
        <SettingTable setting={setting} />
      </section>
      {sections.map((section) => (
        <OneSection key={section.section} section={section} symbols={symbols} rows={rows} />
      ))}
      <section aria-labelledby={id('nothing')}>
        <h3 id={id('nothing')}>{overviewTexts.nothing}</h3>
        <ul>
          {without_parameters.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}

const SettingTable = memo(function SettingTable({ setting }: Pick<Derivation, 'setting'>) {
  return (
    <div class="wide" tabIndex={0} role="group" aria-label={texts.setting}>
      <table class="account derived-setting">
        <thead>
          <tr>
            <th scope="col">{texts.columns.symbol}</th>
            <th scope="col">{texts.columns.field}</th>
            <th scope="col" class="digits">
              {texts.columns.value}
            </th>
            <th scope="col">{texts.columns.source}</th>
          </tr>
        </thead>
        <tbody>
          {setting.map((row) => {
            const [name, value, from] = listSettingCells(row);
            return (
              <tr key={row.name} title={row.meaning}>
                <td>
                  <MathSymbol text={row.symbol} />
                </td>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td class="digits">{value}</td>
                <td class="muted">{from}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}, alike);

interface SectionProps extends Required<Pick<StepsProps, 'rows'>> {
  readonly section: DerivedSection;
  readonly symbols: readonly SymbolRow[];
}

export function OneSection({ section: { section, title, steps }, symbols, rows }: SectionProps) {
  const id = useIds()(`derived-${section}`);
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ol class="derived-steps">
        {steps.map((step) => (
          <Step key={step.name} step={step} symbols={symbols} rows={rows} />
        ))}
      </ol>
    </section>
  );
}

interface StepProps extends Omit<SectionProps, 'section'> {
  readonly step: DerivedStep;
}

/** One step of a derivation. Its tensors are drawn only while the step is open. */
const Step = memo(function Step({ step, symbols, rows }: StepProps) {
  const [open, setOpen] = useState(false);
  const { kind, says, why, otherwise, name, part, value, math, substitution, tensors } = step;
  const light = useTensorLight();
  const own = tensors.flatMap((tensor) => rows.get(tensor.name) ?? []);
  const listed = open ? listTensors(step) : [];
  const lit = useTensorsLit(own);
  const head = (
    <>
      <span class="derived-says">{says}</span>
      <span class="derived-value digits">{grouped(value)}</span>
      <span class="derived-formula">
        <span class="muted">
          <MathSymbol text={name} />
        </span>
        {isComputed(step) && (
          <>
            {' = '}
            <BrokenMath formula={math} symbols={symbols} writing="symbols" />
          </>
        )}
      </span>
      {isComputed(step) && <span class="derived-numbers">= {substitution}</span>}
      {why !== undefined && <span class="derived-why muted">{why}</span>}
      {otherwise !== undefined && <span class="derived-why muted">{otherwise}</span>}
    </>
  );
  return (
    <li
      class="derived-step"
      data-kind={kind}
      data-part={part === 'experts' ? 'feed_forward' : part}
      data-lit={lit ? '' : undefined}
      {...(own.length > 0 && pointerHandlers(light, own))}
    >
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary {...(own.length > 0 && focusHandlers(light, own))}>{head}</summary>
        {listed.length > 0 && <Tensors tensors={listed} symbols={symbols} counts={kind !== 'tied'} rows={rows} />}
      </details>
    </li>
  );
}, sameStep);

/**
 * Compares by content, because each answer creates new objects, mostly with equal content. Formulas refer to symbols by index, so both
 * lists of symbols must be alike.
 */
function sameStep(a: StepProps, b: StepProps): boolean {
  return (
    alike(a.step, b.step) &&
    a.symbols.length === b.symbols.length &&
    a.symbols.every(({ symbol }, i) => symbol === b.symbols[i].symbol) &&
    a.step.tensors.every(({ name }) => a.rows.has(name) === b.rows.has(name))
  );
}

function alike<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

interface TensorsProps extends Omit<SectionProps, 'section'> {
  readonly tensors: ReturnType<typeof listTensors>;
  /** False for tied tensors. Their elements are not counted again. */
  readonly counts: boolean;
}

function Tensors({ tensors, symbols, counts, rows }: TensorsProps) {
  const title = tensors.length === 1 ? texts.shown.oneTensor : texts.shown.tensors(String(tensors.length));
  return (
    <div class="wide" tabIndex={0} role="group" aria-label={title}>
      <table class="account">
        <caption class="spoken">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.columns.tensor}</th>
            <th scope="col">{texts.columns.shape}</th>
            <th scope="col">{texts.columns.why}</th>
            <th scope="col" class="digits">
              {texts.columns.elements}
            </th>
          </tr>
        </thead>
        <tbody>
          {tensors.map(([name, tensor]) => (
            <OneTensor key={name} name={name} tensor={tensor} symbols={symbols} counts={counts} row={rows.get(tensor.name)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NO_ROW: readonly TensorRow[] = [];

function OneTensor({
  name,
  tensor,
  symbols,
  counts,
  row,
}: Pick<TensorsProps, 'symbols' | 'counts'> & { name: string; tensor: DerivedTensor; row?: TensorRow }) {
  const { shape_math, says, value } = tensor;
  const own = row ? [row] : NO_ROW;
  const light = useTensorLight();
  const lit = useTensorsLit(own);
  return (
    <tr data-lit={lit ? '' : undefined} {...(row && pointerHandlers(light, own))}>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td>
        {shape_math.map((size, i) => (
          <>
            {i > 0 && ' × '}
            <MathLine formula={size} symbols={symbols} writing="symbols" />
          </>
        ))}
        <span class="muted derived-shape">{formatShape(tensor)}</span>
      </td>
      <td>{says}</td>
      <td class="digits">{counts ? grouped(value) : '–'}</td>
    </tr>
  );
}
