// Drives Debian's WebKitGTK with the WebDriver protocol: its MiniBrowser on an invisible display.
//
//   const driver = await start({ LANG: 'C.UTF-8' });
//   await driver.open(url); await driver.run('return document.title'); await driver.end();

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Where Debian installs programs that are not meant to be started by users. */
const LIBRARIES = '/usr/lib';
/** The time limit in milliseconds for starting a session and for each wait. It is generous, because machines may be busy. */
const PATIENCE = 30_000;
/** The protocol's name for the id of an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** The size of the window in pixels, in which the form fits next to the answer. */
const [WIDTH, HEIGHT] = [1360, 960];

/** The protocol's codes for keys without a character. */
export const KEYS = { backspace: '\ue003', end: '\ue010' };

/** The path of MiniBrowser, or undefined if WebKitGTK, its driver or Xvfb is not installed. */
export function miniBrowser() {
  if (!existsSync('/usr/bin/WebKitWebDriver') || !existsSync('/usr/bin/Xvfb')) return undefined;
  const found = readdirSync(LIBRARIES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => ['4.1', '4.0'].map((version) => join(LIBRARIES, name, `webkit2gtk-${version}`, 'MiniBrowser')));
  return found.find((path) => existsSync(path));
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts an invisible display. Returns its process, and its name for the variable DISPLAY. */
async function display() {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [number] = await once(/** @type {import('node:stream').Readable} */ (server.stdio[3]), 'data');
  return { server, name: `:${String(number).trim()}` };
}

/** Starts MiniBrowser and returns functions that control it. @param {Readonly<Record<string, string>>} environment variables, such as LANG */
export async function start(environment) {
  const binary = miniBrowser();
  assert.ok(binary, 'WebKitGTK is not installed');
  const { server, name } = await display();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, LC_ALL: '', LANGUAGE: '', ...environment, DISPLAY: name },
    stdio: 'ignore',
  });

  /** @param {string} method @param {string} path @param {object} [body] */
  async function ask(method, path, body) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }

  /** Starts a session as soon as the driver listens. @param {number} end the time at which to give up */
  async function session(end) {
    try {
      return await ask('POST', '/session', {
        capabilities: { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args: ['--automation'] } } },
      });
    } catch (error) {
      if (Date.now() > end || !(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return session(end);
    }
  }
  const { sessionId, capabilities } = await session(Date.now() + PATIENCE);
  const at = `/session/${sessionId}`;
  await ask('POST', `${at}/window/rect`, { x: 0, y: 0, width: WIDTH, height: HEIGHT });

  /** Runs a script and returns its result or, if that is a promise, its value. @param {string} script @param {unknown[]} args */
  const run = (script, ...args) => ask('POST', `${at}/execute/sync`, { script, args });

  /** Waits until the result of a script matches. @param {string} script @param {RegExp} wanted */
  async function reads(script, wanted) {
    let last;
    for (const end = Date.now() + PATIENCE; Date.now() < end;) {
      last = String(await run(script));
      if (wanted.test(last)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.match(String(last), wanted);
  }

  /** @param {string} selector @returns {Promise<string>} the element's id in the protocol */
  const element = async (selector) => (await ask('POST', `${at}/element`, { using: 'css selector', value: selector }))[ELEMENT];

  return {
    version: `${capabilities.browserName} ${capabilities.browserVersion}`,
    /** @param {string} url */
    open: (url) => ask('POST', `${at}/url`, { url }),
    run,
    reads,
    /** @param {string} selector */
    click: async (selector) => ask('POST', `${at}/element/${await element(selector)}/click`, {}),
    /** @param {string} selector @param {string} text */
    type: async (selector, text) => ask('POST', `${at}/element/${await element(selector)}/value`, { text }),
    async end() {
      await ask('DELETE', at).catch(() => undefined);
      driver.kill();
      server.kill();
      await Promise.all([once(driver, 'exit'), once(server, 'exit')]);
    },
  };
}
