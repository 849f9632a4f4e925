// The parameter count of the whole model as one formula, with a legend of its symbols. A symbol that is pointed at or focused is
// highlighted in the formula, the legend and the form. Table rows with formulas that contain it are highlighted, too.

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { grouped, neutral } from '../support/numbers.ts';
import { formatFormula, type Writing } from '../answer/formula.ts';
import { findTerms } from '../answer/terms.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';
import { setLight, useIds, useLight, useLit } from './basics.tsx';
import { CopyButton, Segmented } from './buttons.tsx';
import { lazy } from './lazy.tsx';
import { BrokenMath, MathSymbol } from './math.tsx';
import { lightTensors, useTensorLight, useTensorsLit } from './tensor-light.tsx';

const Reason = lazy(async () => (await import('./reason.tsx')).Reason);

interface FormulaProps {
  readonly answer: CountAnswer;
  readonly writing: Writing;
  readonly write: (writing: Writing) => void;
  /** Shows the form and focuses the field with this name, if there is one. A symbol may also stand for a quantity derived from fields. */
  readonly visit: (name: string) => void;
  /** Whether copying is enabled. It is not while the answer is outdated. */
  readonly copies: boolean;
  /** The configuration that the answer is for. */
  readonly config: string;
}

const WRITINGS = [
  ['symbols', 'symbols'],
  ['names', 'names'],
  ['numbers', 'numbers'],
] as const;

export function ClosedFormula({ answer, writing, write, visit, copies, config }: FormulaProps) {
  const id = useIds();
  const light = useLight();
  const lit = useLit((name) => name);
  const { formula, symbols } = answer;
  const terms = useMemo(() => findTerms(answer), [answer]);
  const [asked, setAsked] = useState<number | undefined>();
  const style = { writing, compact: writing !== 'names' };
  const text = formatFormula(formula.math, symbols, style);
  const cast = (event: Event) => setLight(light, nameAt(event));
  const fade = () => setLight(light, undefined);
  return (
    <div onPointerOver={cast} onPointerOut={fade} onFocusIn={cast} onFocusOut={fade}>
      <div class="sheet-head">
        <h2 id={id('formula')}>{texts.formula.title}</h2>
        <div class="tools">
          <Segmented label={texts.formula.writing} name="writing" choices={WRITINGS} chosen={writing} choose={write} />
          <CopyButton
            label="Copy"
            title={copies ? texts.formula.copy : texts.total.wait}
            text={() => neutral(() => formatFormula(formula.math, symbols, style))}
            disabled={!copies}
          />
        </div>
      </div>
      <div class="formula" role="group" data-writing={writing} aria-label={`${text} = ${grouped(formula.value)}`}>
        <BrokenMath
          formula={formula.math}
          symbols={symbols}
          writing={writing}
          lit={lit}
          around={(piece, at) => (
            <TermButton
              label={terms[at] && formatFormula(terms[at].math, symbols, style)}
              rows={terms[at]?.rows ?? []}
              isAsked={asked === at}
              ask={(on) => setAsked((now) => (on ? at : now === at ? undefined : now))}
            >
              {piece}
            </TermButton>
          )}
        />
        <math>
          <mrow>
            <mo>=</mo>
            <mn>{grouped(formula.value)}</mn>
          </mrow>
        </math>
      </div>
      <p class="reason" role="status">
        {asked !== undefined && terms[asked] ? (
          <Reason term={terms[asked]} answer={answer} config={config} />
        ) : (
          <span class="muted">{texts.formula.hint}</span>
        )}
      </p>
      <ul class="legend" aria-label={texts.formula.legend}>
        {symbols.map(({ name, symbol, value, meaning, formula: derived }) => (
          <li key={name}>
            <button
              type="button"
              data-symbol={name}
              data-lit={lit === name ? '' : undefined}
              title={meaning + (derived ? ` = ${derived}` : '')}
              onClick={() => visit(name)}
            >
              <MathSymbol text={symbol} />
              <code>{name}</code>
              <span class="digits">{grouped(value)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface TermProps {
  /** The term as text: some screen readers do not read MathML in a button. */
  readonly label: string | undefined;
  readonly rows: readonly TensorRow[];
  readonly isAsked: boolean;
  readonly ask: (on: boolean) => void;
  readonly children: ComponentChildren;
}

/**
 * A button with one term of the formula, in the colour of the model's part that it counts. A term that combines like products of several
 * parts has the colours of all of them.
 */
function TermButton({ label, rows, isAsked, ask, children }: TermProps) {
  const light = useTensorLight();
  const lit = useTensorsLit(rows);
  const parts = [...new Set(rows.map(({ part }) => part))];
  const on = (event: Event) => lightTensors(light, event, rows) && ask(true);
  const off = (event: Event) => (lightTensors(light, event) || event.type === 'blur') && ask(false);
  return (
    <button
      type="button"
      class="formula-term"
      aria-label={label}
      data-part={parts.length === 1 ? parts[0] : undefined}
      data-lit={lit ? '' : undefined}
      aria-pressed={isAsked}
      onPointerEnter={on}
      onPointerMove={on}
      onPointerLeave={off}
      onFocus={on}
      onBlur={off}
    >
      {children}
      <span class="marks" aria-hidden="true">
        {parts.map((part) => (
          <span key={part} data-part={part} />
        ))}
      </span>
    </button>
  );
}

/** The name of the symbol that contains an event's target, if any. */
const nameAt = (event: Event) => (event.target as Element).closest?.('[data-symbol]')?.getAttribute('data-symbol') ?? undefined;
