// Draws a derivation into an element. This script and the full program are loaded when a widget or a frame first shows a derivation.

import { render } from 'preact';
import { loadLedger } from '../core/ledger.ts';
import { createNumbers, setNumbers } from '../support/numbers.ts';
import { Steps } from './derivation-steps.tsx';
import { NumbersScope } from './numbers-scope.ts';

/**
 * `text`: the configuration. `language`: the language in which numbers are formatted. A refusal is drawn. Throws an Error if the program
 * cannot be loaded.
 */
export async function drawDerivation(place: HTMLElement, text: string, language: string): Promise<void> {
  const ledger = await loadLedger();
  const numbers = createNumbers(language);
  setNumbers(numbers); // numbers in sentences are formatted when the answer is read
  const derivation = ledger.derive(text);
  const steps = derivation.ok ? <Steps derivation={derivation} /> : <p class="error">{derivation.error.message}</p>;
  render(<NumbersScope numbers={numbers}>{steps}</NumbersScope>, place);
}
