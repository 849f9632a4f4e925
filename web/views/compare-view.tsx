// The Compare view of up to four models: their parts on one scale, the causes of the differences, the fields that differ, and all matrices.
// A single model is compared with an example.

import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { loadChoices, openChoice, openFiles, openPasted } from '../app/opening.ts';
import { createBase, loadPublishedModels } from '../models/catalogue.ts';
import type { Entry, Published } from '../config/entry.ts';
import { readFiles } from '../inputs/files.ts';
import { MAX_MODELS } from '../config/link.ts';
import { isEdited, nameOf, openModel, type Model } from '../models/model.ts';
import * as words from '../texts/compare.ts';
import type { ModelComparison } from '../types/index.ts';
import type { Store } from '../app/store.ts';
import { NamedView, useStable } from '../parts/basics.tsx';
import { CopyLink } from '../parts/buttons.tsx';
import { amount, Causes, DifferingFields, MatrixByMatrix, PartsOnOneScale, type Compared } from '../parts/comparison.tsx';
import { Picker } from '../parts/picker.tsx';
import { grouped } from '../support/numbers.ts';
import type { AskingProps } from './view-props.ts';

const NAME = 'compare';

export function CompareView({ store, ledger, state, link, isAddress }: AskingProps) {
  const { past, future } = state;
  const example = useExample(state.models);
  // The example is shown next to the current model until another model is chosen. It is not part of the address.
  const shown = example ? [...state.models, openModel(store.counter, example)] : state.models;
  const models = useStable(
    shown,
    (a, b) => a.length === b.length && a.every(({ entry }, i) => entry.text === b[i].entry.text && nameOf(entry) === nameOf(b[i].entry)),
  );
  const names = useMemo(() => distinct(models.map(({ entry }) => nameOf(entry))), [models]);
  const answer = useMemo(() => {
    const given = models.length > 1 ? ledger.compare(models.map(({ entry }) => entry.text)) : undefined;
    return given?.ok ? given : undefined;
  }, [models]);
  const compared: Compared | undefined = answer && isCounted(answer) ? { ...answer, names, catalog: ledger.catalog() } : undefined;
  const several = (answer?.models.filter(({ ok }) => ok).length ?? 0) > 1;
  return (
    <NamedView value={NAME}>
      <main class="compare" id={`${NAME}-answer`} tabIndex={-1}>
        <div class="sheet-head">
          <div>
            <h2>{words.title}</h2>
            <p class="muted">{example ? words.besides(nameOf(example)) : words.lead}</p>
          </div>
          <div class="tools">
            {state.models.length === 2 && (
              <button type="button" class="quiet" onClick={() => store.act({ type: 'lead', at: 1 })}>
                {words.swap}
              </button>
            )}
            <Arrange act={store.act} direction="undo" disabled={past.length === 0} />
            <Arrange act={store.act} direction="redo" disabled={future.length === 0} />
            <CopyLink link={link} isAddress={isAddress} />
          </div>
        </div>
        <ul class="contenders" aria-label={words.models}>
          {models.map((model, i) => (
            <Contender
              key={i}
              at={i}
              model={model}
              isExample={i >= state.models.length}
              name={names[i]}
              store={store}
              compared={several ? compared : undefined}
            />
          ))}
          {!example && models.length < MAX_MODELS && (
            <li class="contender adding">
              <p class="muted" aria-hidden="true">
                {words.add}
              </p>
              <NamedView value={`${NAME}-add`}>
                <Choose store={store} label={words.add} />
              </NamedView>
            </li>
          )}
        </ul>
        {compared && several && (
          <>
            <PartsOnOneScale compared={compared} />
            <Causes compared={compared} />
            <DifferingFields compared={compared} />
            <MatrixByMatrix compared={compared} />
          </>
        )}
      </main>
    </NamedView>
  );
}

const isCounted = (answer: ModelComparison): answer is Required<ModelComparison> => answer.base !== undefined;

/** Makes equal names distinct by appending numbers. */
const distinct = (names: readonly string[]) =>
  names.map((name, i) =>
    names.indexOf(name) === i ? name : `${name} (${names.slice(0, i).filter((other) => other === name).length + 1})`,
  );

/**
 * The model that a single model is compared with: its version before the edits, or the published model of the nearest size, preferably of
 * the same type and the same publisher, or else of the same type.
 */
