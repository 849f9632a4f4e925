// Checks the published files of the current model: on a click, reads their headers and compares them with the configuration.

import { verifyOnHub } from '#hub-files';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HubProgress, HubVerified } from '../hub/files.ts';
import type { Entry } from '../config/entry.ts';
import { parseHubPlace } from '../hub/address.ts';
import * as words from '../hub/hub-files-texts.ts';
import { SaveButton } from '../parts/buttons.tsx';
import { Compared } from './read-view.tsx';
import type { AskingProps } from './view-props.ts';

/** The Hub id of the model that a configuration belongs to; undefined if it does not come from the Hub. */
function hubIdOf({ base, known, from, title }: Entry): string | undefined {
  if (base) return base.kind === 'model' ? base.id : undefined;
  return known?.base.id ?? (from === undefined ? undefined : title);
}

/** Whether this build can send requests to the Hub. The offline file cannot. */
const asks = (verifyOnHub as unknown) !== undefined;

type Phase =
  | { readonly is: 'offered' }
  | { readonly is: 'running'; readonly now: HubProgress }
  | { readonly is: 'failed'; readonly why: string }
  | { readonly is: 'done'; readonly verified: HubVerified };

export function HubCheck({ ledger, state: { models, active } }: AskingProps) {
  const { entry, answer } = models[active];
  const id = hubIdOf(entry);
  const [phase, setPhase] = useState<Phase>({ is: 'offered' });
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    setPhase({ is: 'offered' });
    return () => running.current?.abort();
  }, [id, entry.text]);
  const place = id === undefined ? undefined : parseHubPlace(id);
  if (!place || !answer.ok) return null;

  const start = async () => {
    const mine = (running.current = new AbortController());
    const current = (next: Phase) => running.current === mine && setPhase(next);
    current({ is: 'running', now: { files: 0, of: 0, bytes: 0 } });
    try {
      const asking = { signal: mine.signal, config: entry.text, progress: (now: HubProgress) => current({ is: 'running', now }) };
      const verified = await verifyOnHub(ledger, place, asking);
      current({ is: 'done', verified });
    } catch (error) {
      mine.abort(); // cancels requests that are still running
      current({ is: 'failed', why: (error as Error).message });
    }
  };
  return (
    <section class="hub-check">
      <h3>{words.title}</h3>
      {asks ? <p class="muted">{words.lead(place.id)}</p> : <p>{words.byHand(place.id)}</p>}
      {asks && phase.is !== 'running' && (
        <button type="button" onClick={() => void start()}>
          {phase.is === 'offered' ? words.start : words.again}
        </button>
      )}
      {phase.is === 'running' && (
        <p>
          <progress aria-label={words.title} max={Math.max(phase.now.of, 1)} value={phase.now.files} />{' '}
          <span>{words.running(phase.now.files, phase.now.of, phase.now.bytes)}</span>{' '}
          <button type="button" onClick={() => running.current?.abort()}>
            {words.stop}
          </button>
        </p>
      )}
      <div role="status">
        {phase.is === 'failed' && <p class="refusal">{phase.why}</p>}
        {phase.is === 'done' && <Verified verified={phase.verified} />}
      </div>
    </section>
  );
}

function Verified({ verified: { place, reading, files, bytes, commit } }: { verified: HubVerified }) {
  if (!reading.ok) return <p class="refusal">{reading.error.message}</p>;
  if (!('partial' in reading)) return <p class="refusal">{words.none(place.id)}</p>;
  const { check, problems, totals } = reading;
  const size = String(files.reduce((sum, file) => sum + BigInt(file.size), 0n));
  const equal = check?.ok && check.agrees && !reading.partial;
  return (
    <>
      {equal ? (
        <p>
          <strong>{words.equal(check.totals.matched_tensors, files.length, check.totals.matched)}</strong>
        </p>
      ) : (
        <p class="refusal">{words.different}</p>
      )}
      <p class="muted">{words.read(files.length, size, bytes, commit)}</p>
      {problems.length > 0 && (
        <ul>
          {problems.map(({ message }, i) => (
            <li key={i}>{message}</li>
          ))}
        </ul>
      )}
      {check &&
        (check.ok ? <Compared comparison={check} of={words.compared(totals.tensors)} /> : <p class="refusal">{check.error.message}</p>)}
      <SaveButton
        label={words.save}
        title={words.saveTitle}
        fileName={() => `${place.id.replace('/', '--')}-verified.json`}
        type="application/json"
        content={() => JSON.stringify({ model: place, commit, files, bytes_read: bytes, reading }, null, 2)}
      />
    </>
  );
}
