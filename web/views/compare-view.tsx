// Two to four models beside one another: their parts on one scale, why they differ, by which fields, and matrix by matrix.

import { useMemo } from 'preact/hooks';
import { allChoices, openChoice, openFiles, pasted } from '../app/opening.ts';
import { modelBase } from '../lib/models/catalogue.ts';
import { readFiles } from '../lib/inputs/files.ts';
import { MAX_MODELS } from '../lib/models/link.ts';
import { nameOf } from '../lib/models/model.ts';
import * as words from '../lib/texts/compare-texts.ts';
import * as texts from '../lib/texts/page-texts.ts';
import type { ModelComparison } from '../lib/types.ts';
import type { Store } from '../app/store.ts';
import { NamedView } from '../parts/basics.tsx';
import { CopyButton } from '../parts/buttons.tsx';
import { amount, Causes, DifferingFields, MatrixByMatrix, PartsOnOneScale, type Compared } from '../parts/comparison.tsx';
import { Picker } from '../parts/picker.tsx';
import { grouped } from '../lib/texts/format.ts';
import type { AskingProps } from './view-props.ts';

const NAME = 'compare';

export function CompareView({ store, ledger, state, link, isAddress }: AskingProps) {
  const { models, past, future } = state;
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
            <p class="muted">{models.length > 1 ? words.lead : words.alone}</p>
          </div>
          <div class="tools">
            <Arrange act={store.act} direction="undo" disabled={past.length === 0} />
            <Arrange act={store.act} direction="redo" disabled={future.length === 0} />
            <CopyButton
              label={isAddress ? texts.link.copy : texts.link.fragment}
              title={isAddress ? texts.link.copyTitle : texts.link.fragmentTitle}
              text={link}
              instead={texts.link.tooLongToCopy}
            />
          </div>
        </div>
        <ul class="contenders" aria-label={words.models}>
          {models.map((_, i) => (
            <Contender key={i} at={i} name={names[i]} store={store} compared={several ? compared : undefined} />
          ))}
          {models.length < MAX_MODELS && (
            <li class="contender adding">
              <p class="muted" aria-hidden="true">
                {words.add}
              </p>
              <NamedView value={`${NAME}-add`}>
                <Choose store={store} label={words.add} />
              </NamedView>
              {models.length === 1 && (
                <p>
                  <button type="button" class="quiet" onClick={() => void showExample(store)}>
                    {words.example}
                  </button>
                </p>
              )}
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

/** One model twice is told apart by its place. */
const distinct = (names: readonly string[]) =>
  names.map((name, i) =>
    names.indexOf(name) === i ? name : `${name} (${names.slice(0, i).filter((other) => other === name).length + 1})`,
  );

async function showExample(store: Store): Promise<void> {
  const [two, three] = await Promise.all([modelBase('meta-llama/Llama-2-7b-hf'), modelBase('meta-llama/Meta-Llama-3-8B')]);
  if (!two || !three) return;
  store.act({ type: 'open', entry: { base: two, text: two.text }, at: 0 });
  store.act({ type: 'add', entry: { base: three, text: three.text } });
}

const Arrange = ({ act, direction, disabled }: { act: Store['act']; direction: 'undo' | 'redo'; disabled: boolean }) => (
  <button
    type="button"
    class="quiet"
    // Not disabled: the focus would be lost with the last step.
    aria-disabled={disabled || undefined}
    onClick={() => disabled || act({ type: 'rearrange', direction })}
  >
    {words[direction]}
  </button>
);

interface ContenderProps {
  readonly at: number;
  readonly name: string;
  readonly store: Store;
  readonly compared: Compared | undefined;
}

function Contender({ at, name, store, compared }: ContenderProps) {
  const { models } = store.state;
  const { entry, answer } = models[at];
  const total = compared?.totals[0];
  const difference = total?.differences[at];
  const edit = () => {
    store.act({ type: 'activate', at });
    store.act({ type: 'view', view: '' });
  };
  return (
    <li class="contender">
      <NamedView value={`${NAME}-${at}`}>
        <Choose store={store} at={at} name={name} id={entry.base?.id} label={words.replace(name)} />
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
        <button type="button" class="quiet" aria-label={words.editSpoken(name)} onClick={edit}>
          {words.edit}
        </button>
        {models.length > 1 && (
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
  /** In the place of which model; where it is not said in addition. */
  readonly at?: number;
  readonly name?: string;
  readonly id?: string;
}

const Choose = ({ store, label, at, name = '', id }: ChooseProps) => (
  <Picker
    label={label}
    name={name}
    id={id}
    choices={allChoices}
    choose={(choice) => void openChoice(store, choice, at)}
    paste={(text) => pasted(store, text, true, at)}
    openFiles={(files) => void openFiles(store, readFiles(files), at)}
    load={(wanted) => store.act({ type: 'wish', wish: { id: wanted, asked: true, at } })}
  />
);
