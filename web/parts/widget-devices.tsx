// What each device holds, in an element of its own. This script is loaded with the program when a widget or a frame first shows it.

import { render } from 'preact';
import { loadLedger } from '../core/ledger.ts';
import { parsePlan } from '../settings/devices-plan.ts';
import { createNumbers, setNumbers } from '../support/numbers.ts';
import { Devices, DevicesLegend, DevicesWords } from './devices-grid.tsx';
import { NumbersScope } from './numbers-scope.ts';

/** `plan`: as `8x1x8`; `language`: the language of numbers. Throws if the program does not arrive. */
export async function drawDevices(place: HTMLElement, text: string, plan: string, language: string): Promise<void> {
  const ledger = await loadLedger();
  const numbers = createNumbers(language);
  setNumbers(numbers); // sentences are written when the answer is read
  const options = parsePlan(plan);
  const answer = ledger.devices(text, options);
  const ask = (rank: string) => ledger.devices(text, { ...options, rank });
  const drawn = answer.ok ? (
    <div class="devices-one">
      <DevicesWords answer={answer} />
      <DevicesLegend answer={answer} />
      <Devices answer={answer} unit="gb" ask={ask} />
    </div>
  ) : (
    <p class="error">{answer.error.message}</p>
  );
  render(<NumbersScope numbers={numbers}>{drawn}</NumbersScope>, place);
}
