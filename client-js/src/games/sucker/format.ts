/** Piles, cards, previews and lines in words. */
import { words } from '../../app/language.ts'
import type { TableView } from '../../app/tableview.svelte.ts'
import type { Message, Piece, Values } from '../../app/words.ts'
import type { AudienceLine, SuckerForecast, SuckerPileView } from '../../sdk/wire.gen.ts'
import type { SuckerSelection, Preview } from './selection.svelte.ts'
import { chipsOf, heldBy, outlookOf, type CardView, type Kind, type Sections } from './selectors.ts'
import { say, texts } from './words.ts'

const KIND = { capture: 'kindCapture', return: 'kindReturn', tribute: 'kindTribute' } as const

export function formatKind(kind: Kind | null): string {
  return say(kind === null ? 'kindHidden' : KIND[kind])
}

/** The number shown for a pile, counted from 1. */
export function pileNumber(id: number): number {
  return id + 1
}

function names(view: TableView, seats: readonly number[]): readonly string[] {
  return seats.map((seat) => view.nameOf(seat))
}

/** The result of placing a chip of this colour, as a sentence; to its own player as *you*. */
export function formatOutlook(view: TableView, [what, seats]: SuckerForecast, colour: number): string {
  const isOwn = colour === view.seat
  const [first] = seats
  const args = { name: view.nameOf(colour), names: names(view, seats) }
  if (what === 'dies') return say(isOwn ? 'lookDiesYou' : 'lookDies', args)
  if (what === 'capture') return say(isOwn ? 'lookCaptureYou' : 'lookCapture', args)
  if (what === 'free' && seats.length > 1) return say(isOwn ? 'lookFreeYou' : 'lookFree', args)
  if (first === view.seat) return say(isOwn ? 'lookNextYouYou' : 'lookNextYou', args)
  return say(isOwn ? 'lookNextMine' : 'lookNext', args)
}

/** A pile from bottom to top, and the result of placing a chip of this colour, or the chip that decides. */
export function formatPile(view: TableView, pile: SuckerPileView, colour: number | null): string {
  const outlook = colour === null ? undefined : pile.outlook[colour]
  const decider = pile.decides === null ? undefined : pile.chips[pile.decides]
  const parts = [
    say('pileSaid', {
      pile: pileNumber(pile.id),
      count: pile.chips.length,
      names: words.value(names(view, pile.chips)),
    }),
    pile.missing.length === 0 ? say('pileFull') : say('pileMissing', { names: names(view, pile.missing) }),
    outlook !== undefined && colour !== null
      ? formatOutlook(view, outlook, colour)
      : decider === undefined || pile.missing.length > 0
        ? null
        : say('pileDecides', { name: view.nameOf(decider) }),
  ]
  return parts.filter((part) => part !== null).join(' ')
}

/** The contents of a seat's hand. */
export function formatHand(view: TableView, { hands }: Sections, seat: number): string {
  const parts =
    hands.chips[seat]?.flatMap((count, colour) =>
      count === 0 ? [] : [say('handChip', { count, name: view.nameOf(colour) })],
    ) ?? []
  return say('handsSaid', { name: view.nameOf(seat), chips: parts.length === 0 ? say('handEmpty') : parts })
}

export function formatCard(view: TableView, { owner, token, kind }: CardView): string {
  return say('cardSaid', { name: view.nameOf(owner), other: view.nameOf(token), kind: formatKind(kind) })
}

// --- what the choice would do ---

/** A sentence from the catalogue; the arguments `seat`, `other`, `a`, `b` and `seats` are seats. */
type Saying = readonly [key: keyof typeof texts.ui & `will${string}`, values?: Values]

function formatPlacing(
  sections: Sections,
  { colour, spot, card }: SuckerSelection,
  viewer: number,
  preview: Preview,
): readonly Saying[] {
  const [what, seats] =
    (colour !== null && spot !== null && outlookOf(sections.piles, spot, colour)) || (['free', []] as const)
  const [first = viewer] = card === null ? seats : [viewer]
  const youOr = (key: 'willNext' | 'willForce' | 'willCapture', seat: number): Saying =>
    seat === viewer ? [`${key}You`] : [key, { seat }]
  if (card !== null || what === 'capture') return [youOr('willCapture', preview.captor ?? first)]
  if (what === 'dies') return [['willDie', { count: preview.dies.reduce((sum, count) => sum + count, 0) }]]
  if (what === 'forced') return [youOr('willForce', first)]
  return [seats.length === 1 ? youOr('willNext', first) : ['willChoose', { seats }]]
}

/** The highest pile that a seat could capture with a chip of its own if it had the turn. */
function threatOf({ piles, hands }: Sections, seat: number): SuckerPileView | null {
  if ((hands.chips[seat]?.[seat] ?? 0) === 0) return null
  const open = piles.piles.filter(({ chips }) => chips.at(-1) === seat && chips.length > 1)
  return open.toSorted((a, b) => b.chips.length - a.chips.length)[0] ?? null
}

