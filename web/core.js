// The one place that runs the core: starts it once, hands bytes in, reads the answer, replaces it after a trap.
// `core-glue` (Emscripten's output) and `core-bytes` (how the wasm arrives) are chosen by build.mjs for each output.

import { wasmBytes } from 'core-bytes';
import createCore from 'core-glue';
import { configBytes, Unreadable } from './config-bytes.js';

/** @typedef {import('./types').Ledger} Ledger */
/** @typedef {import('./types').Answer} Answer */
/** @typedef {import('./types').Refusal} Refusal */

/** @type {Promise<Ledger> | undefined} */
let ledger;

/**
 * Starts the core once per document or process; later calls return the same promise.
 * @returns {Promise<Ledger>}
 */
export function load() {
  ledger ??= start().catch((error) => {
    ledger = undefined; // so that a later call tries again, e.g. when the network is back
    throw error;
  });
  return ledger;
}

/** @returns {Promise<Ledger>} */
async function start() {
  const program = await WebAssembly.compile(await wasmBytes());
  let running = run(program);
  await running.ready;

  return {
    count(config) {
      try {
        const bytes = configBytes(config);
        if (running.failed) running = run(program);
        if (!running.core.count) return refusal('internal', '', 'The core is being started anew: try again in a moment.');
        return parsed(running.core.count(bytes));
      } catch (error) {
        if (error instanceof Unreadable) return refusal(error.code, error.field, error.message);
        running = run(program); // after a trap the old one's memory is in an unknown state
        return refusal('internal', '', `The core failed on this configuration (${error}). It has been started anew.`);
      }
    },
    catalog: () => parsed(running.core.catalog()),
  };
}

/**
 * A new instance of the program, usable when `ready`: at once, in fact, where the browser lets a page instantiate
 * synchronously, so that the call after a trap is answered already.
 * @param {WebAssembly.Module} program
 */
function run(program) {
  const instance = { core: /** @type {import('core-glue').Core} */ ({}), failed: false, ready: Promise.resolve() };
  instance.ready = new Promise((resolve, reject) => {
    instance.core.instantiateWasm = (imports, receive) => {
      try {
        return receive(new WebAssembly.Instance(program, imports), program);
      } catch {
        WebAssembly.instantiate(program, imports).then((made) => receive(made, program)).catch(reject);
        return {};
      }
    };
    createCore(instance.core).then(() => resolve(), reject);
  });
  instance.ready.catch(() => (instance.failed = true));
  return instance;
}

const decoder = new TextDecoder();

/** @param {Uint8Array} answer a view into the core's memory, good until its next call */
const parsed = (answer) => JSON.parse(decoder.decode(answer));

/**
 * @param {import('./types').ErrorCode} code
 * @param {string} field
 * @param {string} message
 * @returns {Refusal}
 */
const refusal = (code, field, message) => ({ ok: false, error: { code, field, message } });
