// A table of all fields with their values and where the values come from.

import { useState } from 'preact/hooks';
import { grouped } from '../support/numbers.ts';
import { whyIgnored } from '../texts/ignored.ts';
import * as sourcesTexts from '../texts/sources.ts';
import type { FieldRow, FieldSource } from '../types/index.ts';
import { useIds } from './basics.tsx';

/** The maximum number of fields that are listed; the others are only counted. A pasted text may have any number of them. */
const MAX_ROWS = 200;
const ORDER: readonly FieldSource[] = ['given', 'default', 'derived', 'ignored'];

export function ValueSources({ fields }: { fields: readonly FieldRow[] }) {
  const id = useIds();
  const [open, setOpen] = useState(false);
  const summary = ORDER.flatMap((source) => {
    const count = fields.filter((row) => row.source === source).length;
    return count > 0 ? [`${grouped(count)} ${source}`] : [];
  });
  return (
    <>
      <div class="sheet-head">
        <h2 id={id('sources')}>{sourcesTexts.title}</h2>
      </div>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{summary.join(', ')}</summary>
        {open && (
          <div class="table-box" tabIndex={0} role="region" aria-labelledby={id('sources')}>
            <table class="sources" aria-labelledby={id('sources')}>
              <thead>
                <tr>
                  <th scope="col">{sourcesTexts.field}</th>
                  <th scope="col">{sourcesTexts.value}</th>
                  <th scope="col">{sourcesTexts.source}</th>
                </tr>
              </thead>
              <tbody>
                {fields.slice(0, MAX_ROWS).map((row) => (
                  <SourceRow key={row.name} row={row} />
                ))}
              </tbody>
            </table>
            {fields.length > MAX_ROWS && <p class="muted">{sourcesTexts.more(fields.length - MAX_ROWS)}</p>}
          </div>
        )}
      </details>
    </>
  );
}

function SourceRow({ row: { name, value, source, formula, reason, given_as } }: { row: FieldRow }) {
  const derived = formula && source === 'derived' ? `= ${formula}` : undefined;
  const how = [given_as && sourcesTexts.as(given_as), derived, whyIgnored(name, reason)].filter(Boolean).join(', ');
  return (
    <tr data-source={source}>
      <th scope="row">
        <code>{name}</code>
      </th>
      <td class="value">{written(value)}</td>
      <td>
        {sourcesTexts.how[source]}
        {how && <span class="muted">: {how}</span>}
      </td>
    </tr>
  );
}

function written(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'number' && Number.isInteger(value)) return grouped(value);
  if (typeof value === 'string') return /^\d{16,}$/.test(value) ? grouped(value) : value.slice(0, 400);
  return JSON.stringify(value).slice(0, 400).replaceAll(',', ', ');
}
