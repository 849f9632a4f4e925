// How a model is run: sliders and choices of the memory view.

import type { ComponentChildren } from 'preact';
import { bytesOfGb, devices } from '../lib/devices.ts';
import { grouped } from '../lib/format.ts';
import { memoryTexts as texts, type Unit } from '../lib/memory-texts.ts';
import { readNumber } from '../lib/number-input.ts';
import { useIds } from './basics.tsx';
import { Segmented } from './buttons.tsx';

/** What the reader has set. */
export interface Setting {
  readonly unit: Unit;
  readonly tokens: string;
  readonly batch: string;
  readonly weights: string;
  readonly cache: string;
  /** Empty: of a size of its own. */
  readonly device: string;
  readonly gb: string;
  readonly devices: string;
}

/** Where the sliders stop. */
const CONTEXTS = ['512', '1024', '2048', '4096', '8192', '16384', '32768', '65536', '131072', '262144', '524288', '1048576', '10485760'];
const BATCHES = ['1', '2', '4', '8', '16', '32', '64', '128', '256', '512'];

export const roomOf = (setting: Setting): string | undefined =>
  devices.find(({ id }) => id === setting.device)?.bytes ?? bytesOfGb(setting.gb);

interface FormProps {
  readonly setting: Setting;
  readonly set: (change: Partial<Setting>) => void;
}

export function MemoryForm({ setting, set }: FormProps) {
  const device = devices.find(({ id }) => id === setting.device);
  return (
    <form class="memory-form" onSubmit={(event) => event.preventDefault()}>
      <Slider label={texts.context} name="tokens" steps={CONTEXTS} value={setting.tokens} put={(tokens) => set({ tokens })} />
      <Slider label={texts.batch} name="batch" steps={BATCHES} value={setting.batch} put={(batch) => set({ batch })} />
      <Select label={texts.weights} name="weights" choices={texts.formats} value={setting.weights} put={(weights) => set({ weights })} />
      <Select label={texts.cache} name="cache" choices={texts.caches} value={setting.cache} put={(cache) => set({ cache })} />
      <Select
        label={texts.device}
        name="device"
        choices={{ ...Object.fromEntries(devices.map(({ id, name }) => [id, name])), '': texts.ownDevice }}
        value={setting.device}
        put={(id) => set({ device: id })}
      >
        {device && (
          <a href={device.source} rel="noreferrer" target="_blank">
            {texts.source}
          </a>
        )}
      </Select>
      {!device && <Whole label={texts.ownSize} name="gb" value={setting.gb} put={(gb) => set({ gb })} />}
      <Whole label={texts.devices} name="devices" value={setting.devices} put={(count) => set({ devices: count })} />
      <Segmented label={texts.unit} name="unit" choices={texts.units} chosen={setting.unit} choose={(unit) => set({ unit })} />
    </form>
  );
}

interface SliderProps {
  readonly label: string;
  readonly name: string;
  readonly steps: readonly string[];
  readonly value: string;
  readonly put: (value: string) => void;
}

/** A slider over steps, and beside it the number itself, which may be any. */
function Slider({ label, name, steps, value, put }: SliderProps) {
  const id = useIds();
  const beyond = steps.findIndex((step) => Number(step) >= Number(value));
  const at = beyond < 0 ? steps.length - 1 : beyond;
  return (
    <div class="memory-field">
      <label for={id(name)}>{label}</label>
      <input
        type="range"
        id={id(name)}
        min={0}
        max={steps.length - 1}
        step={1}
        value={at}
        aria-valuetext={grouped(value)}
        onInput={(event) => put(steps[Number(event.currentTarget.value)])}
      />
      <WholeInput id={id(`${name}-exactly`)} label={texts.exactly(label)} value={value} put={put} />
    </div>
  );
}

function Whole({ label, name, value, put }: Omit<SliderProps, 'steps'>) {
  const id = useIds();
  return (
    <div class="memory-field">
      <label for={id(name)}>{label}</label>
      <WholeInput id={id(name)} value={value} put={put} />
    </div>
  );
}

function WholeInput({ id, label, value, put }: { id: string; label?: string; value: string; put: (value: string) => void }) {
  return (
    <input
      id={id}
      aria-label={label}
      type="text"
      inputMode="numeric"
      autocomplete="off"
      value={grouped(value)}
      onChange={(event) => {
        const literal = readNumber(event.currentTarget.value).literal;
        if (/^[1-9]\d{0,14}$/.test(literal)) put(literal);
        else event.currentTarget.value = grouped(value);
      }}
    />
  );
}

interface SelectProps {
  readonly label: string;
  readonly name: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly value: string;
  readonly put: (value: string) => void;
  readonly children?: ComponentChildren;
}

export function Select({ label, name, choices, value, put, children }: SelectProps) {
  const id = useIds();
  return (
    <div class="memory-field">
      <label for={id(name)}>{label}</label>
      <select id={id(name)} value={value} onChange={(event) => put(event.currentTarget.value)}>
        {Object.entries(choices).map(([choice, text]) => (
          <option key={choice} value={choice} selected={choice === value}>
            {text}
          </option>
        ))}
      </select>
      {children}
    </div>
  );
}
