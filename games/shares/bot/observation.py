"""An observation of Share and Share Alike, unpacked for the bot."""

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
"""By company, the size that decides its rank: floors or pips."""

DIAMOND: Final = 1 / 2
"""The value of a diamond that rolls without adjustment."""
ADJUSTMENT: Final = 0.3
"""The extra value of being able to adjust the roll by one."""
CLUB: Final = 0.1


class Table(NamedTuple):
    """The table as one seat sees it."""

    seat: int
    seats: int
    kind: Kind
    uses: int
    round: int
    rounds_left: int
    """Rounds after this one."""
    rounds_marked: int
    """Rounds whose selection is over."""
    towers: tuple[Tower, ...]
    sizes: Sizes
    supply: tuple[int, ...]
    pips: bool
    tie: str
    """How tied companies are paid, if the current standings show it: average, high or low prize."""
    hand: Cards
    tracker: Tracker
    shown: tuple[Shown | None, ...]
    """By seat, the tracker that it last showed."""
    hand_sizes: tuple[int, ...]
    actions: tuple[int, ...]
    out: tuple[bool, ...]
    spent: int
    deck: int
    discard: Cards

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(self.seats) if seat != self.seat]

    @property
    def is_last(self) -> bool:
        """Whether no other seat can act again in this round, except by Chance."""
        return not any(self.can_act(seat) for seat in self.others)

    def can_act(self, seat: int) -> bool:
        """Whether the seat could spend an action if it were its turn (SSA-36)."""
        actions = self.actions[seat]
        return not self.out[seat] and (actions == ACTIONS or (actions > 0 and self.hand_sizes[seat] > 0))


def read_table(observation: Observation) -> Table:
    """Unpacks what the seat sees while the game is running."""
    stage, scene = part(observation, "stage", Stage), part(observation, "scene", Scene)
    towers, players = part(observation, "towers", Towers), part(observation, "players", Players)
    piles = part(observation, "piles", Piles)
    built = tuple(standing.floors for standing in towers.companies)
    sizes = [standing.size for standing in towers.companies]
    return Table(
        seat=observation.seat,
        seats=observation.seats,
        kind=scene.kind,
        uses=scene.uses,
        round=stage.round,
        rounds_left=stage.rounds - stage.round,
        rounds_marked=stage.round - (stage.phase == "select"),
        towers=built,
        sizes=sizes,
        supply=towers.supply,
        pips=sizes != [len(tower) for tower in built],
        tie=_read_tie(towers),
        hand=tuple(held.card for held in part(observation, "hand", Hand).cards),
        tracker=part(observation, "tracker", Tracker),
        shown=_read_shown(observation),
        hand_sizes=players.cards,
        actions=players.actions,
        out=players.out,
        spent=players.spent,
        deck=piles.deck,
        discard=piles.discard,
    )


def _read_tie(towers: Towers) -> str:
    """How tied companies would be paid now; average if none are tied."""
    for standing in towers.companies:
        if standing.tied > 1:
            prizes = PRIZES[standing.place - 1 : standing.place - 1 + standing.tied]
            if standing.prize in (prizes[0], prizes[-1]):
                return "high" if standing.prize == prizes[0] else "low"
            return "average"
    return "average"


def _read_shown(observation: Observation) -> tuple[Shown | None, ...]:
    """By seat, the last tracker shown to everyone or to this seat, or being peeked at by this seat."""
    shows, seen = optional(observation, "shows", Shows), optional(observation, "seen", Seen)
    trackers: list[Shown | None] = [None] * observation.seats if shows is None else [*shows.shown]
    for seat, latest in enumerate(() if seen is None else seen.shown):
        before = trackers[seat]
        if latest is not None and (before is None or before.round <= latest.round):
            trackers[seat] = latest
    peek, peek_content = (
        optional(observation, "peek", Peek),
        optional(observation, "peek_content", PeekContent),
    )
    if peek is not None and peek_content is not None and peek_content.tracker is not None:
        trackers[peek.other] = Shown(len(peek_content.tracker.marks), peek_content.tracker)
    return tuple(trackers)


# --- cards ---


def moves_floors(card: Card) -> bool:
    return suit_of(card) in "HS"


def rate_card(card: Card) -> float:
    """The approximate value of a card in floors."""
    match suit_of(card):
        case "H" | "S":
            return float(uses(card))
        case "D":
            return (
                DIAMOND
                + ADJUSTMENT * (rank_of(card) in ("10", "J", "Q"))
                + 2 * ADJUSTMENT * (rank_of(card) in ("K", "A"))
            )
        case _:
            return CLUB


def get_next_floor(table: Table, index: int) -> int:
    """The size of the `index`-th floor to be built from now on; 0 if the supply is exhausted."""
    if not table.pips:
        return 1
    for size, left in zip(PIPS, table.supply, strict=True):
        if index < left:
            return PIPS[size]
        index -= left
    return 0


def list_top_floors(table: Table, company: int) -> list[int]:
    """The sizes of a tower's floors from the top down."""
    return [PIPS[floor] if table.pips else 1 for floor in reversed(table.towers[company])]
