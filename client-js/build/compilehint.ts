/**
 * Marks the scripts of a first view, most of whose functions run in the first drawing. A browser that knows the mark
 * (https://v8.dev/blog/explicit-compile-hints) compiles them on another thread while they arrive. Without it, each is
 * compiled when it is first called: a quarter of the processor's time until a table could be used. To other browsers,
 * the mark is a comment.
 */
import type { Plugin } from 'vite'

const HINT = '//# allFunctionsCalledOnLoad\n'

const FIRST_VIEW = /^(parley|table|home|cards|dealing|game-\w+)$/

export function compileHint(): Plugin {
  return {
    name: 'parley-compile-hint',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && FIRST_VIEW.test(file.name)) file.code = HINT + file.code
      },
    },
  }
}
