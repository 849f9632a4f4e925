// Presses keys in the page and measures the time until the next frame is painted.

/** The first decile: a tenth of the measurements are smaller. @param {number[]} list */
export const firstDecile = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 10)];

/**
 * Measures the milliseconds from each key press until the next frame is painted.
 * @param {import('playwright-core').Page} tab
 * @param {(i: number) => Promise<void>} press
 * @param {number} [pause] in milliseconds, after each key press
 * @param {number} [times]
 */
export async function keys(tab, press, pause = 60, times = 40) {
  await tab.evaluate(() => {
    const listening = new AbortController();
    Object.assign(window, { times: [], listening });
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => /** @type {any} */ (window).times.push(performance.now() - timeStamp);
          port2.postMessage(0); // delivered after the frame has been painted
        });
      },
      { capture: true, signal: listening.signal },
    );
  });
  for (let i = 0; i < times; i++) {
    await press(i);
    await tab.waitForTimeout(pause);
  }
  return /** @type {Promise<number[]>} */ (
    tab.evaluate(() => {
      const { times, listening } = /** @type {any} */ (window);
      listening.abort();
      return times;
    })
  );
}

/**
 * Focuses an input and returns a function that presses one key: in turn, it deletes the last digit and types another one. An empty input
 * first gets its placeholder as its value, so that each key changes the value.
 * @param {import('playwright-core').Page} tab
 * @param {string} selector
 */
export async function digits(tab, selector) {
  const input = tab.locator(selector).first();
  const placeholder = await input.getAttribute('placeholder');
  if (placeholder && (await input.inputValue()) === '') await input.fill(placeholder);
  await input.focus();
  await tab.keyboard.press('End');
  return (/** @type {number} */ i) => tab.keyboard.press(i % 2 === 0 ? 'Backspace' : '6');
}
