// Tests opening the page, where a real model must be shown completely and without layout shifts, and choosing another one from the list.

import assert from 'node:assert/strict';
import { PLACES, everywhere } from './browsers.mjs';
import { becomes, counts, field, formula, line, lines, picker, reads, ready, total } from './page.mjs';

everywhere(
  'opens on Llama 3.1 8B, shown completely',
  async ({ page, open }) => {
    await open();
    await ready(page);
    assert.equal(await total(page), '8,030,261,248');
    assert.equal(await page.locator('.title h2').innerText(), 'Llama 3.1 8B');
    assert.match(await page.locator('.headline').innerText(), /8\.03B total/);
    assert.match(await page.title(), /^8,030,261,248 parameters/);
    assert.deepEqual(await page.locator('.account tbody th').allInnerTexts(), [
      'Embedding',
      'Attention',
      'Feed-forward',
      'Norm',
      'Output head',
    ]);
    assert.match((await page.locator('.icicle').getAttribute('aria-label')) ?? '', /Feed-forward 70\.20%/);
    assert.match((await formula(page).getAttribute('aria-label')) ?? '', /= 8,030,261,248$/);
    const pairs = page.locator('msub, msup, mfrac');
    assert.ok((await pairs.count()) > 5);
    assert.deepEqual(await pairs.evaluateAll((all) => all.filter(({ children }) => children.length !== 2).length), 0, 'complete formulas');
    assert.ok((await page.locator('.formula math').count()) > 3);
    const cells = await line(page, 'q_proj.weight').locator('td').allTextContents();
    assert.deepEqual(
      [cells[0], cells[2], cells[3], cells[4], cells[5].trim()],
      ['4,096 × 4,096', '32 × 128 × 4,096 × 32', '32', '536,870,912', '6.69%'],
    );
  },
  { places: PLACES, viewport: { width: 1440, height: 900 } },
);

everywhere('the published count has its source and date; a derived one says how', async ({ page, open }) => {
  await open();
  await ready(page);
  assert.match(await page.locator('.check').innerText(), /equals the published count .*published config\.json.*recorded 20\d\d-\d\d-\d\d/);
  await open('#m=deepseek-ai/DeepSeek-V3');
  await counts(page, '671,026,404,352');
  const told = await page.locator('.check').innerText();
  assert.match(told, /files hold \(684,531,386,000\) without a prediction layer .*\(13,463,426,304\).*block scales/);
  assert.doesNotMatch(told, /equals the published count/);
  // The model's 40 expert layers have 512 score corrections each. They are buffers, but the publisher counts them as parameters.
  await open('#m=nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-BF16');
  await counts(page, '120,668,687,360');
  assert.match(await page.locator('.check').innerText(), /✓ equals the published count of 120,668,707,840, buffers included/);
  // The number is not Google's, so the page must say who counted it.
  await open('#m=google-t5/t5-base');
  await counts(page, '222,903,552');
  assert.match(await page.locator('.check').innerText(), /✓ equals a count by others .*count from KerasHub’s list of presets/);
});

everywhere(
  'the first answer is in the HTML, also without scripts',
  async ({ page, open }) => {
    await open();
    assert.equal(await total(page), '8,030,261,248');
    assert.ok((await lines(page)).includes('q_proj.weight'));
    assert.equal(await page.locator('noscript').count(), 1);
    assert.match(await page.locator('noscript').innerText(), /allow scripts/);
  },
  { javaScriptEnabled: false, names: ['chromium'] },
);

everywhere('the form has the fields that the family reads, with their origin', async ({ page, open }) => {
  await open();
  await ready(page);
  const names = await page.locator('.field .field-name code').allInnerTexts();
  assert.ok(names.includes('hidden_size') && names.includes('head_dim') && !names.includes('max_position_embeddings'));
  assert.equal(await field(page, 'head_dim').getAttribute('placeholder'), '128');
  assert.equal(await page.locator('[data-field="head_dim"] .source').innerText(), 'derived');
  await page.locator('.ignored summary').click();
  await reads(() => page.locator('.ignored').innerText(), /max_position_embeddings No tensor’s shape depends on this field/);
});

everywhere(
  'nothing jumps when the core arrives, for any address',
  async ({ page, open }) => {
    await page.addInitScript(() => {
      Object.assign(window, { shift: 0 });
      new PerformanceObserver((list) =>
        list
          .getEntries()
          .forEach((entry) => Object.assign(window, { shift: /** @type {any} */ (window).shift + /** @type {any} */ (entry).value })),
      ).observe({ type: 'layout-shift', buffered: true });
    });
    for (const fragment of [
      '',
      '#m=deepseek-ai/DeepSeek-V3',
      '#t=nemotron_h',
      '#t=zamba2',
      '#t=gpt2',
      '#t=ministral',
      '#t=bert&hidden_size=32',
      '#m=nobody/knows-this',
    ]) {
      await page.goto('about:blank');
      await open(fragment);
      await ready(page);
      await page.waitForTimeout(250);
      const shift = await page.evaluate(() => /** @type {any} */ (window).shift);
      assert.ok(shift < 0.01, `${fragment}: layout shift ${shift}`);
    }
  },
  { places: PLACES, names: ['chromium'], viewport: { width: 1400, height: 1000 } },
);

