import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { counted } from '../ledger.mjs';
import { drawCard } from '../../../web/drawings/card-drawing.ts';
import { formatSvg } from '../../../web/drawings/svg.ts';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(await readFile(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));

test('a card has number, active, files, parts, formula, source and address in 1200 by 630, for every published model', () => {
  for (const { id, name, config } of models) {
    const answer = counted(config);
    const drawing = drawCard(answer, { name, source: 'published', address: 'https://example.org/' });
    for (const shape of drawing.shapes)
      if (shape.is === 'box') assert.ok(shape.x + shape.width <= drawing.width && shape.y + shape.height <= drawing.height, id);
    assert.match(formatSvg(drawing), /^<svg [^>]*width="1200" height="630"/);
  }
  const deepseek = models.find(({ id }) => id === 'deepseek-ai/DeepSeek-V3');
  const { shapes } = drawCard(counted(deepseek?.config ?? {}), {
    name: 'DeepSeek-V3',
    source: 'published',
    address: 'https://example.org/',
  });
  const said = shapes.flatMap((shape) => (shape.is === 'text' ? [shape.text] : []));
  assert.deepEqual(said.slice(0, 3), ['DeepSeek-V3', '671,026,404,352', '671B total  ·  37.6B active (5.60%)  ·  685B in the files']);
  assert.ok(
    said.includes('Routed experts, idle 94.40%') && said.includes('Attention 1.70%') && said.includes('One of 58 layers, to scale'),
    said.join('; '),
  );
  const [experts] = shapes.flatMap((shape) => (shape.is === 'field' && shape.count > 1 ? [shape] : []));
  assert.deepEqual([experts.count, experts.used], [256, 8]);
  const llama = models.find(({ id }) => id === 'meta-llama/Llama-3.1-8B');
  const matrices = drawCard(counted(llama?.config ?? {}), { name: 'Llama' }).shapes.flatMap((shape) =>
    shape.is === 'box' && shape.look === 'matrix' ? [shape.width * shape.height] : [],
  );
  assert.deepEqual(
    matrices.map((area) => Math.round((area / matrices[0]) * 100) / 100),
    [1, 0.25, 0.25, 1, 3.5, 3.5, 3.5],
    'q, k, v, o, gate, up, down',
  );
  assert.deepEqual(said.slice(-2), ['published', 'Param Ledger: https://example.org/']);
});
