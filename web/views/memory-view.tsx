// The Memory view of a model: its weights and cache compared with the memory of devices, its operations, the memory that training needs,
// and what each of several devices holds.

import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { grouped } from '../support/numbers.ts';
import {
  findDevice,
  defaultMemorySetting,
  toMemoryOptions,
  normalizeSetting,
  toTrainingOptions,
  type MemorySetting,
} from '../settings/memory-setting.ts';
import * as texts from '../settings/memory-texts.ts';
import { inUnit, type Unit } from '../settings/memory-texts.ts';
import { nameOf, type Model } from '../models/model.ts';
import * as pageTexts from '../texts/page.ts';
import type { Ledger } from '../core/ledger.ts';
import type { Bytes, MemoryAnswer } from '../types/index.ts';
import { NamedView } from '../parts/basics.tsx';
import { Segmented } from '../parts/buttons.tsx';
import { lazy } from '../parts/lazy.tsx';
import { MemoryForm, TrainingForm } from '../parts/memory-form.tsx';
import { FormatsByContexts } from '../parts/memory-matrix.tsx';
import { CacheTable, ComputeTable, ConventionsTable, Digits, TrainingTable, WeightsTable } from '../parts/memory-tables.tsx';
import type { AskingProps } from './view-props.ts';

const NAME = 'memory';

/** Loaded when the user first asks what each device holds. */
const DevicesPlace = lazy(async () => (await import('./devices-place.tsx')).DevicesPlace);

export function MemoryView({ store, ledger, state: { models, active, details }, link, isAddress }: AskingProps) {
  const said = details.memory ?? defaultMemorySetting;
  const { answer: counted, entry } = models[active];
  const { text } = entry;
  // Which devices are `usual` depends on the memory that is needed. The need does not depend on the devices, so the first answer gives it.
  const { setting, answer } = useMemo(() => {
    const names = counted.ok ? counted.tensors.map(({ name }) => name) : [];
    const ask = (given: MemorySetting) => ledger.memory(text, { ...toMemoryOptions(given), training: toTrainingOptions(given, names) });
    const first = ask(said);
    if (said.device !== 'usual') return { setting: said, answer: first };
    const usual = normalizeSetting(said, first.ok ? first.need?.bytes : undefined);
    return { setting: usual, answer: ask(usual) };
  }, [ledger, text, counted, said]);
  const set = (change: Partial<MemorySetting>) => {
    const chosen = 'device' in change || 'devices' in change ? { device: setting.device, devices: setting.devices } : {};
    store.act({ type: 'show', details: { memory: { ...said, ...chosen, ...change } } });
  };
  // The names of the fields whose text is invalid. Until they are corrected, the results are those for the last valid input.
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const mark = useCallback(
    (name: string, isWrong: boolean) => setWrong((known) => [...known.filter((one) => one !== name), ...(isWrong ? [name] : [])]),
    [],
  );
  const trains = setting.use === 'training';
  const shares = setting.use === 'devices';
  const end = positionsOf(models[active]);
  return (
    <NamedView value={NAME}>
      <main class="memory" id={`${NAME}-answer`} tabIndex={-1}>
        <h2>{`${pageTexts.views.memory}: ${nameOf(models[active].entry)}`}</h2>
        <section class="memory-answer" aria-label={texts.verdict} data-stale={wrong.length > 0 ? '' : undefined}>
          <Segmented
            label={texts.use}
            name="use"
            choices={Object.entries(texts.uses)}
            chosen={setting.use}
            choose={(use) => set({ use })}
          />
          {!answer.ok ? (
            <p class="memory-verdict" role="status">
              {answer.error.message}
            </p>
          ) : trains ? (
            <Training answer={answer} setting={setting} set={set} />
          ) : shares ? (
            <DevicesPlace
              ledger={ledger}
              text={text}
              name={nameOf(models[active].entry)}
              setting={setting}
              set={set}
              link={link}
              isAddress={isAddress}
            />
          ) : (
            <Verdict answer={answer} setting={setting} end={end} set={set} />
          )}
        </section>
        <MemoryForm setting={setting} set={set} mark={mark} />
        <div class="memory-figures">
          {answer.ok && answer.need && !trains && !shares && <FormatsByContexts ledger={ledger} text={text} setting={setting} set={set} />}
          {answer.ok && !trains && !shares && <Figures answer={answer} setting={setting} ledger={ledger} text={text} />}
          {models.length > 1 && !shares && <Compared models={models} ledger={ledger} setting={setting} />}
        </div>
      </main>
    </NamedView>
  );
}

/** The value of the first field for a maximum sequence length, given or by default; undefined if there is none. */
function positionsOf({ shown }: Model): string | undefined {
  const field = shown?.fields.find(({ name }) => /(^|\.)(max_position_embeddings|n_positions|max_target_positions)$/.test(name));
  return typeof field?.value === 'number' ? String(field.value) : undefined;
}