everywhere(
  'what has been painted during loading stays in its place',
  async ({ page, open }) => {
    await open();
    await ready(page);
    const height = () => page.locator('.result').evaluate((element) => element.getBoundingClientRect().height);
    const whole = await height();
    await page.evaluate(() => document.querySelectorAll('.answer > .sheet').forEach((sheet) => sheet.remove()));
    assert.equal(await height(), whole);
  },
  { viewport: { width: 1400, height: 1000 } },
);

everywhere(
  'if the address names another model, the first one is never visible',
  async ({ page, open }) => {
    await page.addInitScript(() => {
      const seen = new Set();
      Object.assign(window, { seen: () => [...seen] });
      const look = () => {
        const number = document.querySelector('.number');
        if (number && getComputedStyle(number).visibility === 'visible') seen.add(number.textContent);
        requestAnimationFrame(look);
      };
      look();
    });
    await open('#t=gpt2');
    await ready(page);
    await becomes(() => page.evaluate(() => /** @type {any} */ (window).seen().join()), '124,439,808');
    await counts(page, '124,439,808');
    assert.equal(await page.locator('.number').isVisible(), true);
  },
  { places: ['hosted'] },
);

everywhere(
  'once the page says that it is ready, it shows what the address asks for, however late its timers fire',
  async ({ page, open }) => {
    await page.addInitScript(() => {
      const soon = window.setTimeout;
      Object.assign(window, { setTimeout: (/** @type {() => void} */ run, wait = 0) => soon(run, wait + 300) });
      new MutationObserver(() => Object.assign(window, { first: document.querySelector('.number')?.textContent })).observe(document, {
        subtree: true,
        attributeFilter: ['data-ready'],
      });
    });
    await open('#t=gpt2');
    await ready(page);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).first), '124,439,808');
  },
  { names: ['chromium'], places: ['hosted'] },
);

everywhere('a model is chosen by searching: exact matches come first', async ({ page, open }) => {
  await open();
  await ready(page);
  for (const [query, number] of [
    ['mixtral 8x7', '46,702,792,704'],
    ['gpt2', '124,439,808'],
    ['gpt-2', '124,439,808'],
    ['llama3.1', '8,030,261,248'],
    ['https://huggingface.co/deepseek-ai/DeepSeek-V3', '671,026,404,352'],
  ]) {
    await picker(page).click();
    await page.keyboard.insertText(query);
    await becomes(() => page.locator('[role=option][aria-selected=true]').count(), 1);
    await page.keyboard.press('Enter');
    await counts(page, number);
  }
  assert.match(await page.locator('.other-totals').innerText(), /37,552,282,624/);
});

everywhere(
  'the list has the published models and the types, and says if nothing is found',
  async ({ page, open }) => {
    await open();
    await ready(page);
    await picker(page).click();
    await page.locator('[role=option]').first().waitFor();
    const count = await page.locator('[role=option]').count();
    assert.ok(count > 100, `${count} models`);
    assert.equal(await page.locator('[role=option][aria-selected=true]').innerText(), 'Llama 3.1 8B\n8.03 billion');
    await page.keyboard.type('qqqqqq');
    await reads(() => page.locator('.options').innerText(), /No such model/);
    await page.keyboard.press('Escape');
    await becomes(() => picker(page).inputValue(), 'Llama 3.1 8B');
    await picker(page).click();
    await page.keyboard.type('qq');
    await page.keyboard.press('Tab');
    await becomes(() => page.locator('[role=listbox]').isVisible(), false);
    assert.equal(await picker(page).inputValue(), 'Llama 3.1 8B', 'left without a choice');
  },
  { places: ['hosted'] },
);

everywhere(
  'an owner and a name, or an address, open that model; for an unknown one the offer to load it comes first',
  async ({ page, open, place }) => {
    await open();
    await ready(page);
    for (const [query, number] of [
      ['mistralai/Mistral-7B-v0.1', '7,241,732,096'],
      ['https://huggingface.co/Qwen/Qwen3-8B', '8,190,735,360'],
      ['openai-community/gpt2', '124,439,808'],
      ['meta-llama/Llama-3.3-70B-Instruct', '70,553,706,496'],
      ['llama-2-13b', '13,015,864,320'],
    ]) {
      await picker(page).click();
      await picker(page).fill(query);
      await page.locator('[role=option]').first().waitFor();
      await picker(page).press('Enter');
      await counts(page, number);
    }
    await picker(page).click();
    await picker(page).fill('some-lab/gpt2');
    await reads(() => page.locator('[role=option][aria-selected=true]').innerText(), /config\.json of some-lab\/gpt2/);
    assert.match(await page.locator('[role=option]').first().innerText(), place === 'file' ? /^How to get/ : /^Load/);
    await picker(page).press('Escape');
  },
);

everywhere(
  'Enter pressed before the list of models has loaded chooses the best match when it has',
  async ({ page, open }) => {
    await open();
    await ready(page);
    /** @type {() => void} */
    let release = () => undefined;
    const released = new Promise((resolve) => (release = () => resolve(undefined)));
    await page.route(/models-.*\.json/, async (route) => {
      await released;
      await route.continue();
    });
    await picker(page).fill('mixtral 8x7b');
    await picker(page).press('Enter');
    await page.getByText('Loading the list of models …').waitFor();
    release();
    await counts(page, '46,702,792,704');
  },
  { places: ['hosted'] },
);
