// Where the parameters sit: the parts in the order in which data passes, as an icicle, as an account that adds up, and counted otherwise.

import { grouped, percent, ratio } from '../lib/format.ts';
import { partLabel } from '../lib/part-names.ts';
import { texts } from '../lib/texts.ts';
import type { CountAnswer, Part, TensorRow } from '../lib/types.ts';
import { useState } from 'preact/hooks';
import { Spoken, useIds } from './basics.tsx';

/** Narrower tensors are a line's width at most and drawn as one. */
const SMALLEST = 0.004;

/** What of the table to go to. */
export interface Place {
  readonly part?: Part;
  readonly tensor?: string;
}

interface PictureProps {
  readonly answer: CountAnswer;
  readonly before?: CountAnswer;
  /** Where there is a table to show it in. */
  readonly reveal?: (place: Place) => void;
}

/** How much of the picture's width it has, for what fits in it: cheaper than asking the browser for each. */
const room = (part: string, whole: string, least: number) => {
  const share = ratio(part, whole);
  return share < least ? 'least' : share < 0.2 ? 'less' : undefined;
};

/** Flexible lengths fill their line only where they add up to at least 1. */
const weight = (part: string, whole: string) => ({ flexGrow: String(ratio(part, whole) * 1_000) });

export function PartsPicture({ answer, reveal }: PictureProps) {
  const total = answer.totals.parameters;
  const parts = answer.parts.filter(({ parameters }) => parameters !== '0');
  const label = parts.map(({ part, parameters }) => `${partLabel(part)} ${percent(parameters, total)}`).join(', ');
  return (
    <div class="icicle" role="img" aria-label={texts.picture.title(label)}>
      {parts.map(({ part, parameters }) => (
        <div key={part} class="slab" data-part={part} data-room={room(parameters, total, 0.075)} style={weight(parameters, total)}>
          <div class="slab-name" title={partLabel(part)} onClick={() => reveal?.({ part })}>
            <span>{partLabel(part)}</span> <span class="share">{percent(parameters, total)}</span>
          </div>
          <div class="slab-tensors">
            {largeOf(answer, part).map((row) => (
              <div
                key={row.name}
                data-room={room(row.total, total, 0.05)}
                style={weight(row.total, total)}
                title={`${row.name}: ${percent(row.total, total)}`}
                onClick={() => reveal?.({ tensor: row.name })}
              >
                <span>{brief(row.name)}</span>
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

const largeOf = ({ tensors, totals }: CountAnswer, part: Part): TensorRow[] =>
  tensors.filter((row) => row.part === part && row.kind === 'parameter' && ratio(row.total, totals.parameters) >= SMALLEST);

/** `model.layers.[0-31].mlp.gate_proj.weight` as `gate_proj`. */
const brief = (name: string) => name.split('.').findLast((segment) => segment !== 'weight' && !/^\[|^\d+$/.test(segment)) ?? name;

/** A column that adds up, the total under it on a double rule. */
export function PartsAccount({ answer, before, reveal }: PictureProps) {
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
        {answer.parts.map(({ part, parameters }) => (
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
          </tr>
        ))}
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

/** Whatever else the core sums, each with its definition. */
export function OtherTotals({ answer, before }: Omit<PictureProps, 'reveal'>) {
  const known = Object.keys(texts.picture.totals);
  const place = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length);
  const names = Object.keys(answer.totals).filter((name) => name !== 'parameters');
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
              count={answer.totals[name]}
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
  // A reader can put a tip away without moving.
  const [quiet, hush] = useState(false);
  const label = texts.picture.totals[name] ?? partLabel(name);
  return (
    <div data-changed={changed ? '' : undefined}>
      <dt>
        <button
          type="button"
          class="term"
          aria-describedby={definition && id}
          data-quiet={quiet ? '' : undefined}
          onKeyDown={(event) => event.key === 'Escape' && hush(true)}
          onBlur={() => hush(false)}
          onMouseEnter={() => hush(false)}
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
