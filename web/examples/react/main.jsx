// A widget in React 19, which supports the attributes, properties and events of custom elements. Any bundler can bundle this file.

import 'param-ledger/define';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const MODELS = ['meta-llama/Llama-3.1-8B', 'Qwen/Qwen3-0.6B', 'openai/gpt-oss-20b'];

function App() {
  const [model, choose] = useState(MODELS[0]);
  const [said, say] = useState('');
  return (
    <main>
      <h1>How large is it?</h1>
      <p>
        <label>
          Model{' '}
          <select value={model} onChange={(event) => choose(event.target.value)}>
            {MODELS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </p>
      <param-ledger model={model} view="total parts" onledger-answer={({ detail }) => say(detail.answer.totals.parameters)}>
        {model}
      </param-ledger>
      <p>
        The page knows it too: <output>{said}</output>
      </p>
    </main>
  );
}

createRoot(document.getElementById('app')).render(<App />);
