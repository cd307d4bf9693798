/** The end of a finished game, from one of the playthroughs of the rules (games/<game>/playthroughs). */
import { readFileSync } from 'node:fs'
import type * as Wire from '../../src/sdk/wire.gen.ts'

export interface Ended<Key extends keyof Wire.Games> {
  /** The last state of each section that everybody sees. */
  readonly sections: Wire.Games[Key]['sections']
  readonly winners: readonly number[]
}

const PUBLIC = /^ {2}all {5}(\w+) ([[{].*)$/

export function endOf<Key extends keyof Wire.Games>(game: Key, name: string): Ended<Key> {
  const file = new URL(`../../../games/${game}/playthroughs/${name}.txt`, import.meta.url)
  const sections: Record<string, unknown> = {}
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, section, data] = PUBLIC.exec(line) ?? []
    if (section !== undefined && data !== undefined) sections[section] = JSON.parse(data)
  }
  const outcome = sections.outcome as { readonly winners: readonly number[] } | undefined
  if (outcome === undefined) throw new Error(`${game} ${name} does not end`)
  return { sections: sections as unknown as Wire.Games[Key]['sections'], winners: outcome.winners }
}
