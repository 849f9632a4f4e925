// The whole model in one line, with the legend of its symbols. A symbol that is pointed at or focused is marked wherever it occurs.

import { grouped } from '../lib/format.ts';
import { formulaText, type Writing } from '../lib/formula.ts';
import { texts } from '../lib/texts.ts';
import type { CountAnswer } from '../lib/types.ts';
import { shine, useIds, useLight, useLit } from './basics.tsx';
import { CopyButton, Segmented } from './buttons.tsx';
import { BrokenMath, MathSymbol } from './math.tsx';

interface FormulaProps {
  readonly answer: CountAnswer;
  readonly writing: Writing;
  readonly write: (writing: Writing) => void;
  /** Goes to a field of the form. */
  readonly visit: (name: string) => void;
  /** Whether it may be taken away. */
  readonly copies: boolean;
}

const WRITINGS = [
  ['symbols', 'symbols'],
  ['names', 'names'],
  ['numbers', 'numbers'],
] as const;

export function ClosedFormula({ answer, writing, write, visit, copies }: FormulaProps) {
  const id = useIds();
  const light = useLight();
  const lit = useLit((name) => name);
  const { formula, symbols } = answer;
  const text = formulaText(formula.math, symbols, { writing, compact: writing !== 'names' });
  const cast = (event: Event) => shine(light, nameAt(event));
  const fade = () => shine(light, undefined);
  return (
    <div onPointerOver={cast} onPointerOut={fade} onFocusIn={cast} onFocusOut={fade}>
      <div class="sheet-head">
        <h2 id={id('formula')}>{texts.formula.title}</h2>
        <div class="tools">
          <Segmented label={texts.formula.writing} name="writing" choices={WRITINGS} chosen={writing} choose={write} />
          <CopyButton label="Copy" title={copies ? texts.formula.copy : texts.total.wait} text={() => text} disabled={!copies} />
        </div>
      </div>
      <div class="formula" role="math" data-writing={writing} aria-label={`${text} = ${grouped(formula.value)}`}>
        <BrokenMath formula={formula.math} symbols={symbols} writing={writing} lit={lit} />
        <math>
          <mrow>
            <mo>=</mo>
            <mn>{grouped(formula.value)}</mn>
          </mrow>
        </math>
      </div>
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

/** The name that an event is about. */
const nameAt = (event: Event) => (event.target as Element).closest?.('[data-symbol]')?.getAttribute('data-symbol') ?? undefined;
