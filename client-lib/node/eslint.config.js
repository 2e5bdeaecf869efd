'use strict';

const js = require('@eslint/js');
const typescript = require('typescript-eslint');

const node = Object.fromEntries(
  [
    'Buffer',
    'URL',
    '__dirname',
    '__filename',
    'clearImmediate',
    'clearTimeout',
    'console',
    'fetch',
    'module',
    'process',
  ]
    .concat(['require', 'setImmediate', 'setTimeout'])
    .map((name) => [name, 'readonly']),
);

module.exports = [
  { ignores: ['node_modules/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { ecmaVersion: 2023, globals: node },
    rules: {
      curly: 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-implicit-globals': 'error',
      'no-self-compare': 'off', // NaN
      'no-shadow': 'error',
      'no-unused-private-class-members': 'error',
      'no-unused-vars': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      strict: ['error', 'global'],
    },
  },
  { files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } },
  { files: ['lib/statelog.js', 'benchmarks/**', 'examples/**', 'test/**'], rules: { 'no-console': 'off' } },
  ...typescript.configs.recommended.map((config) => ({ ...config, files: ['**/*.ts', '**/*.mts', '**/*.cts'] })),
  { files: ['**/*.cts'], rules: { '@typescript-eslint/no-require-imports': ['error', { allowAsImport: true }] } },
];
