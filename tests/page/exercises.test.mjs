// Tests exercises in a link, such as the 20 questions of the first course: answering them, handing in answers, truncated and broken links,
// a frame, the widget, and the teacher's editor.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pack } from '../../web/config/link.ts';
import { resolveLesson } from '../../web/lessons/resolve.ts';
import { writeSet } from '../../web/settings/lesson-choice.ts';
import { ledger } from '../web/ledger.mjs';
import { place, page as writePage } from '../widget/host-page.mjs';
import { everywhere, inaccessible } from './browsers.mjs';
import { becomes, eventually, reads, ready } from './page.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Page | import('playwright-core').FrameLocator | import('playwright-core').Locator} Place */

/** @type {import('../../web/types/index.ts').Lesson} */
const course = JSON.parse(readFileSync(new URL('../../web/data/lessons/first-course.json', import.meta.url), 'utf8'));

const linkOf = async (/** @type {any} */ set, /** @type {any} */ answers = undefined) => `#lessons?~${await pack(writeSet(set, answers))}`;

const input = (/** @type {Place} */ at) => at.locator('.lesson-question .claim-input');
const verdict = (/** @type {Place} */ at) => at.locator('.lesson-verdict').innerText();
const next = (/** @type {Place} */ at) => at.locator('.lesson-moves button').nth(1);

/** @param {Place} at @param {string} text */
async function answer(at, text) {
  await input(at).fill(text);
  await input(at).press('Enter');
}

/** Replaces the clipboard and returns a function that reads what was copied. @param {Page} page */
async function clipboard(page) {
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async (/** @type {string} */ text) => Object.assign(window, { copied: text }) },
    });
  });
  return async () => /** @type {string} */ (await page.evaluate(() => /** @type {any} */ (window).copied));
}

const layer = {
  title: 'Attention',
  model: 'meta-llama/Llama-3.1-8B',
  says: 'The hidden state has {d} dimensions.',
  asks: 'How many parameters does q_proj have?',
  number: { expression: 'n * h * d', wrong: [{ value: 'n * h', says: 'These are rows.' }] },
};
const set = { title: 'Two questions', screens: [layer, { ...layer, title: 'Again' }] };

