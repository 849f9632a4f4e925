// Tests another calculator against the conformance vectors: node check-vectors.mjs vectors.jsonl 'COMMAND' [FIELD]
//
// COMMAND is run by the shell for each line with a number in FIELD, with the configuration on its standard input. The first number in its
// output is compared with FIELD of the line, `parameters` by default. Differences are printed; the exit code is then 1.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [path, command, field = 'parameters'] = process.argv.slice(2);
if (!command) {
  console.error("node check-vectors.mjs vectors.jsonl 'COMMAND' [FIELD]");
  process.exit(2);
}

let equal = 0;
let different = 0;
for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
  const { id, config, [field]: expected } = JSON.parse(line);
  if (typeof expected !== 'number') continue;
  const { stdout } = spawnSync(command, { shell: true, input: JSON.stringify(config), encoding: 'utf8' });
  const [written = 'nothing'] = /\d[\d,_]*/.exec(stdout ?? '') ?? [];
  if (written.replaceAll(/[,_]/g, '') === String(expected)) {
    equal++;
  } else {
    different++;
    console.log(`${id}: ${written}, not ${expected}`);
  }
}
console.log(`${equal} equal, ${different} different`);
process.exit(different > 0 ? 1 : 0);