function formatThreat(sections: Sections, seat: number | null): readonly Saying[] {
  const pile = seat === null ? null : threatOf(sections, seat)
  return pile === null
    ? []
    : [['willThreaten', { seat, pile: pileNumber(pile.id), count: pile.chips.length }]]
}

/**
 * How a seat that is given the turn could make the viewer next, who has no chips; nothing if it could not. A way that leaves
 * nobody who could help comes first.
 */
function formatRisk(
  { piles, hands, stage }: Sections,
  seat: number | null,
  viewer: number,
): readonly Saying[] {
  if (seat === null || seat === viewer || heldBy(hands, viewer) > 0) return []
  const held = [...(hands.chips[seat] ?? []).keys()].filter((colour) => chipsOf(hands, seat, colour) > 0)
  const ways = piles.piles.flatMap(({ id, outlook }) =>
    held
      .filter((colour) => {
        const [what, seats] = outlook[colour] ?? ['free', []]
        return (what === 'forced' || what === 'free') && seats.length === 1 && seats[0] === viewer
      })
      .map((colour) => ({ pile: pileNumber(id), colour })),
  )
  const [first] = ways
  if (first === undefined) return []
  const prisoners = stage.alive.reduce(
    (sum, alive, holder) => sum + (alive ? heldBy(hands, holder) - chipsOf(hands, holder, holder) : 0),
    0,
  )
  const alone = ways.find(({ colour }) => prisoners === Number(colour !== seat))
  if (alone !== undefined) return [['willRiskAlone', { seat, pile: alone.pile }]]
  return [['willRisk', { seat, pile: first.pile }]]
}

/** The move itself, without its consequences. */
function formatMove(
  sections: Sections,
  selection: SuckerSelection,
  viewer: number,
  preview: Preview,
): readonly Saying[] {
  const { colour: a, to, count } = selection
  switch (selection.choice?.move.move) {
    case 'place':
      return formatPlacing(sections, selection, viewer, preview)
    case 'giveMove':
      if (preview.needy === to) return [] // what follows says it
      return to === viewer
        ? [['willNextYou']]
        : [['willNext', { seat: to }], ...formatThreat(sections, to), ...formatRisk(sections, to, viewer)]
    case 'kill':
      return [
        [
          a === viewer ? 'willTakeOwn' : 'willTake',
          { a, count: preview.gains.reduce((sum, [, , gain]) => sum + gain, 0) },
        ],
      ]
    case 'rescue':
      return [['willSave', { seat: sections.stage.mover }]]
    case 'transfer':
      return [to === a ? ['willGiveBack', { seat: to, count }] : ['willGive', { seat: to, a, count }]]
    case 'killPrisoners':
      return [['willKill', { a, count }]]
    case 'playCard': {
      const token = sections.cards?.cards.find(([id]) => id === selection.card)?.[2] ?? null
      return [a === null ? ['willReturn', { seat: token }] : ['willPay', { seat: token, a }]]
    }
    default:
      return []
  }
}

/** The consequences: a rescue, a defeat, a card, the end of the round. */
function formatAfter(
  { stage }: Sections,
  { needy, rescuers, back, falls, next, card, ends }: Preview,
  viewer: number,
): readonly Saying[] {
  const consequences: Saying[] = []
  const newlyNeedy = needy !== null && !(stage.phase === 'rescue' && stage.mover === needy)
  if (newlyNeedy) consequences.push(['willNeed', { seat: needy }], ['willAsk', { seats: rescuers }])
  if (newlyNeedy && back !== null)
    consequences.push([back === viewer ? 'willBackYou' : 'willBack', { seat: needy, other: back }])
  if (falls.length > 0) consequences.push(['willFall', { seats: falls }])
  if (falls.length > 0 && !ends && needy === null) consequences.push(['willThen', { seat: next[0] ?? null }])
  if (card !== null) consequences.push(['willCard', { seat: card }])
  if (ends) consequences.push(['willEnd'])
  return consequences
}

function formatRefusal({ rescue }: Sections, viewer: number): readonly Saying[] {
  if (rescue === undefined) return []
  const last = rescue.answers.every(([seat, , refused]) => refused || seat === viewer)
  if (!last) return [['willRefuse']]
  return [
    ['willRefuseLast', { seat: rescue.needy }],
    rescue.back === null ? ['willEnd'] : ['willThen', { seat: rescue.back }],
  ]
}

