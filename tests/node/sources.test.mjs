// Checks rules for the core's sources that no compiler checks.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const core = new URL('../../core/', import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(new URL(path, core), 'utf8');

/**
 * The model types that may occur as words in some sources, mostly because they mean something else there or belong to another program's
 * format.
 */
const OTHERWISE = {
  'claims/claim_words.cpp': ['bit'],
  'claims/stated_numbers.cpp': ['bit', 'transformer'], // words in claims
  'memory/adapter.cpp': ['falcon_h1', 'falcon_mamba', 'mamba', 'mamba2', 'nemotron_h'], // types that peft or another program names
  'registry/registry.cpp': ['deepseek_v4', 'gemma3', 'qwen2_moe'], // types that other programs name
  'builder/blocks.cpp': ['mamba', 'rwkv'], // mechanisms
  'nn/vision/vision.cpp': ['transformer'], // a module
  'claims/known_claims.cpp': ['gpt2'], // in a URL
  'nn/layer_kinds.cpp': ['mamba'], // an entry of layer_types
  'nn/layer_kinds.hpp': ['mamba'],
  'model/prediction_layers.cpp': ['mamba'], // an entry of mtp_layers_block_type
  'support/quantity.cpp': ['vit'], // in prose
  'model/model.cpp': ['beam', 'llama'], // an example in a message
  'nn/nested.cpp': ['llama'],
  'nn/vision/detection.cpp': ['resnet', 'hiera'], // the default of backbone_config in transformers; a backbone that these detectors refuse
  'nn/text/nemotron_h.cpp': ['mamba'], // an entry of layers_block_type
};

test('facts about a model type are in its family', () => {
  const families = readdirSync(new URL('families/', core), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.cpp'))
    .map((file) => read(`families/${file}`));
  const types = new Set(families.flatMap((text) => [...text.matchAll(/\.model_type = "([^"]+)"/g)].map(([, type]) => type)));
  assert.ok(types.size > 500, 'the types were not found');
  const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.[ch]pp$/.test(file) && !/^((families|devices|inputs|notations)\/|model\/module_renames)/.test(file),
  );
  const found = files.flatMap((file) => {
    const allowed = new Set(OTHERWISE[/** @type {keyof typeof OTHERWISE} */ (file)] ?? []);
    const code = read(file).replaceAll(/\/\/.*|#include.*/g, '');
    return [...code.matchAll(/"((?:[^"\\]|\\.)*)"/g)]
      .flatMap(([, literal]) => [literal, ...literal.split(/[^\w.-]+/)])
      .filter((word) => types.has(word) && !allowed.has(word))
      .map((word) => `${file}: ${word}`);
  });
  assert.deepEqual(found, []);
});

test('every reader and every source of claims is covered by a fuzz target', () => {
  const sources = ['inputs', 'notations', 'claims'].flatMap((room) =>
    readdirSync(new URL(room, core), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.cpp'))
      .map((file) => `core/${room}/${file}`),
  );
  const targets = new URL('../fuzz/', import.meta.url);
  const patterns = readdirSync(targets)
    .filter((file) => file.endsWith('.cpp'))
    .flatMap((file) => [...readFileSync(new URL(file, targets), 'utf8').matchAll(/^\/\/ Covers: (.*)/gm)])
    .flatMap(([, list]) => list.split(' '));
  const matches = (/** @type {string} */ pattern, /** @type {string} */ file) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(file);
  assert.deepEqual(
    sources.filter((file) => !patterns.some((pattern) => matches(pattern, file))),
    [],
  );
  const read = patterns.filter((pattern) => /^core\/(inputs|notations|claims)\//.test(pattern));
  assert.deepEqual(
    read.filter((pattern) => !sources.some((file) => matches(pattern, file))),
    [],
  );
});
