// The pictures of a lesson's screen: the whole model as a bar, and one of its layers. The screen's tensors are highlighted.

import { useMemo } from 'preact/hooks';
import { isNotParameter } from '../answer/breakdown.ts';
import { groupByKind } from '../answer/block-kinds.ts';
import { findBlocks, listModuleRows } from '../answer/layer-blocks.ts';
import { splitName } from '../answer/tensor-names.ts';
import { drawBlock } from '../drawings/block-drawing.ts';
import * as lessonTexts from '../lessons/lesson-texts.ts';
import { grouped, ratio, shapeText } from '../support/numbers.ts';
import type { CountAnswer, TensorRow } from '../types/index.ts';
import { Picture } from './drawn.tsx';
import { TensorsLit, type TensorLight } from './tensor-light.tsx';

/** The maximum number of highlighted rows that the caption lists. */
const MAX_NAMES = 4;

/** A highlight that the pointer and the focus cannot change. */
function fixedLight(rows: readonly TensorRow[]): TensorLight {
  const names = new Set(rows.map(({ name }) => name));
  return {
    get at() {
      return names;
    },
    set at(_) {
      // Does nothing: only the lesson's screen decides what is highlighted.
    },
    focused: true,
    listeners: new Set(),
  };
}

const findLit = ({ tensors }: CountAnswer, lit: readonly string[] = []): readonly TensorRow[] =>
  tensors.filter(({ name, kind }) => !isNotParameter(kind) && lit.some((part) => name.includes(part)));

/** Buffers are not parameters, and tied tensors are counted where the tensor that they share is. */
const isCounted = ({ kind }: TensorRow) => kind === 'parameter';

interface PictureProps {
  readonly answer: CountAnswer;
  readonly lit?: readonly string[];
}

/** The whole model as a bar, with a caption that describes the highlighted tensors. */
export function LessonPicture({ answer, lit }: PictureProps) {
  const rows = useMemo(() => findLit(answer, lit).filter(isCounted), [answer, lit]);
  const total = answer.totals.parameters;
  const sum = rows.reduce((all, row) => all + BigInt(row.total), 0n);
  return (
    <figure class="lesson-picture">
      <ModelBar answer={answer} rows={rows} />
      <figcaption>
        {rows.length === 0 ? lessonTexts.nothingLit(grouped(total)) : lessonTexts.share(grouped(sum), grouped(total))}{' '}
        {rows.slice(0, MAX_NAMES).map((row) => `${describeRow(row)}. `)}
        {rows.length > MAX_NAMES && `${lessonTexts.moreLit(rows.length - MAX_NAMES)}.`}
      </figcaption>
    </figure>
  );
}

/** A media query: the window is wide enough to draw steps side by side. */
const WIDE = '(min-width: 1000px)';

/**
 * The layer that the screen is about, if any, drawn below the question. It has no caption, because that of the bar describes the highlight.
 */
export function LessonLayer({ answer, lit }: PictureProps) {
  const rows = useMemo(() => findLit(answer, lit), [answer, lit]);
  const light = useMemo(() => fixedLight(rows), [rows]);
  const drawings = useMemo(() => drawLit(answer, rows), [answer, rows]);
  return (
    <TensorsLit value={light}>
      {drawings.map((drawing, i) => (
        <div key={i} class="lesson-blocks" role="img" aria-label={drawing.title} tabIndex={0}>
          <Picture drawing={drawing} choose={() => undefined} />
        </div>
      ))}
    </TensorsLit>
  );
}

const describeRow = ({ name, shape, copies }: TensorRow) =>
  lessonTexts.lit(splitName(name).slice(-3, -1).join('.') || name, shapeText(shape), grouped(copies));

/** A list with a drawing of the first kind of layer that contains highlighted tensors; empty if none of the kinds that are drawn does. */
function drawLit(answer: CountAnswer, rows: readonly TensorRow[]) {
  const lit = new Set(rows);
  return groupByKind(findBlocks(answer))
    .drawn.filter(({ block }) => block.modules.some((module) => listModuleRows(module).some((row) => lit.has(row))))
    .slice(0, 1)
    .map(({ block }) => drawBlock(block, answer, matchMedia(WIDE).matches));
}

/** The model as a bar. The widths are proportional to the tensors' sizes, except that very small tensors are drawn wider. */
function ModelBar({ answer: { tensors, totals }, rows }: { answer: CountAnswer; rows: readonly TensorRow[] }) {
  const lit = new Set(rows);
  return (
    <div class="lesson-bar" aria-hidden="true">
      {tensors.filter(isCounted).map((row) => (
        <i
          key={row.name}
          data-part={row.part}
          data-lit={lit.has(row) ? '' : undefined}
          title={`${row.name}: ${grouped(row.total)}`}
          style={{ flexGrow: String(Math.max(1, Math.round(ratio(row.total, totals.parameters) * 10_000))) }}
        />
      ))}
    </div>
  );
}
