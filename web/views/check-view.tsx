// "Is this number right?": checks a claim about the current model, and shows the conventions that explain it. Also offers to check the
// model's published files.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { difference, grouped, MINUS, typedShort } from '../support/numbers.ts';
import { CHECK_VIEW } from '../app/store.ts';
import { nameOf, editField } from '../models/model.ts';
import * as words from '../texts/check.ts';
import type { Check, Explanation, JudgedClaim, Refusal } from '../types/index.ts';
import { NamedView, useIds } from '../parts/basics.tsx';
import { CopyLink } from '../parts/buttons.tsx';
import { HubCheck } from './hub-check.tsx';
import type { AskingProps } from './view-props.ts';

/** The pause in typing before the claim is checked, in milliseconds. */
const PAUSE = 150;

export function CheckView(props: AskingProps) {
  return (
    <NamedView value={CHECK_VIEW}>
      <main class="column claim" id={`${CHECK_VIEW}-answer`} tabIndex={-1}>
        <Claim {...props} />
        <HubCheck {...props} />
      </main>
    </NamedView>
  );
}

function Claim({ store, ledger, state: { models, active, details }, link, isAddress }: AskingProps) {
  const id = useIds();
  const model = models[active];
  const total = model.answer.ok ? model.answer.totals.parameters : undefined;
  // Unless a claim was typed or comes from a link, it is the model's own total, abbreviated.
  const claim = details.check ?? (total === undefined ? '' : typedShort(total));
  const [asked, setAsked] = useState(claim);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(claim), PAUSE);
    return () => clearTimeout(timer);
  }, [claim]);
  const answer = useMemo(
    () => (asked.trim() === '' || !model.answer.ok ? undefined : ledger.check(model.entry.text, asked)),
    [asked, model.answer],
  );
  const put = (text: string) => store.act({ type: 'show', details: { check: text } });
  /** Replaces the current model by the configuration that an explanation assumes, and opens it in the first view. */
  const open = (changed: NonNullable<Explanation['changed']>) => {
    let other = model;
    for (const [path, value] of Object.entries(changed)) other = editField(store.counter, other, path, JSON.stringify(value));
    store.act({ type: 'open', entry: other.entry });
    store.act({ type: 'view', view: '' });
  };
  return (
    <>
      <div class="view-lead">
        <h2>{words.title}</h2>
        <p class="muted">{words.lead}</p>
      </div>
      <form class="asking" onSubmit={(event) => event.preventDefault()}>
        <label for={id('claim')}>{words.label(nameOf(model.entry))}</label>
        <span class="asking-line">
          <input
            id={id('claim')}
            class="claim-input"
            value={claim}
            placeholder={words.example}
            autocomplete="off"
            spellcheck={false}
            aria-describedby={id('how')}
            onInput={(event) => put(event.currentTarget.value)}
          />
          <CopyLink link={link} isAddress={isAddress} />
        </span>
        <p class="meaning" id={id('how')}>
          {words.how}{' '}
          {total !== undefined &&
            [typedShort(total), grouped(total)].map((example) => (
              <button key={example} type="button" class="quiet" onClick={() => put(example)}>
                {example}
              </button>
            ))}
        </p>
      </form>
      <div role="status" aria-live="polite">
        {!model.answer.ok && <p class="refusal">{model.answer.error.message}</p>}
        {answer && (answer.ok ? answer.claims.map((judged, i) => <Verdict key={i} judged={judged} />) : <Refused answer={answer} />)}
        {answer?.ok && answer.contradiction !== undefined && <p class="refusal">{answer.contradiction}</p>}
      </div>
      {answer?.ok && answer.claims.map((judged, i) => <Reasons key={i} judged={judged} answer={answer} open={open} />)}
      {answer?.ok && <Tried answer={answer} />}
    </>
  );
}

function Refused({ answer }: { answer: Refusal }) {
  return (
    <p class="verdict" data-verdict="wrong">
      {answer.error.message}
    </p>
  );
}

