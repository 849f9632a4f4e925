// The view of worked articles, which are step-by-step counts, with a verdict on each step. Some come with the page; others are the user's
// own or come from a link.

import { parseConfig } from '../config/config-text.ts';
import { articles } from '../data/articles.ts';
import { useMemo, useState } from 'preact/hooks';
import { nameOf } from '../models/model.ts';
import type { ArticleChoice } from '../settings/article-choice.ts';
import * as words from '../settings/articles-texts.ts';
import * as texts from '../texts/page.ts';
import type { Ledger } from '../core/ledger.ts';
import type { Article, ArticleAnswer, ArticleStep, JudgedStep } from '../types/index.ts';
import { NamedView, useIds } from '../parts/basics.tsx';
import { CopyButton, SaveButton } from '../parts/buttons.tsx';
import { Waterfall } from '../parts/waterfall.tsx';
import type { AskingProps } from './view-props.ts';

const NAME = 'articles';
const FIRST = 'llama-2-70b';

export function ArticlesView({ store, ledger, state, link, isAddress }: AskingProps) {
  // Articles are read-only until the user first clicks a button to write or edit one. Those that come with the page are always read-only.
  const [writing, setWriting] = useState(false);
  const choice = state.details.articles ?? { kind: 'shipped', id: FIRST };
  const put = (now: ArticleChoice) => store.act({ type: 'show', details: { articles: now } });
  const model = state.models[state.active];
  const article =
    choice.kind === 'own'
      ? choice.article
      : choice.kind === 'shipped'
        ? articles[Object.hasOwn(articles, choice.id) ? choice.id : FIRST]
        : undefined;
  const own = choice.kind !== 'shipped';
  const text = choice.kind === 'broken' ? choice.text : JSON.stringify(article, null, own ? undefined : 2);
  return (
    <NamedView value={NAME}>
      <main class="column articles" id={`${NAME}-answer`} tabIndex={-1}>
        <div class="view-lead">
          <h2>{words.title}</h2>
          <p class="muted">{words.lead}</p>
        </div>
        <ul class="choices" aria-label={words.list}>
          {Object.entries(articles).map(([id, { title }]) => (
            <li key={id}>
              <button type="button" class="quiet" aria-pressed={!own && id === choice.id} onClick={() => put({ kind: 'shipped', id })}>
                {title}
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              class="quiet"
              aria-pressed={own}
              onClick={() => {
                setWriting(true);
                if (!own) put({ kind: 'own', article: createArticle(nameOf(model.entry), model.answer.ok ? model.entry.text : undefined) });
              }}
            >
              {words.write}
            </button>
          </li>
        </ul>
        {choice.kind === 'broken' && <p class="refusal">{choice.trouble}</p>}
        {article && (
          <Worked
            key={own ? '' : choice.id}
            article={article}
            own={own && writing}
            put={(changed) => put({ kind: 'own', article: changed })}
            ledger={ledger}
          />
        )}
        {article?.model && !own && <Ours key={choice.kind === 'shipped' ? choice.id : ''} model={article.model} ledger={ledger} />}
        <div class="take-away">
          {!(own && writing) && article && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                setWriting(true);
                if (!own) put({ kind: 'own', article });
              }}
            >
              {words.edit}
            </button>
          )}
          <CopyButton
            label={isAddress ? texts.link.copy : texts.link.fragment}
            title={words.share}
            text={link}
            instead={texts.link.tooLongToCopy}
          />
          <CopyButton
            label={words.embed}
            title={words.embedTitle}
            text={async () => {
              const address = await link();
              return address && words.frame(address, article?.title ?? '');
            }}
            instead={texts.link.tooLongToCopy}
          />
          <SaveButton
            label={words.save}
            title={words.saveTitle}
            fileName={() => 'article.json'}
            type="application/json"
            content={() => text}
          />
        </div>
      </main>
    </NamedView>
  );
}