function useExample(models: readonly Model[]): Entry | undefined {
  const [published, setPublished] = useState<readonly Published[]>([]);
  const alone = models.length === 1 ? models[0] : undefined;
  // The published models were loaded with the view, so they are available before the first paint, unless loading them failed.
  useLayoutEffect(() => {
    loadPublishedModels().then(setPublished, () => undefined); // without them, only a version before the edits can be the example
  }, []);
  return useMemo(() => {
    if (!alone?.answer.ok) return undefined;
    const { entry, answer } = alone;
    if (entry.base && isEdited(entry)) return { base: entry.base, text: entry.base.text };
    const total = BigInt(answer.totals.parameters);
    const far = ({ parameters }: Published) => (BigInt(parameters) > total ? BigInt(parameters) - total : total - BigInt(parameters));
    // A model that differs by 2 % or less is usually a variant of the same model, and comparing with it shows little.
    const others = published.filter((other) => far(other) * 50n > total);
    const alike = others.filter(({ config }) => (config as { model_type?: string }).model_type === answer.model_type);
    const owner = entry.base?.id.replace(/\/.*/, '/') ?? '';
    const kin = alike.filter(({ id }) => owner !== '' && id.startsWith(owner));
    const [first, ...rest] = [kin, alike, others].find((list) => list.length > 0) ?? [];
    if (!first) return undefined;
    const base = createBase(rest.reduce((best, other) => (far(other) < far(best) ? other : best), first));
    return { base, text: base.text };
  }, [alone?.entry.text, alone?.answer, published]);
}

const Arrange = ({ act, direction, disabled }: { act: Store['act']; direction: 'undo' | 'redo'; disabled: boolean }) => (
  <button
    type="button"
    class="quiet"
    // Uses `aria-disabled`, because a button with `disabled` would lose the focus after the last step.
    aria-disabled={disabled || undefined}
    onClick={() => disabled || act({ type: 'rearrange', direction })}
  >
    {words[direction]}
  </button>
);

interface ContenderProps {
  readonly at: number;
  readonly model: Model;
  /** Whether the model is the example, which the reader has not chosen and which is not among the page's models. */
  readonly isExample: boolean;
  readonly name: string;
  readonly store: Store;
  readonly compared: Compared | undefined;
}

function Contender({ at, model: { entry, answer }, isExample, name, store, compared }: ContenderProps) {
  const { models } = store.state;
  const total = compared?.totals[0];
  const difference = total?.differences[at];
  const edit = () => {
    store.act({ type: 'activate', at });
    store.act({ type: 'view', view: '' });
  };
  return (
    <li class="contender">
      <NamedView value={`${NAME}-${at}`}>
        <Choose
          store={store}
          at={isExample ? undefined : at}
          name={name}
          id={entry.base?.id}
          label={isExample ? words.add : words.replace(name)}
        />
      </NamedView>
      {answer.ok ? (
        <p class="contender-total">
          <strong>{grouped(answer.totals.parameters)}</strong>
          {compared && difference && (
            <span class={at === compared.base || difference === '0' ? 'muted' : 'change'}>
              {at === compared.base ? words.base : words.against(amount(difference), compared.names[compared.base])}
            </span>
          )}
        </p>
      ) : (
        <p class="refusal">
          {words.notCompared} {answer.error.message}
        </p>
      )}
      <p class="contender-tools">
        {isExample ? (
          <button type="button" class="quiet" onClick={() => store.act({ type: 'add', entry })}>
            {words.keep}
          </button>
        ) : (
          <button type="button" class="quiet" aria-label={words.editSpoken(name)} onClick={edit}>
            {words.edit}
          </button>
        )}
        {!isExample && models.length > 2 && at > 0 && (
          <button type="button" class="quiet" aria-label={words.firstSpoken(name)} onClick={() => store.act({ type: 'lead', at })}>
            {words.first}
          </button>
        )}
        {!isExample && models.length > 1 && (
          <button type="button" class="quiet" aria-label={words.removeSpoken(name)} onClick={() => store.act({ type: 'remove', at })}>
            {words.remove}
          </button>
        )}
      </p>
    </li>
  );
}

interface ChooseProps {
  readonly store: Store;
  readonly label: string;
  /** The index of the model to replace; if undefined, the chosen model is added. */
  readonly at?: number;
  readonly name?: string;
  readonly id?: string;
}

const Choose = ({ store, label, at, name = '', id }: ChooseProps) => (
  <Picker
    label={label}
    name={name}
    id={id}
    choices={loadChoices}
    choose={(choice) => void openChoice(store, choice, at)}
    paste={(text) => openPasted(store, text, true, at)}
    openFiles={(files) => void openFiles(store, readFiles(files), at)}
    load={(wanted) => store.act({ type: 'wish', wish: { id: wanted, asked: true, at } })}
  />
);
