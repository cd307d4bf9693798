/** The names of tables in addresses. */
import { afterAll, expect, test, vi } from 'vitest'

vi.stubGlobal('location', new URL('http://localhost/'))
vi.stubGlobal('addEventListener', () => undefined)
afterAll(() => void vi.unstubAllGlobals())

test('the code of a private table is told from the code of an open one, and from an id', async () => {
  const { isPrivateCode } = await import('../../src/app/router.svelte.ts')
  expect(['BCDFGHJK', 'bcdfghjk'].map(isPrivateCode)).toEqual([true, true])
  expect(['BCDFGH', 'k3Jq9-xZ2mWp4vLs8Ty1bA', 'ABCDEFGH'].map(isPrivateCode)).toEqual([false, false, false])
})