function Verdict({ judged }: { judged: JudgedClaim }) {
  const { claim } = judged;
  return (
    <div class="verdict" data-verdict={words.shown(judged)}>
      <p class="verdict-word">{words.verdicts[words.shown(judged)]}</p>
      <p class="verdict-sentence">{judged.sentence}</p>
      {judged.known && <p class="meaning">{words.from(judged.known.source)}</p>}
      <p class="meaning">
        {claim.low === claim.high
          ? words.exactly(grouped(claim.low), claim.unit)
          : words.between(grouped(claim.low), grouped(claim.high), claim.unit)}
        {claim.dtype !== undefined && claim.dtype_from && ` ${words.stored(claim.dtype)} ${words.storedBy[claim.dtype_from]}`}
      </p>
    </div>
  );
}

interface ReasonsProps {
  readonly judged: JudgedClaim;
  readonly answer: Check;
  readonly open: (changed: NonNullable<Explanation['changed']>) => void;
}

function Reasons({ judged, answer: { claims, parameters }, open }: ReasonsProps) {
  const [best = judged.nearest, ...others] = judged.agreeing;
  const title = judged.agreeing.length > 0 ? words.sum : words.nearest;
  return (
    <>
      {best && (
        <section class="sheet">
          <h3>{claims.length > 1 ? words.of(title, judged.claim.text) : title}</h3>
          <Sum explanation={best} total={parameters} />
          <Rows explanation={best} open={open} />
        </section>
      )}
      {others.length > 0 && (
        <section class="sheet">
          <h3>{claims.length > 1 ? words.of(words.others, judged.claim.text) : words.others}</h3>
          <ol class="ways">
            {others.map((other) => (
              <li key={other.sentence + other.switches.map(({ id }) => id).join()}>
                {other.sentence}
                {other.reading !== undefined && <span class="muted"> ({words.read(other.reading)})</span>}
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function Tried({ answer }: { answer: Check }) {
  return (
    <details class="sheet">
      <summary>{words.tried(answer.offered.length)}</summary>
      <p class="muted">{answer.ranking}</p>
      <ul class="offered">
        {answer.offered.map((offer, i) => (
          <li key={i}>
            {words.tryName(offer)} <span class="muted">({offer.cost})</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Sum({ explanation, total }: { explanation: Explanation; total: string }) {
  return (
    <table class="account sum">
      <tbody>
        <tr>
          <th scope="row">{words.all}</th>
          <td class="digits">{grouped(total)}</td>
        </tr>
        {explanation.switches.map(({ id, label, added, change, kind }) => (
          <tr key={id}>
            <th scope="row">
              {kind === 'configuration' && id !== 'two_matrices'
                ? words.asIf(label)
                : added
                  ? words.counted(label)
                  : kind === 'packing'
                    ? label
                    : words.without(label)}
            </th>
            <td class="digits">
              {added ? '+' : MINUS}
              {grouped(change)}
            </td>
          </tr>
        ))}
        {explanation.switches.length > 0 && (
          <tr class="sum-line">
            <th scope="row">{words.together}</th>
            <td class="digits">{grouped(explanation.sum)}</td>
          </tr>
        )}
        {explanation.bytes !== undefined && (
          <tr>
            <th scope="row">{explanation.stored ?? words.bytes}</th>
            <td class="digits">{grouped(explanation.bytes)}</td>
          </tr>
        )}
        {explanation.difference !== '0' && explanation.bytes === undefined && (
          <tr>
            <th scope="row">{words.off}</th>
            <td class="digits">{difference('0', explanation.difference)}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

function Rows({
  explanation: { rows, changed },
  open,
}: {
  explanation: Explanation;
  open: (changed: NonNullable<Explanation['changed']>) => void;
}) {
  return (
    <>
      {changed && (
        <p class="changed-fields">
          {Object.entries(changed).map(([field, value]) => (
            <code key={field}>
              {field}: {JSON.stringify(value)}
            </code>
          ))}
          <button type="button" class="quiet" onClick={() => open(changed)}>
            {words.open}
          </button>
        </p>
      )}
      {rows.length > 0 && (
        <div class="table-box">
          <table class="account rows-in-out">
            <caption>{words.rows}</caption>
            <thead>
              <tr>
                <th scope="col">{words.tensor}</th>
                <th scope="col" class="digits">
                  {words.usually}
                </th>
                <th scope="col" class="digits">
                  {words.here}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, counted, usual }) => (
                <tr key={name} data-change={counted === '0' ? 'out' : usual === '0' ? 'in' : 'part'}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td class="digits">{grouped(usual)}</td>
                  <td class="digits">{counted === '0' ? words.out : grouped(counted)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
