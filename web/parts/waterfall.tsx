// A waterfall chart that leads from one total to another, with a bar for each change. It is a table. Screen readers skip the bars.

import { grouped, ratio } from '../support/numbers.ts';
import * as words from '../settings/articles-texts.ts';
import type { Count } from '../types/index.ts';
import type { ComponentChildren } from 'preact';

const WIDTH = 400;
const HEIGHT = 16;

/** A bar: a total or a change. */
export interface Step {
  /** The kind of bar, for the style sheet. */
  readonly kind: string;
  readonly label: ComponentChildren;
  /** The signed change; absent for a total. */
  readonly change?: Count;
  /** The total after the change. */
  readonly total: Count;
}

/** Rounds a total down for the start of the axis, to a multiple of the power of ten with as many digits as `length`. */
const roundDown = (value: bigint, length: bigint) => value - (value % 10n ** BigInt(String(length).length - 1));

export function Waterfall({ caption, bars }: { caption: string; bars: readonly Step[] }) {
  const totals = bars.map(({ total }) => BigInt(total));
  const most = totals.reduce((a, b) => (a > b ? a : b), 1n);
  // If the totals differ by less than a quarter of the smallest one, the axis begins below that instead of at 0.
  const least = totals.reduce((a, b) => (a < b ? a : b), most);
  const spread = most - least;
  const begin = spread * 4n < least ? roundDown(least - spread - 1n, spread) : 0n;
  const at = (value: bigint) => WIDTH * ratio(value > begin ? value - begin : 0n, most - begin);
  return (
    <table class="account bridge">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{words.step}</th>
          <th scope="col" class="digits">
            {words.change}
          </th>
          <th scope="col" class="digits">
            {words.totalColumn}
          </th>
          <td class="begin" aria-hidden="true">
            {begin > 0n && words.begin(grouped(String(begin)))}
          </td>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ kind, label, change, total }, i) => {
          const now = BigInt(total);
          const before = change === undefined ? begin : now - BigInt(change);
          const [from, to] = before < now ? [before, now] : [now, before];
          return (
            <tr key={i} data-kind={kind} class={change === undefined ? 'sum-line' : undefined}>
              <th scope="row">{label}</th>
              <td class="digits">{change === undefined ? '' : `${BigInt(change) > 0n ? '+' : ''}${grouped(change)}`}</td>
              <td class="digits">{grouped(total)}</td>
              <td class="bridge-bar" aria-hidden="true">
                <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" width="100%" height={HEIGHT}>
                  <rect
                    x={at(from)}
                    y={0}
                    width={Math.max(at(to) - at(from), 1)}
                    height={HEIGHT}
                    data-kind={kind}
                    data-sign={change === undefined ? undefined : BigInt(change) < 0n ? 'less' : 'more'}
                  />
                  {begin > 0n && change === undefined && <path d="M10 0h6l-4 16h-6z" class="break" />}
                </svg>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
