/**
 * A game's options in the shape a form needs, read from the JSON schema the hub derives from the game's type.
 */
import type { Schema } from '../../sdk/api.ts'

export type Field =
  | {
      readonly kind: 'words'
      readonly values: readonly (string | number)[]
      readonly fallback: string | number | null
    }
  | { readonly kind: 'switch'; readonly fallback: boolean }
  | { readonly kind: 'number'; readonly least: number; readonly most: number; readonly fallback: number }
  | { readonly kind: 'text'; readonly most: number; readonly fallback: string }

export interface Option {
  readonly key: string
  readonly group: string
  /** Its type, with the hub's default; null means that the default depends on other options. */
  readonly field: Field
  /** The value of `mode` this option belongs to, if there is only one. */
  readonly only: string | null
  /** The default at a table that is not open to everybody; null if it does not differ. */
  readonly secluded: string | null
  /** The value from the printed rules, if all other values are unofficial. */
  readonly official: string | null
}

function resolved(schema: Schema, root: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  const definition = name === undefined ? undefined : root.$defs?.[name]
  return definition === undefined ? schema : { ...definition, ...schema }
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function field(schema: Schema, root: Schema): Field | null {
  const kinds = (schema.anyOf ?? [schema])
    .map((each) => resolved(each, root))
    .filter((each) => each.type !== 'null')
  const fallback = schema.default
  for (const kind of kinds) {
    const values = kind.enum?.filter((value) => value !== null)
    if (values !== undefined) {
      const usual = values.find((value) => value === fallback)
      return { kind: 'words', values, fallback: usual ?? null }
    }
    if (kind.type === 'string')
      return { kind: 'text', most: kind.maxLength ?? 200, fallback: text(fallback) ?? '' }
    if (kind.type === 'boolean') return { kind: 'switch', fallback: fallback === true }
    if (kind.type === 'integer') {
      const least = kind.minimum ?? 0
      return {
        kind: 'number',
        least,
        most: kind.maximum ?? 1_000_000,
        fallback: typeof fallback === 'number' ? fallback : least,
      }
    }
  }
  return null
}

/** Every option this form can show, in the given order; options that `order` does not name come last. */
export function readOptions(root: Schema, order: readonly string[]): readonly Option[] {
  const options: Option[] = []
  for (const [key, property] of Object.entries(resolved(root, root).properties ?? {})) {
    const schema = resolved(property, root)
    const inner = (schema.anyOf ?? []).map((each) => resolved(each, root))
    const about = (name: string): string | null =>
      text(schema[name]) ?? inner.reduce<string | null>((first, each) => first ?? text(each[name]), null)
    const shape = field(schema, root)
    if (shape === null) continue
    options.push({
      key,
      group: about('group') ?? 'game',
      field: shape,
      only: about('only'),
      secluded: about('private'),
      official: about('official'),
    })
  }
  const place = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length)
  return options.toSorted((a, b) => place(a.key) - place(b.key))
}

/** The value the hub uses for an option that is left out. */
export function usual({ field, secluded }: Option, open: boolean): unknown {
  return open ? field.fallback : (secluded ?? field.fallback)
}

/** The values that differ from the hub's defaults; only these are sent, so that the rules set the rest. */
export function chosen(
  options: readonly Option[],
  values: Readonly<Record<string, unknown>>,
  open: boolean,
): Record<string, unknown> {
  const kept = options.filter(
    (option) => values[option.key] != null && values[option.key] !== usual(option, open),
  )
  return Object.fromEntries(kept.map(({ key }) => [key, values[key]]))
}
