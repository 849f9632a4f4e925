// What a model takes: its weights and its cache against the memory of devices, its operations, and what training adds.

import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { grouped } from '../lib/format.ts';
import { inUnit, memoryTexts as texts } from '../lib/memory-texts.ts';
import { nameOf, type Model } from '../lib/model.ts';
import { texts as pageTexts } from '../lib/texts.ts';
import type { Ledger, MemoryAnswer, MemoryOptions, TrainingOptions } from '../lib/types.ts';
import { NamedView } from '../parts/basics.tsx';
import { MemoryForm, roomOf, Select, type Setting } from '../parts/memory-form.tsx';
import { CacheTable, ComputeTable, Digits, TrainingTable, WeightsTable } from '../parts/memory-tables.tsx';
import type { ViewProps } from './all.ts';

const NAME = 'memory';

/** As the reader left it, for when the view is seen again. */
let setting: Setting = {
  unit: 'gb',
  tokens: '32768',
  batch: '1',
  weights: 'published',
  cache: 'bfloat16',
  device: 'h200',
  gb: '24',
  devices: '8',
};

interface TrainingSetting {
  readonly optimizer: string;
  readonly precision: string;
  readonly stage: string;
  readonly rank: string;
  readonly modules: string;
}
let trainingSetting: TrainingSetting = { optimizer: 'adamw', precision: 'mixed', stage: '3', rank: '', modules: 'q_proj, v_proj' };

const optionsOf = (chosen: Setting): MemoryOptions => ({
  tokens: chosen.tokens,
  batch: chosen.batch,
  weights: chosen.weights,
  cache: chosen.cache,
  devices: chosen.devices,
  room: roomOf(chosen),
});

function trainingOf({ optimizer, precision, stage, rank, modules }: TrainingSetting): TrainingOptions {
  const names = modules.split(/[\s,]+/).filter(Boolean);
  const lora = rank ? { r: Number(rank), target_modules: names.join() === 'all-linear' ? ('all-linear' as const) : names } : undefined;
  return { optimizer, precision, stage: Number(stage), lora } as TrainingOptions;
}

export function MemoryView({ store: { ledger }, state: { models, active } }: ViewProps) {
  const [chosen, choose] = useState(setting);
  const [training, train] = useState(trainingSetting);
  const { text } = models[active].entry;
  const answer = useMemo(
    () => ledger.memory(text, { ...optionsOf(chosen), training: trainingOf(training) }),
    [ledger, text, chosen, training],
  );
  return (
    <NamedView value={NAME}>
      <main class="memory" id={`${NAME}-answer`} tabIndex={-1}>
        <h2>{`${pageTexts.views.memory}: ${nameOf(models[active].entry)}`}</h2>
        <MemoryForm setting={chosen} set={(change) => choose((setting = { ...chosen, ...change }))} />
        {answer.ok ? (
          <Answered
            answer={answer}
            chosen={chosen}
            training={training}
            train={(change) => train((trainingSetting = { ...training, ...change }))}
          />
        ) : (
          <p class="memory-verdict" role="status">
            {answer.error.message}
          </p>
        )}
        {models.length > 1 && <Compared models={models} ledger={ledger} chosen={chosen} />}
      </main>
    </NamedView>
  );
}

interface AnsweredProps {
  readonly answer: MemoryAnswer;
  readonly chosen: Setting;
  readonly training: TrainingSetting;
  readonly train: (change: Partial<TrainingSetting>) => void;
}

function Answered({ answer, chosen: { unit }, training, train }: AnsweredProps) {
  const { weights, cache, compute } = answer;
  return (
    <>
      <Verdict answer={answer} unit={unit} />
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
      <Figure title={texts.training} amount={answer.training ? inUnit(answer.training.total, unit) : texts.unknown}>
        <TrainingForm training={training} train={train} />
        {answer.training && <TrainingTable training={answer.training} unit={unit} />}
      </Figure>
    </>
  );
}

