// What a model takes: its weights and its cache against the memory of devices, its operations, and what training adds.

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { grouped } from '../lib/texts/format.ts';
import { deviceOf, firstSetting, optionsOf, trainingOf, type Setting } from '../lib/settings/memory-setting.ts';
import * as texts from '../lib/texts/memory-texts.ts';
import { inUnit, type Unit } from '../lib/texts/memory-texts.ts';
import { nameOf, type Model } from '../lib/models/model.ts';
import * as pageTexts from '../lib/texts/page-texts.ts';
import type { Ledger } from '../lib/core/ledger.ts';
import type { Bytes, MemoryAnswer } from '../lib/types.ts';
import { NamedView } from '../parts/basics.tsx';
import { MemoryForm, TrainingForm } from '../parts/memory-form.tsx';
import { CacheTable, ComputeTable, Digits, TrainingTable, WeightsTable } from '../parts/memory-tables.tsx';
import type { AskingProps } from './view-props.ts';

const NAME = 'memory';

export function MemoryView({ store, ledger, state: { models, active, details } }: AskingProps) {
  const setting = details.memory ?? firstSetting;
  const set = (change: Partial<Setting>) => store.act({ type: 'show', details: { memory: { ...setting, ...change } } });
  const { text } = models[active].entry;
  const answer = useMemo(() => ledger.memory(text, { ...optionsOf(setting), training: trainingOf(setting) }), [ledger, text, setting]);
  return (
    <NamedView value={NAME}>
      <main class="memory" id={`${NAME}-answer`} tabIndex={-1}>
        <h2>{`${pageTexts.views.memory}: ${nameOf(models[active].entry)}`}</h2>
        <section class="memory-answer" aria-label={texts.verdict}>
          {answer.ok ? (
            <Verdict answer={answer} setting={setting} />
          ) : (
            <p class="memory-verdict" role="status">
              {answer.error.message}
            </p>
          )}
        </section>
        <MemoryForm setting={setting} set={set} />
        <div class="memory-figures">
          {answer.ok && <Figures answer={answer} setting={setting} set={set} />}
          {models.length > 1 && <Compared models={models} ledger={ledger} setting={setting} />}
        </div>
      </main>
    </NamedView>
  );
}

interface FiguresProps {
  readonly answer: MemoryAnswer;
  readonly setting: Setting;
  readonly set: (change: Partial<Setting>) => void;
}

/** Each figure, which opens to its rows. */
function Figures({ answer, setting, set }: FiguresProps) {
  const { weights, cache, compute, training } = answer;
  const unit = setting.unit as Unit;
  return (
    <>
      <Figure title={texts.weights} amount={weights.known ? inUnit(weights.loaded, unit) : texts.unknown}>
        {weights.known ? (
          <>
            {weights.note && <p>{weights.note}</p>}
            {weights.files && <p>{texts.files(inUnit(weights.files, unit))}</p>}
            <WeightsTable weights={weights} />
          </>
        ) : (
          <p>{weights.reason}</p>
        )}
      </Figure>
      <Figure title={texts.cache} amount={cache.known ? inUnit(cache.total, unit) : texts.unknown}>
        {cache.known ? <CacheTable cache={cache} /> : <p>{cache.reason}</p>}
      </Figure>
      <Figure title={texts.compute} amount={compute.known ? texts.nextToken(compute.next) : texts.unknown}>
        {compute.known ? <ComputeTable compute={compute} tokens={answer.tokens} /> : <p>{compute.reason}</p>}
      </Figure>
      <Figure title={texts.training} amount={training?.known ? inUnit(training.total, unit) : texts.unknown}>
        <TrainingForm setting={setting} set={set} />
        {training && (training.known ? <TrainingTable training={training} unit={unit} /> : <p role="status">{training.reason}</p>)}
      </Figure>
    </>
  );
}

