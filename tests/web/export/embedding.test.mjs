// Tests the embed code for posts: it must contain the numbers of the answer, and all text in it must be escaped.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from '../ledger.mjs';
import {
  formatBadge,
  formatBadgeMarkdown,
  forms,
  formatFrame,
  formatHtml,
  formatMarkdown,
  formatScript,
  formatSvg,
} from '../../../web/export/embedding.ts';
import { grouped, percent } from '../../../web/support/numbers.ts';

const nasty = '</script><b a="x">|`*';

/** @param {object} config @param {object} [more] */
const embedding = (config, more = {}) => ({
  parts: ['total', 'parts', 'formula', 'table'],
  editable: [],
  theme: '',
  models: [{ entry: { text: JSON.stringify(config), title: nasty }, answer: counted(config) }],
  hashes: ['c=packed'],
  site: 'https://example.org/',
  height: 400,
  colour: () => '#123456',
  ...more,
});

const llama = { model_type: 'llama', num_hidden_layers: 3 };
const gpt2 = { model_type: 'gpt2' };

test('the static forms have every number of the answer', () => {
  for (const config of [llama, gpt2, { model_type: 'mixtral' }]) {
    const { totals, parts, formula, tensors } = counted(config);
    const own = tensors.filter(({ kind }) => kind === 'parameter');
    const numbers = [
      grouped(totals.parameters),
      grouped(formula.value),
      ...parts.flatMap(({ parameters }) => [grouped(parameters), percent(parameters, totals.parameters)]),
      ...own.flatMap(({ total, copies }) => [grouped(total), grouped(copies)]),
    ];
    for (const write of [formatMarkdown, formatHtml, formatSvg]) {
      const text = write(embedding(config)).replaceAll('&lt;', '<');
      for (const number of numbers) assert.ok(text.includes(number), `${config.model_type}: ${number} in ${write.name}`);
      for (const { name } of own) assert.ok(text.includes(name), name);
    }
  }
});

test('the picture has what is requested', () => {
  const number = grouped(counted(gpt2).totals.parameters);
  assert.match(formatSvg(embedding(gpt2, { parts: ['total'] })), new RegExp(`font-size="40"[^>]*>${number}<`));
  assert.doesNotMatch(formatSvg(embedding(gpt2, { parts: ['parts'] })), /font-size="40"/);
});

test('a badge has the abbreviated number, and its Markdown links to the count', () => {
  const one = embedding(gpt2);
  assert.match(formatBadge(one), />124M<[\s\S]*>parameters</);
  assert.match(formatBadge(one), /<title>[^<]*124,439,808 parameters/);
  assert.match(formatBadgeMarkdown(one), /^\[!\[124M parameters\]\(parameters\.svg\)\]\(https:\/\/example\.org\/#/);
});

test('a warning is next to the number', () => {
  for (const write of [formatMarkdown, formatHtml, formatSvg]) {
    assert.match(write(embedding({ ...llama, hidden_sise: 2 })).replace(/<[^>]+>\s*/g, ' '), /Warning: hidden_sise is not a field/);
    assert.doesNotMatch(write(embedding(llama)), /Warning/);
  }
});

test('two models stand side by side', () => {
  const models = [llama, gpt2].map((config) => ({
    entry: { text: JSON.stringify(config), title: config.model_type },
    answer: counted(config),
  }));
  const both = embedding(llama, { parts: ['total', 'compare'], models, hashes: ['t=llama', 't=gpt2'] });
  const text = formatMarkdown(both);
  const ends = [...formatSvg(both).matchAll(/<text x="(\d+)"/g)].map(([, x]) => Number(x));
  assert.deepEqual([Math.min(...ends), Math.max(...ends)], [20, 700], 'within the margins');
  assert.match(text, /\| Part \| llama \| gpt2 \| Difference \|/);
  // Llama with three of its 32 layers of 202,383,360 parameters, two tables of 32,000 × 4,096 and a norm of 4,096.
  assert.ok(text.includes('| **Total** | **869,298,176** | **124,439,808** | **−744,858,368** |'), text);
  assert.doesNotMatch(text, /\*\*llama\*\*:/, 'the number stands in the account');
  assert.ok(text.includes('https://example.org/#compare;t=llama;t=gpt2'));
});

test('names and configurations are escaped everywhere', () => {
  const own = embedding({ ...llama, _name_or_path: nasty });
  const live = formatScript(own);
  assert.equal(live.match(/<script/g)?.length, 2);
  assert.equal(live.match(/<\/script>/g)?.length, 2);
  const config = /<script type="application\/json">([^]*?)<\/script>/.exec(live)?.[1] ?? '';
  assert.equal(JSON.parse(config)._name_or_path, nasty);
  for (const write of [formatScript, formatFrame, formatHtml, formatSvg]) assert.doesNotMatch(write(own), /<b a=/, write.name);
  assert.doesNotMatch(formatMarkdown(own), /<b/);
  assert.doesNotMatch(formatHtml(own) + formatSvg(own), /<script|style=|javascript:/i, 'no script and no style');
});

test('a parenthesis in an address does not end a Markdown link', () => {
  assert.ok(formatMarkdown(embedding(gpt2, { site: 'https://example.org/a)/' })).includes('](https://example.org/a%29/#'));
});

test('the live forms match their description', () => {
  const published = embedding(llama, {
    parts: ['total'],
    editable: [{ field: 'num_hidden_layers', least: '1', most: '80' }],
    theme: 'dark',
    hashes: ['m=meta-llama/Llama-3.1-8B&num_hidden_layers=40'],
  });
  assert.match(formatScript(published), /model="meta-llama\/Llama-3\.1-8B&amp;num_hidden_layers=40" view="total" editable="num_hidden_layers:1-80" theme="dark" style="display: flow-root; min-height: 400px"/); // prettier-ignore
  assert.match(formatScript(published), /<script type="module" src="https:\/\/example\.org\/package\/widget\.js">/);
  assert.match(formatFrame(published), /param-ledger\.html#view=total&amp;editable=num_hidden_layers:1-80&amp;theme=dark;m=meta-llama\/Llama-3\.1-8B&amp;num/); // prettier-ignore
  assert.match(formatFrame(published), /sandbox="allow-scripts allow-downloads /);
  assert.deepEqual(
    forms.map(({ id }) => id),
    ['script', 'frame', 'markdown', 'html', 'svg', 'badge', 'badgeMarkdown'],
  );
});
