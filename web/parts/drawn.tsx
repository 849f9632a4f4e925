// A picture for sighted readers. It is hidden from screen readers: the components that contain it give them a text instead.

import { arrowPath, fieldPaths, sumPath } from '../drawings/svg.ts';
import type { Drawing, Shape } from '../drawings/drawing.ts';
import type { TensorRow } from '../types/index.ts';
import { pointerHandlers, useTensorLight, useTensorsLit } from './tensor-light.tsx';

interface PictureProps {
  readonly drawing: Drawing;
  readonly choose: (rows: readonly TensorRow[]) => void;
}

/** The minimum scale on a narrow screen. At this scale the smallest text is still readable. */
const SMALLEST = 0.8;

export const Picture = ({ drawing: { width, height, shapes }, choose }: PictureProps) => (
  <svg
    class="drawing"
    width={width}
    height={height}
    viewBox={`0 0 ${width} ${height}`}
    style={{ minWidth: `${SMALLEST * width}px` }}
    aria-hidden="true"
  >
    {shapes.map((shape, i) => (
      <Drawn key={i} shape={shape} choose={choose} />
    ))}
  </svg>
);

function Drawn({ shape, choose }: { shape: Shape; choose: PictureProps['choose'] }) {
  switch (shape.is) {
    case 'box':
      return <Box shape={shape} choose={choose} />;
    case 'text':
      return <Label shape={shape} choose={choose} />;
    case 'line':
      return (
        <>
          <polyline points={shape.points.join(' ')} data-part={shape.part} class={shape.stripe ?? (shape.residual ? 'residual' : 'flow')} />
          {shape.arrow && <path d={arrowPath(shape.points)} class="arrow" />}
        </>
      );
    case 'field': {
      const { idle, used } = fieldPaths(shape);
      return (
        <g class="expert-field" data-part={shape.part}>
          <path d={idle} class="idle" />
          <path d={used} class="used" />
        </g>
      );
    }
    case 'sum':
      return <path d={sumPath(shape)} class="sum" />;
  }
}

const NO_ROWS: readonly TensorRow[] = [];

/** The event handlers that highlight tensors and, on a click, pass them to `choose`. Without tensors there are none. */
function usePointing(rows: readonly TensorRow[], choose: PictureProps['choose']) {
  const light = useTensorLight();
  return rows.length > 0 && { ...pointerHandlers(light, rows), onClick: () => choose(rows) };
}

function Label({ shape, choose }: { shape: Extract<Shape, { is: 'text' }>; choose: PictureProps['choose'] }) {
  const { rows = NO_ROWS, x, y, face, anchor, text } = shape;
  const pointed = usePointing(rows, choose);
  return (
    <text {...{ x, y }} class={rows.length > 0 ? `${face} pointed` : face} text-anchor={anchor} {...pointed}>
      {text}
    </text>
  );
}

function Box({ shape, choose }: { shape: Extract<Shape, { is: 'box' }>; choose: PictureProps['choose'] }) {
  const { rows = NO_ROWS, look, part, title, x, y, width, height } = shape;
  const lit = useTensorsLit(rows);
  const pointed = usePointing(rows, choose);
  return (
    <rect
      {...{ x, y, width, height }}
      rx={2}
      class={look}
      data-part={part}
      data-lit={lit && look !== 'solid' ? '' : undefined}
      {...pointed}
    >
      {title && <title>{title}</title>}
    </rect>
  );
}
