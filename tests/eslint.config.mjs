import js from '@eslint/js';
import globals from 'globals';
import ts from 'typescript-eslint';
import modules from './modules.mjs';

/** APIs that turn text into markup. No source may use them, and the page's Trusted Types policy would refuse them at run time. */
const markup = [
  ...['innerHTML', 'outerHTML', 'srcdoc'].map((name) => ({
    selector: `AssignmentExpression[left.property.name='${name}']`,
    message: `No ${name}: draw nodes.`,
  })),
  { selector: "CallExpression[callee.property.name='write'][callee.object.name='document']", message: 'No document.write: draw nodes.' },
  ...['insertAdjacentHTML', 'createContextualFragment', 'setHTMLUnsafe', 'parseFromString'].map((name) => ({
    selector: `CallExpression[callee.property.name='${name}']`,
    message: `No ${name}: draw nodes.`,
  })),
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'No markup from text: draw nodes.' },
];

/** A component may be on a page several times, also in a shadow root, so it must not search the whole document. */
const byPlace = [
  ...['getElementById', 'querySelector', 'querySelectorAll'].map((name) => ({
    selector: `CallExpression[callee.object.name='document'][callee.property.name='${name}']`,
    message: `No document.${name} in what may stand on a page twice: use a ref.`,
  })),
  {
    selector: "MemberExpression[object.name='document'][property.name='activeElement']",
    message: 'In a shadow root that is the host: use focusedIn.',
  },
];

const rules = {
  'no-restricted-syntax': ['error', ...markup],
  'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
  eqeqeq: ['error', 'always', { null: 'ignore' }],
};

export default [
  { ignores: ['**/dist/', 'web/made/', '**/node_modules/'] },
  js.configs.recommended,
  { rules },
  { files: ['web/examples/**'], languageOptions: { globals: globals.browser, parserOptions: { ecmaFeatures: { jsx: true } } } },
  { files: ['web/**/*.{ts,tsx}'], languageOptions: { parser: ts.parser, globals: globals.browser }, plugins: { ts: ts.plugin } },
  {
    // TypeScript itself reports undefined names, and the plugin has a rule for unused variables that also understands types.
    files: ['web/**/*.{ts,tsx}'],
    rules: {
      'no-undef': 'off',
      'no-unused-vars': 'off',
      'ts/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'ts/no-explicit-any': 'error',
    },
  },
  { files: ['web/parts/**', 'web/views/model-view.tsx'], rules: { 'no-restricted-syntax': ['error', ...markup, ...byPlace] } },
  {
    files: ['web/**/*.{ts,tsx,mjs}'],
    ignores: ['**/*.d.ts'],
    plugins: { modules },
    rules: { 'modules/no-circle': 'error' },
  },
  { files: ['web/**/*.mjs', 'tests/**/*.mjs'], languageOptions: { globals: globals.node } },
  // Some functions in these files run inside the page, through Playwright.
  {
    files: ['tests/page/**/*.mjs', 'tests/widget/**/*.mjs', 'tests/package/**/*.mjs', 'tests/bench/**/*.mjs'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
];
