// Mutants of wasm/: the file, the original text, its replacement, and the test that must detect the change.

/** @type {import('../mutants.mjs').Mutant[]} */
export const wasm = [
  ['wasm/texts.hpp', 'if (rest.size() < sizeof out) return out;', '', 'package/standalone'],
  ['wasm/texts.hpp', 'if (count > rest.size() / sizeof count) return {};', '', 'package/standalone'],
  ['wasm/standalone.cpp', 'last = std::move(answer);', 'last += answer;', 'package/standalone'],
  ['wasm/conversions.cpp', 'param_ledger::decimal(number)', '0.0', 'node/cases'],
  ['wasm/conversions.cpp', ' + number.size()', '', 'node/cases'],
  ['wasm/bindings.cpp', 'asked_size = size;', 'asked_size = size / 2;', 'node/input'],
];
