import js from '@eslint/js';
import globals from 'globals';

/** Everything that turns text into markup or code, which the page's Trusted Types would refuse at run time anyway. */
const markup = [
  ...['innerHTML', 'outerHTML', 'srcdoc'].map((name) => ({ selector: `AssignmentExpression[left.property.name='${name}']`, message: `No ${name}: build nodes and set textContent.` })),
  ...['insertAdjacentHTML', 'write', 'createContextualFragment', 'setHTMLUnsafe', 'parseFromString'].map((name) => ({
    selector: `CallExpression[callee.property.name='${name}'][callee.object.name!='process']`,
    message: `No ${name}: build nodes and set textContent.`,
  })),
];

export default [
  { ignores: ['**/dist/', '**/node_modules/'] },
  js.configs.recommended,
  {
    rules: {
      'no-restricted-syntax': ['error', ...markup],
      'no-shadow': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  { files: ['web/**/*.js'], languageOptions: { globals: globals.browser } },
  { files: ['web/*.mjs', 'tests/**/*.mjs'], languageOptions: { globals: globals.node } },
  // Functions in these also run inside the page, through Playwright.
  { files: ['tests/page/**/*.mjs'], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
