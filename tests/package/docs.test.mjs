// Tests README.md, CONTRIBUTING.md and web/docs: their commands run (except those in NOT_RUN), their snippets give the results in the
// comments next to them, their links lead to files, and their numbers are those of the data.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dataLines, dataText } from '../data.mjs';
import { temporaryFolder } from '../folder.mjs';
import { cli } from './cli.mjs';
import { program } from './installed.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'web/docs')).map((name) => `web/docs/${name}`)];
const textOf = (/** @type {string} */ name) => readFileSync(join(root, name), 'utf8');

/** The fenced code blocks of a document in a language. @param {string} text @param {string} language */
const blocks = (text, language) => [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter((m) => m[1] === language).map((m) => m[2]);

/** Commands that are not run, because they install something or need another program. */
const NOT_RUN = /^(npm install|parallel|npx|curl)\b/;

/** Makes a folder with the files that the documented commands use and with a `param-ledger` program. */
const folder = (() => {
  const at = temporaryFolder();
  const put = (/** @type {string} */ name, /** @type {string | Uint8Array} */ contents) => writeFileSync(join(at, name), contents);
  const repository = JSON.parse(dataText('repository.json'));
  const shard = Object.keys(repository).find((name) => name.endsWith('.safetensors'));
  const small = { model_type: 'llama', num_key_value_heads: 8, intermediate_size: 14336, vocab_size: 128256 };
  put('config.json', JSON.stringify(small));
  put('configs.jsonl', `${JSON.stringify(small)}\n`.repeat(3));
  put('params.json', '{"dim": 4096, "multiple_of": 256, "n_heads": 32, "n_layers": 32, "norm_eps": 1e-06, "vocab_size": 32000}');
  put(
    'pretrain.sh',
    'torchrun pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 --max-position-embeddings 4096 --swiglu --vocab-size 32000\n',
  );
  put(
    'adapter_config.json',
    '{"peft_type": "LORA", "r": 8, "target_modules": ["q_proj", "v_proj"], "base_model_name_or_path": "meta-llama/Llama-3.1-8B"}',
  );
  put('printed.txt', 'Sequential(\n  (0): Linear(in_features=4, out_features=2, bias=True)\n)\n');
  put('model.safetensors', Buffer.from(repository[String(shard)], 'base64'));
  const { head, size } = dataLines('gguf.jsonl.gz')[0];
  put('model.gguf', Buffer.concat([Buffer.from(head, 'base64')], size)); // with zeros instead of tensors
  put('llama-2-70b.json', readFileSync(new URL('../../web/data/articles/llama-2-70b.json', import.meta.url)));
  writeFileSync(join(at, 'param-ledger'), `#!/bin/sh\nexec ${process.execPath} ${cli} "$@"\n`, { mode: 0o755 });
  return at;
})();

/** Defines the variable `file`, which a documented snippet uses. */
const GIVEN = `const file = new Blob([(await import('node:fs')).readFileSync(${JSON.stringify(join(folder, 'model.gguf'))})]);
`;

for (const name of documents) {
  const text = textOf(name);

  for (const command of blocks(text, 'sh')
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => !NOT_RUN.test(line)))
    test(`${name}: ${command}`, () => {
      const { status, stderr } = spawnSync('bash', ['-c', command], {
        cwd: folder,
        env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
      });
      assert.ok(status === 0 || (status === 1 && /^param-ledger (article|compare|read)/.test(command)), `exit code ${status}: ${stderr}`);
      if (status === 1) assert.equal(String(stderr).includes('not understood'), false);
    });

  for (const [i, block] of blocks(text, 'js').entries())
    test(`${name}: JavaScript ${i + 1}`, () => {
      const checked = block.replaceAll(/^(?:const \w+ = )?(.+?); \/\/ ('[^']*').*$/gm, '$&\nassert.equal($1, $2);');
      program(`import assert from 'node:assert/strict';\n${GIVEN}${checked}`);
    });

  test(`${name}: links and paths lead to existing files`, () => {
    const links = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, link]) => link)
      .filter((link) => !/^https?:/.test(link));
    const paths = [...text.matchAll(/`((?:core|wasm|web|tests)\/[\w./-]+)`/g)]
      .map(([, path]) => path)
      .filter((path) => !path.startsWith('web/dist/'));
    assert.deepEqual(
      [
        ...links.filter((link) => !existsSync(resolve(root, dirname(name), link))),
        ...paths.filter((path) => !existsSync(join(root, path))),
      ],
      [],
    );
  });
}

test('links on the pages of the documents lead to existing files and headings', () => {
  const pages = new URL('../../web/dist/docs/', import.meta.url);
  const names = readdirSync(pages).filter((name) => name.endsWith('.html'));
  const links = names.flatMap((name) => {
    const found = readFileSync(new URL(name, pages), 'utf8').matchAll(/href="(?!https?:)([^"#]*)(?:#([^"]*))?"/g);
    return [...found].map(([, path, id]) => ({ name, path, id }));
  });
  assert.ok(links.some(({ id }) => id));
  const broken = links.filter(({ name, path, id }) => {
    const target = new URL(path || name, pages);
    return !existsSync(target) || (id !== undefined && !readFileSync(target, 'utf8').includes(`id="${id}"`));
  });
  assert.deepEqual(broken, []);
});

test('README.md has at most 450 words', () => assert.ok(textOf('README.md').split(/\s+/).length <= 450));

test('the family in CONTRIBUTING.md is the one in the core', () =>
  assert.deepEqual(blocks(textOf('CONTRIBUTING.md'), 'cpp'), [textOf('core/families/mixtral.cpp')]));

test('numbers in the documents are those of the data', () => {
  const ids = `${dataText('oracle.jsonl')}\n${dataText('edges.jsonl')}`.matchAll(/^\{"id": "([^"/]+)/gm);
  const cases = [...ids].map(([, type]) => type);
  const files = dataLines('files.jsonl');
  const quantized = files.flatMap(({ gguf }) => Object.keys(gguf ?? {}));
  const version = /^transformers=(\d+\.\d+)/m.exec(textOf('tests/data/refresh'))?.[1];
  for (const [name, sentence] of /** @type {const} */ ([
    ['README.md', `${new Set(cases).size} model types of transformers`],
    ['web/docs/accuracy.md', `${new Set(cases).size} of transformers`],
    ['web/docs/accuracy.md', `${files.filter(({ gguf }) => gguf === undefined).length} published models in safetensors`],
    ['web/docs/accuracy.md', `${quantized.length} GGUF files`],
    ...documents.filter((name) => textOf(name).includes('transformers 5')).map((name) => [name, `transformers ${version}`]),
  ]))
    assert.ok(textOf(name).replaceAll(/\s+/g, ' ').includes(sentence), `${name}: ${sentence}`);
  assert.ok(cases.length > 2000);
});
