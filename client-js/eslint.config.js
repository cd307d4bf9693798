import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

const DEVICE_CLOCK = {
  selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
  message: 'Countdowns come from table time (sdk/clock.ts), never from the device’s clock.',
}
/** The same words as in tests/test_names.py. */
const PRONOUNS = {
  selector:
    ':matches(VariableDeclarator > Identifier.id, :function > Identifier.params)[name=/^(here|where|found|told|mine|own|made|taken)$/]',
  message: 'A pronoun says nothing about what the value is: use a noun.',
}

/**
 * TypeScript's syntax without its types, which no rule here asks for: where svelte-eslint-parser finds a parser
 * that offers types, it parses each component twice.
 */
const SYNTAX = {
  meta: ts.parser.meta,
  parseForESLint(code, options) {
    const { ast, scopeManager, visitorKeys } = ts.parser.parseForESLint(code, options)
    return { ast, scopeManager, visitorKeys }
  },
}

export default ts.config(
  { ignores: ['node_modules/', '.svelte-check/', 'test-results/', 'src/**/*.gen.ts'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser } },
    rules: {
      // TypeScript and its ESLint plugin cover these two rules.
      'no-undef': 'off',
      'no-unused-vars': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', DEVICE_CLOCK, PRONOUNS],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: SYNTAX } },
  },
  {
    // The SDK runs in Node and in browsers. It depends on neither environment and on no framework.
    files: ['src/sdk/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: ['svelte', 'svelte/*', '../app/*', '../games/*'] }],
      'no-restricted-globals': ['error', 'window', 'document', 'localStorage', 'sessionStorage', 'Date'],
    },
  },
  {
    files: ['*.ts', '*.js', 'build/**', 'tests/**'],
    languageOptions: { globals: { ...globals.node } },
  },
  {
    files: ['tests/**'],
    rules: { 'no-restricted-syntax': ['error', DEVICE_CLOCK] },
  },
)
