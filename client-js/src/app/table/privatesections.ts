import { PRIVATE_SECTIONS } from '../../sdk/wire.gen.ts'

/** The names of a game's sections for one seat alone. */
export function privateSections(game: string | undefined): readonly string[] {
  return PRIVATE_SECTIONS[game ?? ''] ?? []
}
