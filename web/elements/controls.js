// The controls of the form. Each shows the value as the text has it and leaves alone what is being typed.

import { h, send, setAttribute, setText } from '../dom.js';
import { grouped } from '../format.js';
import { readNumber, stepOf, stepped } from '../number-input.js';
import { layerStrip } from './layer-strip.js';

/** @typedef {import('../types').FieldRow} FieldRow */

/**
 * @typedef {object} Control
 * @property {any} element
 * @property {boolean} [group] made of several inputs
 * @property {(row: FieldRow, literal: string | undefined) => void} show
 * @property {() => Element[]} inputs
 * @property {() => void} focus
 */

/** @typedef {(literal: string) => void} Put */

/** @param {FieldRow} row @returns {'number' | 'switch' | 'choice' | 'layers' | 'text'} */
export function kindOf(row) {
  if (row.type === 'list') return row.choices?.length ? 'layers' : 'text';
  if (row.type === 'boolean') return 'switch';
  if (row.type === 'integer' && !Array.isArray(row.value)) return 'number';
  return row.type === 'string' && row.choices?.length ? 'choice' : 'text';
}

/** @param {FieldRow} row @param {string} id @param {Put} put @param {() => void} clear @returns {Control} */
export function controlFor(row, id, put, clear) {
  switch (kindOf(row)) {
    case 'number':
      return numberControl(row, id, put, clear);
    case 'switch':
      return switchControl(id, put);
    case 'choice':
      return choiceControl(row, id, put);
    case 'layers':
      return layerStrip(row, id, put);
    default:
      return textControl(row, id, put, clear);
  }
}

/** @param {FieldRow} row @param {string} id @param {Put} put @param {() => void} clear @returns {Control} */
function numberControl(row, id, put, clear) {
  const input = h('input', { id, type: 'text', inputmode: 'numeric', autocomplete: 'off', spellcheck: 'false', className: 'number-input' });
  const step = stepOf(row.name);
  let effective = '0';
  let typed = false;
  input.addEventListener('input', () => {
    typed = true;
    if (input.value.trim() === '') return void (send(input, 'taken'), clear());
    const { literal, taken } = readNumber(input.value);
    send(input, 'taken', taken === undefined ? undefined : `${input.value.trim()} taken as ${grouped(literal)}${taken}`);
    put(literal);
  });
  input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!direction || event.altKey || event.ctrlKey || event.metaKey || !/^\d+$/.test(effective)) return;
    event.preventDefault();
    typed = false;
    send(input, 'taken');
    put(stepped(effective, event.shiftKey ? step * 8n : step, direction));
  });
  input.addEventListener('blur', () => {
    typed = false;
    send(input, 'taken');
    send(input, 'settle');
  });
  return {
    element: input,
    show(now, literal) {
      const value = literal === undefined || literal === 'null' ? String(now.value ?? '') : literal;
      effective = value;
      const fallback = now.value ?? now.default;
      setAttribute(input, 'placeholder', fallback == null ? (fallback === null ? 'none' : '') : /^\d+$/.test(String(fallback)) ? grouped(String(fallback)) : String(fallback));
      if (typed && document.activeElement === input) return;
      const text = literal === undefined || literal === 'null' ? '' : /^\d+$/.test(literal) ? grouped(literal) : unquoted(literal);
      if (input.value !== text) input.value = text;
    },
    inputs: () => [input],
    focus: () => input.focus(),
  };
}

/** @param {string} id @param {Put} put @returns {Control} */
function switchControl(id, put) {
  const word = h('span', { className: 'word', 'aria-hidden': 'true' });
  const input = h('input', { id, type: 'checkbox', role: 'switch', onchange: () => put(String(input.checked)) });
  return {
    element: h('span', { className: 'switch' }, input, word),
    show(row, literal) {
      const on = literal === 'true' || (literal !== 'false' && row.value === true);
      input.checked = on;
      setText(word, on ? 'true' : 'false');
    },
    inputs: () => [input],
    focus: () => input.focus(),
  };
}

/** @param {FieldRow} row @param {string} id @param {Put} put @returns {Control} */
function choiceControl(row, id, put) {
  const select = h('select', { id, onchange: () => put(JSON.stringify(select.value)) });
  let listed = '';
  return {
    element: select,
    show(now, literal) {
      const value = literal === undefined ? String(now.value ?? '') : unquoted(literal);
      const choices = now.choices?.includes(value) ? now.choices : [...(now.choices ?? row.choices ?? []), value];
      if (choices.join() !== listed) {
        listed = choices.join();
        select.replaceChildren(...choices.map((choice) => h('option', { value: choice, textContent: choice || '(none)' })));
      }
      select.value = value;
    },
    inputs: () => [select],
    focus: () => select.focus(),
  };
}

/** Strings, and lists whose items are not of a few kinds. @param {FieldRow} row @param {string} id @param {Put} put @param {() => void} clear @returns {Control} */
function textControl(row, id, put, clear) {
  const asJson = row.type !== 'string';
  const input = h('input', { id, type: 'text', autocomplete: 'off', spellcheck: 'false', className: 'text-input' });
  let typed = false;
  input.addEventListener('input', () => {
    typed = true;
    const text = input.value.trim();
    if (text === '') clear();
    else put(asJson ? jsonOf(text, row.type === 'list') : JSON.stringify(input.value));
  });
  input.addEventListener('blur', () => {
    typed = false;
    send(input, 'settle');
  });
  return {
    element: input,
    show(now, literal) {
      const fallback = now.value ?? now.default;
      setAttribute(input, 'placeholder', fallback == null ? (fallback === null ? 'none' : '') : typeof fallback === 'string' ? fallback : listText(JSON.stringify(fallback)));
      if (typed && document.activeElement === input) return;
      const text = literal === undefined ? '' : asJson ? listText(literal) : unquoted(literal);
      if (input.value !== text) input.value = text;
    },
    inputs: () => [input],
    focus: () => input.focus(),
  };
}

/** What is typed as JSON: `1, 2, 3` is a list where one is wanted; what is no JSON is a string, which the core will refuse by name. @param {string} text @param {boolean} list */
function jsonOf(text, list) {
  for (const candidate of list ? [text, `[${text}]`] : [text]) {
    try {
      if (!list || Array.isArray(JSON.parse(candidate))) {
        JSON.parse(candidate);
        return candidate;
      }
    } catch {
      continue;
    }
  }
  return JSON.stringify(text);
}

/** @param {string} literal */
const listText = (literal) => literal.replace(/\s+/g, ' ').replace(/,(?=\S)/g, ', ').slice(0, 10_000);

/** @param {string} literal */
export function unquoted(literal) {
  if (!literal.startsWith('"')) return literal;
  try {
    return JSON.parse(literal);
  } catch {
    return literal;
  }
}
