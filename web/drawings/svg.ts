// Writes a drawing as a standalone SVG file with its colours and styles, which loads nothing else.

import { escapeMarkup } from '../support/escape.ts';
import type { Drawing, Shape } from './drawing.ts';

/** The light colours of `styles/tokens.css`. A test checks that they are equal. */
export const COLOURS = {
  paper: '#fbfcfa',
  sheet: '#ffffff',
  ink: '#17201d',
  muted: '#56645e',
  edge: '#7d8c85',
  'on-part': '#ffffff',
  'part-embedding': '#1c66b0',
  'part-convolution': '#6f4e37',
  'part-attention': '#b2480c',
  'part-state_space': '#7a3fa0',
  'part-feed_forward': '#0d7565',
  'part-router': '#846000',
  'part-adapter': '#a8326c',
  'part-norm': '#59646e',
  'part-output_head': '#3b3796',
  'part-vision': '#2d6f1f',
  'part-audio': '#8a3a3a',
  'part-projector': '#4b5d12',
  'part-other': '#5f5750',
} as const;

/** The dark colours of `styles/tokens.css`. */
export const DARK: Colours = {
  paper: '#111716',
  sheet: '#161e1c',
  ink: '#e4ebe7',
  muted: '#9aaaa3',
  edge: '#6d7d76',
  'on-part': '#0e1514',
  'part-embedding': '#74b4f0',
  'part-convolution': '#cfa98a',
  'part-attention': '#f0935a',
  'part-state_space': '#c99cec',
  'part-feed_forward': '#4fc4b0',
  'part-router': '#dfba4e',
  'part-adapter': '#f090bb',
  'part-norm': '#a5b0ba',
  'part-output_head': '#a8a6f6',
  'part-vision': '#8fce7c',
  'part-audio': '#ec9d9d',
  'part-projector': '#c0d072',
  'part-other': '#bdb3a8',
};

export type Colours = Readonly<Record<keyof typeof COLOURS, string>>;

const MARGIN = 16;
const SANS = `font-family="-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif"`;
const MONO = `font-family="ui-monospace, Menlo, Consolas, 'Liberation Mono', 'DejaVu Sans Mono', monospace"`;