/** Whether it fits, and why: in a sentence, on one scale, and in figures. */
function Verdict({ answer: { weights, cache, need, room, tokens }, setting }: { answer: MemoryAnswer; setting: Setting }) {
  const amount = (bytes: Bytes) => inUnit(bytes, setting.unit as Unit);
  if (!weights.known || !cache.known || !need) {
    const why = [weights, cache].flatMap((part) => (part.known ? [] : [part.reason]));
    return (
      <p class="memory-verdict" role="status">
        {why.join(' ')}
      </p>
    );
  }
  const parts = texts.parts(amount(weights.loaded), amount(cache.total));
  if (!room)
    return (
      <p class="memory-verdict" role="status">
        {parts}
      </p>
    );
  const name = deviceOf(setting)?.name ?? texts.ownName(amount(room.one));
  return (
    <>
      <p class="memory-verdict" role="status" data-fits={room.fits ? '' : undefined}>
        <strong>{room.fits ? texts.fits(amount(need), amount(room.total)) : texts.fitsNot(amount(need), amount(room.total))}</strong>
        <span>
          {texts.onEach(amount(room.share), amount(room.one), room.devices, name)}{' '}
          {room.longest === '0' && texts.weightsAlone(amount(weights.loaded))} {texts.longest(room)}
        </span>
      </p>
      <svg
        class="memory-bar"
        viewBox="0 0 10000 400"
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.bar(parts, amount(room.total))}
      >
        <rect class="memory-room" x="0" y="0" width={room.room_share} height="400" />
        <rect class="memory-weights" x="0" y="60" width={room.weights_share} height="280" />
        <rect class="memory-cache" x={room.weights_share} y="60" width={room.cache_share} height="280" />
        {between(Number(room.devices)).map((part) => (
          <line key={part} class="memory-edge" x1={part * room.room_share} x2={part * room.room_share} y1="0" y2="400" />
        ))}
        {!room.fits && <rect class="memory-beyond" x={room.room_share} y="60" width={10_000 - room.room_share} height="280" />}
      </svg>
      <dl class="memory-legend">
        <dt data-of="weights">{texts.legend.weights}</dt>
        <dd class="digits">{amount(weights.loaded)}</dd>
        <dd>{texts.stored(weights.format)}</dd>
        <dt data-of="cache">{texts.legend.cache}</dt>
        <dd class="digits">{amount(cache.total)}</dd>
        <dd>{cache.per_token === undefined ? texts.kept(tokens) : texts.keptEach(tokens, cache.per_token)}</dd>
        <dt data-of={room.fits ? 'room' : 'beyond'}>{room.fits ? texts.legend.left : texts.legend.missing}</dt>
        <dd class="digits">{amount(room.left ?? room.missing ?? need)}</dd>
        <dd>{room.fits ? texts.leftFor : ''}</dd>
      </dl>
      <p class="memory-note">
        {texts.divided} {texts.unitNote}
      </p>
    </>
  );
}

/** Where one device ends and the next begins, of all of them; nowhere where these would be too many to tell apart. */
const between = (devices: number) => (devices > 64 ? [] : Array.from({ length: devices - 1 }, (_, i) => (i + 1) / devices));

/** A figure that opens to its rows. */
function Figure({ title, amount, children }: { title: string; amount: string; children: ComponentChildren }) {
  const [open, toggle] = useState(false);
  return (
    <details class="memory-figure" open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>
        <h3>{title}</h3> <span class="digits">{amount}</span>
      </summary>
      {open && children}
    </details>
  );
}

/** The models of the page under one setting. */
function Compared({ models, ledger, setting }: { models: readonly Model[]; ledger: Ledger; setting: Setting }) {
  const answers = useMemo(() => models.map(({ entry }) => ledger.memory(entry.text, optionsOf(setting))), [models, ledger, setting]);
  const unit = setting.unit as Unit;
  const known = (part: { readonly known: boolean }, amount: () => string) => (part.known ? amount() : texts.unknown);
  return (
    <div class="memory-scroll" role="region" aria-label={texts.compared} tabIndex={0}>
      <table class="account">
        <caption>{texts.compared}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.columns.model}</th>
            <Digits head>{texts.weights}</Digits>
            <Digits head>{texts.cache}</Digits>
            <Digits head>{texts.columns.need}</Digits>
            <Digits head>{texts.columns.longest}</Digits>
          </tr>
        </thead>
        <tbody>
          {answers.map((answer, i) => (
            <tr key={i}>
              <th scope="row">{nameOf(models[i].entry)}</th>
              {answer.ok ? (
                <>
                  <Digits>{known(answer.weights, () => (answer.weights.known ? inUnit(answer.weights.loaded, unit) : ''))}</Digits>
                  <Digits>{known(answer.cache, () => (answer.cache.known ? inUnit(answer.cache.total, unit) : ''))}</Digits>
                  <Digits>{answer.need ? inUnit(answer.need, unit) : texts.unknown}</Digits>
                  <Digits>{answer.room ? (answer.room.unlimited ? '∞' : grouped(answer.room.longest)) : texts.unknown}</Digits>
                </>
              ) : (
                <td colSpan={4}>{answer.error.message}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
