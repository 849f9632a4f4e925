// The Derive view: the form, the picture of the model, and every step of the derivation.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createParameterCounter } from '../answer/parameter-counter.ts';
import { nameOf } from '../models/model.ts';
import * as texts from '../core/derivation-texts.ts';
import * as pageTexts from '../texts/page.ts';
import { grouped } from '../support/numbers.ts';
import type { Derivation, TensorRow } from '../types/index.ts';
import type { Ledger } from '../core/ledger.ts';
import { createLight, Deferred, Lit, NamedView } from '../parts/basics.tsx';
import { CopyButton } from '../parts/buttons.tsx';
import { DerivedFormats } from '../parts/derivation-downloads.tsx';
import { rowsByName, Steps } from '../parts/derivation-steps.tsx';
import { Icicle } from '../parts/icicle.tsx';
import { lazy } from '../parts/lazy.tsx';
import { useNearestValid } from '../parts/use-nearest-valid.ts';
import { Panel, type PanelHandle } from '../parts/panel.tsx';
import { createTensorLight, TensorsLit } from '../parts/tensor-light.tsx';
import type { AskingProps } from './view-props.ts';

const NAME = 'derive';

/** Loaded when the section "On one device" is first opened. */
const DerivedDevice = lazy(async () => (await import('../parts/derived-device.tsx')).DerivedDevice);

export function DeriveView({ store, ledger, state: { models, active, details }, link, isAddress }: AskingProps) {
  const model = models[active];
  const name = nameOf(model.entry);
  const light = useMemo(createLight, []);
  const tensorLight = useMemo(createTensorLight, []);
  const panel = useRef<PanelHandle>(null);
  const nearest = useNearestValid(model, createParameterCounter(ledger));
  const [focus, setFocus] = useState<readonly TensorRow[]>([]);
  const { text } = model.entry;
  const answer = useMemo(() => ledger.derive(text), [ledger, text]);
  // The last derivation, which stays visible while the input is invalid.
  const last = useRef<Derivation | undefined>(undefined);
  if (answer.ok) last.current = answer;
  const derivation = last.current;
  const rows = useMemo(() => rowsByName(model.shown?.tensors ?? []), [model.shown]);
  const [address, setAddress] = useState<string>();
  const [onDevice, showOnDevice] = useState(false);
  const [withDevice, setWithDevice] = useState<Derivation>();
  useEffect(() => {
    let outdated = false;
    void link().then((found) => outdated || setAddress(isAddress ? found : undefined));
    return () => void (outdated = true);
  }, [text, link]);
  return (
    <NamedView value={NAME}>
      <Lit value={light}>
        <TensorsLit value={tensorLight}>
          <div class="page">
            <Panel model={model} act={store.act} nearest={nearest} handle={panel} />
            <main class="answer derive" id={`${NAME}-answer`} tabIndex={-1} data-stale={answer.ok ? undefined : ''}>
              <div class="view-lead">
                <h2>{texts.title(name)}</h2>
                <p class="muted">{texts.shown.lead}</p>
              </div>
              {!answer.ok && (
                <p class="refusal" role="status">
                  {answer.error.field && <code>{answer.error.field}</code>} {answer.error.message}
                </p>
              )}
              {derivation && (
                <>
                  {/* When the model changes, the chart is drawn after the steps have been painted. */}
                  <Deferred
                    of={model}
                    waits
                    draw={({ shown }) => shown && <Icicle answer={shown} name={name} focus={focus} look={setFocus} />}
                  />
                  <Judged ledger={ledger} derivation={derivation} />
                  <section class="sheet take-away-derivation">
                    <DerivedFormats derivation={(onDevice && withDevice) || derivation} name={name} address={address} />
                    <p class="take-away">
                      <button
                        type="button"
                        class="quiet"
                        title={texts.shown.judgeItTitle}
                        onClick={() => {
                          const article = { ...derivation.article, title: texts.title(name) };
                          store.act({ type: 'show', details: { articles: { kind: 'own', article } } });
                          store.act({ type: 'view', view: 'articles' });
                        }}
                      >
                        {texts.shown.judgeIt}
                      </button>
                      <CopyButton
                        label={isAddress ? pageTexts.link.copy : pageTexts.link.fragment}
                        title={isAddress ? pageTexts.link.copyTitle : pageTexts.link.fragmentTitle}
                        text={link}
                        instead={pageTexts.link.tooLongToCopy}
                      />
                    </p>
                  </section>
                  <Steps derivation={derivation} rows={rows} />
                  <details class="derived-device" onToggle={(event) => showOnDevice(event.currentTarget.open)}>
                    <summary>
                      <h3>{texts.sections.device}</h3>
                    </summary>
                    {onDevice && (
                      <DerivedDevice ledger={ledger} text={text} setting={details.memory} act={store.act} whole={setWithDevice} />
                    )}
                  </details>
                </>
              )}
            </main>
          </div>
        </TensorsLit>
      </Lit>
    </NamedView>
  );
}

/** Checks every step of the derivation as a worked article once the user stops typing, and says so if all steps are right. */
function Judged({ ledger, derivation }: { ledger: Ledger; derivation: Derivation }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    setSaid('');
    const timer = setTimeout(() => {
      const judged = ledger.article(derivation.article);
      const right = judged.ok && judged.total?.verdict === 'right' && judged.steps.every(({ verdict }) => verdict === 'right');
      if (right) setSaid(texts.shown.judged(grouped(String(derivation.article.steps.length))));
    }, JUDGE_DELAY);
    return () => clearTimeout(timer);
  }, [ledger, derivation]);
  return (
    <p class="muted derived-judged" role="status">
      {said}
    </p>
  );
}

const JUDGE_DELAY = 400;
