// The controls of the form. Each shows the value in the configuration text or, if the field is missing, the value that applies by default.
// While the user types, a control shows the typed text, not the stored value.

import { useRef, useState } from 'preact/hooks';
import { grouped } from '../support/numbers.ts';
import { readNumber, stepTo } from '../support/number-input.ts';
import * as texts from '../texts/page.ts';
import type { FieldRow } from '../types/index.ts';
import type { ControlProps } from './control-props.ts';

export type Kind = 'number' | 'switch' | 'choice' | 'layers' | 'text';

export function kindOf(row: FieldRow): Kind {
  if (row.type === 'list') return row.choices?.length ? 'layers' : 'text';
  if (row.type === 'boolean') return 'switch';
  if (row.type === 'integer' && !Array.isArray(row.value)) return 'number';
  return row.type === 'string' && row.choices?.length ? 'choice' : 'text';
}

/** The control for a field, chosen by `kindOf`. Lists of layers have a separate control, which only the full form contains. */
export function Control(props: ControlProps) {
  switch (kindOf(props.row)) {
    case 'number':
      return <NumberControl {...props} />;
    case 'switch':
      return <Switch {...props} />;
    case 'choice':
      return <Choice {...props} />;
    default:
      return <TextControl {...props} />;
  }
}

const inputAttributes = ({ id, describedBy, wrong }: ControlProps) =>
  ({ id, 'aria-describedby': describedBy, 'aria-invalid': wrong ? 'true' : undefined, autocomplete: 'off', spellcheck: false }) as const;

const isInteger = (text: string) => /^\d+$/.test(text);

/** The placeholder of an empty field: the row's value or, without one, its default. */
function placeholder({ value, default: fallback }: FieldRow): string {
  const shown = value === undefined ? fallback : value;
  if (shown === null) return texts.field.none;
  if (shown === undefined) return '';
  if (typeof shown !== 'string' && typeof shown !== 'number') return listText(JSON.stringify(shown));
  return isInteger(String(shown)) ? grouped(String(shown)) : String(shown);
}

function NumberControl(props: ControlProps) {
  const { row, literal, put, say } = props;
  const [typed, setTyped] = useState<string | undefined>();
  const last = useRef<string | undefined>(undefined);
  /** The field's literal at the time of typing, kept until the typed value has been applied. */
  const before = useRef<{ readonly literal: string | undefined }>(undefined);
  const pointed = useRef(false);
  const absent = literal === undefined || literal === 'null';
  const effective = absent ? String(row.value ?? '') : literal;
  const shown = absent ? '' : isInteger(literal) ? grouped(literal) : unquoted(literal);

  if (literal === last.current) before.current = undefined;
  const isTyped = typed !== undefined && (literal === last.current || (before.current !== undefined && before.current.literal === literal));

  const input = (text: string) => {
    before.current = { literal };
    setTyped(text);
    if (text.trim() === '') {
      say(undefined);
      return put((last.current = undefined));
    }
    const reading = readNumber(text);
    say(reading.taken === undefined ? undefined : texts.field.taken(text.trim(), grouped(reading.literal), reading.taken));
    put((last.current = reading.literal));
  };
  const press = (event: KeyboardEvent) => {
    const direction = ({ ArrowUp: 1, ArrowDown: -1 } as const)[event.key];
    if (!direction || event.altKey || event.ctrlKey || event.metaKey || !isInteger(effective)) return;
    event.preventDefault();
    setTyped(undefined);
    say(undefined);
    const step = BigInt(row.step ?? 1) * (event.shiftKey ? 8n : 1n);
    put(stepTo(effective, step, direction));
  };
  return (
    <input
      {...inputAttributes(props)}
      type="text"
      inputMode="numeric"
      class="number-input"
      placeholder={placeholder(row)}
      // Shows the typed text until the field loses the focus or its literal is changed elsewhere. A typed value that is refused stays, too,
      // because it may be incomplete, such as 8 on the way to 81.
      value={isTyped ? typed : shown}
      onInput={(event) => input(event.currentTarget.value)}
      onKeyDown={press}
      onPointerDown={(event) => (pointed.current = event.currentTarget !== (event.currentTarget.getRootNode() as Document).activeElement)}
      onClick={(event) => {
        const { currentTarget: field } = event;
        // Digits are right-aligned, so there is empty space to their left. The first click there puts the caret after the digits.
        if (pointed.current && field.selectionStart === 0 && field.selectionEnd === 0)
          field.setSelectionRange(field.value.length, field.value.length);
        pointed.current = false;
      }}
      onBlur={() => {
        setTyped(undefined);
        say(undefined);
      }}
    />
  );
}

function Switch(props: ControlProps) {
  const { row, literal, put } = props;
  const on = literal === 'true' || (literal !== 'false' && row.value === true);
  return (
    <span class="switch">
      <input
        {...inputAttributes(props)}
        type="checkbox"
        role="switch"
        checked={on}
        onChange={(event) => put(String(event.currentTarget.checked))}
      />
      <span class="word" aria-hidden="true">
        {String(on)}
      </span>
    </span>
  );
}

function Choice(props: ControlProps) {
  const { row, literal, put } = props;
  const value = literal === undefined ? String(row.value ?? '') : unquoted(literal);
  const known = row.choices ?? [];
  const choices = known.includes(value) ? known : [...known, value];
  return (
    <select {...inputAttributes(props)} value={value} onChange={(event) => put(JSON.stringify(event.currentTarget.value))}>
      {choices.map((choice) => (
        <option key={choice} value={choice} selected={choice === value}>
          {choice || texts.field.noChoice}
        </option>
      ))}
    </select>
  );
}

/** A text field for strings, for lists of arbitrary items, and for all other values that have no control of their own. */
function TextControl(props: ControlProps) {
  const { row, literal, put } = props;
  const [typed, type] = useState<string | undefined>();
  const asJson = row.type !== 'string';
  const shown = literal === undefined ? '' : asJson ? listText(literal) : unquoted(literal);
  const input = (text: string) => {
    type(text);
    if (text.trim() === '') put();
    else put(asJson ? jsonOf(text.trim(), row.type === 'list') : JSON.stringify(text));
  };
  return (
    <input
      {...inputAttributes(props)}
      type="text"
      class="text-input"
      placeholder={placeholder(row)}
      value={typed ?? shown}
      onInput={(event) => input(event.currentTarget.value)}
      onBlur={() => type(undefined)}
    />
  );
}

/**
 * Converts typed text to JSON. Where a list is expected, `1, 2, 3` is one. Text that is not JSON, or not a list where one is expected,
 * becomes a string. The core then refuses it with the field's name, unless the field may be a string.
 */
function jsonOf(text: string, list: boolean): string {
  for (const candidate of list ? [text, `[${text}]`] : [text]) {
    try {
      const value: unknown = JSON.parse(candidate);
      if (!list || Array.isArray(value)) return candidate;
    } catch {
      continue;
    }
  }
  return JSON.stringify(text);
}

const listText = (literal: string) =>
  literal
    .slice(0, 10_000)
    .replace(/\s+/g, ' ')
    .replace(/,(?=\S)/g, ', ');

export function unquoted(literal: string): string {
  if (!literal.startsWith('"')) return literal;
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}
