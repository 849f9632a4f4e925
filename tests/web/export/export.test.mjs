import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { counted, ledger } from '../ledger.mjs';
import { formatCsv } from '../../../web/export/csv.ts';
import { formatJson } from '../../../web/export/json.ts';
import { breakFormula, formatLatex } from '../../../web/export/latex.ts';
import { formatMarkdown } from '../../../web/export/markdown.ts';
import { listNames } from '../../../web/export/names.ts';
import { formatPlain } from '../../../web/export/plain.ts';
import { formatPython } from '../../../web/export/python.ts';
import { COLOURS, DARK, formatSvg } from '../../../web/drawings/svg.ts';
import { formats } from '../../../web/export/formats.ts';

/** @type {import('../../../web/config/entry.ts').Published[]} */
const models = JSON.parse(readFileSync(new URL('../../../web/data/models.json', import.meta.url), 'utf8'));
const published = models.map(({ id, config }) => ({ id, answer: counted(config) }));
const byId = (/** @type {string} */ id) => published.find((model) => model.id === id)?.answer;

const llama = counted({ model_type: 'llama', architectures: ['LlamaForCausalLM'] });
const [first] = JSON.parse(JSON.stringify(llama.tensors));

test('the CSV has plain digits and one line per row', () => {
  const lines = formatCsv(llama).trimEnd().split('\r\n');
  assert.equal(lines.length, llama.tensors.length + 1);
  assert.match(lines[0], /^name,kind,part,shape,/);
  assert.ok(lines[1].startsWith('model.embed_tokens.weight,parameter,embedding,32000 x 4096,1,131072000,131072000,'));
});

test('a cell that a spreadsheet would execute is shown as text', () => {
  const rows = ['=HYPERLINK("x")', '+1', '-1', '@x', 'plain "quoted"'].map((name) => ({ ...first, name }));
  const cells = formatCsv({ ...llama, tensors: rows })
    .split('\r\n')
    .slice(1, -1);
  assert.ok(cells[0].startsWith('"\'=HYPERLINK(""x"")"'));
  assert.ok(cells[1].startsWith("'+1,"));
  assert.ok(cells[2].startsWith("'-1,"));
  assert.ok(cells[3].startsWith("'@x,"));
  assert.ok(cells[4].startsWith('"plain ""quoted""",'));
});

test('a spreadsheet gets the encoding and rounds no number', () => {
  const text = formatCsv({ ...llama, tensors: [{ ...first, total: '123456789012345678' }] }, { spreadsheet: true });
  assert.ok(text.startsWith('\ufeffname,'));
  assert.ok(text.includes(',131072000,"=""123456789012345678""",'), text);
  const written = (/** @type {string} */ total) => formatCsv({ ...llama, tensors: [{ ...first, total }] }, { spreadsheet: true });
  assert.ok(written('1234567890123456').includes(',"=""1234567890123456""",'), 'sixteen digits would be rounded');
  assert.ok(written('123456789012345').includes(',131072000,123456789012345,'), 'fifteen are kept');
});

test('the full CSV has one line per tensor', () => {
  const lines = formatCsv(llama, { expanded: true }).trimEnd().split('\r\n');
  assert.equal(lines.length, 1 + 1 + 32 * 10 + 2);
  assert.ok(lines.includes('model.layers.31.mlp.down_proj.weight,parameter,feed_forward,4096 x 11008,45088768'));
  const many = { ...llama, tensors: [{ ...first, name: 'x.[0-1048575]', copies: '1048576' }] };
  assert.throws(() => formatCsv(many, { expanded: true }), /more tensors than a spreadsheet has rows/);
});

test('the names are those of the checkpoint, each once', () => {
  const all = [...listNames(byId('deepseek-ai/DeepSeek-V3'))];
  assert.equal(new Set(all).size, all.length);
  assert.ok(all.includes('model.layers.60.mlp.experts.255.down_proj.weight'));
  assert.ok(!all.some((name) => name.includes('[') || name.startsWith('model.layers.61.')), 'without what only files hold');
  assert.deepEqual(
    [...listNames({ tensors: [{ ...first, name: 'a.[0,2-3].b.[8-9]' }] })].join(),
    'a.0.b.8,a.0.b.9,a.2.b.8,a.2.b.9,a.3.b.8,a.3.b.9',
  );
});

test('the Markdown has the total and no name can break it', () => {
  const text = formatMarkdown({ ...llama, notes: [], tensors: [{ ...first, name: 'a|b<img>`\n' }] }, 'x | <b>');
  assert.match(text, /6,738,415,616 parameters/);
  assert.match(text, /\| `a\\\|b&lt;img>' ` \|/);
  assert.ok(text.startsWith('**x \\| &lt;b>**'));
});

