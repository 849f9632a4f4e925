// The controls of the Memory view: how a model is run and trained, and on which devices.

import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { canSplitSequence } from '../settings/devices-plan.ts';
import { devices } from '../settings/devices.ts';
import { grouped } from '../support/numbers.ts';
import { findDevice, isAllowed, type MemorySetting } from '../settings/memory-setting.ts';
import * as deviceTexts from '../settings/devices-texts.ts';
import * as texts from '../settings/memory-texts.ts';
import { type Unit } from '../settings/memory-texts.ts';
import { readNumber } from '../support/number-input.ts';
import { useIds } from './basics.tsx';
import { Segmented } from './buttons.tsx';

/** The steps of the sliders. */
const CONTEXTS = ['512', '1024', '2048', '4096', '8192', '16384', '32768', '65536', '131072', '262144', '524288', '1048576', '10485760'];
const BATCHES = ['1', '2', '4', '8', '16', '32', '64', '128', '256', '512'];

interface FormProps {
  readonly setting: MemorySetting;
  readonly set: (change: Partial<MemorySetting>) => void;
  /** Called when the text of a field becomes invalid or valid, and when a field appears or disappears, which counts as valid. */
  readonly mark?: (name: string, isWrong: boolean) => void;
}

export function MemoryForm({ setting, set, mark }: FormProps) {
  const device = findDevice(setting);
  const field = fields(setting, set, mark);
  return (
    <form class="memory-form" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend>{texts.groups.use}</legend>
        <Slider label={texts.context} steps={CONTEXTS} {...field('context')} />
        <Slider label={texts.batch} steps={BATCHES} {...field('batch')} />
      </fieldset>
      <fieldset>
        <legend>{texts.groups.numbers}</legend>
        <Select label={texts.weights} choices={texts.formats} {...field('weights')} />
        <Select label={texts.cache} choices={texts.caches} {...field('cache')} />
      </fieldset>
      <fieldset>
        <legend>{texts.groups.devices}</legend>
        <Select
          label={texts.device}
          choices={{ ...Object.fromEntries(devices.map(({ id, name, gb }) => [id, `${name}, ${gb} GB`])), own: texts.ownDevice }}
          {...field('device')}
        >
          {device && <small class="muted">{texts.source(device.document)}</small>}
        </Select>
        {!device && <Whole label={texts.ownSize} {...field('gb')} />}
        {setting.use !== 'devices' && <Whole label={texts.devices} {...field('devices')} />}
        {setting.use !== 'devices' && <Whole label={texts.reserve} trouble={texts.notPercent} {...field('reserve')} />}
        <Segmented label={texts.unit} name="unit" choices={texts.units} chosen={setting.unit as Unit} choose={(unit) => set({ unit })} />
      </fieldset>
    </form>
  );
}

export function TrainingForm({ setting, set }: FormProps) {
  const id = useIds();
  const field = fields(setting, set);
  return (
    <form class="memory-form" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <Select label={texts.optimizer} choices={texts.optimizers} {...field('optimizer')} />
        <Select label={texts.precision} choices={texts.precisions} {...field('precision')} />
        <Select label={texts.stage} choices={texts.stages} {...field('zero')} />
        <Whole label={texts.lora} {...field('rank')} />
        <div class="memory-field">
          <label for={id('modules')}>{texts.modules}</label>
          <Typed {...field('modules')} id={id('modules')} read={wordsOf} shown={setting.modules} trouble={texts.noModules} />
        </div>
      </fieldset>
    </form>
  );
}

/** The controls for training on several devices and for sequence parallelism. */
export function DeviceTrainingForm({ setting, set }: FormProps) {
  const field = fields(setting, set);
  const trains = setting.train === 'yes';
  return (
    <form class="memory-form" onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <label>
          <input type="checkbox" checked={trains} onChange={() => set({ train: trains ? 'no' : 'yes' })} /> {deviceTexts.trains}
        </label>
        {trains && (
          <>
            <Select label={texts.optimizer} choices={texts.optimizers} {...field('optimizer')} />
            <Select label={texts.precision} choices={texts.precisions} {...field('precision')} />
            <Select label={texts.stage} choices={texts.stages} {...field('zero')} />
            <Whole label={deviceTexts.copies} {...field('data')} />
          </>
        )}
        {canSplitSequence(setting) && (
          <label>
            <input
              type="checkbox"
              checked={setting.sequence === 'yes'}
              onChange={() => set({ sequence: setting.sequence === 'yes' ? 'no' : 'yes' })}
            />{' '}
            {deviceTexts.sequence}
          </label>
        )}
      </fieldset>
    </form>
  );
}

