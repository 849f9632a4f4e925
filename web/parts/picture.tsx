// Draws parameter counts: the parts of the model as a table, and the other totals as a list.

import { grouped, percent } from '../support/numbers.ts';
import { partLabel } from '../texts/part-names.ts';
import * as texts from '../texts/page.ts';
import type { CountAnswer, Part, Totals } from '../types/index.ts';
import { useState } from 'preact/hooks';
import { Spoken, useIds } from './basics.tsx';

/** The rows to show in the tensor table: those of a part of the model, or a single tensor. */
export interface Place {
  readonly part?: Part;
  readonly tensor?: string;
}

interface PictureProps {
  readonly answer: CountAnswer;
  readonly before?: CountAnswer;
  /** How the feed-forward part is divided: see `listDivision` in answer/icicle-tree.ts. */
  readonly division?: readonly { readonly name: string; readonly size: bigint }[];
  /** Shows the rows in the table, if there is one. */
  readonly reveal?: (place: Place) => void;
}

/** The parameter counts by part as a table, with their total under a double rule. */
export function PartsAccount({ answer, before, reveal, division = [] }: PictureProps) {
  const total = answer.totals.parameters;
  const old = new Map(before?.parts.map(({ part, parameters }) => [part, parameters]));
  return (
    <table class="account">
      <caption>{texts.picture.account}</caption>
      <thead class="spoken">
        <tr>
          <th scope="col">{texts.picture.part}</th>
          <th scope="col">{texts.picture.parameters}</th>
          <th scope="col">{texts.picture.share}</th>
        </tr>
      </thead>
      <tbody>
        {answer.parts.map(({ part, parameters }) => [
          <tr key={part} data-changed={before && old.get(part) !== parameters ? '' : undefined}>
            <th scope="row">
              {reveal ? (
                <button type="button" class="part" data-part={part} title={texts.picture.show} onClick={() => reveal({ part })}>
                  {partLabel(part)}
                </button>
              ) : (
                <span class="part" data-part={part}>
                  {partLabel(part)}
                </span>
              )}
            </th>
            <td class="digits">{grouped(parameters)}</td>
            <td class="digits share">{percent(parameters, total)}</td>
          </tr>,
          part === 'feed_forward' &&
            division.map(({ name, size }) => (
              <tr key={name} class="of-part">
                <th scope="row">{name}</th>
                <td class="digits">{grouped(size)}</td>
                <td class="digits share">{percent(size, total)}</td>
              </tr>
            )),
        ])}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{texts.picture.total}</th>
          <td class="digits">{grouped(total)}</td>
          <td class="digits share">100%</td>
        </tr>
      </tfoot>
    </table>
  );
}

/** The other totals, each with its definition. */
export function OtherTotals({ answer, before }: Omit<PictureProps, 'reveal' | 'division'>) {
  const known = Object.keys(texts.picture.totals);
  const place = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length);
  const names = (Object.keys(answer.totals) as (keyof Totals)[]).filter((name) => name !== 'parameters');
  return (
    <div class="other-totals">
      <h3>{texts.picture.otherTotals}</h3>
      <dl>
        {names
          .sort((a, b) => place(a) - place(b))
          .map((name) => (
            <OtherTotal
              key={name}
              name={name}
              count={answer.totals[name] ?? ''}
              definition={answer.definitions[name]}
              changed={before !== undefined && before.totals[name] !== answer.totals[name]}
            />
          ))}
      </dl>
    </div>
  );
}

interface OtherTotalProps {
  readonly name: string;
  readonly count: string;
  readonly definition: string | undefined;
  readonly changed: boolean;
}

function OtherTotal({ name, count, definition, changed }: OtherTotalProps) {
  const id = useIds()(`tip-${name}`);
  // Escape dismisses the tooltip even if the pointer stays where it is.
  const [quiet, setQuiet] = useState(false);
  const label = texts.picture.totals[name] ?? partLabel(name);
  return (
    <div data-changed={changed ? '' : undefined}>
      <dt>
        <button
          type="button"
          class="term"
          aria-describedby={definition && id}
          data-quiet={quiet ? '' : undefined}
          onKeyDown={(event) => event.key === 'Escape' && setQuiet(true)}
          onBlur={() => setQuiet(false)}
          onMouseEnter={() => setQuiet(false)}
        >
          {label}
        </button>
        {definition && (
          <span class="tip" role="tooltip" id={id}>
            {definition}
          </span>
        )}
      </dt>
      <dd class="digits" data-zero={count === '0' ? '' : undefined}>
        {grouped(count)}
        {changed && <Spoken>, changed</Spoken>}
      </dd>
    </div>
  );
}
