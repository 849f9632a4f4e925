// Tests tests/data/draft.py, which drafts a family's code from recorded tensors. The expected drafts were compared with transformers when
// they were added.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const data = fileURLToPath(new URL('../data/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'drafts-'));
after(() => rmSync(folder, { recursive: true }));

const draft = (/** @type {string[]} */ ...words) => spawnSync('python3', [join(data, 'draft.py'), ...words], { encoding: 'utf8' });
const recorded = (/** @type {string} */ type) => join(data, 'drafts', `${type}.json.gz`);
/** Removes white space, because the clang-format that formats drafts may be missing or of another version. */
const withoutSpaces = (/** @type {string} */ text) => text.replace(/\s+/g, '');

for (const type of ['helium', 'minicpm3', 'distilbert'])
  test(`a draft of ${type}`, () => {
    const { stdout, stderr, status } = draft('--print', recorded(type));
    assert.equal(status, 0, stderr);
    assert.equal(withoutSpaces(stdout), withoutSpaces(`${readFileSync(join(data, 'drafts', `${type}.txt`), 'utf8')}${type}: drafted`));
  });

/** Makes a source tree with these lines in families.def. @param {string} name @param {string} families */
function tree(name, families) {
  const root = join(folder, name);
  for (const part of ['families', 'registry', 'config']) mkdirSync(join(root, 'core', part), { recursive: true });
  writeFileSync(join(root, 'core/registry/families.def'), families);
  writeFileSync(join(root, 'core/config/dimensions.def'), '');
  return root;
}

test('a draft is written with its line in alphabetical order', () => {
  const root = tree('new', '// Families.\nCOMMON(gemma)\nX(hgnet_v2)\n');
  assert.equal(draft('--into', root, recorded('helium')).stdout, 'helium: drafted\n');
  assert.equal(readFileSync(join(root, 'core/registry/families.def'), 'utf8'), '// Families.\nCOMMON(gemma)\nX(helium)\nX(hgnet_v2)\n');
  assert.match(readFileSync(join(root, 'core/families/helium.cpp'), 'utf8'), /extern const Family helium\{/);
});

test('a family that exists is not overwritten', () => {
  const root = tree('old', 'X(helium)\n');
  const { stdout, status } = draft('--into', root, recorded('helium'));
  assert.equal(stdout, 'helium: not written: the family exists\n');
  assert.equal(status, 1);
});

test('what no field explains is named', () => {
  const observations = JSON.parse(gunzipSync(readFileSync(recorded('helium'))).toString());
  // A tensor whose width equals no field.
  /** @type {Record<string, unknown>} */
  const first = {};
  let width = 1009;
  for (const o of observations.observations) {
    if (o.error !== undefined) continue;
    const row = ['model.strange.weight', [(width = (width * 48271) % 65537), 3]];
    if (o.tensors) o.tensors.push((first[o.class] = row));
    else (o.without.push(first[o.class]), o.with.push(row));
  }
  const path = join(folder, 'helium.json');
  writeFileSync(path, JSON.stringify(observations));
  const { stdout } = draft('--print', path);
  assert.match(stdout, /^helium: drafted, except:\n(?: .*\n)* {2}strange\.weight: dimension 0 is not a sum or product of fields$/m);
});

test('a type that cannot be recorded is named with its reason, and the others go on', () => {
  // A stub of torch, which the recorder imports in a process for each model type.
  writeFileSync(
    join(folder, 'torch.py'),
    `import os, sys
if "crashes" in sys.argv: os.abort()
if "large" in sys.argv: raise MemoryError
raise ModuleNotFoundError("No module named 'timm'")
`,
  );
  const { stdout, status } = spawnSync(
    'python3',
    [join(data, 'observe.py'), '--memory', '2', '-o', folder, 'crashes', 'large', 'without_timm'],
    {
      encoding: 'utf8',
      env: { ...process.env, PYTHONPATH: folder },
    },
  );
  assert.equal(
    stdout,
    `crashes: not recorded: needs more than 2 GiB of memory, or crashed (signal 6)
large: not recorded: needs more than 2 GiB of memory
without_timm: not recorded: needs the package timm
`,
  );
  assert.equal(status, 1);
});
