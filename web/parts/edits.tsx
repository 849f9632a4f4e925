// Lists how a configuration differs from the named model or model type that it comes from, with the effect on the count, and a button that
// reverts the edits. A link that names the model and the edits also leads to this list.

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { difference, grouped } from '../support/numbers.ts';
import { listMembers } from '../config/config-text.ts';
import { findEdits } from '../config/link.ts';
import { isEdited, originName, discardEdits, type Model } from '../models/model.ts';
import type { ParameterCounter } from '../answer/parameter-counter.ts';
import * as editsTexts from './edits-texts.ts';
import type { Act } from '../app/store.ts';
import { unquoted } from './controls.tsx';

/** The maximum number of edits that are listed; the others are only counted. */
const MAX_EDITS = 4;

interface EditsProps {
  readonly model: Model;
  readonly act: Act;
  readonly counting: ParameterCounter;
  /** Drawn instead if there are no edits that a list can show. */
  readonly otherwise: ComponentChildren;
}

export function Edits({ model, act, counting, otherwise }: EditsProps) {
  const { entry, answer } = model;
  const origin = discardEdits(entry);
  const before = useMemo(() => (origin === undefined ? undefined : counting(origin)), [origin]);
  const edits = useMemo(() => (origin !== undefined && isEdited(entry) ? findEdits(origin, entry.text) : undefined), [origin, entry]);
  if (origin === undefined || !edits || edits.length === 0) return <>{otherwise}</>;
  const old = new Map(listMembers(origin));
  const name = originName(entry);
  const published = entry.base?.published?.parameters === before;
  return (
    <span class="edits">
      {before !== undefined && <span>{published ? editsTexts.published(grouped(before)) : editsTexts.of(name, grouped(before))}</span>}{' '}
      <span>
        {editsTexts.changed}{' '}
        {edits.slice(0, MAX_EDITS).map(([key, literal], i) => (
          <>
            {i > 0 && ', '}
            <code>{key}</code> {editsTexts.from(worded(old.get(key) ?? ''), worded(literal))}
          </>
        ))}
        {edits.length > MAX_EDITS && `, ${editsTexts.more(edits.length - MAX_EDITS)}`}
      </span>{' '}
      {before !== undefined && answer.ok && (
        <strong class="change">
          {before === answer.totals.parameters ? editsTexts.same : difference(before, answer.totals.parameters)}
        </strong>
      )}{' '}
      <button type="button" class="quiet" title={editsTexts.resetTitle(name)} onClick={() => act({ type: 'text', text: origin })}>
        {editsTexts.reset}
      </button>
    </span>
  );
}

/**
 * A literal for display: whole numbers have their digits grouped, anything else has at most 40 characters. An empty literal means a missing
 * field.
 */
function worded(literal: string): string {
  if (literal === '') return editsTexts.none;
  if (/^\d+$/.test(literal)) return grouped(literal);
  const text = unquoted(literal);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
