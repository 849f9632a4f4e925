// Draws what each device holds into an element. This script and the full program are loaded when a widget or a frame first needs them.

import { render } from 'preact';
import { loadLedger } from '../core/ledger.ts';
import { parsePlan } from '../settings/devices-plan.ts';
import { createNumbers, setNumbers } from '../support/numbers.ts';
import { Devices, DevicesLegend, DevicesWords } from './devices-grid.tsx';
import { NumbersScope } from './numbers-scope.ts';

/**
 * `text`: the configuration. `plan`: how devices share the model, such as `8x1x8` or `megatron-8x2x16`. `language`: the language in which
 * numbers are formatted. A refusal is drawn. Throws an Error if the program cannot be loaded.
 */
export async function drawDevices(place: HTMLElement, text: string, plan: string, language: string): Promise<void> {
  const ledger = await loadLedger();
  const numbers = createNumbers(language);
  setNumbers(numbers); // numbers in sentences are formatted when the answer is read
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
