// The caption of a picture: the tensors that are pointed at or focused, their size, their share of the parameters, and the reason for the
// size. The size of a single row is written as a product. A caption stays until other tensors are pointed at, because on a touch screen
// nothing is pointed at after a tap. Tensors that are not parameters have no caption.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { isIndex, splitName } from '../answer/tensor-names.ts';
import { explainTerm } from '../answer/reasons.ts';
import { grouped, percent, shapeText } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import { sumRows } from '../answer/breakdown.ts';
import * as captionTexts from './caption-texts.ts';
import type { CountAnswer, Derivation, TensorRow } from '../types/index.ts';
import { useTensorLight } from './tensor-light.tsx';
import { useDerivation } from './use-derivation.ts';

interface CaptionProps {
  readonly answer: CountAnswer;
  /** The configuration that the answer is for. */
  readonly config: string;
}

export function Caption({ answer, config }: CaptionProps) {
  const light = useTensorLight();
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const listener = () => light.at.size > 0 && setNames(light.at);
    listener();
    light.listeners.add(listener);
    return () => void light.listeners.delete(listener);
  }, [light]);
  const derivation = useDerivation(names.size > 0 ? config : undefined);
  const said = useMemo(() => {
    const rows = answer.tensors.filter(({ name, kind }) => kind === 'parameter' && names.has(name));
    return rows.length === 0 ? undefined : captionOf(rows, answer, derivation);
  }, [names, answer, derivation]);
  return said ? (
    <>
      <strong>{said.title}</strong> {said.why}
    </>
  ) : (
    <span class="muted on-screen">{captionTexts.hint}</span>
  );
}

function captionOf(rows: readonly TensorRow[], answer: CountAnswer, derivation?: Derivation) {
  const total = sumRows(rows);
  const share = percent(total, answer.totals.parameters);
  // The explanation appears once the full program has loaded, because only that program can derive a model.
  const why = derivation && explainTerm({ rows }, derivation);
  const weights = rows.filter(({ name }) => !name.endsWith('.bias'));
  const [first] = weights.length > 0 ? weights : rows;
  if (weights.length > 1) {
    const parts = [...new Set(rows.map(({ part }) => partLabel(part)))].join(', ');
    return { title: captionTexts.several(parts, grouped(total), share), why };
  }
  const name = moduleOf(first);
  const product = shapeText(first.shape) + (first.copies === '1' ? '' : ` × ${grouped(first.copies)}`);
  const title =
    rows.length === 1 ? captionTexts.one(name, product, grouped(total), share) : captionTexts.several(name, grouped(total), share);
  return { title, why };
}

/** The last segment that names a module or a parameter: `gate_proj` for `model.layers.[0-31].mlp.gate_proj.weight`. */
const moduleOf = ({ name }: TensorRow) =>
  splitName(name).findLast((segment) => !isIndex(segment) && !/^(weight|bias)$/.test(segment)) ?? name;
