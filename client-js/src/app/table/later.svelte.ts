/** The parts of a table that come right after its first view: talk, notes, rules, and banners that rarely show. */

type Parts = typeof import('./laterparts.ts')

let parts = $state.raw<Parts | null>(null)

export const later = {
  /** Null until they are loaded. */
  get parts(): Parts | null {
    return parts
  },
}

/** If this fails, the page loads anew once (upgrade.ts). */
export async function loadLater(): Promise<void> {
  parts ??= await import('./laterparts.ts').catch(() => null)
}
