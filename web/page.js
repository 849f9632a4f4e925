// Placeholder until the page arrives.
import { load } from './core.js';

load().then((ledger) => {
  document.querySelector('#answer').textContent = JSON.stringify(ledger.count({ model_type: 'llama' }).totals);
});
