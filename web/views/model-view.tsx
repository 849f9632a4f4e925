// The view of one model: the form and the answer. It is part of the first view and of the Design view.

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TensorRow } from '../types/index.ts';
import { difference, grouped } from '../support/numbers.ts';
import type { Writing } from '../answer/formula.ts';
import { listDivision } from '../answer/icicle-tree.ts';
import type { ParameterCounter } from '../answer/parameter-counter.ts';
import { isEdited, isStale, shownNameOf, type Model } from '../models/model.ts';
import * as texts from '../texts/page.ts';
import type { Act } from '../app/store.ts';
import { createLight, Deferred, Lit, NamedView, useIds } from '../parts/basics.tsx';
import { CopyLink } from '../parts/buttons.tsx';
import { CardButtons } from '../parts/card.tsx';
import { Exports } from '../parts/exports.tsx';
import { ClosedFormula } from '../parts/closed-formula.tsx';
import { Panel, type PanelHandle } from '../parts/panel.tsx';
import { Icicle } from '../parts/icicle.tsx';
import { useNearestValid } from '../parts/use-nearest-valid.ts';
import { OtherTotals, PartsAccount, type Place } from '../parts/picture.tsx';
import { afterModel, lazy } from '../parts/lazy.tsx';
import { TensorTable, type TableHandle } from '../parts/table.tsx';
import { SavePicture } from '../parts/save-picture.tsx';
import { createTensorLight, holdLight, TensorsLit, useTensorLight } from '../parts/tensor-light.tsx';
import { Change, Total } from '../parts/total.tsx';

export interface ModelViewProps {
  /** A name that distinguishes this view from others on the page. */
  readonly name: string;
  readonly model: Model;
  readonly writing: Writing;
  readonly act: Act;
  /** Counts other versions of the configuration: variants, the version before the edits, and values near a refused one. */
  readonly counting?: ParameterCounter;
  /** Makes the link to share; undefined if it would be too long. */
  readonly link?: () => Promise<string | undefined>;
  /** True if the link is a full address, false if it is only the part after the `#`. */
  readonly isAddress?: boolean;
  /** Content to show below the number. */
  readonly below?: ComponentChildren;
  /** Keeps a copy of the model as it is, to compare it with later edits. */
  readonly pin?: () => void;
}

export function ModelView({ name, ...props }: ModelViewProps) {
  const light = useMemo(createLight, []);
  const tensorLight = useMemo(createTensorLight, []);
  return (
    <NamedView value={name}>
      <Lit value={light}>
        <TensorsLit value={tensorLight}>
          <View {...props} />
        </TensorsLit>
      </Lit>
    </NamedView>
  );
}

const Edits = lazy(async () => (await import('../parts/edits.tsx')).Edits);
const ValueSources = lazy(afterModel(async () => (await import('../parts/sources.tsx')).ValueSources));
const Caption = lazy(afterModel(async () => (await import('../parts/caption.tsx')).Caption));
const Blocks = lazy(
  afterModel(async () => (await import('../parts/blocks.tsx')).Blocks),
  <p class="muted">{texts.block.loading}</p>,
);
const WhatIf = lazy(afterModel(async () => (await import('../parts/what-if.tsx')).WhatIf));

const ANNOUNCE_DELAY = 600;

const UNKNOWN: ParameterCounter = () => undefined;

function View({ model, writing, act, counting = UNKNOWN, link, isAddress = true, below, pin }: Omit<ModelViewProps, 'name'>) {
  const id = useIds();
  const panel = useRef<PanelHandle>(null);
  const table = useRef<TableHandle>(null);
  const { shown } = model;
  const stale = isStale(model);
  const isEdit = model.session !== undefined;
  const nearest = useNearestValid(model, counting);
  const [focus, setFocus] = useState<readonly TensorRow[]>([]);
  const light = useTensorLight();
  const look = (rows: readonly TensorRow[]) => {
    if (rows.length > 0) holdLight(light, rows);
    setFocus(rows);
    table.current?.follow(rows);
  };
  const reveal = (place: Place) => table.current?.reveal(place);

  const pictures = (now: Model) => <Pictures model={now} focus={focus} look={look} reveal={reveal} />;
  const formula = (now: Model) => (
    <Formulas
      model={now}
      writing={writing}
      act={act}
      visit={(field) => panel.current?.visit(field)}
      look={look}
      counting={counting}
      hasRoom={pin !== undefined}
    />
  );
  const tensors = ({ shown: answer, before }: Model) =>
    answer && (
      <section class="sheet">
        <TensorTable answer={answer} before={before} writing={writing} look={setFocus} handle={table} />
      </section>
    );
  const origins = (now: Model) => <Origins model={now} link={link} />;
  return (
    <div class="page">
      <Panel model={model} act={act} nearest={nearest} handle={panel} />
      <main class="answer" id={id('answer')} tabIndex={-1} data-stale={stale ? '' : undefined} data-empty={shown ? undefined : ''}>
        <section class="result">
          <Total
            model={model}
            act={act}
            edits={isEdited(model.entry) && <Edits model={model} act={act} counting={counting} otherwise={<Change model={model} />} />}
          >
            {link && <CopyLink link={link} isAddress={isAddress} />}
            {shown && <CardButtons model={model} answer={shown} link={link} />}
            {/* Disabled instead of hidden, so that the buttons next to it do not move. */}
            {pin && shown && (
              <button
                type="button"
                class="quiet"
                title={texts.views.pinTitle}
                aria-label={`${texts.views.pin}: ${texts.views.pinTitle}`}
                disabled={stale}
                onClick={pin}
              >
                {texts.views.pin}
              </button>
            )}
          </Total>
          {below}
          <Deferred of={model} waits={isEdit} draw={pictures} />
        </section>
        <Deferred of={model} waits={isEdit} draw={formula} />
        <Deferred of={model} waits={isEdit} draw={tensors} />
        <Deferred of={model} waits={isEdit} draw={origins} />
      </main>
      <Announcer model={model} nearest={nearest} />
    </div>
  );
}

