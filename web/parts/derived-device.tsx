// "On one device", the last section of a derivation: what the heaviest device of a plan holds. The Memory view shares the plan: a change
// here also changes it there.

import { useEffect, useMemo } from 'preact/hooks';
import type { Store } from '../app/store.ts';
import type { Ledger } from '../core/ledger.ts';
import { parsePlan, writePlan } from '../settings/devices-plan.ts';
import * as texts from '../settings/devices-texts.ts';
import { defaultMemorySetting, type MemorySetting } from '../settings/memory-setting.ts';
import type { Derivation } from '../types/index.ts';
import { OneSection } from './derivation-steps.tsx';
import { PlanSteps, RefusedSize } from './devices-plan.tsx';

interface DerivedDeviceProps {
  readonly ledger: Ledger;
  /** The text of the configuration. */
  readonly text: string;
  readonly setting: MemorySetting | undefined;
  readonly act: Store['act'];
  /** Called with the derivation including this section; with undefined if it is refused. */
  readonly whole: (derivation: Derivation | undefined) => void;
}

const NO_ROWS = new Map();

export function DerivedDevice({ ledger, text, setting = defaultMemorySetting, act, whole }: DerivedDeviceProps) {
  const plan = parsePlan(setting.plan);
  const answer = useMemo(() => ledger.derive(text, { devices: plan }), [ledger, text, setting.plan]);
  useEffect(() => whole(answer.ok ? answer : undefined), [answer]);
  const section = answer.ok ? answer.sections.find((one) => one.section === 'device') : undefined;
  return (
    <>
      <p class="muted">{texts.stepsOf}</p>
      <PlanSteps
        name="device"
        label={texts.whose}
        plan={plan}
        change={(next) => act({ type: 'show', details: { memory: { ...setting, plan: writePlan(next) } } })}
        refused={answer.ok ? undefined : answer.error.field}
      />
      {answer.ok && section ? (
        <div class="derivation">
          <OneSection section={section} symbols={answer.symbols} rows={NO_ROWS} />
        </div>
      ) : (
        !answer.ok && (
          <p class="refusal" role="status">
            <RefusedSize error={answer.error} />
          </p>
        )
      )}
    </>
  );
}
