// Packs the package with npm and installs the tarball into a new folder.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../folder.mjs';

const dist = fileURLToPath(new URL('../../web/dist/package/', import.meta.url));

/** The folder that contains the installed `node_modules`. */
export const folder = temporaryFolder();

const npm = (/** @type {string[]} */ ...words) =>
  String(
    execFileSync('npm', [...words, '--ignore-scripts', '--no-audit', '--no-fund', '--update-notifier=false'], {
      cwd: folder,
      stdio: 'pipe',
    }),
  );

const [packed] = JSON.parse(npm('pack', dist, '--json', '--offline'));

/** The tarball that npm would publish. */
export const tarball = join(folder, packed.filename);

/** The names of the files in the tarball. @type {string[]} */
export const packedFiles = packed.files.map((/** @type {{ path: string }} */ { path }) => path).sort();

writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
npm('install', tarball, '--offline');

/** The path of an installed file. @param {string} name */
export const file = (name) => join(folder, 'node_modules/param-ledger', name);

/** Runs source code as a module in the folder of the installed package. @param {string} source @param {string[]} options for Node */
export const program = (source, ...options) =>
  String(execFileSync(process.execPath, [...options, '--input-type=module', '--eval', source], { cwd: folder }));
