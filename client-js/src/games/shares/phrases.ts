/** Which ready-made phrases fit what is going on, so that nobody has to look for them among forty. */
import { isAsked } from '../../app/table/asked.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import { COMPANIES } from './cards.ts'
import { sectionsOf, type Sections } from './selectors.ts'

const PREFIX = 'shares.say.'

/** Whether other seats, or this one itself, have done something of the kind in this round or the last. */
function happened(view: TableView, keys: readonly string[], by: 'others' | 'self' = 'others'): boolean {
  const { lines } = view.state
  const rounds = lines.flatMap(([, key], index) => (key === 'shares.round' ? [index] : []))
  return lines.slice(rounds.at(-2) ?? 0).some(([, key, args]) => {
    const fitting = keys.includes(key) || keys.includes(`${key} ${String(args.what)}`)
    return fitting && (args.seat === view.seat) === (by === 'self')
  })
}

/** Whether somebody else has said something that this seat may answer. */
function isSpokenTo(view: TableView): boolean {
  return view.state.talk.some(({ seat, to, args }) => {
    const addressee = args?.to ?? to ?? null
    return seat != null && seat !== view.seat && (addressee === null || addressee === view.seat)
  })
}

function fitsTower(name: string, index: number, { towers, stage }: Sections): boolean {
  const stands = (towers.companies[index]?.floors.length ?? 0) > 0
  switch (name) {
    case 'raise':
      return towers.next !== null
    case 'lower':
    case 'leave':
      return stands
    case 'iTake':
      return stage.phase === 'select'
    default:
      return true
  }
}

/** Whether a person has a reason to say this now. */
export function fits(view: TableView, phrase: string): boolean {
  const sections = sectionsOf(view)
  if (sections === null) return true
  const key = phrase.slice(PREFIX.length)
  if (sections.stage.phase === 'end') return ['thanks', 'traitor', 'wellPlayed'].includes(key)
  const index = COMPANIES.findIndex((company) => key.endsWith(company))
  const name = index < 0 ? key : key.slice(0, -1)
  if (name.startsWith('spied')) {
    const hand = ['Hearts', 'Spades'].some((suit) => key.endsWith(suit))
    const keys = key === 'spiedNothing' ? ['peek.began'] : [`peek.began ${hand ? 'hand' : 'tracker'}`]
    return happened(view, keys, 'self')
  }
  if (index >= 0) return fitsTower(name, index, sections)
  const { stage, towers } = sections
  switch (name) {
    case 'agreed':
    case 'no':
      return isAsked(view)
    case 'iHelp':
      return isSpokenTo(view)
    case 'whoHasHearts':
      return towers.next !== null
    case 'thanks':
      return happened(view, ['shares.added', 'promise.kept'])
    case 'traitor':
      return happened(view, ['shares.removed', 'shares.took', 'promise.broken'])
    case 'wellPlayed':
      return stage.round === stage.rounds
    case 'hurry':
      return view.due.some((seat) => seat !== view.seat)
    default:
      return true
  }
}
