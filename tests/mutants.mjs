// Changes to the sources of web/ that a test must notice, each with that test: `node tests/mutants.mjs [PART-OF-A-FILE'S-NAME]`. No file is
// changed: typescript-hooks.mjs changes the source while loading it. Each test must pass without a change. Prints the surviving mutants;
// exit code 1 if there is one.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** [file in web/, text that occurs once, replacement, test in tests/web/] @type {[string, string, string, string][]} */
const mutants = [
  ['cli/numbers.ts', 'gib: 2n ** 30n', 'gib: 10n ** 9n', 'cli/numbers'],
  ['cli/numbers.ts', 'mib: 2n ** 20n', 'mib: 10n ** 6n', 'cli/numbers'],
  ['cli/numbers.ts', 'bytes === 0n ||', '', 'cli/numbers'],
  ['cli/numbers.ts', 'bytes % divisor !== 0n', 'false', 'cli/numbers'],
  ['cli/numbers.ts', 'number >= least', 'number > least', 'cli/numbers'],
  ['cli/numbers.ts', 'number <= most', 'number < most', 'cli/numbers'],
  ['cli/meant-fields.ts', 'words.length < 2', 'words.length < 1', 'cli/meant-fields'],
  ['cli/meant-fields.ts', 'at++ < parts.length', 'at < parts.length', 'cli/meant-fields'],
  ['cli/meant-fields.ts', 'startsWith(word)', 'includes(word)', 'cli/meant-fields'],
  ['cli/meant-fields.ts', 'if (near !== undefined) return [near];', '', 'cli/meant-fields'],
  ['cli/terminal.ts', '\\x7f-\\x9f', '\\x7f', 'cli/terminal'],
  ['cli/terminal.ts', '\\u202a-\\u202e', '', 'cli/terminal'],
  ['cli/terminal.ts', '\\x0b-\\x1f', '\\x0e-\\x1f', 'cli/terminal'],
  ['cli/terminal.ts', '`${hideControls(text)}\\n`', '`${text}\\n`', 'cli/terminal'],
  ['cli/terminal.ts', '\\x1b[K${hideControls(text)}', '\\x1b[K${text}', 'cli/terminal'],
  ['cli/terminal.ts', 'out.isTTY && !NO_COLOR && !dumb', 'out.isTTY && !dumb', 'cli/terminal'],
  ['cli/terminal.ts', 'out.isTTY && !NO_COLOR && !dumb', 'out.isTTY && !NO_COLOR', 'cli/terminal'],
  ['config/config-line.ts', ' || !isJson(line)', '', 'config/config-line'],
  ['config/config-line.ts', "members.has('model_type') ||", '', 'config/config-line'],
  ['config/config-line.ts', "|| (id === undefined && !config.startsWith('{'))", '', 'config/config-line'],
  ['config/config-line.ts', "token[0] === '\"' ? token : '0'", "'0'", 'config/config-line'],
  ['hub/files.ts', 'new URL(link, this.host).origin === new URL(this.host).origin', 'true', 'hub/files'],
  ['hub/files.ts', 'new URL(link, this.host).origin === new URL(this.host).origin', 'false', 'hub/files'],
  ['support/escape.ts', '[=+\\-@\\t\\r]', '[=+\\-@\\r]', 'support/escape'],
  ['support/escape.ts', '[=+\\-@\\t\\r]', '[=+@\\t\\r]', 'support/escape'],
  ['support/escape.ts', `safe.replaceAll('"', '""')`, 'safe', 'support/escape'],
  ['support/quantity.ts', 'exact + unit / 2n', 'exact', 'support/quantity'],
  ['support/near-names.ts', 'digitsOf(candidate) !== digitsOf(name)', 'false', 'support/near-names'],
  ['app/store.ts', '.slice(-MAX_ARRANGEMENTS)', '.slice(0, MAX_ARRANGEMENTS)', 'app/store'],
  ['app/store.ts', '.slice(-MAX_ARRANGEMENTS)', '', 'app/store'],
];

const root = fileURLToPath(new URL('../', import.meta.url));

/** Whether a test passes, with a change. @param {string} test @param {object} [mutant] */
const passes = (test, mutant) =>
  spawnSync(process.execPath, ['--import', './tests/typescript.mjs', `tests/web/${test}.test.mjs`], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, ...(mutant && { PARAM_LEDGER_MUTANT: JSON.stringify(mutant) }) },
  }).status === 0;

const asked = mutants.filter(([file]) => file.includes(process.argv[2] ?? ''));
const alive = [];
for (const test of new Set(asked.map(([, , , name]) => name))) {
  if (!passes(test)) throw new Error(`${test} fails without a mutant`);
}
for (const [file, from, to, test] of asked) if (passes(test, { file, from, to })) alive.push(`${file}: ${from} → ${to}`);
console.log([...alive, `${asked.length - alive.length} of ${asked.length} mutants are noticed`].join('\n'));
process.exit(alive.length > 0 ? 1 : 0);