interface FiguresProps {
  readonly answer: MemoryAnswer;
  readonly setting: MemorySetting;
}

interface ConventionsProps {
  readonly answer: MemoryAnswer;
  readonly ledger: Ledger;
  readonly text: string;
}

interface VerdictProps extends FiguresProps {
  /** The maximum sequence length, if a field states it. */
  readonly end: string | undefined;
  readonly set: (change: Partial<MemorySetting>) => void;
}

/** The memory that training needs, without activations, and whether it fits. */
function Training({ answer: { training, room }, setting, set }: FiguresProps & { readonly set: (change: Partial<MemorySetting>) => void }) {
  const amount = (bytes: Bytes) => inUnit(bytes, setting.unit as Unit);
  const fits = training?.known && room && BigInt(training.each.bytes) <= BigInt(room.one.bytes);
  return (
    <div class="memory-training">
      <p class="memory-verdict" role="status" data-fits={fits ? '' : undefined}>
        {training?.known ? (
          <strong>
            {room
              ? fits
                ? texts.trainFits(amount(training.each), amount(room.one))
                : texts.trainFitsNot(amount(training.each), amount(room.one))
              : amount(training.total)}
          </strong>
        ) : (
          training?.reason
        )}
      </p>
      <TrainingForm setting={setting} set={set} />
      {training?.known && training.note && <p>{training.note}</p>}
      {training?.known && <TrainingTable training={training} unit={setting.unit as Unit} />}
    </div>
  );
}

/** The size of the weights, the size of the cache and the operations for the next token. Each can be opened to show its rows. */
function Figures({ answer, setting, ledger, text }: FiguresProps & { readonly ledger: Ledger; readonly text: string }) {
  const { weights, cache, compute } = answer;
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
        <Conventions answer={answer} ledger={ledger} text={text} />
      </Figure>
    </>
  );
}

/** Operations under each common convention, computed when the figure is opened. */
function Conventions({ answer: { tokens, batch, source }, ledger, text }: ConventionsProps) {
  const operations = useMemo(() => ledger.operations(text, { tokens, batch, source }), [ledger, text, tokens, batch, source]);
  return operations.ok ? <ConventionsTable answer={operations} /> : <p>{operations.error.message}</p>;
}

/** Whether the model fits, and why: in a sentence, as a bar, and in figures. */
function Verdict({ answer: { weights, cache, need, room, tokens }, setting, end, set }: VerdictProps) {
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
  const name = findDevice(setting)?.name ?? texts.ownName(amount(room.one));
  return (
    <>
      <p class="memory-verdict" role="status" data-fits={room.fits ? '' : undefined}>
        <strong>{(room.fits ? texts.fits : texts.fitsNot)(amount(need), amount(room.total))}</strong>
        <span>
          {texts.onEach(amount(room.share), amount(room.one), room.devices, name, setting.reserve)}{' '}
          {room.longest === '0' && texts.weightsAlone(amount(weights.loaded))} {texts.longest(room, end)}
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
        <dd>{texts.stored(weights.format, weights.bits_per_parameter)}</dd>
        <dt data-of="cache">{texts.legend.cache}</dt>
        <dd class="digits">{amount(cache.total)}</dd>
        <dd>{cache.per_token === undefined ? texts.kept(tokens) : texts.keptEach(tokens, cache.per_token)}</dd>
        <dt data-of={room.fits ? 'room' : 'beyond'}>{room.fits ? texts.legend.left : texts.legend.missing}</dt>
        <dd class="digits">{amount(room.left ?? room.missing ?? need)}</dd>
        <dd>{room.fits ? texts.leftFor(setting.reserve) : ''}</dd>
      </dl>
      <p class="memory-note">
        {room.devices !== '1' && (
          <>
            {texts.divided}{' '}
            <button type="button" class="quiet" onClick={() => set({ use: 'devices', plan: `${room.devices}x1x1` })}>
              {texts.whatEachHolds}
            </button>{' '}
          </>
        )}
        {texts.makersGb} {texts.unitNote()}
      </p>
    </>
  );
}

/** The boundaries between devices, as shares of the devices' memory; none if there would be too many to see. */
const between = (devices: number) => (devices > 64 ? [] : Array.from({ length: devices - 1 }, (_, i) => (i + 1) / devices));

/** A figure that can be opened to show its rows. */
function Figure({ title, amount, children }: { title: string; amount: string; children: ComponentChildren }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="memory-figure" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>{title}</h3> <span class="digits">{amount}</span>
      </summary>
      {open && children}
    </details>
  );
}

/** All models of the page, computed with the current setting. */
function Compared({ models, ledger, setting }: { models: readonly Model[]; ledger: Ledger; setting: MemorySetting }) {
  const answers = useMemo(() => models.map(({ entry }) => ledger.memory(entry.text, toMemoryOptions(setting))), [models, ledger, setting]);
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