test('a tied tensor is marked instead of having a total', () => {
  const gpt2 = counted({ model_type: 'gpt2', architectures: ['GPT2LMHeadModel'] });
  assert.match(formatMarkdown(gpt2, 'x'), /\n\| `lm_head\.weight` \(tied\) .*\| 1 \| – \|\n/);
  assert.match(formatMarkdown(gpt2, 'x'), /\n\| `transformer\.wpe\.weight` .*\| 1 \| 786,432 \|\n/);
  const written = formatLatex(gpt2, 'x');
  assert.ok(written.includes('& $1$ & tied to \\texttt{transformer.\\allowbreak{}wte.\\allowbreak{}weight} \\\\'), written);
  assert.ok(written.includes('& $1$ & $786{,}432$ \\\\'));
});

test('the JSON is the answer', () => {
  const text = formatJson(llama);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(llama)));
  assert.deepEqual(JSON.parse(text).tensors[0].math, ['×', 0, 1]);
  assert.equal(JSON.parse(text).tensors[0].substitution, '32,000 × 4,096');
});

test('the text cites its source', () => {
  const text = formatPlain(llama, { title: 'Llama', address: 'https://example.org/#t=llama', date: '2026-11-21' });
  assert.match(text, /^Llama: 6,738,415,616 parameters \(6\.74 billion\)\n/);
  assert.match(text, /\n {2}Feed-forward +4,328,521,728 +64\.24%\n/);
  assert.match(text, /by Param Ledger, 2026-11-21: 6,738,415,616 parameters.* https:\/\/example\.org\/#t=llama\n$/);
});

test('the Python program gives the same number for every published model and every model type', { timeout: 120_000 }, () => {
  const types = ledger.catalog().families.map(({ model_type }) => ledger.count({ model_type }));
  const answers = [...published.map(({ answer }) => answer), ...types.filter(({ ok }) => ok)];
  assert.ok(answers.length > 300);
  const programs = answers.map((answer) => [formatPython(answer, 'a "model"\nof ours'), answer.totals.parameters]);
  const check = `import json, sys
for text, wanted in json.load(sys.stdin):
    space = {"__name__": "formula"}
    exec(text, space)
    assert space["parameters"]() == int(wanted), text`;
  const { status, stderr } = spawnSync('python3', ['-c', check], { input: JSON.stringify(programs), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  // Changing a field must also change the values that are derived from it.
  const halved = `${formatPython(byId('meta-llama/Llama-3.1-8B'), 'x')}\nprint(parameters(num_hidden_layers=16))`;
  const wanted = counted({ ...models[0].config, num_hidden_layers: 16 }).totals.parameters;
  assert.match(execFileSync('python3', ['-'], { input: halved, encoding: 'utf8' }), new RegExp(`^${wanted}$`, 'm'));
});

test('a formula is broken before the terms of its sums, and each parenthesis is closed', () => {
  const symbols = ['L', 'a', 'b'].map((symbol) => ({ symbol, name: symbol, value: '1' }));
  assert.deepEqual(breakFormula(['×', 0, ['+', 1, 2]], symbols), ['L \\cdot (a + b)']);
  const sum = /** @type {import('../../../web/types/index.ts').Formula} */ (['+', ...Array(40).fill(1)]);
  const [first, second] = breakFormula(['+', ['×', 0, sum], 2], symbols);
  // A line has at most 64 characters, not counting spaces and LaTeX commands: here `L (a` and 30 more terms.
  assert.equal(first, `L \\cdot (a${' + a'.repeat(30)}`);
  assert.equal(second, `${Array(9).fill('+ a').join(' ')}) + b`);
});

const hasLatex = spawnSync('pdflatex', ['--version']).status === 0;
const typical = [
  'meta-llama/Llama-3.1-8B',
  'deepseek-ai/DeepSeek-V3',
  'meta-llama/Llama-3.2-11B-Vision-Instruct',
  'openai-community/gpt2-xl',
];

test('the LaTeX compiles', { timeout: 120_000, skip: !hasLatex && 'there is no pdflatex here' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'param-ledger-latex-'));
  try {
    const sheets = typical.map((id) => formatLatex(byId(id), `${id}: 100 % & #1_{$x^2~\\}`));
    const text = `\\documentclass{article}\n\\usepackage{amsmath,longtable}\n\\begin{document}\n${sheets.join('\n')}\\end{document}\n`;
    writeFileSync(join(folder, 'x.tex'), text);
    const { status, stdout } = spawnSync('pdflatex', ['-interaction=nonstopmode', '-halt-on-error', 'x.tex'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout.slice(-2000));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the LaTeX of every published model is ASCII, with balanced braces and environments', () => {
  for (const { id, answer } of published) {
    const text = formatLatex(answer, id);
    assert.ok(!/[^\n\x20-\x7e]/.test(text), id);
    let depth = 0;
    for (const [token] of text.matchAll(/\\.|[{}]/gs)) {
      depth += token === '{' ? 1 : token === '}' ? -1 : 0;
      assert.ok(depth >= 0, id);
    }
    assert.equal(depth, 0, id);
    assert.deepEqual(
      [...text.matchAll(/\\(begin|end)\{(\w+\*?)\}/g)].map(([, what, name]) => `${what} ${name}`),
      ['begin align*', 'end align*', 'begin longtable', 'end longtable'],
    );
    assert.equal((text.replaceAll('\\$', '').match(/\$/g)?.length ?? 0) % 2, 0, id);
  }
  assert.match(formatLatex(byId('meta-llama/Llama-3.1-8B'), 'x'), /P &= 2 \\cdot V \\cdot d .*n_\{\\mathrm\{kv\}\}/);
});

test('a picture as a file has its styles inside, in the page’s light colours, and loads nothing', () => {
  const tokens = readFileSync(new URL('../../../web/styles/tokens.css', import.meta.url), 'utf8');
  for (const [name, colour] of Object.entries(DARK)) assert.match(tokens, new RegExp(`--${name}: .*var\\(--dark, ${colour}\\)`), name);
  for (const [name, colour] of Object.entries(COLOURS)) assert.match(tokens, new RegExp(`--${name}: .*var\\(--light, ${colour}\\)`), name);
  const text = formatSvg({
    width: 100,
    height: 50,
    title: 'a <b> & "c"',
    shapes: [
      { is: 'box', x: 1, y: 2, width: 3, height: 4, look: 'solid', part: 'norm', title: '<i>' },
      { is: 'text', x: 1, y: 2, text: 'x < y', face: 'code' },
      { is: 'line', points: [0, 0, 0, 10], arrow: true },
      { is: 'sum', x: 5, y: 5 },
    ],
  });
  assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="132" height="82"/);
  assert.ok(!/(href|url|class|style)=|<[bi]>/.test(text.replace('xmlns=', '')), text);
  assert.ok(text.includes('fill="#59646e"') && text.includes('x &lt; y') && text.includes('M0 10L'));
});

test('every export has a description and works for any model', () => {
  assert.equal(new Set(formats.map((/** @type {any} */ { label }) => label)).size, formats.length);
  for (const { label, meaning, text } of formats) {
    assert.ok(label && meaning);
    assert.ok(text(byId('meta-llama/Llama-3.2-11B-Vision-Instruct'), { title: 'x' }).length > 200, label);
  }
});

test('warnings are part of every textual export', () => {
  const doubtful = counted({ model_type: 'llama', n_layer: 2, num_hidden_layers: 4, hidden_sise: 64 });
  assert.ok(doubtful.notes.some(({ level }) => level === 'warning'));
  for (const { id, text } of formats.filter(({ type }) => type !== 'text/csv')) {
    const written = text(doubtful, { title: 'Mine' }).replaceAll('\\_', '_');
    assert.match(written, /hidden_sise is not a field of this model type and is ignored/, id);
    assert.equal(/Warning/.test(text(llama, { title: 'Llama' })), false, id);
  }
  const comments = formatPython(doubtful, 'Mine').split('def ')[0].trim().split('\n');
  assert.ok(comments.every((line) => line.startsWith('#')));
});

test('copies for a spreadsheet have tabs between cells, and long numbers keep their digits', () => {
  const lines = formatCsv(llama, { tabs: true }).split('\r\n').slice(0, -1);
  assert.equal(lines.length, llama.tensors.length + 1);
  assert.deepEqual(lines[0].split('\t').slice(0, 4), ['name', 'kind', 'part', 'shape']);
  for (const line of lines) assert.equal(line.split('\t').length, lines[0].split('\t').length);
  assert.ok(!lines.some((line) => line.includes('\ufeff')));
  const [first] = llama.tensors;
  const [, spread] = formatCsv({ ...llama, tensors: [{ ...first, name: 'a\tb\r\nc' }] }, { tabs: true }).split('\r\n');
  assert.ok(spread.startsWith('a b c\tparameter\tembedding\t'), spread);
  assert.ok(
    formatCsv({ ...llama, tensors: [{ ...first, total: '123456789012345678' }] }, { tabs: true }).includes('\t="123456789012345678"\t'),
  );
});
