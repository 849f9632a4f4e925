// Tests the command `verify`, which compares a model's published files with its configuration. A local server answers like the Hub. The
// files were written by safetensors (tests/data/repository.json) and gguf (tests/data/gguf.jsonl.gz).

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, test } from 'node:test';
import { cli } from './cli.mjs';
import { hubServer } from './hub-server.mjs';
import { dataLines, dataText } from '../data.mjs';

const repository = Object.fromEntries(
  Object.entries(JSON.parse(dataText('repository.json'))).map(([name, text]) => [name, Buffer.from(String(text), 'base64')]),
);
const shards = Object.keys(repository).filter((name) => name.endsWith('.safetensors'));
const [gguf] = dataLines('gguf.jsonl.gz');
const ggufFile = { head: Buffer.from(gguf.head, 'base64'), size: gguf.size };
const config = JSON.parse(String(repository['config.json']));
const with_ = (/** @type {object} */ changed) => ({ ...repository, 'config.json': Buffer.from(JSON.stringify({ ...config, ...changed })) });
const cut = { ...repository, [shards[0]]: repository[shards[0]].subarray(0, 40) };
const listed = { [shards[0]]: repository[shards[0]].length };

/** A shard whose header has an entry that does not describe a tensor. */
const odd = (() => {
  const bytes = repository[shards[0]];
  const end = 8 + Number(bytes.readBigUInt64LE(0));
  const header = Buffer.from(JSON.stringify({ ...JSON.parse(String(bytes.subarray(8, end))), odd: 5 }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([length, header, bytes.subarray(end)]);
})();

const hub = await hubServer({
  'lab/model': { files: repository },
  'lab/model@v1': { files: with_({ num_hidden_layers: 3 }) },
  'lab/inside': { files: Object.fromEntries(Object.entries(repository).map(([name, bytes]) => [`sub/folder/${name}`, bytes])) },
  'lab/no-ranges': { files: repository, ranges: false },
  'lab/gguf': { files: { 'a-Q4_K_M.gguf': ggufFile, 'a-Q8_0.gguf': ggufFile, 'README.md': Buffer.from('#') } },
  'lab/one-gguf': { files: { 'a-Q4_K_M.gguf': ggufFile } },
  'lab/nothing': { files: { 'README.md': Buffer.from('#') } },
  'lab/gone': { files: (({ [shards[0]]: _, ...rest }) => rest)(repository) },
  'lab/cut': { files: cut, listed },
  'lab/shrunk': { files: { ...repository, [shards[0]]: Buffer.alloc(0) }, listed },
  'lab/longer': { files: { ...repository, [shards[0]]: Buffer.concat([repository[shards[0]], Buffer.alloc(9)]) }, listed },
  'lab/odd': { files: { ...repository, [shards[0]]: odd } },
  'lab/gated': { files: repository, status: 401, code: 'GatedRepo' },
  'lab/limited': { files: repository, status: 429 },
  'lab/troubled': { files: repository, status: 503 },
  'lab/hidden': { files: repository, status: 403 },
});
after(hub.close);

/** @param {string[]} words @returns {Promise<{ code: number | null, out: string, errors: string }>} */
function verify(...words) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, 'verify', ...words], { env: { ...process.env, HF_ENDPOINT: hub.address } });
    let [out, errors] = ['', ''];
    child.stdout.on('data', (piece) => (out += String(piece)));
    child.stderr.on('data', (piece) => (errors += String(piece)));
    child.on('close', (code) => resolve({ code, out, errors }));
  });
}

test('a sharded model equals its configuration, and the answer says what was read', async () => {
  hub.asked.length = 0;
  const { code, out, errors } = await verify('lab/model');
  assert.equal(errors, '');
  assert.equal(code, 0);
  // Calculated by hand: 2·10·8 + 2 layers of (2·8·8 + 2·4·8 + 3·8·12 + 2·8) + 8.
  assert.match(out, /21 tensors in \d+ files, 1,160 elements: equal\./);
  assert.match(out, new RegExp(`the headers of ${shards.length} files[^]*at commit 0123456789ab`));
  for (const { method, authorization, cookie } of hub.asked)
    assert.deepEqual([method, authorization, cookie], ['GET', undefined, undefined]);
  assert.ok(
    hub.asked.some(({ host, range }) => host === 'content' && /^bytes=0-/.test(range ?? '')),
    'by ranges, where it was sent to',
  );
});

