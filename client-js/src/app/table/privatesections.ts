import { PRIVATE_SECTIONS } from '../../sdk/wire.gen.ts'

/** The names of a game's sections for one seat alone. */
export function privateSections(game: string | undefined): readonly string[] {
  const names: Readonly<Record<string, string>> = PRIVATE_SECTIONS
  return (names[game ?? ''] ?? '').split(' ').filter((name) => name !== '')
}