/** Whether it fits, and why: in a sentence and on one scale. */
function Verdict({ answer: { weights, cache, need, room }, unit }: { answer: MemoryAnswer; unit: Setting['unit'] }) {
  const amount = (bytes: Parameters<typeof inUnit>[0]) => inUnit(bytes, unit);
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
  const words = room.fits
    ? texts.fits(amount(need), amount(room.total), amount(room.left ?? need))
    : texts.fitsNot(amount(need), amount(room.total), amount(room.missing ?? need));
  const longest = room.unlimited ? texts.unlimited : room.longest === '0' ? texts.none : texts.longest(room.longest);
  return (
    <>
      <p class="memory-verdict" role="status" data-fits={room.fits ? '' : undefined}>
        <strong>{words}</strong> {parts} {room.longest === '0' && texts.weightsAlone(amount(weights.loaded))} {longest}
      </p>
      <svg
        class="memory-bar"
        viewBox="0 0 10000 320"
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.bar(parts, amount(room.total))}
      >
        <rect class="memory-room" x="0" y="0" width={room.room_share} height="320" />
        <rect class="memory-weights" x="0" y="40" width={room.weights_share} height="240" />
        <rect class="memory-cache" x={room.weights_share} y="40" width={room.cache_share} height="240" />
        <rect class="memory-mark" x={Math.max(0, room.room_share - 20)} y="0" width="20" height="320" />
      </svg>
      <ul class="memory-legend">
        <li data-of="weights">
          {texts.legend.weights} {amount(weights.loaded)}
        </li>
        <li data-of="cache">
          {texts.legend.cache} {amount(cache.total)}
        </li>
        <li data-of="room">
          {texts.legend.room} {amount(room.total)}
        </li>
      </ul>
      <p class="memory-note">
        {texts.divided} {texts.unitNote}
      </p>
    </>
  );
}

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

function TrainingForm({ training, train }: { training: TrainingSetting; train: (change: Partial<TrainingSetting>) => void }) {
  const { optimizer, precision, stage, rank, modules } = training;
  const id = (name: string) => `${NAME}-${name}`;
  return (
    <form class="memory-form" onSubmit={(event) => event.preventDefault()}>
      <Select
        label={texts.optimizer}
        name="optimizer"
        choices={texts.optimizers}
        value={optimizer}
        put={(value) => train({ optimizer: value })}
      />
      <Select
        label={texts.precision}
        name="precision"
        choices={texts.precisions}
        value={precision}
        put={(value) => train({ precision: value })}
      />
      <Select label={texts.stage} name="stage" choices={texts.stages} value={stage} put={(value) => train({ stage: value })} />
      <div class="memory-field">
        <label for={id('rank')}>{texts.lora}</label>
        <input
          id={id('rank')}
          type="text"
          inputMode="numeric"
          value={rank}
          onChange={({ currentTarget: input }) => {
            if (/^([1-9]\d{0,5})?$/.test(input.value.trim())) train({ rank: input.value.trim() });
            else input.value = rank;
          }}
        />
      </div>
      <div class="memory-field">
        <label for={id('modules')}>{texts.modules}</label>
        <input
          id={id('modules')}
          type="text"
          value={modules}
          spellcheck={false}
          onChange={(event) => train({ modules: event.currentTarget.value })}
        />
      </div>
    </form>
  );
}

/** The models of the page under one setting. */
function Compared({ models, ledger, chosen }: { models: readonly Model[]; ledger: Ledger; chosen: Setting }) {
  const answers = useMemo(() => models.map(({ entry }) => ledger.memory(entry.text, optionsOf(chosen))), [models, ledger, chosen]);
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
                  <Digits>{known(answer.weights, () => (answer.weights.known ? inUnit(answer.weights.loaded, chosen.unit) : ''))}</Digits>
                  <Digits>{known(answer.cache, () => (answer.cache.known ? inUnit(answer.cache.total, chosen.unit) : ''))}</Digits>
                  <Digits>{answer.need ? inUnit(answer.need, chosen.unit) : texts.unknown}</Digits>
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
