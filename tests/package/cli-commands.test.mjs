// Tests the commands of the command line: exit codes, formats, and invalid input.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, run, small } from './cli.mjs';
import { dataLines } from '../data.mjs';
import { temporaryFolder } from '../folder.mjs';

const folder = temporaryFolder();
const text = JSON.stringify(small);
const file = join(folder, 'small.json');
writeFileSync(file, text);

test('what a printed model does not show can be given', () => {
  const { text: input } = dataLines('printed_models.jsonl.gz').find(({ id }) => id === 'openai/gpt-oss-20b');
  assert.match(run(['read'], { input }).out, /^[\d,]+ parameters shown; the text does not show all of them/m);
  const fields = ['num_attention_heads=64', 'num_local_experts=32', 'intermediate_size=2880', 'tie_word_embeddings=false'];
  assert.match(run(['read', ...fields.flatMap((field) => ['--field', field])], { input }).out, /^20,914,757,184 parameters/m);
  assert.equal(run(['read', '--field', 'num_local_experts'], { input }).code, 2);
});

test('a command may be written as an option', () => {
  const words = [file, '--context', '10', '--json'];
  assert.equal(run(['--memory', ...words]).out, run(['memory', ...words]).out);
});

test('Ctrl-C stops a search, which prints its results so far', async () => {
  const fields = ['num_hidden_layers', 'hidden_size', 'intermediate_size', 'vocab_size', 'num_attention_heads', 'head_dim'];
  const vary = fields.flatMap((field) => ['--vary', `${field}=1..999999`]);
  /** @param {number} patience milliseconds before Ctrl-C */
  const stopped = async (patience) => {
    const searching = spawn(process.execPath, [cli, 'search', 'llama', '123456789123456789', '--json', '--uneven', ...vary]);
    let out = '';
    searching.stdout.on('data', (piece) => (out += piece));
    setTimeout(() => searching.kill('SIGINT'), patience);
    const [code] = await once(searching, 'close');
    // Ctrl-C ended the process before the search could handle it, so the test tries again with more time.
    return code === null ? stopped(2 * patience) : { code, answer: JSON.parse(out) };
  };
  const { code, answer } = await stopped(1000);
  assert.equal(code, 0);
  assert.deepEqual([answer.done, answer.exact, answer.points], [false, false, '999994000014999980000014999994000001']); // 999,999^6
  assert.equal(answer.found.length, 20);
});

const refused = '{"model_type": "llama", "hidden_size": "x"}';

