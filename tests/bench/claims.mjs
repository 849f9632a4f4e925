// Prints the speed of checks and searches in Node: the time to check a claim for several models, and the number of points of a search space
// searched per second. Needs web/dist.

import { whole } from '../../web/dist/package/param-ledger.js';

const ledger = await whole();

const models = {
  'Llama 2 70B': {
    model_type: 'llama',
    hidden_size: 8192,
    num_hidden_layers: 80,
    num_attention_heads: 64,
    num_key_value_heads: 8,
    intermediate_size: 28672,
  },
  'DeepSeek-V3': { model_type: 'deepseek_v3', num_nextn_predict_layers: 1 },
};
for (const [name, config] of Object.entries(models)) {
  const claims = ['6.74B', '671B', '78,109,736,960', '13.5 GB in fp16', '7,123,456,789'];
  const rounds = 10;
  for (const claim of claims) ledger.check(config, claim);
  const start = performance.now();
  for (let i = 0; i < rounds; i++) for (const claim of claims) ledger.check(config, claim);
  const each = (performance.now() - start) / rounds / claims.length;
  console.log(`${name.padEnd(14)} ${each.toFixed(1).padStart(7)} ms a claim, ${Math.round(1000 / each)} a second`);
}

const start = performance.now();
const answer = ledger.search(
  { model_type: 'llama', vocab_size: 128256 },
  {
    target: '405B',
    vary: [
      { field: 'num_hidden_layers', from: 60, to: 130 },
      { field: 'hidden_size', from: 8192, to: 24_576, step: 256 },
      { field: 'num_attention_heads', values: [64, 96, 128] },
      { field: 'num_key_value_heads', values: [8, 16] },
      { field: 'intermediate_size', from: 16_384, to: 65_536, step: 128 },
    ],
    limits: [{ field: 'hidden_size', over: 'num_attention_heads', least: 64, most: 256 }],
  },
);
if (!answer.ok) throw new Error(answer.error.message);
const seconds = (performance.now() - start) / 1000;
const share = Number(answer.points) / Number(answer.evaluations);
console.log(
  `search         ${(seconds * 1000).toFixed(0).padStart(7)} ms for ${answer.points} points: ${Math.round(Number(answer.points) / seconds)} a second, one evaluation for ${share.toFixed(0)} points`,
);
