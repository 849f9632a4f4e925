import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { test } from 'node:test';
import { unpackDetail, findEdits, formatHash, pack, parseHash, unpack, applyEdits } from '../../../web/config/link.ts';
import { views } from '../../../web/views/all.ts';

/** @type {import('../../../web/config/entry.ts').Base} */
const base = {
  kind: 'model',
  id: 'meta-llama/Llama-3.1-8B',
  name: 'Llama 3.1 8B',
  text: '{\n  "model_type": "llama",\n  "hidden_size": 4096,\n  "use": ["a b", 1]\n}\n',
};

/** @param {string} text @returns {Promise<unknown>} the text that the recipient of its link gets */
async function arrived(text) {
  const [link] = parseHash((await formatHash([{ text, base }])) ?? '')?.models ?? [];
  assert.ok(link);
  return link.kind === 'config' ? unpack(link.packed) : applyEdits(base.text, link.edits);
}

test('a published model is written as its name', async () => {
  assert.equal(await formatHash([{ text: base.text, base }]), '#m=meta-llama/Llama-3.1-8B');
});

test('every view has a link with its name alone', () => {
  for (const { id } of views.slice(1)) assert.deepEqual(parseHash(`#${id}`), { view: id, detail: '', models: [] });
  assert.equal(parseHash('#nothing'), undefined);
});

test('an edited model is its name and the edits', async () => {
  const text = base.text.replace('4096', '8192').replace('["a b", 1]', '["a=b&c", 2]');
  assert.equal(await formatHash([{ text, base }]), '#m=meta-llama/Llama-3.1-8B&hidden_size=8192&use=%5B%22a%3Db%26c%22,2%5D');
  assert.equal(await arrived(text), text.replace(', 2]', ',2]'));
});

test('removed and added fields arrive, too', async () => {
  const text = '{\n  "model_type": "llama",\n  "use": ["a b", 1],\n  "new": 9007199254740993\n}\n';
  assert.equal(await formatHash([{ text, base }]), '#m=meta-llama/Llama-3.1-8B&new=9007199254740993&hidden_size=');
  assert.equal(await arrived(text), text);
});

test('a model type', async () => {
  const type = { ...base, kind: /** @type {const} */ ('type'), id: 'gpt2' };
  assert.equal(await formatHash([{ text: type.text, base: type }]), '#t=gpt2');
  assert.deepEqual(parseHash('#t=gpt2&n_embd=1024'), {
    view: '',
    detail: '',
    models: [{ kind: 'type', id: 'gpt2', edits: [['n_embd', '1024']] }],
  });
});

