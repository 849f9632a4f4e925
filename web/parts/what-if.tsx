// Variants of the model with one choice changed: buttons with the resulting counts.

import { useEffect, useState } from 'preact/hooks';
import { loadLedger } from '../app/load-ledger.ts';
import { COMPARE_VIEW, type Act } from '../app/store.ts';
import type { ParameterCounter } from '../answer/parameter-counter.ts';
import { listVariants, type Variant } from '../answer/variants.ts';
import { difference, grouped } from '../support/numbers.ts';
import type { CountAnswer } from '../types/index.ts';
import { useIds } from './basics.tsx';
import * as texts from './what-if-texts.ts';

interface WhatIfProps {
  readonly answer: CountAnswer;
  /** The configuration that the answer is for. */
  readonly config: string;
  readonly name: string;
  readonly counting: ParameterCounter;
  readonly act: Act;
  /** Whether another model can be added to the Compare view. */
  readonly hasRoom: boolean;
}

/** The pause in typing before variants are counted again, in milliseconds. Without variants on the page, there is no pause. */
const PAUSE = 300;

export function WhatIf({ answer, config, name, counting, act, hasRoom }: WhatIfProps) {
  const id = useIds();
  const [{ of, variants }, setVariants] = useState<{ of: CountAnswer; variants: readonly Variant[] }>({ of: answer, variants: [] });
  const [further, setFurther] = useState<readonly Variant[]>([]);
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    const count = () => setVariants({ of: answer, variants: listVariants(answer, config, counting) });
    const timer = setTimeout(count, variants.length === 0 ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [answer]);
  // Variants that only the full program can count. It is loaded when the pointer or the focus enters this section.
  useEffect(() => {
    setFurther([]);
    if (!asked) return;
    let outdated = false;
    void Promise.all([loadLedger(), import('../models/generic-variants.ts')]).then(
      ([ledger, { listGenericVariants }]) => outdated || setFurther(listGenericVariants(answer, ledger, config)),
      () => undefined,
    );
    return () => void (outdated = true);
  }, [answer, asked]);
  const all = [...variants, ...further];
  if (all.length === 0) return null;
  const ask = () => setAsked(true);
  /** Calls `use` with this variant of the present configuration. During the pause, those of the previous configuration are still shown. */
  const withFresh = (variant: Variant, use: (fresh: Variant) => void) => {
    const fresh =
      of === answer || further.includes(variant)
        ? variant
        : listVariants(answer, config, counting).find(({ choice }) => choice === variant.choice);
    if (fresh) use(fresh);
  };
  const open = ({ choice, text }: Variant) =>
    further.some((variant) => variant.choice === choice)
      ? act({ type: 'open', entry: { text, title: texts.title(name, texts.choices[choice]) } })
      : act({ type: 'text', text });
  const compare = ({ choice, text }: Variant) => {
    act({ type: 'add', entry: { text, title: texts.title(name, texts.choices[choice]) } });
    act({ type: 'view', view: COMPARE_VIEW });
  };
  return (
    <div class="what-if" onPointerEnter={ask} onFocusCapture={ask}>
      <h3 id={id('what-if')}>{texts.heading}</h3>
      <ul aria-labelledby={id('what-if')}>
        {all.map((variant) => (
          <li key={variant.choice}>
            <button type="button" class="variant" onClick={() => withFresh(variant, open)}>
              {texts.choices[variant.choice]}
            </button>
            <span class="digits">{grouped(variant.parameters)}</span>
            <span class="digits change">{difference((further.includes(variant) ? answer : of).totals.parameters, variant.parameters)}</span>
            {variant.field && (
              <code class="muted">{texts.field(variant.field[0], grouped(variant.field[1]), grouped(variant.field[2]))}</code>
            )}
            <button
              type="button"
              class="quiet"
              disabled={!hasRoom}
              aria-label={texts.compareTitle(texts.choices[variant.choice])}
              onClick={() => withFresh(variant, compare)}
            >
              {texts.compare}
            </button>
          </li>
        ))}
      </ul>
      <p class="meaning">{texts.caption}</p>
    </div>
  );
}
