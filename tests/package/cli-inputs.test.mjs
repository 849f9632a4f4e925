// Tests inputs of the command line other than config.json: GGUF files, the arguments, configurations and logs of training programs, and
// lists of files.

import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from './cli.mjs';
import { dataLines, dataText } from '../data.mjs';
import { temporaryFolder } from '../folder.mjs';

const folder = temporaryFolder();

/** @param {string} name @param {string | Buffer} content */
function written(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test('a GGUF file is the configuration that it was converted from', () => {
  const [llama, , , mixtral] = dataLines('gguf.jsonl.gz');
  for (const { id, head, size, parameters } of [llama, mixtral]) {
    const path = written('model.gguf', Buffer.from(head, 'base64'));
    truncateSync(path, size);
    const { code, out, errors } = run([path, '--json']);
    assert.equal(code, 0, errors);
    assert.equal(JSON.parse(out).totals.parameters, String(parameters), id);
    assert.equal(run(['compare', path, path]).code, 0);
  }
  // The file is cut within its header, so it cannot contain the tensors that the header lists.
  const cut = run([written('cut.gguf', Buffer.from(llama.head, 'base64').subarray(0, 2000))]);
  assert.deepEqual([cut.code, cut.out], [1, '']);
});

test('arguments of Megatron and a configuration of GPT-NeoX', () => {
  const [{ arguments: words, parameters }] = JSON.parse(dataText('training_arguments.json'));
  assert.equal(
    JSON.parse(run([written('train.sh', `python pretrain_gpt.py ${words}`), '--json']).out).totals.parameters,
    String(parameters),
  );
  const log = run([join(new URL('../data/tables/megatron_arguments.txt', import.meta.url).pathname), '--expect', '205120']);
  assert.equal(log.code, 0, log.errors);
  const neox =
    'num-layers: 6\nhidden-size: 512\nnum-attention-heads: 8\nmax-position-embeddings: 2048\npos-emb: rotary\nno-weight-tying: true\n';
  assert.equal(run(['-', '--expect', '70426624'], { input: `${neox}vocab-file: ./20B_tokenizer.json\n` }).code, 0);
  const unsaid = run(['-'], { input: neox });
  assert.equal(unsaid.code, 1);
  assert.match(unsaid.errors, /vocab_size is missing, and the size of the vocabulary depends on the tokenizer/);
});

test('a list of files gets its totals, but is not counted', () => {
  const list = '-rw-r--r-- 1 root root 4976698672 Apr 18 12:00 model-00001-of-00004.safetensors\n';
  const { code, out, errors } = run(['read', '-'], { input: list });
  assert.deepEqual([code, out], [1, '']);
  assert.match(errors, /1 file of weights, of 4,976,698,672 bytes together, out of 4/);
});
