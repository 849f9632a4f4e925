// What each device holds if several share the model: one or two plans, a grid of devices, and why the heaviest device holds more than an
// even share.

import { useMemo } from 'preact/hooks';
import { compareDevices } from '../core/device-differences.ts';
import type { Ledger } from '../core/ledger.ts';
import { formatDevicesCsv, formatDevicesJson, formatDevicesMarkdown } from '../export/devices-formats.ts';
import * as exportsTexts from '../export/export-texts.ts';
import { parsePlan, toDevicesOptions, writePlan, type DevicesPlan } from '../settings/devices-plan.ts';
import * as texts from '../settings/devices-texts.ts';
import type { MemorySetting } from '../settings/memory-setting.ts';
import { inUnit, type Unit } from '../settings/memory-texts.ts';
import { difference, grouped } from '../support/numbers.ts';
import type { DevicesAnswer, Refusal } from '../types/index.ts';
import { CopyButton, CopyLink, SaveButton } from '../parts/buttons.tsx';
import { Devices, DevicesLegend, DevicesWords } from '../parts/devices-grid.tsx';
import { DevicesDifferences } from '../parts/devices-differences.tsx';
import { PlanSteps, RefusedSize } from '../parts/devices-plan.tsx';
import { DevicesSent } from '../parts/devices-sent.tsx';
import { DeviceTrainingForm } from '../parts/memory-form.tsx';
import { Digits, Scrolled } from '../parts/memory-tables.tsx';
import type { AskingProps } from './view-props.ts';

interface DevicesPlaceProps extends Pick<AskingProps, 'link' | 'isAddress'> {
  readonly ledger: Ledger;
  /** The text of the configuration, and the model's name. */
  readonly text: string;
  readonly name: string;
  readonly setting: MemorySetting;
  readonly set: (change: Partial<MemorySetting>) => void;
}

export function DevicesPlace({ ledger, text, name, setting, set, link, isAddress }: DevicesPlaceProps) {
  const plan = parsePlan(setting.plan);
  const compares = setting.against !== 'none';
  const against = parsePlan(setting.against);
  const first = useDevices(ledger, text, setting, plan);
  const second = useDevices(ledger, text, setting, against);
  const tabled = compares && first.answer.ok && second.answer.ok ? [first.answer, second.answer] : [];
  return (
    <div class="devices">
      <p class="muted">{texts.whose}</p>
      <p class="take-away">
        <button type="button" class="quiet" onClick={() => set({ against: compares ? 'none' : writePlan(suggest(plan)) })}>
          {compares ? texts.noComparison : texts.compareWith}
        </button>
        {first.answer.ok && <TakeAway answer={first.answer} name={name} />}
        <CopyLink link={link} isAddress={isAddress} />
      </p>
      <DeviceTrainingForm setting={setting} set={set} />
      {tabled.length === 2 && <Compared answers={tabled} unit={setting.unit as Unit} />}
      {tabled.length === 2 && (
        <DevicesDifferences differences={compareDevices(tabled[0], tabled[1])} plans={tabled.map((answer, i) => titleOf(answer, i))} />
      )}
      <div class="devices-plans" data-compares={compares ? '' : undefined}>
        <OnePlan
          {...first}
          label={texts.planOf(0, compares ? 2 : 1)}
          name="plan"
          plan={plan}
          setting={setting}
          change={(next) => set({ plan: writePlan(next) })}
        />
        {compares && (
          <OnePlan
            {...second}
            label={texts.planOf(1, 2)}
            name="against"
            plan={against}
            setting={setting}
            change={(next) => set({ against: writePlan(next) })}
          />
        )}
      </div>
    </div>
  );
}

/** The heading of a plan: "Plan A: vLLM 0.11.0, 8 × 1 × 1". */
const titleOf = (answer: DevicesAnswer, place: number) =>
  `${texts.planOf(place, 2)}: ${texts.plans[answer.plan]}, ${[answer.tensor, answer.pipeline, answer.expert].map(grouped).join(' × ')}`;

/**
 * Suggests a plan to compare with: half as many devices per tensor and twice as many stages. If the tensor size is odd or there is expert
 * parallelism, only the number of stages is doubled.
 */
function suggest(plan: DevicesPlan): DevicesPlan {
  const tensor = BigInt(plan.tensor);
  return tensor % 2n === 0n && plan.expert === '1'
    ? { ...plan, tensor: String(tensor / 2n), pipeline: String(BigInt(plan.pipeline) * 2n) }
    : { ...plan, pipeline: String(BigInt(plan.pipeline) * 2n) };
}

