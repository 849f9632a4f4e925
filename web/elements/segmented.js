// A choice of few, all in sight.

import { h } from '../dom.js';

let groups = 0;

/**
 * @param {string} label
 * @param {[value: string, label: string][]} choices
 * @param {string} chosen
 * @param {(value: string) => void} choose
 * @returns {HTMLFieldSetElement}
 */
export function segmented(label, choices, chosen, choose) {
  const name = `choice-${++groups}`;
  return h(
    'fieldset',
    { className: 'segmented' },
    h('legend', { className: 'spoken', textContent: label }),
    ...choices.map(([value, text]) => h('label', {}, h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => choose(value) }), h('span', { textContent: text }))),
  );
}
