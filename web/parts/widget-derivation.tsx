// A derivation in a place of its own: loaded by itself, with the program that derives, when a widget or a frame first shows one.

import { render } from 'preact';
import { loadLedger } from '../core/ledger.ts';
import { writeNumbersAs } from '../support/numbers.ts';
import { Steps } from './derivation-steps.tsx';

/** `text`: the configuration; `language`: in which numbers are written. Throws where the program does not arrive. */
export async function drawDerivation(place: HTMLElement, text: string, language: string): Promise<void> {
  const derivation = (await loadLedger()).derive(text);
  writeNumbersAs(language);
  render(derivation.ok ? <Steps derivation={derivation} /> : <p class="error">{derivation.error.message}</p>, place);
}
