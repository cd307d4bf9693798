"""What a seat sees of a table of Share and Share Alike, in the form in which bots think of it."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from games.api import Observation
from games.kit.observations import optional, part
from games.kit.peeks import Peek
from games.shares.rules.pieces import ACTIONS, PIPS, PRIZES, Card, Cards, Kind, Tower, rank_of, suit_of, uses
from games.shares.rules.values import (
    Hand,
    PeekContent,
    Piles,
    Players,
    Scene,
    Seen,
    Shown,
    Shows,
    Stage,
    Towers,
    Tracker,
)

Sizes: TypeAlias = list[int]
"""What ranks each company: its floors, or their pips."""

FEW: Final = 1 / 2
"""What a card is worth that moves no floor, but rolls: more, if the roll may be adjusted."""
ADJUSTED: Final = 0.3
GLANCE: Final = 0.1
"""What a club is worth."""


class Table(NamedTuple):
    """The table, for one seat."""

    me: int
    seats: int
    kind: Kind
    uses: int
    round: int
    left: int
    """Rounds after this one."""
    marked: int
    """Rounds of which the selection is over."""
    towers: tuple[Tower, ...]
    sizes: Sizes
    supply: tuple[int, ...]
    pips: bool
    tie: str
    """Who share a place get the average of what it wins, the high or the low prize: as far as it shows."""
    hand: Cards
    own: Tracker
    known: tuple[Shown | None, ...]
    """By seat, the tracker that it last showed."""
    cards: tuple[int, ...]
    actions: tuple[int, ...]
    out: tuple[bool, ...]
    spent: int
    deck: int
    discard: Cards

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat != self.me]

    @property
    def last(self) -> bool:
        """Whether nobody else can do anything any more in this round, but by Chance."""
        return not any(self.can_act(seat) for seat in self.others)

    def can_act(self, seat: int) -> bool:
        """Whether it could spend an action if its turn came now (SSA-36)."""
        actions = self.actions[seat]
        return not self.out[seat] and (actions == ACTIONS or (actions > 0 and self.cards[seat] > 0))


def read_table(observation: Observation) -> Table:
    """All that matters of what the seat sees, while the game is on."""
    stage, scene = part(observation, "stage", Stage), part(observation, "scene", Scene)
    towers, players = part(observation, "towers", Towers), part(observation, "players", Players)
    piles = part(observation, "piles", Piles)
    built = tuple(standing.floors for standing in towers.companies)
    sizes = [standing.size for standing in towers.companies]
    return Table(
        me=observation.seat,
        seats=observation.seats,
        kind=scene.kind,
        uses=scene.uses,
        round=stage.round,
        left=stage.rounds - stage.round,
        marked=stage.round - (stage.phase == "select"),
        towers=built,
        sizes=sizes,
        supply=towers.supply,
        pips=sizes != [len(tower) for tower in built],
        tie=_tie(towers),
        hand=tuple(held.card for held in part(observation, "hand", Hand).cards),
        own=part(observation, "tracker", Tracker),
        known=_known(observation),
        cards=players.cards,
        actions=players.actions,
        out=players.out,
        spent=players.spent,
        deck=piles.deck,
        discard=piles.discard,
    )


def _tie(towers: Towers) -> str:
    """How places are shared, from what companies that tie would get now; average, if none do."""
    for standing in towers.companies:
        if standing.tied > 1:
            prizes = PRIZES[standing.place - 1 : standing.place - 1 + standing.tied]
            if standing.prize in (prizes[0], prizes[-1]):
                return "high" if standing.prize == prizes[0] else "low"
            return "average"
    return "average"


def _known(observation: Observation) -> tuple[Shown | None, ...]:
    """What each seat last showed, to all or to this one, or what this one looks at."""
    shows, seen = optional(observation, "shows", Shows), optional(observation, "seen", Seen)
    found: list[Shown | None] = [None] * observation.seats if shows is None else [*shows.shown]
    for seat, one in enumerate(() if seen is None else seen.shown):
        before = found[seat]
        if one is not None and (before is None or before.round <= one.round):
            found[seat] = one
    peek, peek_content = (
        optional(observation, "peek", Peek),
        optional(observation, "peek_content", PeekContent),
    )
    if peek is not None and peek_content is not None and peek_content.tracker is not None:
        found[peek.other] = Shown(len(peek_content.tracker.marks), peek_content.tracker)
    return tuple(found)


# --- cards ---


def moves_floors(card: Card) -> bool:
    return suit_of(card) in "HS"


def value(card: Card) -> float:
    """About how much a card is worth, in floors."""
    match suit_of(card):
        case "H" | "S":
            return float(uses(card))
        case "D":
            return (
                FEW
                + ADJUSTED * (rank_of(card) in ("10", "J", "Q"))
                + 2 * ADJUSTED * (rank_of(card) in ("K", "A"))
            )
        case _:
            return GLANCE


def step(here: Table, number: int) -> int:
    """By how much a tower grows with the floor that is the `number`-th to be added from now on."""
    if not here.pips:
        return 1
    for size, left in zip(PIPS, here.supply, strict=True):
        if number < left:
            return PIPS[size]
        number -= left
    return 0


def tops(here: Table, company: int) -> list[int]:
    """By how much a tower shrinks with each floor taken, the top one first."""
    return [PIPS[floor] if here.pips else 1 for floor in reversed(here.towers[company])]
