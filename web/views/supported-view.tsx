// The view of what is supported: every model type with its classes and how it is tested, and the published models whose totals match.

import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { openChoice } from '../app/opening.ts';
import { loadPublishedModels } from '../models/catalogue.ts';
import type { Published } from '../config/entry.ts';
import { addVerified } from '../core/verified-catalog.ts';
import { grouped, plural } from '../support/numbers.ts';
import * as texts from '../texts/page.ts';
import * as supportedTexts from './supported-texts.ts';
import type { FamilyRow } from '../types/index.ts';
import { NamedView, useIds } from '../parts/basics.tsx';
import type { AskingProps } from './view-props.ts';

const NAME = 'supported';

/** Opens a model or a model type in the first view. */
type Open = (kind: 'model' | 'type', id: string) => void;

export function SupportedView(props: AskingProps) {
  return (
    <NamedView value={NAME}>
      <Supported {...props} />
    </NamedView>
  );
}

function Supported({ store, ledger }: AskingProps) {
  const id = useIds();
  const { families } = useMemo(() => addVerified(ledger.catalog()), [ledger]);
  const [models, setModels] = useState<readonly Published[]>([]);
  const [trouble, setTrouble] = useState('');
  const [filter, setFilter] = useState('');
  // The published models were loaded with the view, so they are available before the first paint, unless loading them failed.
  useLayoutEffect(() => {
    loadPublishedModels().then(setModels, (error: Error) => setTrouble(error.message));
  }, []);
  const ofType = useMemo(() => byType(models), [models]);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = families.filter((family) => words.every((word) => textOf(family, ofType.get(family.model_type)).includes(word)));
  const open: Open = (kind, model) => {
    store.act({ type: 'view', view: '' });
    void openChoice(store, { kind, id: model });
  };
  const classes = families.reduce((sum, { architectures }) => sum + architectures.length, 0);
  const cases = families.reduce((sum, family) => sum + casesOf(family), 0);
  return (
    <main class="supported" id={id('answer')} tabIndex={-1}>
      <div class="sheet-head">
        <h2>{supportedTexts.title}</h2>
        <div class="tools">
          <input
            type="search"
            aria-label={supportedTexts.filter}
            placeholder={supportedTexts.filterHint}
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </div>
      </div>
      <div class="method">
        <p>
          {supportedTexts.sums(
            plural(families.length, 'model type'),
            grouped(classes),
            grouped(cases),
            models.length > 0 ? grouped(models.length) : '',
          )}
        </p>
        {supportedTexts.method.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      {trouble && <p class="error">{trouble}</p>}
      <p class="muted" role="status">
        {words.length > 0 && supportedTexts.found(plural(shown.length, 'model type'))}
      </p>
      <ul class="families">
        {shown.map((family) => (
          <Family key={family.model_type} family={family} models={ofType.get(family.model_type) ?? []} open={open} />
        ))}
      </ul>
    </main>
  );
}

function Family({ family, models, open }: { family: FamilyRow; models: readonly Published[]; open: Open }) {
  const { model_type, summary, architectures, own_code, verified } = family;
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <code>{model_type}</code> <span class="summary">{summary}</span>{' '}
          <span class="muted">{supportedTexts.row(architectures.length, casesOf(family), models.length)}</span>
        </summary>
        {isOpen && (
          <div class="family">
            <p>
              {own_code ? supportedTexts.ownCode : supportedTexts.transformers}{' '}
              <button type="button" class="quiet" onClick={() => open('type', model_type)}>
                {supportedTexts.openType(model_type)}
              </button>
            </p>
            <table class="account">
              <caption>{supportedTexts.classes}</caption>
              <thead>
                <tr>
                  <th scope="col">{supportedTexts.className}</th>
                  <th scope="col" class="digits">
                    {supportedTexts.cases}
                  </th>
                </tr>
              </thead>
              <tbody>
                {architectures.map((name) => (
                  <tr key={name}>
                    <th scope="row">
                      <code>{name}</code>
                    </th>
                    <td class="digits">{grouped(verified.cases[name] ?? 0)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {models.length > 0 && <Models models={models} open={open} />}
          </div>
        )}
      </details>
    </li>
  );
}

const Models = ({ models, open }: { models: readonly Published[]; open: Open }) => (
  <div class="models-box" tabIndex={0} role="region" aria-label={supportedTexts.models}>
    <table class="account">
      <caption>{supportedTexts.models}</caption>
      <thead>
        <tr>
          <th scope="col">{supportedTexts.model}</th>
          <th scope="col">{supportedTexts.owner}</th>
          <th scope="col" class="digits">
            {texts.picture.parameters}
          </th>
          <th scope="col">{supportedTexts.source}</th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ id, name, parameters, source, recorded }) => (
          <tr key={id}>
            <th scope="row">
              <button type="button" class="part" onClick={() => open('model', id)}>
                {name}
              </button>
            </th>
            <td>{id.slice(0, id.indexOf('/'))}</td>
            <td class="digits">{grouped(parameters)}</td>
            <td class="muted">{texts.published.source(source, recorded)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const casesOf = ({ verified }: FamilyRow) => Object.values(verified.cases).reduce((sum, count) => sum + count, 0);

function byType(models: readonly Published[]): Map<string, Published[]> {
  const types = new Map<string, Published[]>();
  for (const model of models) {
    const { model_type: type } = model.config as { model_type: string };
    const known = types.get(type);
    if (known) known.push(model);
    else types.set(type, [model]);
  }
  return types;
}

const textOf = ({ model_type, summary, architectures }: FamilyRow, models: readonly Published[] = []) =>
  [model_type, summary, ...architectures, ...models.flatMap(({ id, name }) => [id, name])].join(' ').toLowerCase();
