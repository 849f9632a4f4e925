// A table of the tensors that two plans divide differently, with the reasons.

import * as texts from '../settings/devices-texts.ts';
import { shapeText } from '../support/numbers.ts';
import type { DeviceDifference, DeviceShare } from '../types/index.ts';
import { BreakingName } from './breaking-name.tsx';
import { Scrolled } from './memory-tables.tsx';

export function DevicesDifferences({ differences, plans }: { differences: readonly DeviceDifference[]; plans: readonly string[] }) {
  if (differences.length === 0) return <p class="muted">{texts.noDifferences}</p>;
  return (
    <div class="devices-rank devices-differences">
      <Scrolled label={texts.differences}>
        <caption>{texts.differences}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.table.tensor}</th>
            <th scope="col">{texts.table.whole}</th>
            {plans.map((plan) => (
              <th scope="col" key={plan}>
                {plan}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {differences.map(({ name, shape, part, first, second }) => (
            <tr key={name}>
              <th scope="row">
                <span class="swatch" data-part={part} />
                <BreakingName name={name} />
              </th>
              <td>{shapeText(shape) || '1'}</td>
              <Share share={first} />
              <Share share={second} />
            </tr>
          ))}
        </tbody>
      </Scrolled>
    </div>
  );
}

const Share = ({ share }: { share: DeviceShare }) => (
  <td>
    {texts.shareOf(share)}
    <span class="devices-why">{texts.shareWhy(share)}</span>
  </td>
);
