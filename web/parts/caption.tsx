// The caption of the picture: what is pointed at, its size as a product, its share, and why it is that large. What was pointed at last stays:
// a finger is gone as soon as it has tapped.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { isIndex, splitName } from '../answer/tensor-names.ts';
import type { ParameterCounter } from '../answer/parameter-counter.ts';
import { explainTerm, describeVariant } from '../answer/reasons.ts';
import { grouped, percent, shapeText } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import { sumRows } from '../answer/breakdown.ts';
import * as captionTexts from './caption-texts.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';
import { useTensorLight } from './tensor-light.tsx';

interface CaptionProps {
  readonly answer: CountAnswer;
  /** Of what the answer is to. */
  readonly config: string;
  readonly counting: ParameterCounter;
}

export function Caption({ answer, config, counting }: CaptionProps) {
  const light = useTensorLight();
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const listener = () => light.at.size > 0 && setNames(light.at);
    listener();
    light.listeners.add(listener);
    return () => void light.listeners.delete(listener);
  }, [light]);
  const said = useMemo(() => {
    const rows = answer.tensors.filter(({ name, kind }) => kind === 'parameter' && names.has(name));
    return rows.length === 0 ? undefined : captionOf(rows, answer, config, counting);
  }, [names, answer]);
  return said ? (
    <>
      <strong>{said.title}</strong> {said.why}
    </>
  ) : (
    <span class="muted on-screen">{captionTexts.hint}</span>
  );
}

function captionOf(rows: readonly TensorRow[], answer: CountAnswer, config: string, counting: ParameterCounter) {
  const total = sumRows(rows);
  const share = percent(total, answer.totals.parameters);
  const why = () => explainTerm({ math: '0', rows }, answer, config, counting);
  const weights = rows.filter(({ name }) => !name.endsWith('.bias'));
  const [first] = weights.length > 0 ? weights : rows;
  if (weights.length > 1) {
    const parts = [...new Set(rows.map(({ part }) => partLabel(part)))].join(', ');
    return { title: captionTexts.several(parts, grouped(total), share), why: why() };
  }
  const name = moduleOf(first);
  const product = shapeText(first.shape) + (first.copies === '1' ? '' : ` × ${grouped(first.copies)}`);
  const purpose = captionTexts.purposes.find(([pattern]) => pattern.test(name))?.[1];
  return {
    title: rows.length === 1 ? captionTexts.one(name, product, grouped(total), share) : captionTexts.several(name, grouped(total), share),
    why: purpose === undefined ? why() : `${purpose} ${describeVariant({ rows }, answer, config, counting)}`,
  };
}

/** `model.layers.[0-31].mlp.gate_proj.weight` as `gate_proj`. */
const moduleOf = ({ name }: TensorRow) =>
  splitName(name).findLast((segment) => !isIndex(segment) && !/^(weight|bias)$/.test(segment)) ?? name;
