import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a new folder for the files of a test. It is deleted when the process ends. */
export function temporaryFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'param-ledger-')));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
