// A page with two models, each with its own store, the second in a shadow root. `several.test.mjs` opens it.

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { createStore, type Store } from '../../web/app/store.ts';
import { loadCounter, loadFullCounter } from '../../web/core/counter.ts';
import { lazyCounter } from '../../web/core/lazy-counter.ts';
import { ModelView } from '../../web/views/model-view.tsx';

function Hosted({ name, store }: { name: string; store: Store }) {
  const [{ models, preferences }, draw] = useState(store.state);
  useEffect(() => store.subscribe(draw), [store]);
  return <ModelView name={name} model={models[0]} writing={preferences.writing} act={store.act} />;
}

const counter = lazyCounter(await loadCounter(), loadFullCounter);
const style = await (await fetch('style.css')).text();

const light = document.createElement('div');
light.id = 'light';
document.body.append(light);
render(<Hosted name="a" store={createStore(counter, { text: '{"model_type": "llama"}' })} />, light);

const host = document.createElement('div');
host.id = 'shadow';
document.body.append(host);
const root = host.attachShadow({ mode: 'open' });
const sheet = new CSSStyleSheet();
sheet.replaceSync(style);
root.adoptedStyleSheets = [sheet];
const inner = document.createElement('div');
root.append(inner);
render(<Hosted name="b" store={createStore(counter, { text: '{"model_type": "gpt2"}' })} />, inner);

document.documentElement.dataset.ready = '';