everywhere('the 20 questions come with a link, and what is answered goes back with one', async ({ page, open, context, url }) => {
  const resolved = await resolveLesson(course);
  const shown = ledger.lesson(resolved);
  assert.ok(shown.ok);
  const hash = await linkOf(course);
  assert.ok(hash.length < 16_000, `${hash.length} characters`);
  await open(hash);
  await ready(page);
  const copied = await clipboard(page);
  for (const [i, screen] of shown.screens.entries()) {
    await reads(() => page.locator('.lesson-head h3').innerText(), new RegExp(`^${(screen.title ?? '').replace(/[?.·²]/g, '.')}$`));
    if (screen.number) {
      // lessons.test.mjs tests all diagnoses, so only some are tested here. The last answer stays wrong, so that the teacher sees a wrong
      // one.
      const stays = i + 1 === shown.screens.length;
      if (i % 6 === 0 || stays) {
        await answer(page, screen.number.wrong[0].value);
        await becomes(async () => (await verdict(page)).replace(/^Not yet\.\s*/, ''), screen.number.wrong[0].says);
      }
      if (!stays) await answer(page, screen.number.value);
    } else {
      const right = (screen.choices ?? []).findIndex((choice) => choice.right);
      await page.locator('.lesson-choices input').nth(right).check();
      await page.locator('.lesson-question button').click();
    }
    if (i + 1 < shown.screens.length) await reads(() => verdict(page), /^Right\./);
    await next(page).click();
  }
  await reads(() => page.locator('.lesson-main').innerText(), /You answered 19 of 20 questions right\./);
  await page.getByRole('button', { name: /Copy my answers as text/ }).click();
  await eventually(async () => (await copied())?.startsWith('A first course: 20 questions\n1. The embedding:'), 'the text');
  await page.getByRole('button', { name: /Copy a link with my answers/ }).click();
  await eventually(async () => (await copied()).includes('#lessons?~'), 'the link');
  const teacher = await context.newPage();
  await teacher.goto(url + (await copied()).replace(/^[^#]*/, ''));
  await ready(teacher);
  await reads(() => teacher.locator('.lesson-results h3').innerText(), /^Handed in: 19 of 20 questions right$/);
  await reads(() => teacher.locator('.lesson-results').innerText(), /Nothing proves who wrote them\./);
  assert.equal(await teacher.locator('.lesson-results tbody tr').count(), 20);
  await reads(() => teacher.locator('.lesson-results tbody tr').last().innerText(), /Not yet\. /);
});

everywhere('numbers are read as people write them', async ({ page, open }) => {
  await open(await linkOf(set));
  await ready(page);
  for (const text of ['16.8M', '4096*4096', '2^24', '16,777,216']) {
    await answer(page, '1');
    await reads(() => verdict(page), /^Not yet\./);
    await answer(page, text);
    await reads(() => verdict(page), /^Right\.[^]*4,096|^Right\./);
  }
  await answer(page, 'sixteen');
  await reads(() => verdict(page), /^Not read\.[^]*16\.8M, 2\^24 or 4096\*4096/);
});

everywhere('a link that was cut short says so and opens what is whole', async ({ page, open }) => {
  const hash = await linkOf(course);
  await open(hash.slice(0, Math.round(hash.length * 0.7)));
  await ready(page);
  await reads(() => page.locator('.lessons').innerText(), /This link was cut short\. \d+ screens arrived whole; the rest is missing\./);
  await reads(() => page.locator('.lesson-head').innerText(), /1 of \d+[^]*The embedding/);
  await answer(page, '38,597,376'); // 50,257 × 768
  await reads(() => verdict(page), /^Right\./);
});

everywhere('what cannot be read names the screen and the key', async ({ page, open }) => {
  const broken = { ...set, screens: [layer, { ...layer, number: { expression: 'n * nonsense' } }] };
  await open(await linkOf(broken));
  await ready(page);
  await reads(() => page.locator('.lessons').innerText(), /screens\[1\]\.number\.expression\s+Screen 2: .*nonsense/);
  await open(await linkOf({ ...set, screens: [{ ...layer, model: 'nobody/nothing' }] }));
  await reads(() => page.locator('.lessons').innerText(), /Screen 1, model: “nobody\/nothing”/);
});

everywhere(
  'a teacher chooses and writes questions, sees them as learners do, and takes them away',
  async ({ page, open, url, name }) => {
    await open('#lessons?exercises');
    await ready(page);
    const copied = await clipboard(page);
    await page.getByLabel('Title').fill('My set');
    await page.getByRole('checkbox', { name: 'SwiGLU' }).check();
    await reads(() => page.locator('.lesson-head h3').innerText(), /SwiGLU/);
    await page.locator('summary', { hasText: 'Write a question' }).click();
    await page.getByLabel('Question', { exact: true }).fill('How many rows does the embedding have?');
    await page.getByLabel('The right answer').fill('V');
    await page.getByLabel('A likely wrong answer').fill('d');
    await page.getByLabel('What it means').fill('These are the columns.');
    await page.getByRole('button', { name: 'Add to the set' }).click();
    await next(page).click();
    await answer(page, '4096');
    await reads(() => verdict(page), /These are the columns\./);
    await answer(page, '128256');
    await reads(() => verdict(page), /^Right\./);
    assert.deepEqual(await inaccessible(page), []);

    await page.getByRole('button', { name: /^Copy widget/ }).click();
    await reads(copied, /^<param-ledger view="exercise"/);
    const widget = await copied();
    await page.getByRole('button', { name: /^Copy frame/ }).click();
    await reads(copied, /^<iframe /);
    const frame = await copied();
    await page.getByRole('button', { name: /^Copy link/ }).click();
    await reads(copied, /#lessons\?~/);
    // On another site: the widget on the author's page, and the frame in its sandbox.
    writePage(`exercise-${name}.html`, widget, '');
    await page.goto(`${place}exercise-${name}.html`);
    await reads(() => page.locator('param-ledger .lesson-head').innerText(), /My set · 1 of 2[^]*SwiGLU/);
    const host = page.locator('param-ledger');
    await answer(host, '3*4096*11008');
    await reads(() => verdict(host), /^Right\./);
    await next(host).click();
    await answer(host, '4096');
    await reads(() => verdict(host), /These are the columns\./);
    await next(host).click();
    await reads(() => host.locator('.lesson-main').innerText(), /You answered 1 of 2 questions right\./);
    writePage(
      `framed-${name}.html`,
      frame.replaceAll(/<iframe src="[^"]*?param-ledger\.html/g, `<iframe src="${url}param-ledger.html`),
      '',
    );
    await page.goto(`${place}framed-${name}.html`);
    const inside = page.frameLocator('iframe');
    await reads(() => inside.locator('.lesson-head').innerText(), /My set · 1 of 2[^]*SwiGLU/);
    await answer(inside, '135M');
    await reads(() => verdict(inside), /^Right\./);
    await next(inside).click();
    await next(inside).click();
    await inside.getByRole('button', { name: /Copy a link with my answers/ }).click();
    await inside.getByRole('button', { name: /^Copied/ }).waitFor();
    await eventually(async () => (await page.locator('iframe').getAttribute('height')) !== '720', 'the height of what is in it');
  },
  // The sandbox blocks the clipboard API, which Chromium logs. The page then copies by selecting text.
  { places: ['hosted'], serviceWorkers: 'allow', faults: /Clipboard API has been blocked/ },
);

everywhere('a set that its teacher breaks says where', async ({ page, open }) => {
  await open('#lessons?exercises');
  await ready(page);
  await page.getByRole('checkbox', { name: 'SwiGLU' }).check();
  await page.locator('summary', { hasText: 'as JSON' }).click();
  const json = page.locator('.exercise-editor textarea');
  const text = (await json.inputValue()).replace('"expression": "3 * d * f"', '"expression": "3 * d *"');
  await json.evaluate((area, written) => {
    const element = /** @type {HTMLTextAreaElement} */ (area);
    element.value = written;
    element.dispatchEvent(new Event('change', { bubbles: true }));
  }, text);
  await reads(() => page.locator('.exercise-editor').innerText(), /screens\[0\]\.number\.expression\s+Screen 1/);
});

everywhere(
  'a widget that changes from a model to exercises shows no model again until it is asked to',
  async ({ page, name }) => {
    writePage(`switching-${name}.html`, '<param-ledger model="openai-community/gpt2"></param-ledger>');
    await page.goto(`${place}switching-${name}.html`);
    const host = page.locator('param-ledger');
    await reads(() => host.locator('.number').innerText(), /^124,439,808$/);
    await host.evaluate((/** @type {any} */ element, config) => Object.assign(element, { view: 'exercise', config }), JSON.stringify(set));
    await reads(() => host.locator('.lesson-head').innerText(), /Two questions · 1 of 2/);
    await host.evaluate((/** @type {any} */ element) => void element.setAttribute('theme', 'dark'));
    await answer(host, '4096*4096');
    await reads(() => verdict(host), /^Right\./);
    assert.equal(await host.evaluate((/** @type {any} */ element) => element.answers?.length ?? 0), 0);
    await host.evaluate((/** @type {any} */ element) => Object.assign(element, { view: 'total', config: '' }));
    await reads(() => host.locator('.number').innerText(), /^124,439,808$/);
  },
  { places: ['hosted'] },
);
