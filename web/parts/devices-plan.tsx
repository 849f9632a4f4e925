// The controls for tensor, pipeline and expert parallelism: a number field with buttons for each size, and a choice between the plans of
// transformers, Megatron-Core and vLLM.

import { useState } from 'preact/hooks';
import { axes, isPlan, stepPlan, type Axis, type DevicesPlan } from '../settings/devices-plan.ts';
import * as texts from '../settings/devices-texts.ts';
import { grouped } from '../support/numbers.ts';
import type { PlanName, Refusal } from '../types/index.ts';
import { readNumber } from '../support/number-input.ts';
import { useIds } from './basics.tsx';

interface PlanStepsProps {
  /** A name that distinguishes these controls from others in the view. */
  readonly name: string;
  readonly label: string;
  readonly plan: DevicesPlan;
  readonly change: (plan: DevicesPlan) => void;
  /** The field that a refusal names, if any. The control of the size `tensor`, `pipeline` or `expert` is then marked. */
  readonly refused?: string;
}

export const PlanSteps = ({ name, label, plan, change, refused }: PlanStepsProps) => (
  <fieldset class="devices-plan">
    <legend>{label}</legend>
    <WhosePlan name={name} plan={plan} change={change} />
    {axes.map((axis) => (
      <Stepper key={axis} name={name} axis={axis} plan={plan} change={change} refused={refused === axis} />
    ))}
  </fieldset>
);

function WhosePlan({ name, plan, change }: Pick<PlanStepsProps, 'name' | 'plan' | 'change'>) {
  const id = useIds()(`${name}-whose`);
  return (
    <div class="devices-stepper">
      <label for={id}>{texts.whosePlan}</label>
      <select id={id} value={plan.plan} onChange={({ currentTarget: { value } }) => change({ ...plan, plan: value as PlanName })}>
        {Object.entries(texts.plans).map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </div>
  );
}

interface StepperProps extends Pick<PlanStepsProps, 'name' | 'plan' | 'change'> {
  readonly axis: Axis;
  readonly refused: boolean;
}

function Stepper({ name, axis, plan, change, refused }: StepperProps) {
  const id = useIds()(`${name}-${axis}`);
  const [typed, setTyped] = useState<string | undefined>();
  const unread = typed !== undefined && !isPlan(readNumber(typed).literal);
  const { label, meaning } = texts.axes[axis];
  const step = (direction: 1 | -1) => {
    const next = stepPlan(plan, axis, direction);
    return (
      <button
        type="button"
        class="quiet"
        aria-label={(direction > 0 ? texts.more : texts.fewer)(label)}
        disabled={next === undefined}
        onClick={() => {
          setTyped(undefined);
          if (next) change(next);
        }}
      >
        {direction > 0 ? '+' : '−'}
      </button>
    );
  };
  return (
    <div class="devices-stepper" title={meaning}>
      <label for={id}>{label}</label>
      <span>
        {step(-1)}
        <input
          id={id}
          type="text"
          inputMode="numeric"
          autocomplete="off"
          spellcheck={false}
          aria-invalid={unread || refused || undefined}
          aria-describedby={unread ? `${id}-trouble` : undefined}
          value={typed ?? grouped(plan[axis])}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            const { literal } = readNumber(value);
            if (isPlan(literal)) change({ ...plan, [axis]: literal });
          }}
          // Invalid text stays visible, with a message.
          onBlur={() => unread || setTyped(undefined)}
        />
        {step(1)}
      </span>
      {unread && (
        <p class="error" id={`${id}-trouble`} role="alert">
          {texts.notASize}
        </p>
      )}
    </div>
  );
}

/** Why a plan is refused. The field's name precedes the message, if there is a field and the message does not begin with its name. */
export const RefusedSize = ({ error: { field, message } }: { error: Refusal['error'] }) => (
  <>
    {field && !message.startsWith(field) && (
      <>
        <code>{field}</code>{' '}
      </>
    )}
    {message}
  </>
);