/** The effect of the choice, sentence by sentence. */
export function sayings(
  view: TableView,
  sections: Sections,
  selection: SuckerSelection,
): readonly (readonly Piece[])[] {
  const viewer = view.seat ?? -1
  const { forecast, choice } = selection
  const effects =
    choice?.move.move === 'refuse'
      ? formatRefusal(sections, viewer)
      : forecast.is === 'shown'
        ? [
            ...formatMove(sections, selection, viewer, forecast.preview),
            ...formatAfter(sections, forecast.preview, viewer),
          ]
        : []
  return effects.map(([key, values]) => words.pieces(texts.ui[key], values))
}

/** The label of the button that confirms the choice; null while nothing is chosen. */
export function formatConfirm(view: TableView, selection: SuckerSelection): string | null {
  const { choice, spot, to, colour, count, card } = selection
  const name = (seat: number | null): string => (seat === null ? '' : view.nameOf(seat))
  switch (choice?.move.move) {
    case 'place':
      return spot === 'new' || spot === null
        ? say('placeNew')
        : say(card === null ? 'placeOn' : 'placeCard', { pile: pileNumber(spot) })
    case 'giveMove':
      return to === view.seat ? say('giveSelf') : say('giveTo', { name: name(to) })
    case 'kill':
      return colour === view.seat ? say('killOwn') : say('killOf', { name: name(colour) })
    case 'rescue':
      return say('saveThem', { name: name(view.gameSection('sucker', 'stage')?.mover ?? null) })
    case 'refuse':
      return say('refuseNow')
    case 'transfer':
      return say('handOver', { name: name(to), count })
    case 'killPrisoners':
      return say('killCount', { count })
    case 'playCard':
      return say('playCard')
    default:
      return null
  }
}

/** What the seats that may be chosen could capture, each in a sentence. */
function threats(view: TableView, sections: Sections, { receivers }: SuckerSelection): readonly string[] {
  return [...receivers].flatMap((seat) => {
    const pile = seat === view.seat ? null : threatOf(sections, seat)
    if (pile === null) return []
    const args = { seat: view.nameOf(seat), pile: pileNumber(pile.id), count: pile.chips.length }
    return [say('willThreaten', args)]
  })
}

/** A hint on what to do next in the tray. */
export function formatHint(view: TableView, sections: Sections, selection: SuckerSelection): string {
  const { kind, about, colour, spot } = selection
  const { mover } = sections.stage
  if (about === 'prisoners') return say(colour === null ? 'hintPrisoners' : 'hintTo')
  if (about === 'cards') {
    const token = sections.cards?.cards.find(([id]) => id === selection.card)?.[2]
    return token === undefined ? say('hintCard') : say('hintName', { seat: view.nameOf(token) })
  }
  switch (kind) {
    case 'turn':
      // the stage says it, except in a lesson
      if (colour === null && spot === null && view.about?.lesson == null) return ''
      return say(colour !== null ? 'hintPile' : spot !== null ? 'hintChip' : 'hintTurn')
    case 'choose':
      return [say('hintChoose'), ...threats(view, sections, selection)].join(' ')
    case 'kill':
      return say('hintKill')
    case 'rescue':
      return mover === view.seat || mover === null
        ? say('hintNeedy')
        : say('hintRescue', { seat: view.nameOf(mover) })
    default:
      return ''
  }
}

/** The number of chips in a seat's hand, or a note that it is out. */
export function formatScore({ hands, stage }: Sections, seat: number): string {
  return stage.alive[seat] === true ? say('chipCount', { count: heldBy(hands, seat) }) : say('out')
}

/** The arguments of a log line, with piles counted from 1 and cards in words. */
export function formatArguments(values: Values): Values {
  const args: Record<string, Values[string]> = { ...values }
  if (typeof values.pile === 'number') args.pile = pileNumber(values.pile)
  if (typeof values.kind === 'string') args.kind = formatKind(values.kind as Kind)
  return args
}

/**
 * A viewer is told of their own need and elimination as such. The seat in need is also prompted while, for all the
 * others know, one of its cards might help (SLS-23): for it, refusing means playing no card, which may be all it can do.
 */
export function sentenceOf(
  view: TableView,
  [number, key, { seat, seats, colour }]: AudienceLine,
): Message | null {
  if (key === 'sucker.killed') return colour === view.seat && seat !== view.seat ? texts.ui.killedYours : null
  if (key === 'sucker.fell') return seat === view.seat ? texts.ui.fellYou : null
  if (key === 'sucker.needy') return seat === view.seat ? texts.ui.needyYou : null
  if (key !== 'sucker.refused' && key !== 'sucker.autoRefused') return null
  const needy = view.state.lines.findLast(
    ([before, about]) => before < number && about === 'sucker.needy',
  )?.[2].seat
  if (needy === undefined) return null
  if (key === 'sucker.refused') return seat === needy ? texts.ui.playsNone : null
  return Array.isArray(seats) && (seats as readonly unknown[]).includes(needy) ? texts.ui.noneInTime : null
}
