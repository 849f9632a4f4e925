// Designs a model: it starts from a template or from the settings that come closest to an existing model, and is then edited like any
// other.

import { useMemo, useState } from 'preact/hooks';
import { createParameterCounter } from '../answer/parameter-counter.ts';
import { nameOf } from '../models/model.ts';
import { toGenericConfig, type GenericConfig, type UnmatchedTensors } from '../models/generic-config.ts';
import * as texts from './design-texts.ts';
import { grouped } from '../support/numbers.ts';
import { MAX_MODELS } from '../config/link.ts';
import type { AskingProps } from './view-props.ts';
import { ModelView } from './model-view.tsx';

const NAME = 'design';

/** A small model with grouped-query attention, a gated MLP and RMSNorm. The other templates change or add settings. */
const GROUPED = {
  model_type: 'generic',
  architectures: ['GenericForCausalLM'],
  hidden_size: 2048,
  num_hidden_layers: 24,
  vocab_size: 32_000,
  norm: 'rms_norm',
  num_attention_heads: 16,
  num_key_value_heads: 4,
  gated_mlp: true,
  intermediate_size: 5632,
};

const TEMPLATES: readonly (readonly [name: string, config: object])[] = [
  [texts.templates.dense, { ...GROUPED, num_key_value_heads: 16 }],
  [texts.templates.grouped, GROUPED],
  [
    texts.templates.mixture,
    { ...GROUPED, num_experts: 32, num_experts_per_tok: 4, moe_intermediate_size: 1408, n_shared_experts: 1, first_k_dense_replace: 1 },
  ],
  [
    texts.templates.hybrid,
    {
      ...GROUPED,
      layer_types: Array.from({ length: GROUPED.num_hidden_layers }, (_, i) => (i % 6 === 5 ? 'full_attention' : 'mamba2')),
      mamba_n_heads: 64,
      mamba_d_head: 64,
      mamba_d_state: 128,
    },
  ],
];

const textOf = (config: object) => `${JSON.stringify(config, null, 2)}\n`;

export function DesignView({ store, ledger, state: { models, active, preferences }, link, isAddress }: AskingProps) {
  const model = models[active];
  const { shown, entry } = model;
  const name = nameOf(entry);
  const design = shown?.model_type === 'generic' ? shown : undefined;
  // Finds the settings that come closest to the current model, to show them before the user decides.
  const apart = useMemo(
    () => (shown && model.shownOf && !design ? toGenericConfig(shown, ledger, model.shownOf.text) : undefined),
    [shown, ledger, model.shownOf?.text],
  );
  const [taken, setTaken] = useState<{ readonly of: string; readonly text: string; readonly result: GenericConfig }>();
  const begin = (text: string, title: string) => store.act({ type: 'open', entry: { text, title } });
  const lead = (
    <div class="design-head">
      <h2>{texts.title}</h2>
      <p class="take-away">
        <span>{texts.begin}</span>
        {TEMPLATES.map(([template, config]) => (
          <button
            key={template}
            type="button"
            class={design ? 'quiet' : undefined}
            onClick={() => begin(textOf(config), texts.templateTitle(template))}
          >
            {template}
          </button>
        ))}
        {apart && (
          <button
            type="button"
            class="primary"
            title={texts.apartTitle}
            onClick={() => {
              const text = textOf(apart.config);
              setTaken({ of: name, text, result: apart });
              begin(text, texts.ownTitle(name));
            }}
          >
            {texts.apart(name)}
          </button>
        )}
      </p>
    </div>
  );
  if (!design)
    return (
      <main class="column" id={`${NAME}-answer`} tabIndex={-1}>
        {lead}
        <p class="muted">{texts.lead}</p>
        {apart && (
          <>
            <Settings caption={texts.settings(name)} config={apart.config} />
            <div role="status">
              <Result of={name} result={apart} />
            </div>
          </>
        )}
      </main>
    );
  return (
    <>
      <section class="column" aria-label={texts.title}>
        {lead}
        <div role="status">{taken?.text === entry.text && <Result {...taken} />}</div>
      </section>
      <ModelView
        key={active}
        name={NAME}
        model={model}
        writing={preferences.writing}
        act={store.act}
        counting={createParameterCounter(ledger)}
        link={link}
        isAddress={isAddress}
        pin={models.length < MAX_MODELS ? () => store.act({ type: 'pin' }) : undefined}
      />
    </>
  );
}

/** The settings of a design as a table. */
const Settings = ({ caption, config }: { caption: string; config: GenericConfig['config'] }) => (
  <table class="account design-settings">
    <caption>{caption}</caption>
    <thead>
      <tr>
        <th scope="col">{texts.setting.name}</th>
        <th scope="col">{texts.setting.value}</th>
      </tr>
    </thead>
    <tbody>
      {Object.entries(config)
        .filter(([name]) => name !== 'architectures')
        .map(([name, value]) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              {typeof value === 'number' ? grouped(value) : typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ')}
            </td>
          </tr>
        ))}
    </tbody>
  </table>
);

function Result({ of, result: { exact, transposed, missing, extra, refused } }: { of: string; result: GenericConfig }) {
  if (refused !== undefined) return <p class="refusal">{texts.refused(refused)}</p>;
  if (exact)
    return (
      <p>
        {texts.exact(of)} {transposed && texts.transposed}
      </p>
    );
  return (
    <>
      <p>{texts.inexact(of)}</p>
      {missing.length > 0 && <Unsaids caption={texts.missing} unsaid={missing} />}
      {extra.length > 0 && <Unsaids caption={texts.extra} unsaid={extra} />}
    </>
  );
}

const MOST = 12;

function Unsaids({ caption, unsaid }: { caption: string; unsaid: readonly UnmatchedTensors[] }) {
  return (
    <table class="account">
      <caption>{unsaid.length > MOST ? `${caption} (${MOST} of ${unsaid.length})` : caption}</caption>
      <thead>
        <tr>
          <th scope="col">{texts.columns.names}</th>
          <th scope="col">{texts.columns.shape}</th>
          <th scope="col" class="digits">
            {texts.columns.copies}
          </th>
        </tr>
      </thead>
      <tbody>
        {unsaid.slice(0, MOST).map(({ shape, copies, names }) => (
          <tr key={names[0]}>
            <th scope="row">
              <code>{names.length > 2 ? `${names.slice(0, 2).join(', ')}, …` : names.join(', ')}</code>
            </th>
            <td>{shape}</td>
            <td class="digits">{grouped(copies)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
