// A short form for widgets and frames: the fields that the reader may change. Whole numbers must be within a field's bounds, if it has any.
// Fields that the model ignores and lists of layers are left out.

import { useState } from 'preact/hooks';
import { isWithin, type Editable } from '../settings/compact.ts';
import { findLiteral } from '../config/config-text.ts';
import { grouped } from '../support/numbers.ts';
import type { Model } from '../models/model.ts';
import * as compactTexts from '../settings/compact-texts.ts';
import type { FieldRow } from '../types/index.ts';
import { useIds } from './basics.tsx';
import { Control, kindOf } from './controls.tsx';

interface FieldsProps {
  readonly model: Model;
  readonly editable: readonly Editable[];
  /** Sets a field to a JSON literal. Without one, removes the field. */
  readonly set: (path: string, literal?: string) => void;
}

export function Fields({ model, editable, set }: FieldsProps) {
  const rows = editable.flatMap((bounds) => {
    const row = model.form.fields.find(({ name }) => name === bounds.field);
    return row && row.source !== 'ignored' && kindOf(row) !== 'layers' ? [{ row, bounds }] : [];
  });
  return (
    <div class="few-fields">
      {rows.map(({ row, bounds }) => (
        <OneField key={row.name} row={row} bounds={bounds} model={model} set={set} />
      ))}
    </div>
  );
}

function OneField({ row, bounds, model, set }: Omit<FieldsProps, 'editable'> & { row: FieldRow; bounds: Editable }) {
  const id = useIds()(`field-${row.name}`);
  const [trouble, setTrouble] = useState<string | undefined>();
  const path = row.given_as ?? row.name;
  const literal = findLiteral(model.entry.text, path);
  const { answer } = model;
  const refused = !answer.ok && [row.name, path].includes(answer.error.field) ? answer.error.message : undefined;
  const error = trouble ?? refused;
  const put = (value?: string) => {
    const allowed = value === undefined || isWithin(value, bounds);
    setTrouble(allowed ? undefined : compactTexts.bounds(grouped(bounds.least ?? ''), grouped(bounds.most ?? '')));
    if (allowed) set(path, value);
  };
  const now = literal ?? String(row.value ?? '');
  const slides = kindOf(row) === 'number' && bounds.most !== undefined && Number.isSafeInteger(Number(bounds.most)) && /^\d+$/.test(now);
  return (
    <div
      class="field"
      data-field={row.name}
      data-kind={kindOf(row)}
      data-wrong={error === undefined ? undefined : ''}
      onFocusOut={() => setTrouble(undefined)} // the control then shows the last allowed value again
    >
      <label for={id} title={row.meaning}>
        <code>{row.name}</code>
      </label>
      <span class="field-body">
        <Control
          row={row}
          literal={literal}
          id={id}
          describedBy={`${id}-error`}
          wrong={error !== undefined}
          put={put}
          say={() => undefined}
        />
        {slides && (
          <input
            type="range"
            aria-label={compactTexts.slider(row.name)}
            min={bounds.least}
            max={bounds.most}
            step={stepOf(row, bounds)}
            value={now}
            onInput={(event) => put(event.currentTarget.value)}
          />
        )}
      </span>
      <span class="error" id={`${id}-error`}>
        {error}
      </span>
    </div>
  );
}

/** The step of a field's slider: the field's own step if both bounds are multiples of it, otherwise 1. */
function stepOf({ step = 1 }: FieldRow, { least = '0', most = '0' }: Editable): number {
  return Number(least) % step === 0 && Number(most) % step === 0 ? step : 1;
}
