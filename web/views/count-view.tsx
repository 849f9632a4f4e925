// The first view: the count of one model. If the page has several models, the reader can switch between them.

import { createParameterCounter } from '../answer/parameter-counter.ts';
import { MAX_MODELS } from '../config/link.ts';
import { firstModel } from '../models/catalogue.ts';
import { nameOf } from '../models/model.ts';
import { COMPARE_VIEW } from '../app/store.ts';
import * as texts from '../texts/page.ts';
import { Segmented } from '../parts/buttons.tsx';
import type { ViewProps } from './view-props.ts';
import { ModelView } from './model-view.tsx';

/** The prefix of element ids in this view. */
const NAME = 'model';

export function CountView({ store, state: { models, active, preferences }, link, isAddress }: ViewProps) {
  const isFirstVisit = !preferences.asked && models.length === 1 && models[0].entry.base === firstModel;
  return (
    <>
      {models.length > 1 && (
        <div class="model-tabs">
          <Segmented
            label={texts.link.models}
            name="active"
            choices={models.map(({ entry }, i) => [String(i), nameOf(entry)] as const)}
            chosen={String(active)}
            choose={(at) => store.act({ type: 'activate', at: Number(at) })}
          />
          <button type="button" class="quiet" onClick={() => store.act({ type: 'view', view: COMPARE_VIEW })}>
            {texts.views.compare}
          </button>
        </div>
      )}
      <ModelView
        key={active}
        name={NAME}
        model={models[active]}
        writing={preferences.writing}
        act={store.act}
        counting={createParameterCounter(store.counter)}
        link={link}
        isAddress={isAddress}
        below={isFirstVisit && <Questions ask={() => store.act({ type: 'prefer', preferences: { asked: true } })} />}
        pin={models.length < MAX_MODELS ? () => store.act({ type: 'pin' }) : undefined}
      />
    </>
  );
}

/** Example questions with links, shown as long as the page has only its initial model, until one of the links has been used. */
const Questions = ({ ask }: { ask: () => void }) => (
  <ul class="questions" aria-label={texts.questions.title}>
    {texts.questions.asked.map(([question, hash]) => (
      <li key={hash}>
        <a href={hash} onClick={ask}>
          {question}
        </a>
      </li>
    ))}
  </ul>
);
