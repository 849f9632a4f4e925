// Goes through the shipped lessons, and lessons generated for ten models, like a student who answers each screen wrongly first and then
// correctly.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { generateLesson } from '../../../web/lessons/generate.ts';
import { ledger } from '../ledger.mjs';

const folder = new URL('../../../web/data/', import.meta.url);
const json = (/** @type {string} */ name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const models = new Map(json('models.json').map((/** @type {any} */ model) => [model.id, model]));
const config = (/** @type {any} */ model) => {
  if (typeof model !== 'string') return model;
  assert.ok(models.has(model), `${model} is no published model`);
  return models.get(model).config;
};
const named = (/** @type {any} */ names) =>
  names &&
  Object.fromEntries(
    Object.entries(names).map(([name, meaning]) => [name, meaning.model ? { ...meaning, model: config(meaning.model) } : meaning]),
  );
const resolved = (/** @type {any} */ lesson) => ({
  ...lesson,
  ...(lesson.model && { model: config(lesson.model) }),
  ...(lesson.names && { names: named(lesson.names) }),
  screens: lesson.screens.map((/** @type {any} */ screen) => ({
    ...screen,
    ...(screen.model && { model: config(screen.model) }),
    ...(screen.names && { names: named(screen.names) }),
  })),
});

/** @param {any} lesson @param {number} i @param {any} answer */
function judged(lesson, i, answer) {
  const out = ledger.judge(lesson, i, answer);
  assert.ok(out.ok, out.ok ? '' : `${lesson.title}, screen ${i + 1}: ${out.error.field} ${out.error.message}`);
  return out;
}

/**
 * Answers every screen with each of its likely errors, then correctly.
 * @param {any} lesson @param {number} least the fewest diagnoses that a number may have
 */
function walk(lesson, least) {
  const shown = ledger.lesson(lesson);
  assert.ok(shown.ok, shown.ok ? '' : `${lesson.title}: ${shown.error.field} ${shown.error.message}`);
  for (const [i, screen] of shown.screens.entries()) {
    const place = `${lesson.title}, screen ${i + 1}`;
    for (const text of [screen.title, screen.says, screen.asks, screen.hint, screen.reveals]) {
      assert.doesNotMatch(text ?? '', /[{}\ufdd0\ufdd1]|undefined|NaN/, place);
    }
    const asked = screen.number ?? screen.sets;
    if (asked) {
      const sentences = new Set();
      for (const { value, says } of asked.wrong) {
        assert.notEqual(value, asked.value, `${place}: ${says}`);
        const verdict = judged(lesson, i, value);
        assert.equal(verdict.verdict, 'wrong', `${place}: ${value}`);
        assert.equal(verdict.sentence, says, place);
        sentences.add(says);
      }
      assert.ok(sentences.size >= least, `${place}: ${sentences.size} diagnoses`);
      assert.equal(judged(lesson, i, asked.value).verdict, 'right', place);
      assert.equal(judged(lesson, i, 'a word').verdict, 'unreadable', place);
      assert.notEqual(judged(lesson, i, `${asked.value}1`).verdict, 'right', place);
    } else {
      const choices = screen.choices ?? [];
      const right = choices.flatMap((choice, at) => (choice.right ? [at] : []));
      assert.ok(right.length > 0, `${place}: no choice is right`);
      const several = lesson.screens[i].several === true;
      assert.ok(several || right.length === 1, `${place}: more than one choice is right`);
      assert.equal(judged(lesson, i, right).verdict, 'right', place);
      for (const [at, choice] of choices.entries()) {
        if (choice.right) continue;
        const wrong = judged(lesson, i, several ? [...right, at] : [at]);
        assert.equal(wrong.verdict, 'wrong', place);
        assert.ok(wrong.sentence?.includes(choice.because), place);
      }
      assert.equal(judged(lesson, i, []).verdict, 'unreadable', place);
    }
  }
  return shown.screens;
}

for (const [id, total] of [
  ['llama-3.1-8b', '8030261248'],
  ['mixtral-8x7b', '46702792704'],
  ['deepseek-v3', '671026404352'],
])
  test(`${id}: every likely error has its own diagnosis`, () => {
    const screens = walk(resolved(json(`lessons/${id}.json`)), 5);
    assert.ok(screens.some(({ books }) => books?.value === total));
  });

test('the lesson on DeepSeek-V3 ends with what the files hold', () => {
  const screens = walk(resolved(json('lessons/deepseek-v3.json')), 5);
  const values = screens.map(({ books }) => books?.value);
  assert.ok(values.includes('37552282624')); // 671,026,404,352 − 58 · 248 · 3 · 7,168 · 2,048
  assert.ok(values.includes('684531386000'));
});

test('a first course has 20 questions, each with its own model', () => {
  const screens = walk(resolved(json('lessons/first-course.json')), 5);
  assert.equal(screens.length, 20);
});

/**
 * Models that together have grouped queries, tied heads, biases, experts, latent attention, linear attention, LayerNorms, and several kinds
 * of layers.
 */
const GENERATED = [
  'openai-community/gpt2',
  'meta-llama/Llama-2-7b-hf',
  'google/gemma-2-2b',
  'Qwen/Qwen2.5-7B',
  'Qwen/Qwen3-8B',
  'mistralai/Mixtral-8x7B-v0.1',
  'deepseek-ai/DeepSeek-V3',
  'Qwen/Qwen3-Next-80B-A3B-Instruct',
  'EleutherAI/pythia-1b',
  'openai/gpt-oss-20b',
];

for (const id of GENERATED)
  test(`a lesson made for ${id} covers everything in the model`, () => {
    const lesson = /** @type {any} */ (generateLesson(id, JSON.stringify(config(id)), ledger));
    assert.ok(lesson.screens, lesson.error?.message);
    const screens = walk(lesson, 5);
    assert.ok(screens.length >= 8, `${screens.length} screens`);
    assert.equal(screens.filter(({ title }) => title?.startsWith('What is unusual')).length, 1);
    assert.ok(
      screens.some(({ number }) => number?.value === models.get(id).parameters),
      'asks for the total',
    );
  });

test('every language model of the catalogue has a lesson of eight screens', () => {
  const text = /ForCausalLM|LMHeadModel/;
  const few = [...models.values()].flatMap(({ id, config: own }) => {
    if (!text.test(String(own.architectures))) return [];
    const lesson = /** @type {any} */ (generateLesson(id, JSON.stringify(own), ledger));
    return lesson.screens?.length >= 8 ? [] : [`${id}: ${lesson.screens?.length ?? lesson.error.message}`];
  });
  assert.deepEqual(few, []);
});

/** Words that a lesson may use only if the model has tensors or mechanisms of that kind. */
const MECHANISMS = /** @type {const} */ ([
  [/\bexperts?\b/i, (/** @type {any} */ derivation) => derivation.some(({ experts }) => experts !== undefined)],
  [/\brouter\b/i, (/** @type {any} */ derivation) => derivation.some(({ part }) => part === 'router')],
  [/\blatent\b/i, (/** @type {any} */ derivation) => derivation.some(({ mechanism }) => mechanism === 'latent_attention')],
  [/\bSwiGLU\b/, (/** @type {any} */ derivation) => derivation.some(({ mechanism }) => mechanism === 'gated_feed_forward')],
  [
    /several query heads share/i,
    (/** @type {any} */ derivation) =>
      derivation.some(({ mechanism }) => /^(grouped|multi)_query|latent|gated_attention/.test(mechanism ?? '')),
  ],
  [/RMSNorm/, (/** @type {any} */ derivation) => derivation.some(({ mechanism }) => mechanism === 'rms_norm')],
  [/LayerNorm/, (/** @type {any} */ derivation) => derivation.some(({ mechanism }) => mechanism === 'layer_norm')],
]);

test('no sentence of a made lesson names a mechanism that the model lacks', () => {
  for (const id of GENERATED) {
    const lesson = /** @type {any} */ (generateLesson(id, JSON.stringify(config(id)), ledger));
    const derivation = ledger.derive(config(id));
    assert.ok(derivation.ok);
    const steps = derivation.sections.flatMap((section) => section.steps);
    const shown = ledger.lesson(lesson);
    assert.ok(shown.ok);
    const said = JSON.stringify(shown.screens);
    for (const [word, has] of MECHANISMS) if (word.test(said)) assert.ok(has(steps), `${id} says ${word}`);
  }
});
