// Draws one layer as a data flow, from bottom to top, or as a list of modules if the flow is not known. A matrix is as wide as its input
// and as high as its output, so its area shows its number of parameters. A residual connection runs past a step on the left, and is added
// to the output of the step, unless that output replaces the residual stream.

import type { Block, Module } from '../answer/layer-blocks.ts';
import { type Experts, findFlow, findSteps, ownerOf, type Settings } from '../answer/layer-flow.ts';
import { grouped, percent, short } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import type { CountAnswer, Part } from '../types/index.ts';
import type { Drawing, Shape } from './drawing.ts';
import * as blockTexts from './block-texts.ts';
import { streamOf, sidesOf, chooseUnit, sumModule, fieldSize } from './block-sizes.ts';
import { type Piece, type Frame, withHead, placeBeside, placeAbove, legendOf } from './block-pieces.ts';
import { isSingle, isVector, modulePiece, stepPiece } from './block-flows.ts';

/** Draws a layer. `wide` places its steps side by side instead of one above another. */
export function drawBlock(
  block: Block,
  answer: Pick<CountAnswer, 'symbols' | 'model_type' | 'fields'>,
  wide = false,
  config: Settings = {},
): Drawing {
  const { type, settings } = ownerOf(block, answer.model_type, config);
  const steps = findSteps(block, type, settings);
  const frame: Frame = {
    unit: chooseUnit(block.modules),
    symbols: answer.symbols,
    stream: streamOf(block),
    type,
    settings,
    heads: agreedHeads(answer.fields),
  };
  const whole = block.modules.reduce((sum, module) => sum + sumModule(module), 0n);
  const headed = (modules: readonly Module[], piece: Piece) => withHead(describeShare(modules, whole), piece);
  const pieces = steps
    ? steps.map((step) =>
        headed(
          step.lanes.flat().filter((item) => item !== 'activation'),
          stepPiece(step, frame),
        ),
      )
    : block.modules.map((module) => headed([module], modulePiece(module, frame)));
  const { width, height, shapes } = (wide ? placeBeside : placeAbove)(pieces, steps !== undefined);
  const legend = legendOf(frame.unit);
  return {
    width: Math.max(width, legend.width),
    height: height + legend.height,
    title: blockTexts.title(formatUnitName(block), grouped(block.copies)),
    shapes: [...shapes, ...legend.at(0, height)],
  };
}

/**
 * The number of attention heads, if all fields that count heads have the same value. Undefined if there are none or they differ, for
 * example between a text model and a tower.
 */
function agreedHeads(fields: CountAnswer['fields']): number | undefined {
  const counts = new Set(fields.filter(({ name }) => HEADS.test(name)).map(({ value }) => Number(value)));
  const [only] = counts;
  return counts.size === 1 ? only : undefined;
}
const HEADS = /(^|\.)(num_attention_heads|num_heads|n_heads?|(encoder|decoder)_attention_heads|attention_heads)$/;

/** Whether the data flow through the whole layer is known, so that arrows show all of it. */
export function isSettled(block: Block, modelType: string, config: Settings = {}): boolean {
  const { type, settings } = ownerOf(block, modelType, config);
  return (
    findSteps(block, type, settings) !== undefined &&
    block.modules.every((module) => module.isNorm || isVector(module) || isSingle(module) || findFlow(withoutNorm(module)) !== undefined)
  );
}

const withoutNorm = (module: Module): Module => ({
  ...module,
  units: module.units.filter(({ name }) => name !== 'output.LayerNorm' && name !== 'layer_norm' && name !== 'LayerNorm'),
});

/** The name of a block, such as `model.layers.[3-60]`. */
export const formatUnitName = ({ list, layers }: Pick<Block, 'list' | 'layers'>) => `${list}.${layers}`;

function describeShare(modules: readonly Module[], whole: bigint): { part: Part; text: string } {
  const main = modules.filter(({ isNorm }) => !isNorm);
  const [{ part }] = main.length > 0 ? main : modules;
  const own = (main.length > 0 ? main : modules).reduce((sum, module) => sum + sumModule(module), 0n);
  const labels = [...new Set(main.map((module) => partLabel(module.part)))].join(', ') || partLabel(part);
  if (own === 0n) return { part, text: blockTexts.empty(labels) };
  return { part, text: blockTexts.share(labels, short(String(own)), percent(own, whole)) };
}

/** Draws the matrices of a layer side by side, in the order of its modules and all to one scale. Experts are drawn as a grid. */
export function drawMatrices(block: Block, room: { x: number; y: number; width: number; height: number }): Shape[] {
  const frame: Pick<Frame, 'stream'> = { stream: streamOf(block) };
  const items = block.modules.flatMap((module): { part: Part; wide: number; high: number; experts?: Experts }[] => {
    const flow = findFlow(module);
    const fields = flow?.kind === 'mixture' ? [flow.experts, ...(flow.shared ? [flow.shared] : [])] : [];
    const experts = fields.map((own) => ({ part: own.units[0].part, ...fieldSize(own, 1), experts: own }));
    const rest = flow?.kind === 'mixture' ? [...flow.units.values()] : module.units;
    const matrices = rest.flatMap((unit) => {
      const [row] = unit.rows;
      if (row.shape.length < 2 || row.kind !== 'parameter') return [];
      const { takes, gives } = sidesOf(row, frame, /(^|\.)(c_proj|down_proj|w2|o_proj)$/.test(unit.name));
      return [{ part: row.part, wide: takes, high: gives }];
    });
    return [...matrices, ...experts];
  });
  const gaps = (items.length - 1) * 6;
  const unit = Math.max(
    items.reduce((sum, { wide }) => sum + wide, 0) / (room.width - gaps),
    Math.max(1, ...items.map(({ high }) => high)) / room.height,
  );
  let x = room.x;
  return items.flatMap(({ part, wide, high, experts }): Shape[] => {
    const [width, height] = [Math.max(1.5, wide / unit), Math.max(1.5, high / unit)];
    const y = room.y + room.height - height;
    const left = x;
    x += width + 6;
    if (!experts) return [{ is: 'box', x: left, y, width, height, look: 'matrix', part }];
    const { side, gap, columns } = fieldSize(experts, unit);
    return [{ is: 'field', x: left, y, side, gap, columns, count: experts.count, used: experts.used, part }];
  });
}
