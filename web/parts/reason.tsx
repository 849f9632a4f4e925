// The value of a term of the closed formula, and its explanation once the model is derived.

import { useMemo } from 'preact/hooks';
import { grouped, percent } from '../support/numbers.ts';
import { evaluate } from '../answer/formula.ts';
import { partLabel } from '../texts/part-names.ts';
import { explainTerm } from '../answer/reasons.ts';
import type { Term } from '../answer/terms.ts';
import * as reasonsTexts from '../answer/reasons-texts.ts';
import type { CountAnswer } from '../types/index.ts';
import { useDerivation } from './use-derivation.ts';

export function Reason({ term, answer, config }: { term: Term; answer: CountAnswer; config: string }) {
  const derivation = useDerivation(config);
  const sentence = useMemo(() => derivation && explainTerm(term, derivation), [term, derivation]);
  const value = evaluate(term.math, answer.symbols);
  const parts = [...new Set(term.rows.map(({ part }) => partLabel(part)))].join(', ');
  return (
    <>
      <strong>{reasonsTexts.term(grouped(value), percent(value, answer.totals.parameters), parts)}</strong> {sentence}
    </>
  );
}