interface Asked {
  readonly answer: DevicesAnswer | Refusal;
  /** Computes what the device with this rank holds. */
  readonly ask: (rank: string) => DevicesAnswer | Refusal;
  readonly room: string | undefined;
}

function useDevices(ledger: Ledger, text: string, setting: MemorySetting, plan: DevicesPlan): Asked {
  return useMemo(() => {
    const options = toDevicesOptions(setting, plan);
    const ask = (rank: string) => ledger.devices(text, { ...options, rank });
    return { answer: ledger.devices(text, options), ask, room: options.room as string | undefined };
  }, [ledger, text, setting, writePlan(plan)]);
}

interface OnePlanProps extends Asked {
  readonly label: string;
  readonly name: string;
  readonly plan: DevicesPlan;
  readonly setting: MemorySetting;
  readonly change: (plan: DevicesPlan) => void;
}

function OnePlan({ label, name, plan, setting, change, answer, ask, room }: OnePlanProps) {
  return (
    <section class="devices-one" aria-label={label}>
      <PlanSteps name={name} label={label} plan={plan} change={change} refused={answer.ok ? undefined : answer.error.field} />
      {answer.ok ? (
        <>
          <DevicesWords answer={answer} />
          <DevicesLegend answer={answer} />
          <Devices answer={answer} unit={setting.unit as Unit} plan={label} room={room} ask={ask} />
          <DevicesSent answer={answer} plan={label} />
        </>
      ) : (
        <p class="refusal" role="status">
          <RefusedSize error={answer.error} />
        </p>
      )}
    </section>
  );
}

/** A table that compares two plans and the heaviest device of each. */
function Compared({ answers, unit }: { answers: readonly DevicesAnswer[]; unit: Unit }) {
  const heaviest = answers.map((answer) => answer.ranks[answer.heaviest]);
  const count = (label: string, counts: readonly string[]) => (
    <tr>
      <th scope="row">{label}</th>
      {counts.map((one, i) => (
        <Digits key={i}>{grouped(one)}</Digits>
      ))}
      <Digits>{difference(counts[0], counts[1])}</Digits>
    </tr>
  );
  const words = (label: string, amounts: readonly string[]) => (
    <tr>
      <th scope="row">{label}</th>
      {amounts.map((one, i) => (
        <Digits key={i}>{one}</Digits>
      ))}
      <Digits>{''}</Digits>
    </tr>
  );
  return (
    <Scrolled label={texts.compared}>
      <caption>{texts.compared}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.table.of}</th>
          {answers.map((answer, i) => (
            <Digits key={i} head>
              {titleOf(answer, i)}
            </Digits>
          ))}
          <Digits head>{texts.table.difference}</Digits>
        </tr>
      </thead>
      <tbody>
        {count(
          texts.table.count,
          answers.map(({ devices }) => devices),
        )}
        {count(
          texts.table.parameters,
          heaviest.map(({ parameters }) => parameters),
        )}
        {words(
          texts.table.over,
          answers.map(({ over }) => `${over.percent} %`),
        )}
        {words(
          texts.table.weights,
          heaviest.map(({ weights }) => (weights.known ? inUnit(weights.loaded, unit) : texts.unknown)),
        )}
        {words(
          texts.table.cache,
          heaviest.map(({ cache }) => (cache.known ? inUnit(cache.total, unit) : texts.unknown)),
        )}
        {count(
          texts.table.replicas,
          answers.map(({ sum }) => sum?.replicas ?? '0'),
        )}
      </tbody>
    </Scrolled>
  );
}

function TakeAway({ answer, name }: { answer: DevicesAnswer; name: string }) {
  const { formats, copyTitle } = texts;
  const file = (ending: string) => `${name.replace(/[^\w.-]+/g, '-')}-devices.${ending}`;
  return (
    <>
      <CopyButton
        label={`${exportsTexts.copy} ${formats.markdown}`}
        title={copyTitle(formats.markdown)}
        text={() => formatDevicesMarkdown(answer)}
      />
      <SaveButton
        label={`${exportsTexts.save} ${formats.csv}`}
        title={copyTitle(formats.csv)}
        type="text/csv"
        fileName={() => file('csv')}
        content={() => formatDevicesCsv(answer)}
      />
      <SaveButton
        label={`${exportsTexts.save} ${formats.json}`}
        title={copyTitle(formats.json)}
        type="application/json"
        fileName={() => file('json')}
        content={() => formatDevicesJson(answer)}
      />
    </>
  );
}
