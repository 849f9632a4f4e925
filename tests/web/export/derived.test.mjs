// Tests the exports of derivations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { derivedFormats } from '../../../web/export/derived-formats.ts';
import { formatMathml } from '../../../web/export/mathml.ts';
import { ledger } from '../ledger.mjs';

const derivation = ledger.derive({ model_type: 'mixtral', architectures: ['MixtralForCausalLM'], tie_word_embeddings: true });
assert.ok(derivation.ok);
const about = { title: 'A <model> & $more_' };
const text = (/** @type {string} */ id) => derivedFormats.find((format) => format.id === id)?.text(derivation, about) ?? assert.fail(id);

test('Markdown has each formula, as mathematics or as text', () => {
  const math = text('markdown');
  assert.match(math, /^# The parameters of A &lt;model> & \$more_/);
  assert.ok(math.includes('$$3 \\cdot d \\cdot f \\cdot E = 1{,}409{,}286{,}144$$'));
  const plain = text('plain');
  assert.ok(plain.includes('    3·d·f·E\n    = 3 × 4,096 × 14,336 × 8\n    = 1,409,286,144'));
  assert.doesNotMatch(plain, /\$\$/);
  const cells = (/** @type {string} */ name) =>
    plain
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}\` |`))
      ?.split(' | ') ?? [];
  const copies = ['model.embed_tokens.weight', 'model.layers.[0-31].block_sparse_moe.experts.[0-7].w2.weight', 'lm_head.weight'];
  assert.deepEqual(copies.map((name) => [cells(name)[2], cells(name)[4]]), [
    ['32,000 × 4,096', '131,072,000 |'],
    ['8 × (4,096 × 14,336)', '469,762,048 |'],
    ['32,000 × 4,096', '– |'],
  ]); // prettier-ignore
  for (const written of [math, plain]) assert.match(written, /\*\*46,571,520,000\*\*|\*\*46,571,585,536\*\*|\*\*\d[\d,]+\*\*\n$/);
});

test('HTML is standalone, and names are never markup', () => {
  const html = text('html');
  assert.ok(html.includes('<title>The parameters of A &lt;model&gt; &amp; $more_</title>'));
  assert.doesNotMatch(html, /<script|<link|src=|https?:/);
  assert.equal(html.split('<table>').length, html.split('</table>').length);
  assert.match(html, /<msub><mi>feed<\/mi>|<mi>attention<\/mi>/);
});

test('MathML has the parentheses that a formula needs, and no others', () => {
  const symbols = ['L', 'a', 'b'].map((symbol) => ({ symbol, name: symbol, value: '1' }));
  const text = (/** @type {import('../../../web/types/index.ts').Formula} */ formula) =>
    formatMathml(formula, symbols).replace(/<[^>]+>/g, '');
  assert.equal(text(['×', 0, ['+', 1, 2]]), 'L⋅(a+b)');
  assert.equal(text(['+', ['×', 0, 1], 2]), 'L⋅a+b');
});

test('LaTeX contains only letters that it can set', () => {
  const latex = text('latex');
  assert.match(latex, /^[\x20-\x7e\n]*$/);
  assert.ok(latex.includes('\\section*{The parameters of A <model> \\& \\$more\\_}'));
  assert.match(latex, /\\documentclass\{article\}[^]*\\begin\{document\}[^]*\\end\{document\}\n$/);
  assert.equal(latex.split('\\begin{').length, latex.split('\\end{').length);
});

test('the exported article is valid, and a changed one is judged anew', () => {
  const article = JSON.parse(text('article'));
  assert.equal(article.title, 'The parameters of A <model> & $more_');
  const judged = ledger.article(article);
  assert.ok(judged.ok && judged.steps.every(({ verdict }) => verdict === 'right') && judged.total?.verdict === 'right');
  const changed = {
    ...article,
    steps: article.steps.map((/** @type {object} */ step, /** @type {number} */ i) =>
      i === 0 ? { ...step, prints: '131,072,001' } : step,
    ),
  };
  const wrong = ledger.article(changed);
  assert.ok(
    (wrong.ok && wrong.steps[0].verdict === 'wrong' && wrong.total?.verdict === 'carried') ||
      (wrong.ok && wrong.steps[0].verdict === 'wrong'),
  );
});