/** Param Ledger's own derivation of the article's model, to compare with the article. */
function Ours({ model, ledger }: { model: object; ledger: Ledger }) {
  const [isOpen, setOpen] = useState(false);
  const derivation = useMemo(() => (isOpen ? ledger.derive(model) : undefined), [isOpen, model]);
  return (
    <details class="ours" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{words.ours}</summary>
      {derivation?.ok && <Worked article={derivation.article} own={false} put={() => undefined} ledger={ledger} />}
    </details>
  );
}

/** The starting point of a new article. */
function createArticle(name: string, config: string | undefined): Article {
  const model = config === undefined ? { model_type: 'llama' } : parseConfig(config);
  return {
    title: words.untitled(name),
    setting: model,
    model,
    steps: [{ name: 'tokens', says: words.firstStep, expression: 'vocab_size * hidden_size', prints: '' }],
    total: { says: words.total, expression: 'tokens', prints: '' },
  };
}

interface WorkedProps {
  readonly article: Article;
  readonly own: boolean;
  readonly put: (article: Article) => void;
  readonly ledger: Ledger;
}

function Worked({ article, own, put, ledger }: WorkedProps) {
  const id = useIds();
  const answer = useMemo(() => ledger.article(article), [article]);
  const change = (changed: Partial<Article>) => put({ ...article, ...changed });
  return (
    <article class="sheet worked">
      {own ? (
        <p class="field-line">
          <label for={id('title')}>{words.titleLabel}</label>
          <input id={id('title')} value={article.title} onInput={(event) => change({ title: event.currentTarget.value })} />
        </p>
      ) : (
        <h3 class="article-title">{article.title}</h3>
      )}
      {article.source && <Source source={article.source} own={own} />}
      {own ? <Settings article={article} change={change} /> : <Setting article={article} />}
      {!answer.ok ? (
        <p class="refusal" role="status">
          {answer.error.field && <code>{answer.error.field}</code>} {answer.error.message}
        </p>
      ) : (
        <>
          <StepsTable article={article} answer={answer} change={own ? change : undefined} />
          {answer.waterfall.length > 1 && (
            <Waterfall
              caption={words.waterfall}
              bars={answer.waterfall.map((bar) => ({ ...bar, label: words.bars[bar.kind](bar.label) }))}
            />
          )}
        </>
      )}
    </article>
  );
}

function Source({ source, own }: { source: NonNullable<Article['source']>; own: boolean }) {
  return (
    <p class="muted">
      {words.source}{' '}
      {source.url?.startsWith('https://') ? (
        <a href={source.url} rel="noopener noreferrer">
          {source.name}
        </a>
      ) : (
        source.name + (own ? '' : words.noAddress)
      )}
      {source.note !== undefined && `. ${source.note}`}
    </p>
  );
}

/** Shows the configuration and the symbols of an article. They cannot be edited here. */
const Setting = ({ article }: { article: Article }) => (
  <p class="setting">
    <span class="muted">{words.setting}</span>
    {Object.entries(article.setting ?? {}).map(
      ([field, value]) =>
        field !== 'architectures' && <code key={field}>{`${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`}</code>,
    )}
    {Object.entries(article.names ?? {}).map(([name, meaning]) => (
      <code key={name}>{`${name} = ${meaning}`}</code>
    ))}
  </p>
);

interface StepsProps {
  readonly article: Article;
  readonly answer: Extract<ArticleAnswer, { readonly ok: true }>;
  /** Changes the article. Absent while the article is read-only. */
  readonly change?: (changed: Partial<Article>) => void;
}