test('anything else is included in full, character by character', async () => {
  for (const text of ['{"hidden_size": 1}', 'no JSON at all', '{"a.b": 1}', '{"é": "😀"}\r\n', '{"__proto__": 1}', '']) {
    const hash = await formatHash([{ text, base: undefined }]);
    assert.match(hash ?? '', /^#c=[\w-]*$/);
    assert.equal(await unpack((hash ?? '').slice(3)), text);
  }
  assert.equal(await arrived('{"a.b": 1}'), '{"a.b": 1}');
  assert.equal(await arrived(base.text.replace('4096', '4096,,')), base.text.replace('4096', '4096,,'));
});

test('strings in links that people write need no quotes', () => {
  assert.equal(applyEdits('{"a": 1}', [['b', 'gelu']]), '{"a": 1, "b": "gelu"}');
  assert.equal(applyEdits('{"a": 1}', [['a', '1}, "x": {']]), '{"a": "1}, \\"x\\": {"}');
});

test('what is too long for an address has no address', async () => {
  const noise = Array.from({ length: 40_000 }, (_, i) => (Math.imul(i, 2654435761) >>> 0).toString(36)).join('');
  assert.equal(await formatHash([{ text: noise, base: undefined }]), undefined);
  assert.equal(await formatHash([{ text: '1'.repeat(2_000_000), base: undefined }]), undefined);
});

test('a damaged or hostile address is refused with a message', async () => {
  await assert.rejects(unpack('!!!'), /damaged/);
  await assert.rejects(unpack((await pack('{"hidden_size": 4096}')).slice(0, -6)), /damaged/);
  await assert.rejects(unpack(deflateSync(Buffer.alloc(30_000_000)).toString('base64url')), /1 MB/);
  await assert.rejects(unpack('A'.repeat(100_000)), /too long/);
  assert.equal(parseHash('#'), undefined);
  assert.equal(parseHash('#nonsense'), undefined);
  assert.deepEqual(parseHash('#memory'), { view: 'memory', detail: '', models: [] });
  assert.deepEqual(parseHash('#m=%E0%A4%A')?.models, [{ kind: 'model', id: '%E0%A4%A', edits: [] }]);
});

test('order and spacing are not edits', async () => {
  const turned = '{"use":["a b",1],\n "hidden_size": 4096, "model_type": "llama"}';
  assert.equal(await formatHash([{ text: turned, base }]), '#m=meta-llama/Llama-3.1-8B');
  assert.match(
    await formatHash([{ text: '{"model_type": "llama", "hidden_size": 4096, "hidden_size": 4096, "use": ["a b", 1]}', base }]),
    /^#c=/,
  );
});

test('several models follow one another, after the view', async () => {
  const type = { ...base, kind: /** @type {const} */ ('type'), id: 'gpt2' };
  const models = [{ text: base.text.replace('4096', '8192'), base }, { text: type.text, base: type }, { text: '{}' }];
  const hash = await formatHash(models, 'compare');
  assert.match(hash, /^#compare;m=meta-llama\/Llama-3\.1-8B&hidden_size=8192;t=gpt2;c=[\w-]+$/);
  const link = parseHash(hash);
  assert.equal(link.view, 'compare');
  assert.deepEqual(
    link.models.map(({ kind }) => kind),
    ['model', 'type', 'config'],
  );
  assert.deepEqual(parseHash('#m=a/b&x=1;t=gpt2'), {
    view: '',
    detail: '',
    models: [
      { kind: 'model', id: 'a/b', edits: [['x', '1']] },
      { kind: 'type', id: 'gpt2', edits: [] },
    ],
  });
  assert.equal(parseHash(`#${Array(9).fill('t=gpt2').join(';')}`).models.length, 4);
  // A configuration with 9,000 random characters fits into an address. Two of them do not, because they can hardly be compressed and are
  // written in base64.
  let state = 1;
  const noise = Array.from({ length: 9_000 }, () => String.fromCharCode(33 + ((state = (state * 48_271) % 2_147_483_647) % 90))).join('');
  const large = { text: JSON.stringify({ noise }) };
  assert.ok((await formatHash([large]))?.startsWith('#c='));
  assert.equal(await formatHash([large, large]), undefined);
});

test('a view’s setting follows it, compressed if it is long', async () => {
  const type = { ...base, kind: /** @type {const} */ ('type'), id: 'gpt2' };
  const models = [{ text: type.text, base: type }];
  for (const detail of ['6.74B', '~7B', '13.5 GB; in fp16 & 50% = ?', `{"title": "${'é'.repeat(200)}"}`]) {
    const hash = await formatHash(models, 'check', detail);
    assert.match(hash, /^#check\?[^;]+;t=gpt2$/);
    const link = parseHash(hash);
    assert.equal(link.view, 'check');
    assert.equal(await unpackDetail(link.detail), detail);
  }
  assert.equal(await formatHash(models, 'check', '6.74B'), '#check?6.74B;t=gpt2');
  assert.equal(await formatHash(models, 'memory', 'context:131072,batch:8'), '#memory?context:131072,batch:8;t=gpt2');
  assert.equal(await formatHash(models, '', 'nothing'), '#t=gpt2');
  await assert.rejects(async () => unpackDetail('~nonsense'), /./);
});

test('a key with a dot is no path, so its text has no list of edits', () => {
  assert.deepEqual(findEdits('{"a": 1}', '{"a": 2}'), [['a', '2']]);
  assert.equal(findEdits('{"a": 1}', '{"a.b": 1}'), undefined);
});

test('of a setting that was cut short anywhere its beginning is left', async () => {
  const detail = JSON.stringify({ title: Array.from({ length: 400 }, (_, i) => i * i).join() });
  const packed = await pack(detail);
  for (const length of [packed.length - 8, packed.length - 7, packed.length - 6, packed.length - 5]) {
    const left = await unpackDetail(`~${packed.slice(0, length)}`);
    assert.ok(detail.startsWith(left) && left.length > 100, `${length}: ${left.length}`);
  }
});