test('a revision, a commit, a folder and a file are read as named', async () => {
  const other = await verify('lab/model@v1');
  assert.equal(other.code, 1);
  assert.match(other.out, /Only in the configuration’s model[^]*model\.layers\.2\.mlp/);
  assert.match(other.errors, /differ from the configuration/);
  assert.equal((await verify('lab/model@v1', '--config', 'gpt2')).code, 1);
  assert.equal((await verify(`https://huggingface.co/lab/inside/tree/main/sub/folder`)).code, 0);
  assert.equal((await verify(`https://huggingface.co/lab/inside/blob/main/sub/folder/${shards[1]}`)).code, 0);
  const one = JSON.parse((await verify('https://huggingface.co/lab/gguf/resolve/main/a-Q8_0.gguf?download=true', '--json')).out);
  assert.deepEqual(one.files, [{ name: 'a-Q8_0.gguf', size: gguf.size }]);
  assert.equal(one.reading.recognised.agrees, true);
  assert.equal(one.reading.totals.parameters, String(gguf.parameters));
  assert.ok(one.bytes <= 65_536 && one.bytes < gguf.size, 'the head alone');
  assert.equal((await verify('lab/one-gguf')).code, 0);
});

test('a host without ranges is read only as far as needed', async () => {
  assert.equal((await verify('lab/no-ranges')).code, 0);
});

for (const [id, message] of /** @type {[string, RegExp][]} */ ([
  ['lab/gguf', /files of several models[^]*a-Q4_K_M\.gguf, a-Q8_0\.gguf/],
  ['lab/nothing', /has no safetensors/],
  ['lab/not-there', /has no public model lab\/not-there/],
  ['lab/model@v9', /has no revision v9/],
  ['https://huggingface.co/lab/model/tree/main/nowhere', /has no nowhere/],
  ['https://huggingface.co/lab/model/blob/main/x.safetensors', /has no x\.safetensors/],
  ['lab/gated', /is gated[^]*no token is used[^]*param-ledger read/],
  ['lab/limited', /too many requests/],
  ['lab/troubled', /HTTP 503/],
  ['lab/hidden', /lab\/hidden is not public/],
  ['lab/shrunk', /is not the one in the Hub/],
  ['lab/longer', /is not the one in the Hub/],
  ['lab/cut', /is not the one in the Hub|connection broke/],
])) {
  test(`a failed request is reported: ${id}`, async () => {
    const { code, out, errors } = await verify(id);
    assert.deepEqual([code, out], [1, '']);
    assert.match(errors, message);
    assert.doesNotMatch(errors, /defect|undefined/);
  });
}

test('files that agree but were not all read are not called equal', async () => {
  const { code, out } = await verify('lab/odd');
  assert.equal(code, 1);
  assert.match(out, /"odd" is not an object with dtype/);
  assert.doesNotMatch(out, /: equal\./);
});

test('a refusal is JSON if that is requested', async () => {
  const { code, out, errors } = await verify('lab/gated', '--json');
  assert.equal(code, 1);
  const { ok, error } = JSON.parse(out);
  assert.deepEqual([ok, error.code], [false, 'not_loaded']);
  assert.equal(errors, `param-ledger: ${error.message}\n`);
});

test('a file that the index names but that is missing is reported', async () => {
  const { code, out } = await verify('lab/gone');
  assert.equal(code, 1);
  assert.match(out, /which the index names, is missing/);
});

test('without the network nothing is requested, and unknown models are refused', async () => {
  hub.asked.length = 0;
  const { code, errors } = await verify('lab/model', '--offline');
  assert.equal(code, 1);
  assert.match(errors, /makes no request/);
  assert.equal((await verify('not a model')).code, 2);
  assert.equal((await verify('../x')).code, 2);
  assert.equal(hub.asked.length, 0);
});
