// A derivation in an element of its own. This script is loaded with the program when a widget or a frame first shows one.

import { render } from 'preact';
import { loadLedger } from '../core/ledger.ts';
import { createNumbers, setNumbers } from '../support/numbers.ts';
import { Steps } from './derivation-steps.tsx';
import { NumbersScope } from './numbers-scope.ts';

/** `text`: the configuration; `language`: the language of numbers. Throws if the program does not arrive. */
export async function drawDerivation(place: HTMLElement, text: string, language: string): Promise<void> {
  const ledger = await loadLedger();
  const numbers = createNumbers(language);
  setNumbers(numbers); // sentences are written when the answer is read
  const derivation = ledger.derive(text);
  const steps = derivation.ok ? <Steps derivation={derivation} /> : <p class="error">{derivation.error.message}</p>;
  render(<NumbersScope numbers={numbers}>{steps}</NumbersScope>, place);
}