interface PicturesProps {
  readonly model: Model;
  readonly focus: readonly TensorRow[];
  readonly look: (rows: readonly TensorRow[]) => void;
  readonly reveal: (place: Place) => void;
}

/** Where the parameters are: the icicle chart with its caption, and the tables of parts and totals. */
function Pictures({ model, focus, look, reveal }: PicturesProps) {
  const { shown: answer, before: old } = model;
  const name = shownNameOf(model);
  return (
    answer && (
      <>
        <Icicle
          answer={answer}
          name={name}
          focus={focus}
          look={look}
          tools={(way) => {
            const here = [name, ...way.map(({ label }) => label)];
            return (
              <SavePicture
                drawing={async () => (await import('../drawings/icicle-drawing.ts')).drawIcicle(answer, name, way)}
                what={here.join(', ')}
                fileName={here.join('-')}
                waits={isStale(model)}
              />
            );
          }}
        />
        <p class="caption" role="status">
          <Caption answer={answer} config={(model.shownOf ?? model.entry).text} />
        </p>
        <div class="accounts">
          <PartsAccount answer={answer} before={old} reveal={reveal} division={listDivision(answer)} />
          <OtherTotals answer={answer} before={old} />
        </div>
      </>
    )
  );
}

interface FormulasProps extends Pick<ModelViewProps, 'model' | 'writing' | 'act'> {
  readonly visit: (field: string) => void;
  readonly look: (rows: readonly TensorRow[]) => void;
  readonly counting: ParameterCounter;
  readonly hasRoom: boolean;
}

/** The closed formula, the pictures of the layers, and the variants. */
function Formulas({ model, writing, act, visit, look, counting, hasRoom }: FormulasProps) {
  const id = useIds();
  const config = (model.shownOf ?? model.entry).text;
  return (
    model.shown && (
      <>
        <section class="sheet">
          <ClosedFormula
            answer={model.shown}
            writing={writing}
            write={(value) => act({ type: 'prefer', preferences: { writing: value } })}
            visit={visit}
            copies={!isStale(model)}
            config={config}
          />
        </section>
        <section class="sheet block-sheet">
          <div class="sheet-head">
            <h2 id={id('blocks')}>{texts.block.heading}</h2>
          </div>
          <Blocks answer={model.shown} config={config} name={shownNameOf(model)} waits={isStale(model)} choose={look} />
          {/* Hidden from screen readers, which read the caption below the icicle chart. */}
          <p class="caption" aria-hidden="true">
            <Caption answer={model.shown} config={config} />
          </p>
          {!isStale(model) && (
            <WhatIf answer={model.shown} config={config} name={shownNameOf(model)} counting={counting} act={act} hasRoom={hasRoom} />
          )}
        </section>
      </>
    )
  );
}

/** The exports, and where the values of the fields come from. */
function Origins({ model, link }: Pick<ModelViewProps, 'model' | 'link'>) {
  return (
    model.shown && (
      <>
        <section class="sheet">
          <Exports answer={model.shown} name={shownNameOf(model)} enabled={!isStale(model)} link={link} />
        </section>
        <section class="sheet sources-sheet">
          <ValueSources fields={model.shown.fields} />
        </section>
      </>
    )
  );
}

/**
 * Announces the new total to screen readers once typing pauses. If the configuration is refused, announces the error and values that would
 * be valid.
 */
function Announcer({ model: { answer, before }, nearest }: { model: Model; nearest: readonly string[] }) {
  const [said, setSaid] = useState<string>();
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const timer = setTimeout(() => {
      if (!answer.ok) return setSaid(`${answer.error.message}${texts.field.wouldDoSpoken(nearest.map(grouped))}`);
      const total = answer.totals.parameters;
      const changed = before && before.totals.parameters !== total;
      setSaid(texts.total.announced(grouped(total), changed ? difference(before.totals.parameters, total) : ''));
    }, ANNOUNCE_DELAY);
    return () => clearTimeout(timer);
  }, [answer, nearest]);
  return (
    <div class="spoken announcer" role="status" aria-live="polite">
      {said}
    </div>
  );
}