export function formatSvg({ width, height, title, shapes }: Drawing, colours: Colours = COLOURS): string {
  const [w, h] = [Math.ceil(width) + 2 * MARGIN, Math.ceil(height) + 2 * MARGIN];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="${-MARGIN} ${-MARGIN} ${w} ${h}" role="img" aria-label="${escapeMarkup(title)}">
<title>${escapeMarkup(title)}</title>
<rect x="${-MARGIN}" y="${-MARGIN}" width="${w}" height="${h}" fill="${colours.paper}"/>
${hatches(shapes, colours)}${shapes.map((shape) => formatShape(shape, colours)).join('\n')}
</svg>
`;
}

/** Fill patterns for hatching. */
function hatches(shapes: readonly Shape[], colours: Colours): string {
  const parts = new Set(shapes.flatMap((shape) => (shape.is === 'box' && shape.look === 'hatched' ? [shape.part] : [])));
  return [...parts]
    .map(
      (part) =>
        `<pattern id="idle-${part}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v7" stroke="${colourOf(part, colours)}" stroke-width="3"/></pattern>\n`,
    )
    .join('');
}

const colourOf = (part: string, colours: Colours) => colours[`part-${part}` as keyof Colours] ?? colours['part-other'];

function formatShape(shape: Shape, colours: Colours): string {
  switch (shape.is) {
    case 'box': {
      const { look, title } = shape;
      const colour = colourOf(shape.part, colours);
      const paint =
        look === 'solid'
          ? `fill="${colour}"`
          : look === 'hatched'
            ? `fill="url(#idle-${shape.part})" stroke="${colour}"`
            : look === 'matrix'
              ? `fill="${colour}" fill-opacity="0.22" stroke="${colour}"`
              : look === 'plain'
                ? 'fill="none"'
                : `fill="${colours.sheet}" stroke="${colour}"${look === 'dashed' ? ' stroke-dasharray="5 3"' : ''}`;
      const place = `x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}" rx="2"`;
      return `<rect ${place} ${paint}>${title ? `<title>${escapeMarkup(title)}</title>` : ''}</rect>`;
    }
    case 'text': {
      const { x, y, text, face, anchor = 'start' } = shape;
      const font =
        face === 'code' ? `${MONO} font-size="12"` : `${SANS} font-size="${SIZES[face]}"${face === 'huge' ? ' font-weight="600"' : ''}`;
      const colour = face === 'on' ? colours['on-part'] : face === 'small' || face === 'note' ? colours.muted : colours.ink;
      return `<text x="${round(x)}" y="${round(y)}" ${font} fill="${colour}" text-anchor="${anchor}">${escapeMarkup(text)}</text>`;
    }
    case 'line': {
      if (shape.stripe)
        return `<polyline points="${shape.points.map(round).join(' ')}" stroke="${colourOf(shape.part ?? 'other', colours)}" stroke-width="${STRIPES[shape.stripe]}"/>`;
      const line = `<polyline points="${shape.points.map(round).join(' ')}" fill="none" stroke="${colours.edge}" stroke-width="1.5"${
        shape.residual ? ' stroke-dasharray="2 3"' : ''
      }/>`;
      return shape.arrow ? `${line}\n<path d="${arrowPath(shape.points)}" fill="${colours.edge}"/>` : line;
    }
    case 'field': {
      const { idle, used } = fieldPaths(shape);
      const colour = colourOf(shape.part, colours);
      return `<path d="${idle}" fill="${colour}" fill-opacity="0.16" stroke="${colour}" stroke-width="0.5"/><path d="${used}" fill="${colour}"/>`;
    }
    case 'sum':
      return `<path d="${sumPath(shape)}" fill="${colours.sheet}" stroke="${colours.ink}" stroke-width="1.5"/>`;
  }
}

const round = (length: number) => Math.round(length * 10) / 10;

/** Font sizes in pixels. */
const SIZES = { name: 13, small: 11, on: 13, note: 18, big: 26, huge: 84 } as const;

/** Stroke widths of the lines between heads and between groups of heads, in pixels. */
const STRIPES = { head: 0.4, group: 1.2 } as const;

/** The squares of a grid as two SVG paths: the unused ones and the used ones. */
export function fieldPaths({ x, y, side, gap, columns, count, used }: Extract<Shape, { is: 'field' }>): { idle: string; used: string } {
  const lit = new Set(Array.from({ length: used }, (_, i) => Math.floor(((i + ((i * 0.382) % 1)) * count) / used)));
  for (let i = 0; lit.size < used; i++) lit.add(i);
  const paths = { idle: '', used: '' };
  for (let i = 0; i < count; i++) {
    const [left, top] = [x + (i % columns) * (side + gap), y + Math.floor(i / columns) * (side + gap)];
    paths[lit.has(i) ? 'used' : 'idle'] += `M${round(left)} ${round(top)}h${round(side)}v${round(side)}h${-round(side)}z`;
  }
  return paths;
}

/** The arrowhead at the end of a line, as an SVG path. */
export function arrowPath(points: readonly number[]): string {
  const [x0, y0, x, y] = points.slice(-4);
  const [dx, dy] = [Math.sign(x - x0), Math.sign(y - y0)];
  return `M${x} ${y}L${x - dx * 7 - dy * 4} ${y - dy * 7 - dx * 4}L${x - dx * 7 + dy * 4} ${y - dy * 7 + dx * 4}Z`;
}

/** A circle with a plus sign, as an SVG path. */
export const sumPath = ({ x, y }: { x: number; y: number }) =>
  `M${x - 9} ${y}a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M${x - 5} ${y}h10M${x} ${y - 5}v10`;