/** Returns a function that makes the properties of the control for a setting. */
const fields = (setting: MemorySetting, set: FormProps['set'], mark?: FormProps['mark']) => (name: keyof MemorySetting) => ({
  name,
  mark,
  value: setting[name],
  put: (value: string) => set({ [name]: value }),
});

interface FieldProps {
  readonly label: string;
  readonly name: keyof MemorySetting;
  readonly value: string;
  readonly put: (value: string) => void;
  readonly mark?: FormProps['mark'];
  /** The message if the text is invalid. */
  readonly trouble?: string;
}

/** A slider with fixed steps, and a number field for any valid value. */
function Slider({ label, steps, ...field }: FieldProps & { readonly steps: readonly string[] }) {
  const { name, value, put } = field;
  const id = useIds();
  const beyond = steps.findIndex((step) => Number(step) >= Number(value));
  const at = beyond < 0 ? steps.length - 1 : beyond;
  return (
    <div class="memory-field memory-slider">
      <label for={id(name)}>{label}</label>
      <WholeInput {...field} id={id(`${name}-exactly`)} label={texts.exactly(label)} />
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
    </div>
  );
}

function Whole({ label, ...field }: FieldProps) {
  const id = useIds();
  return (
    <div class="memory-field">
      <label for={id(field.name)}>{label}</label>
      <WholeInput {...field} id={id(field.name)} />
    </div>
  );
}

const WholeInput = (props: Omit<FieldProps, 'label'> & { readonly id: string; readonly label?: string }) => (
  <Typed
    {...props}
    numeric
    read={(typed) => readNumber(typed).literal}
    shown={grouped(props.value)}
    trouble={props.trouble ?? texts.notUnderstood(grouped(props.value))}
  />
);

/** Normalizes names that are separated by spaces or commas: single spaces remain between them. */
const wordsOf = (typed: string) =>
  typed
    .split(/[\s,]+/)
    .filter(Boolean)
    .join(' ');

interface TypedProps extends Omit<FieldProps, 'label' | 'value'> {
  readonly id: string;
  readonly label?: string;
  readonly numeric?: boolean;
  /** Converts the typed text to a value of the setting, which may be invalid. */
  readonly read: (typed: string) => string;
  /** The text to show while nothing is typed. */
  readonly shown: string;
  /** The message for invalid text. */
  readonly trouble: string;
}

/** A text field that applies its value whenever its text changes, provided that the value is valid. */
function Typed({ id, label, name, numeric, read, shown, trouble, put, mark }: TypedProps) {
  const [typed, setTyped] = useState<string | undefined>();
  const wrong = typed !== undefined && !isAllowed(name, read(typed));
  useEffect(() => mark?.(name, wrong), [wrong]);
  useEffect(() => () => mark?.(name, false), []);
  return (
    <>
      <input
        id={id}
        aria-label={label}
        aria-invalid={wrong || undefined}
        aria-describedby={wrong ? `${id}-trouble` : undefined}
        type="text"
        inputMode={numeric ? 'numeric' : undefined}
        autocomplete="off"
        spellcheck={false}
        value={typed ?? shown}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          if (isAllowed(name, read(value))) put(read(value));
        }}
        // Invalid text stays visible, with a message.
        onBlur={() => wrong || setTyped(undefined)}
      />
      {wrong && (
        <p class="error" id={`${id}-trouble`} role="alert">
          {trouble}
        </p>
      )}
    </>
  );
}

interface SelectProps extends FieldProps {
  readonly choices: Readonly<Record<string, string>>;
  readonly children?: ComponentChildren;
}

function Select({ label, name, choices, value, put, children }: SelectProps) {
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
