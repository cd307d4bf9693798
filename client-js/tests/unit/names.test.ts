import { expect, test, vi } from 'vitest'
import { anyName, LONGEST_NAME } from '../../src/app/names.ts'

vi.mock('../../src/app/language.ts', () => ({ t: () => 'Fledermausohrnasenhörnchenkönig' }))

test('a name given to somebody is never longer than the hub takes, in any language', () => {
  expect(anyName()).toBe('Fledermausohrnasenhörnch')
  expect(anyName()).toHaveLength(LONGEST_NAME)
})
