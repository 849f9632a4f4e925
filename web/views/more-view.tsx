// The More view: a card for each view that has no tab, with an example for the current model.

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { MORE_VIEW } from '../app/store.ts';
import { articles } from '../data/articles.ts';
import { lessons } from '../data/lessons.ts';
import { loadPublishedModels } from '../models/catalogue.ts';
import { shownNameOf } from '../models/model.ts';
import type { Published } from '../config/entry.ts';
import { grouped, shapeText, typedShort } from '../support/numbers.ts';
import { splitName } from '../answer/tensor-names.ts';
import * as checkTexts from '../texts/check.ts';
import type { Ledger } from '../core/ledger.ts';
import type { CountAnswer } from '../types/index.ts';
import { NamedView } from '../parts/basics.tsx';
import * as moreTexts from './more-texts.ts';
import type { AskingProps } from './view-props.ts';

interface MoreProps extends AskingProps {
  /** The views without a tab. */
  readonly views: readonly { readonly id: string; readonly title: string }[];
}

/** The maximum number of tensors in an example. */
const FIRST_TENSORS = 3;

let published: readonly Published[] = [];

/** Loads the published models for the example of the Models view. If that fails, this view has no example. */
export async function prepareExamples(): Promise<void> {
  published = await loadPublishedModels().catch(() => []);
}

export function MoreView({ store, ledger, link, views, state: { models, active } }: MoreProps) {
  const model = models[active];
  const examples = useMemo(
    () => (model.shown ? drawExamples(model.shown, (model.shownOf ?? model.entry).text, ledger) : {}),
    [model.shown, ledger],
  );
  /** Sets a link's address. It contains the models, so it is written only when the link is about to be used. */
  const aim = async (event: Event, id: string) => {
    const anchor = event.currentTarget as HTMLAnchorElement;
    anchor.href = (await link(id))?.replace(/^[^#]*/, '') || `#${id}`;
  };
  const follow = (event: MouseEvent, id: string) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    store.act({ type: 'view', view: id });
    scrollTo(0, 0);
  };
  return (
    <NamedView value={MORE_VIEW}>
      <main class="column" id={`${MORE_VIEW}-answer`} tabIndex={-1}>
        <div class="view-lead">
          <h2>{moreTexts.title}</h2>
          <p class="muted">{moreTexts.lead}</p>
        </div>
        <ul class="cards" aria-label={shownNameOf(model)}>
          {views.map(({ id, title }) => (
            <li key={id}>
              <h3>
                <a
                  href={`#${id}`}
                  onClick={(event) => follow(event, id)}
                  onPointerEnter={(event) => void aim(event, id)}
                  onFocus={(event) => void aim(event, id)}
                >
                  {title}
                </a>
              </h3>
              <p>{moreTexts.purposes[id]}</p>
              <p class="example">{examples[id]}</p>
            </li>
          ))}
        </ul>
      </main>
    </NamedView>
  );
}

/** The examples, by view id. */
function drawExamples(answer: CountAnswer, config: string, ledger: Ledger): Readonly<Record<string, ComponentChildren>> {
  const { parameters } = answer.totals;
  const claim = typedShort(parameters);
  const checked = ledger.check(config, claim);
  return {
    derive: <code>{answer.formula.symbols}</code>,
    check: checked.ok && moreTexts.claims(claim, checkTexts.verdicts[checkTexts.shown(checked)].toLowerCase()),
    target: moreTexts.around(claim),
    design: <code>{describeSizes(answer)}</code>,
    models: describeNeighbours(parameters),
    supported: moreTexts.types(ledger.catalog().families.length),
    lessons: describeLesson(),
    articles: judgeArticle(ledger),
    read: answer.tensors.slice(0, FIRST_TENSORS).map(({ name, shape }) => (
      <code key={name}>
        {splitName(name).join('.')} {shapeText(shape)}
      </code>
    )),
    embed: <span class="badge">{moreTexts.badge(claim)}</span>,
  };
}

/** The fields that matter most, such as width, depth and vocabulary size, with their values. */
const describeSizes = ({ fields }: CountAnswer) =>
  fields
    .filter(({ headline, value, source }) => headline && value !== undefined && source !== 'ignored')
    .map(({ name, value }) => `${name} ${grouped(String(value))}`)
    .join(', ');

/** A text with the published models just below and just above in size; empty if either is missing. */
function describeNeighbours(parameters: string): string {
  const size = (model: Published) => BigInt(model.parameters);
  const own = BigInt(parameters);
  const below = published.filter((model) => size(model) < own).reduce(larger, undefined as Published | undefined);
  const above = published.filter((model) => size(model) > own).reduce(smaller, undefined as Published | undefined);
  return below && above ? moreTexts.between(below.name, above.name) : '';
}

const larger = (a: Published | undefined, b: Published) => (a && BigInt(a.parameters) >= BigInt(b.parameters) ? a : b);
const smaller = (a: Published | undefined, b: Published) => (a && BigInt(a.parameters) <= BigInt(b.parameters) ? a : b);

function describeLesson(): string {
  const [first] = Object.values(lessons);
  return moreTexts.lesson(first.title, first.screens.length);
}

/** Says how many steps are right and how many are wrong in the first worked article that has a wrong step. */
function judgeArticle(ledger: Ledger): string {
  for (const article of Object.values(articles)) {
    const judged = ledger.article(article);
    if (!judged.ok) continue;
    const count = (verdict: string) => judged.steps.filter((step) => step.verdict === verdict).length;
    if (count('wrong') > 0) return moreTexts.article(article.title, count('right'), count('wrong'));
  }
  return '';
}
