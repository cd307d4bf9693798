import { expect, test, vi } from 'vitest'
import { anyName, LONGEST_NAME, unbroken } from '../../src/app/names.ts'

vi.mock('../../src/app/language.ts', () => ({ t: () => 'Fledermausohrnasenhörnchenkönig' }))

test('a name given to somebody is never longer than the hub takes, in any language', () => {
  expect(anyName()).toBe('Fledermausohrnasenhörnch')
  expect(anyName()).toHaveLength(LONGEST_NAME)
})

test('a name is not broken at any of its spaces', () => {
  expect(unbroken('Bot C the 2nd')).toBe('Bot\u00a0C\u00a0the\u00a02nd')
})
