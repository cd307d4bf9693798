/** Repeats at the very end which tests failed and why: logs are often cut, and errors carry long traces. */
import type { Reporter } from 'vitest/node'

const LINES = 20

export const failures: Reporter = {
  onTestRunEnd: (modules) => {
    for (const module of modules)
      for (const test of module.children.allTests('failed'))
        for (const { message } of test.result().errors ?? [])
          console.log(`FAILED ${test.fullName}\n${message.split('\n').slice(0, LINES).join('\n')}\n`)
  },
}