/** Commands must answer a refused configuration, or a text that is not a configuration, with exit code 1 and, if requested, with JSON. */
test('a refusal gives exit code 1 and, with --json, an answer', () => {
  for (const words of [['-'], ['memory', '-'], ['check', '-', '7B'], ['search', '-', '7B', '--vary', 'num_hidden_layers=1..2']]) {
    const plain = run(words, { input: refused });
    assert.deepEqual([plain.code, plain.out], [1, ''], words.join(' '));
    assert.match(plain.errors, /hidden_size/);
    const { code, out } = run([...words, '--json'], { input: refused });
    assert.equal(code, 1);
    assert.deepEqual([JSON.parse(out).ok, JSON.parse(out).error.field], [false, 'hidden_size'], words.join(' '));
  }
  for (const words of [['-'], ['memory', '-']]) {
    const { code, out } = run([...words, '--json'], { input: 'no configuration at all' });
    assert.equal(code, 1);
    assert.equal(JSON.parse(out).ok, false);
  }
  // The refused model must not prevent the others from being counted.
  const several = run([file, '-', file, '--json'], { input: refused });
  assert.equal(several.code, 1);
  assert.deepEqual(several.out.split(/^\n?(?=\{$)/m).map((one) => JSON.parse(one).ok), [true, false, true]); // prettier-ignore
});

test('count and explain as JSON', () => {
  assert.deepEqual(run([file, '--json']).out, run([file, '--format', 'json']).out);
  const field = JSON.parse(run([file, '--explain', 'intermediate_size', '--json']).out);
  assert.deepEqual([field.name, field.value, field.source], ['intermediate_size', 128, 'given']);
});

test('check: 0 if right, also under a convention; 1 if nothing gives the number', () => {
  for (const [number, code, verdict] of /** @type {const} */ ([
    ['95,040', 0, /^Exactly: 95,040/],
    ['95K', 0, /^Agrees: /],
    ['88,640', 0, /88,640 = .*95,040.* 6,400/], // without the embedding table or the head, which have 100 × 64 parameters each
    ['12,345', 1, /^(Unexplained|Not quite): /],
    ['95,041', 1, /^(Unexplained|Not quite): /],
  ])) {
    const { code: exit, out } = run(['check', file, ...number.split(' ')]);
    assert.equal(exit, code, number);
    assert.match(out, verdict);
    const json = run(['check', file, number, '--json']);
    assert.deepEqual([json.code, JSON.parse(json.out).agreeing.length > 0], [code, code === 0], number);
  }
  assert.equal(run(['check', file, 'no number']).code, 1);
  assert.equal(run(['check', 'no-such-model', '7B']).code, 2);
});

test('read: 0 if complete and equal to the configuration; 1 if partial, different or without tensors', () => {
  const list = run([file, '--format', 'csv']).out.split('\n');
  assert.ok(list.length > 5);
  const names = run([file, '--format', 'names']).out.trim().split('\n');
  const shape = (/** @type {string} */ name) =>
    /norm/.test(name) ? '[64]' : /embed|head/.test(name) ? '[100, 64]' : /gate|up/.test(name) ? '[128, 64]' : /down/.test(name) ? '[64, 128]' : '[64, 64]'; // prettier-ignore
  const whole = names.map((name) => `${name}: ${shape(name)}\n`).join('');
  for (const [input, options, code, said] of /** @type {const} */ ([
    ['a.weight: [2, 3]\nb.weight: [4]\n', [], 0, /^10 parameters/m],
    [whole, [], 0, /^95,040 parameters/m],
    [whole, ['--config', file], 0, /^95,040 parameters/m],
    [whole.replace('[128, 64]', '[64, 128]'), ['--config', file], 1, /^95,040 parameters/m],
    [whole.replace(/^lm_head.*\n/m, ''), ['--config', file], 1, /^88,640 parameters/m],
    ['a.weight: [2, 3]\nb.weight: [4\n', [], 1, /^6 parameters/m],
    [text, [], 1, /^$/],
    ['nothing of the kind', [], 1, /^$/],
    ['', [], 1, /^$/],
  ])) {
    const { code: exit, out } = run(['read', ...options], { input });
    assert.equal(exit, code, `${input} ${options.join(' ')}`);
    assert.match(out, said);
    assert.equal(run(['read', '--json', ...options], { input }).code, code);
  }
  assert.equal(run(['read', '--config', 'no-such-model'], { input: whole }).code, 2);
  const { check } = JSON.parse(run(['read', '--json', '--config', file], { input: whole }).out);
  assert.deepEqual([check.agrees, check.totals.matched], [true, '95040']);
});

test('article: 0 if right, also under a convention; 1 for a step that is wrong, in a wrong unit, misread, carried or unreadable', () => {
  const embedding = { name: 'emb', says: 'the embedding', expression: 'vocab_size * hidden_size', prints: '6,400' };
  const wrong = { name: 'q', says: 'q', expression: 'hidden_size * hidden_size', prints: '4,100' };
  for (const [steps, code, verdicts] of /** @type {const} */ ([
    [[embedding], 0, ['right']],
    [[{ ...embedding, prints: undefined }], 0, ['unprinted']],
    [[embedding, wrong], 1, ['right', 'wrong']],
    [[{ ...wrong, prints: '4,096', matrix: ['hidden_size / 2', '2 * hidden_size'] }], 1, ['misread']], // no matrix is 32 × 128
    [[{ ...embedding, prints: '6.4M' }], 1, ['unit']],
    [
      [
        { ...wrong, prints: '4,096' },
        { says: 'both', expression: 'q +', prints: '1' },
      ],
      1,
      ['right', 'unreadable'],
    ],
    [[{ says: 'q and k', expression: '2 * hidden_size * hidden_size', prints: '8,192', tensors: ['q_proj', 'k_proj'] }], 0, ['convention']],
  ])) {
    const input = JSON.stringify({ title: 'Ours', setting: small, model: small, steps });
    const { code: exit, out } = run(['article', '-'], { input });
    assert.equal(exit, code, out);
    assert.match(out, /^Ours\n/);
    const answer = JSON.parse(run(['article', '-', '--json'], { input }).out);
    assert.deepEqual(answer.steps.map(({ verdict }) => verdict), verdicts); // prettier-ignore
  }
  // A step that follows correctly from a wrong step must be reported as carrying its error.
  const carried = JSON.stringify({
    title: 'Ours',
    setting: small,
    steps: [wrong, { says: 'twice', expression: '2 * q', prints: '8,200' }],
  });
  assert.match(run(['article', '-'], { input: carried }).out, /Carries an earlier error/);
  for (const bad of ['', '{}', 'x', '{"title": "x"}']) {
    const { code, errors } = run(['article', '-'], { input: bad });
    assert.equal(code, 1, bad);
    assert.match(errors, /^param-ledger: .+\n$/);
    assert.equal(JSON.parse(run(['article', '-', '--json'], { input: bad }).out).ok, false, bad);
  }
});

test('search: the nearest by all or by active parameters; 1 if nothing is found', () => {
  const mixture = join(folder, 'mixture.json');
  writeFileSync(mixture, JSON.stringify({ ...small, model_type: 'mixtral', architectures: ['MixtralForCausalLM'], num_key_value_heads: 4, num_local_experts: 4, num_experts_per_tok: 2 })); // prettier-ignore
  // Embedding and head of 100 × 64 and a norm of 64; in each layer 4 × 64 × 64 for attention, two norms, a router of 4 × 64, and experts of
  // 3 × 64 × 128 each.
  const layers = (/** @type {number} */ count, /** @type {number} */ experts) => 12_864 + count * (16_384 + 128 + 256 + experts * 24_576);
  assert.deepEqual([layers(2, 4), layers(3, 2)], [243_008, 210_624]);
  const nearest = (/** @type {string[]} */ ...options) => JSON.parse(run(['search', mixture, '210,624', '--vary', 'num_hidden_layers=1..4', '--json', ...options]).out).found[0]; // prettier-ignore
  assert.deepEqual(nearest('--active'), { total: '210624', difference: '0', fields: { num_hidden_layers: 3 } });
  assert.deepEqual(nearest(), { total: '243008', difference: '32384', fields: { num_hidden_layers: 2 } });
  const { code, out } = run(['search', mixture, '210,624', '--vary', 'num_hidden_layers=1,3', '--active', '--most', '1']);
  assert.equal(code, 0);
  assert.match(out, /^parameters +off by +num_hidden_layers\n *210,624 +0 +3\n$/);
  const sizes = JSON.parse(run(['search', file, '1', '--vary', 'vocab_size=1k..4k/1k', '--json']).out).found;
  assert.deepEqual(sizes.map((/** @type {{ fields: object }} */ { fields }) => fields), [1, 2, 3, 4].map((n) => ({ vocab_size: n * 1024 }))); // prettier-ignore
  // With 1, 2, 3 and 4 layers, the ratio of the hidden size of 64 to the number of layers is 64, 32, 21.3 and 16.
  const depths = (/** @type {string} */ limit) => JSON.parse(run(['search', file, '1', '--vary', 'num_hidden_layers=1..4', '--limit', `hidden_size/num_hidden_layers=${limit}`, '--json']).out).found.map((/** @type {any} */ { fields }) => fields.num_hidden_layers); // prettier-ignore
  assert.deepEqual([depths('20..'), depths('..22'), depths('20..22')], [[1, 2, 3], [3, 4], [3]]); // prettier-ignore
  const none = run(['search', file, '1M', '--vary', 'num_hidden_layers=1..2', '--limit', 'hidden_size/num_hidden_layers=1..2']);
  assert.deepEqual([none.code, none.out.trim()], [1, 'parameters  off by']);
  const open = run(['search', file, '1M', '--vary', 'num_hidden_layers=1..2', '--limit', 'hidden_size/num_hidden_layers=..']);
  assert.equal(open.code, 2);
  assert.match(open.errors, /--limit needs FIELD\/OTHER=A\.\.B, not hidden_size\/num_hidden_layers=\.\.\n/);
});

test('memory: sizes as people write them, whether it fits, adapters', () => {
  const options = ['memory', file, '--dtype', 'bfloat16'];
  // 95,040 parameters of two bytes; keys and values of 4 heads of 16 dimensions in 2 layers, two bytes each.
  const answer = JSON.parse(run([...options, '--context', '128k', '--json']).out);
  assert.deepEqual([answer.tokens, answer.weights.loaded.bytes, answer.cache.total.bytes], ['131072', '190080', String(131_072 * 512)]);
  assert.match(run([...options, '--context', '128k']).out, /Cache in llama\.cpp, f16 +67,108,864/);
  for (const [gb, code] of /** @type {const} */ ([
    ['1', 0],
    ['0.068', 0],
    ['0.067', 1],
    ['68MB', 0],
    ['64MiB', 1],
    ['0.0336495', 1],
  ])) {
    // prettier-ignore
    const words = [...options, '-n', '131,072', '--gb', gb];
    assert.equal(run([...words, '--fits']).code, code, gb);
    assert.equal(run(words).code, 0, 'without --fits it is only told');
    assert.equal(run([...words, '--fits', '--json']).code, code);
  }
  assert.match(
    run([...options, '--context', '128k', '--gb', '0.067', '--fits']).errors,
    /It does not fit: it needs 67\.3 MB, and only 67\.0 MB is available/,
  );
  assert.equal(run([...options, '-n', '128k', '--gb', '0.0337', '--devices', '2', '--fits']).code, 0);
  // LoRA of rank 8 on two matrices of 64 × 64 in each of two layers.
  const { training } = JSON.parse(run([...options, '--lora', '8', '--modules', 'q,v', '--json']).out);
  assert.equal(training.trained, String(2 * 2 * 8 * 128));
  assert.equal(JSON.parse(run([...options, '--lora', '8', '--json']).out).training.trained, training.trained);
  assert.equal(JSON.parse(run([...options, '--lora', '8', '--modules', 'q_proj v_proj', '--json']).out).training.trained, training.trained);
  // DoRA adds a magnitude for each of 64 outputs. With --save, the whole head of 100 × 64 is trained and has no adapter.
  const trained = (/** @type {string[]} */ ...words) =>
    JSON.parse(run([...options, '--lora', '8', ...words, '--json']).out).training.trained;
  assert.equal(trained('--dora'), String(2 * 2 * (8 * 128 + 64)));
  assert.equal(trained('--save', 'lm_head'), String(2 * 2 * 8 * 128 + 100 * 64));
  assert.equal(JSON.parse(run([...options, '--train', '--json']).out).training.trained, '95040');
  assert.match(run([...options, '--optimizer', 'sgd', '--stage', '3', '--devices', '2']).out, /Training[^]*95,040 parameters are trained/);
  assert.equal(JSON.parse(run(['memory', 'bert', '--lora', '1', '--modules', 'q', '--json']).out).training.trained, String(12 * 2 * 768));
  assert.match(run(['memory', 'gpt2', '--lora', '1', '--modules', 'q']).errors, /the model has no module q; it has .*c_attn/);
  assert.equal(JSON.parse(run(['memory', file, file, '--json']).out.split(/^(?=\{$)/m)[1]).ok, true);
});

test('memory: tokens of decoder and encoder, sequences and beams', () => {
  const cached = (/** @type {string[]} */ ...words) =>
    JSON.parse(run(['memory', 't5', '--context', '10', '--json', ...words]).out).cache.total.bytes;
  // The cache of an encoder-decoder: keys and values of 8 heads of 64 dimensions in 6 layers, two bytes each, for each token of the decoder
  // and again for each token of the encoder.
  const token = 2 * 8 * 64 * 6 * 2;
  assert.equal(cached(), String(20 * token));
  assert.equal(cached('--source', '100'), String(110 * token));
  assert.equal(cached('--batch', '3'), String(60 * token));
  assert.equal(cached('--batch', '3', '--beams', '4'), String(240 * token));
});

test('devices: contents by each plan, two plans, training, exchanges; 1 if it does not fit or divide', () => {
  const json = (/** @type {string[]} */ ...words) => JSON.parse(run(['devices', ...words, '--json']).out);
  const llama = 'meta-llama/Llama-3.1-8B';
  assert.equal(json(llama, '--tp', '8').ranks[0].parameters, '1004015616');
  assert.equal(json(llama, '--tp', '8', '--plan', 'megatron').ranks[0].parameters, '1004802048');
  assert.equal(run(['devices', llama, '--tp', '8', '--gb', '2', '--fits']).code, 1);
  assert.equal(run(['devices', llama, '--tp', '8', '--gb', '3', '--fits']).code, 0);
  const refused = run(['devices', llama, '--tp', '3', '--plan', 'vllm']);
  assert.equal(refused.code, 1);
  assert.match(refused.errors, /3 devices do not divide num_attention_heads = 32, as vLLM requires\. The nearest numbers that do: 2 and 4/);
  const { differences } = json(llama, '--plan', 'vllm', '--tp', '16', '--against', '16').against;
  const key = differences.find((/** @type {{name: string}} */ { name }) => name.endsWith('k_proj.weight'));
  assert.deepEqual([key.first.shape, key.second.shape], [[128, 4096], [64, 4096]]); // prettier-ignore
  const both = run(['devices', llama, '--plan', 'vllm', '--tp', '16', '--against', '16']).out;
  assert.match(both, /Where the plans differ, and why/);
  assert.match(both, /There are 8 key-value heads for 16 devices\. Each device holds one head, and each head is on 2 devices\./);
  const trained = run(['devices', llama, '--plan', 'megatron', '--tp', '8', '--train', '--stage', '1', '--dp', '4', '--sent']).out;
  assert.match(trained, /Optimizer states +8,038,416,384 +2,009,604,096/);
  assert.match(trained, /Attention, forward +all-reduce +8 +4,096 +32 +131,072/);
  assert.equal(run(['devices', llama, '--against', 'deepspeed-8']).code, 2);
});

test('devices: one device, also next to a plan that lacks it; plans are compared by their heaviest devices', () => {
  const json = (/** @type {string[]} */ ...words) => JSON.parse(run(['devices', file, ...words, '--json']).out);
  // Every device holds the five norms of 64. The other parameters are divided.
  const share = (/** @type {number} */ devices) => String((95_040 - 320) / devices + 320);
  const parameters = (/** @type {any} */ { ranks }) => ranks.map((/** @type {{ parameters: string }} */ one) => one.parameters);
  assert.deepEqual(parameters(json('--tp', '2', '--rank', '0')), [share(2)]);
  const last = json('--tp', '4', '--rank', '3', '--against', '2');
  assert.deepEqual([parameters(last), parameters(last.against.answer)], [[share(4)], [share(2)]]);
  // The second stage is heavier under both plans, because it holds the final norm. vLLM pads its head to 128 tokens.
  const { heaviest, against } = json('--plan', 'vllm', '--pp', '2', '--against', '1x2');
  assert.deepEqual([heaviest, against.answer.heaviest], [1, 1]);
  assert.deepEqual(against.differences.map((/** @type {any} */ { name, first, second }) => [name, first.shape, second.shape]), [['lm_head.weight', [128, 64], [100, 64]]]); // prettier-ignore
});

test('devices: a table of all tensors, with whole shapes before local ones', () => {
  const table = (/** @type {string} */ format) => run(['devices', file, '--tp', '2', '--format', format]).out;
  assert.match(
    table('csv'),
    /^devices,stage,tensor,full shape,local shape,rule,parameters\n0-1,0,model\.embed_tokens\.weight,100 x 64,50 x 64,embedding,3200\n/,
  );
  assert.match(table('markdown'), /\n\| 0-1 \| 0 \| lm_head\.weight \| 100 x 64 \| 50 x 64 \| column \| 3200 \|\n$/);
});

test('compare: the causes add up, as a table and as JSON; 1 if a model is refused', () => {
  const { code, out } = run(['compare', 'meta-llama/Llama-2-7b-hf', 'meta-llama/Meta-Llama-3-8B']);
  assert.equal(code, 0);
  assert.match(out, /vocab_size: 32000 → 128256 +\+788,529,152/);
  assert.match(out, /num_key_value_heads: 32 → 8 +−805,306,368/);
  assert.match(out, /intermediate_size: 11008 → 14336 +\+1,308,622,848 +8,030,261,248/);
  assert.doesNotMatch(out, /q_proj/);
  assert.match(run(['compare', file, file, '--set', 'num_key_value_heads=2', '--all']).out, /k_proj[^\n]*64 × 64 [^\n]*32 × 64/);
  const [base, changed] = JSON.parse(run(['--compare', file, file, '--set', 'vocab_size=200', '--json']).out).totals[0].values;
  assert.equal(BigInt(changed) - BigInt(base), 12800n); // two tables of 100 × 64 more
  const other = run(['compare', file, '-'], { input: refused });
  assert.equal(other.code, 1);
  assert.match(other.errors, /hidden_size/);
});

test('types: all, filtered by name, as JSON', () => {
  const types = JSON.parse(run(['types', 'GPT_neo', '--json']).out);
  assert.deepEqual(types.map((/** @type {{ model_type: string }} */ { model_type }) => model_type), ['gpt_neo', 'gpt_neox', 'gpt_neox_japanese']); // prettier-ignore
  assert.ok(run(['types']).out.trim().split('\n').length > 180);
});

test('models: filters, columns and order in every format; 1 if none match; errors have a position', () => {
  const words = ['models', 'llama-3.1', 'not instruct', '--columns', 'id,parameters', '--sort', '-parameters'];
  const rows = ['405B', '70B', '8B'].map((size) => `meta-llama/Llama-3.1-${size}`);
  const csv = run([...words, '--format', 'csv']);
  assert.equal(csv.code, 0);
  assert.deepEqual(csv.out.trim().split('\n').map((line) => line.split(',')[0]), ['id', ...rows]); // prettier-ignore
  assert.match(csv.out, /^meta-llama\/Llama-3\.1-8B,8030261248$/m);
  assert.deepEqual(JSON.parse(run([...words, '--json']).out).at(-1), { id: rows[2], parameters: '8030261248' });
  assert.equal(run([...words, '--format', 'json']).out, run([...words, '--json']).out);
  assert.match(run([...words, '-f', 'markdown']).out, /^\| meta-llama\/Llama-3\.1-8B \| 8,030,261,248 \|$/m);
  assert.match(run(words).out, /^Id +Parameters\nmeta-llama\/Llama-3\.1-405B +406 billion\n/);
  // Conditions may be operands or options. All of them must apply.
  const both = run(['models', 'llama-3.1', 'not instruct', 'active < 10B', '--where', 'layers = 32', '--columns', 'id', '--format', 'csv']);
  assert.equal(both.out, `id\n${rows[2]}\n`);
  const sizes = run(['models', 'llama-3.1', 'not instruct', 'layers = 32 or layers = 80', '--columns', 'id', '--format', 'csv']);
  assert.equal(sizes.out, `id\n${rows[2]}\n${rows[1]}\n`, 'each condition is one whole');
  const none = run(['models', 'no-model-has-this', '--json']);
  assert.deepEqual([none.code, none.out], [1, '[]\n']);
  for (const [wrong, said] of /** @type {const} */ ([
    [['llama aktive < 10B'], 'there is no column aktive. Did you mean active?\n  llama aktive < 10B\n        ^^^^^^\n'],
    [['--where', 'layers > x'], 'layers is a number, such as 10B or 4096, not x\n  layers > x\n           ^\n'],
    [['--columns', 'name,foo'], 'there is no column foo\n  name,foo\n       ^^^\n'],
    [['--sort', '-foo'], 'there is no column foo\n  -foo\n  ^^^^\n'],
  ])) {
    const { code, out, errors } = run(['models', ...wrong]);
    assert.deepEqual([code, out], [2, '']);
    assert.ok(errors.startsWith(`param-ledger: ${said}`), errors);
  }
});
