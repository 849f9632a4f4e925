// The licenses of third-party code in the shipped files: for LICENSE.txt, the package and the offline file.

import { readFile } from 'node:fs/promises';

/** @param {string} path */
const text = (path) => readFile(new URL(path, import.meta.url), 'utf8');

/**
 * Libraries linked into the WebAssembly programs (see wasm/CMakeLists.txt). Their license texts are kept in the folder notices. The npm
 * package of Preact contains its own.
 */
const LINKED = [
  {
    name: 'JSON for Modern C++ (nlohmann/json)',
    license: 'MIT',
    copyright: [
      'Copyright (c) 2013-2022 Niels Lohmann',
      'Copyright (c) 2009 Florian Loitsch (its conversion of numbers to text)',
      'Copyright (c) 2008-2009 Bjoern Hoehrmann (its decoder of UTF-8)',
    ],
  },
  {
    name: 'Emscripten: its runtime in JavaScript, Embind, emmalloc',
    license: 'MIT',
    copyright: ['Copyright (c) 2010-2022 Emscripten authors'],
  },
  { name: 'musl, the C library', license: 'MIT', copyright: ['Copyright © 2005-2020 Rich Felker, et al.'] },
  {
    name: 'libc++, libc++abi and compiler-rt, of the LLVM Project',
    license: 'Apache-2.0 WITH LLVM-exception',
    copyright: ['Copyright (c) 2003-2019 by the contributors to the LLVM Project'],
  },
];

/** All third-party licenses as one text. */
export async function notices() {
  const [preact, mit, apache, exceptions] = await Promise.all(
    ['../node_modules/preact/LICENSE', 'notices/mit.txt', 'notices/apache-2.0.txt', 'notices/llvm-exceptions.txt'].map(text),
  );
  const rule = '-'.repeat(80);
  return [
    'Param Ledger contains what others wrote, under these licenses.\n',
    `${rule}\nPreact\n\n${preact.trim()}\n`,
    ...LINKED.map(
      ({ name, license, copyright }) => `${rule}\n${name}\n\n${copyright.join('\n')}\nLicense: ${license}, whose text follows below.\n`,
    ),
    `${rule}\nMIT\n\n${mit.trim()}\n`,
    `${rule}\nApache-2.0 WITH LLVM-exception\n\n${apache.trim()}\n\n${exceptions.trim()}\n`,
  ].join('\n');
}

/** This program's own license, then the third-party ones. */
export const licenses = async () => `${await text('../../LICENSE')}\n${await notices()}`;
