// The package and its build: what an embedder relies on.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as ledger from '../../web/dist/param-ledger.mjs';

const dist = new URL('../../web/dist/', import.meta.url);

test('it exports load, which starts one core', () => {
  assert.deepEqual(Object.keys(ledger), ['load']);
  assert.equal(ledger.load(), ledger.load());
});

test('it runs where text may not become code', () => {
  const program = `import { load } from '${new URL('param-ledger.mjs', dist)}'; const { count } = await load(); console.log(count('{"model_type":"llama"}').ok);`;
  const printed = execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program]);
  assert.equal(String(printed), 'true\n');
});

test('a build is the same every time', () => {
  const again = mkdtempSync(join(tmpdir(), 'param-ledger-'));
  try {
    execFileSync(process.execPath, [fileURLToPath(new URL('../../web/build.mjs', import.meta.url)), again]);
    assert.deepEqual(readdirSync(again), readdirSync(dist));
    for (const name of readdirSync(again)) assert.ok(readFileSync(join(again, name)).equals(readFileSync(new URL(name, dist))), name);
  } finally {
    rmSync(again, { recursive: true });
  }
});
