// A table of what the devices send each other.

import * as texts from '../settings/devices-texts.ts';
import { grouped } from '../support/numbers.ts';
import type { DevicesAnswer } from '../types/index.ts';
import { Digits, Scrolled } from './memory-tables.tsx';

export function DevicesSent({ answer: { sent }, plan }: { answer: DevicesAnswer; plan?: string }) {
  if (sent.length === 0) return <p class="muted">{texts.nothingSent}</p>;
  const head = texts.sentTable;
  return (
    <div class="devices-sent">
      <Scrolled label={texts.titleIn(texts.sent, plan)}>
        <caption>
          {texts.sent}. <span class="muted">{texts.sentHelp}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">{head.place}</th>
            <th scope="col">{head.collective}</th>
            <Digits head>{head.among}</Digits>
            <Digits head>{head.elements}</Digits>
            <Digits head>{head.times}</Digits>
            <Digits head>{head.total}</Digits>
            <th scope="col">{head.formula}</th>
          </tr>
        </thead>
        <tbody>
          {sent.map((one) => {
            const { collective, pass, place } = texts.exchange(one);
            return (
              <tr key={`${collective} ${pass} ${place} ${one.elements} ${one.why}`}>
                <th scope="row">
                  {place}, {pass}
                  <span class="devices-why">{one.why}</span>
                </th>
                <td>{collective}</td>
                <Digits>{grouped(one.among)}</Digits>
                <Digits>{grouped(one.elements)}</Digits>
                <Digits>{grouped(one.times)}</Digits>
                <Digits>{grouped(one.total)}</Digits>
                <td>
                  <code>{one.formula}</code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </Scrolled>
    </div>
  );
}