function StepsTable({ article: { steps, total }, answer, change }: StepsProps) {
  const changeStep = (at: number, step: ArticleStep | undefined) =>
    change?.({ steps: steps.flatMap((other, i) => (i === at ? (step ?? []) : other)) });
  return (
    <>
      <table class="account steps">
        <caption class="spoken">{words.steps}</caption>
        <thead>
          <tr>
            <th scope="col">{words.says}</th>
            <th scope="col">{words.expression}</th>
            <th scope="col" class="digits">
              {words.prints}
            </th>
            <th scope="col">{words.verdict}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, i) => (
            <Step key={i} step={step} judged={answer.steps[i]} edit={change && ((changed) => changeStep(i, changed))} at={i + 1} />
          ))}
          {total && (
            <Step
              step={total}
              judged={answer.total}
              edit={change && ((changed) => change({ total: changed }))}
              at={steps.length + 1}
              total
            />
          )}
        </tbody>
      </table>
      {change && (
        <p class="take-away">
          <button type="button" class="quiet" onClick={() => change({ steps: [...steps, { says: '', expression: '', prints: '' }] })}>
            {words.addStep}
          </button>
          {!total && (
            <button type="button" class="quiet" onClick={() => change({ total: { says: words.total, expression: '', prints: '' } })}>
              {words.addTotal}
            </button>
          )}
        </p>
      )}
    </>
  );
}

function Settings({ article, change }: { article: Article; change: (changed: Partial<Article>) => void }) {
  return (
    <>
      <Config label={words.settingLabel} name="setting" value={article.setting} put={(setting) => change({ setting })} />
      <Config label={words.modelLabel} name="model" value={article.model} put={(model) => change({ model })} />
    </>
  );
}

/** A configuration as editable text. Invalid JSON stays in the field, and is applied once it is valid. */
function Config({
  label,
  name,
  value,
  put,
}: {
  label: string;
  name: string;
  value: object | undefined;
  put: (value: object | undefined) => void;
}) {
  const id = useIds()(name);
  const type = (event: Event) => {
    const area = event.currentTarget as HTMLTextAreaElement;
    try {
      const typed: unknown = area.value.trim() === '' ? undefined : JSON.parse(area.value);
      if (typed !== undefined && (typeof typed !== 'object' || typed === null || Array.isArray(typed))) throw new Error(words.noObject);
      area.setCustomValidity('');
      area.removeAttribute('aria-invalid');
      put(typed as object | undefined);
    } catch (error) {
      area.setCustomValidity((error as Error).message);
      area.setAttribute('aria-invalid', 'true');
    }
  };
  return (
    <p class="field-line">
      <label for={id}>{label}</label>
      <textarea id={id} rows={3} spellcheck={false} onInput={type}>
        {value ? JSON.stringify(value) : ''}
      </textarea>
    </p>
  );
}

interface StepProps {
  readonly step: ArticleStep;
  readonly judged?: JudgedStep;
  readonly at: number;
  readonly total?: boolean;
  /** Changes the step, or removes it if the argument is `undefined`. Absent while the article is read-only. */
  readonly edit?: (step: ArticleStep | undefined) => void;
}

function Step({ step, judged, at, total = false, edit }: StepProps) {
  const input = (member: 'name' | 'says' | 'expression' | 'prints', label: string) => (
    <input
      class={`step-${member}`}
      aria-label={words.ofStep(label, at)}
      placeholder={label}
      value={step[member] ?? ''}
      spellcheck={member === 'says'}
      onInput={(event) => edit?.({ ...step, [member]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <tr class={total ? 'sum-line' : undefined} data-verdict={judged?.verdict}>
      <th scope="row">
        {edit ? (
          <>
            {input('says', words.says)} {!total && input('name', words.name)}
          </>
        ) : (
          <>
            {step.says} {step.name !== undefined && <code class="muted">{step.name}</code>}
          </>
        )}
      </th>
      <td>{edit ? input('expression', words.expression) : step.expression !== undefined && <code>{step.expression}</code>}</td>
      <td class="digits">{edit ? input('prints', words.prints) : step.prints}</td>
      <td class="step-verdict">
        {judged && (judged.verdict !== 'unprinted' || judged.sentence !== undefined) && (
          <>
            <strong>{words.verdicts[judged.verdict]}</strong> {judged.sentence}
          </>
        )}
        {edit && !total && (
          <button type="button" class="quiet" title={words.removeStep(at)} onClick={() => edit(undefined)}>
            {words.remove}
          </button>
        )}
      </td>
    </tr>
  );
}
