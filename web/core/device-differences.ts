// Compares two plans for one model, tensor by tensor.

import type { Count, DeviceDifference, DeviceShare, DevicesAnswer } from '../types/index.ts';

/**
 * Lists the rows of parameters that the plans divide by different rules, or whose share on the heaviest device differs in shape or size.
 * For each row: what the heaviest device of each plan holds, and why.
 */
export function compareDevices(first: DevicesAnswer, second: DevicesAnswer): readonly DeviceDifference[] {
  const shares = [first, second].map(listShares);
  const seconds = new Map(second.rows.map(({ name }, i) => [name, shares[1][i]]));
  return first.rows.flatMap(({ name, shape, part, kind }, i) => {
    const a = shares[0][i];
    const b = seconds.get(name);
    if (kind !== 'parameter' || b === undefined || isSame(a, b)) return [];
    return [{ name, shape, part, first: a, second: b }];
  });
}

const isSame = (a: DeviceShare, b: DeviceShare) => a.rule === b.rule && a.elements === b.elements && sizes(a.shape) === sizes(b.shape);
const sizes = (shape: readonly (number | Count)[] | undefined) => shape?.join(' ') ?? '';

function listShares({ rows, ranks, heaviest }: DevicesAnswer): readonly DeviceShare[] {
  const held = new Map(ranks[heaviest].rows.map((local) => [local.row, local]));
  return rows.map(({ rule, copies, holder, padded, why }, i) => {
    const local = held.get(i);
    return {
      rule,
      copies,
      why,
      elements: local?.elements ?? '0',
      ...(local && { shape: local.shape }),
      ...(holder !== undefined && { holder }),
      ...(padded !== undefined && { padded }),
    };
  });
}
