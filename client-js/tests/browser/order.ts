/** Starts the files that take longest first: one of them at the end would run alone. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** From the longest on. Most of their time goes to clocks, to hubs that start, and to whole games. */
const LONGEST = [
  'trouble',
  'outage',
  'again',
  'games/sucker/play',
  'games/shares/play',
  'screens.room',
  'admin',
  'games',
  'lesson',
  'games/takeover/play',
  'votes',
  'shapes',
  'hands',
].map((name) => `/browser/${name}.test.ts`)

function rank({ moduleId }: TestSpecification): number {
  const at = LONGEST.findIndex((path) => moduleId.endsWith(path))
  return at === -1 ? LONGEST.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
