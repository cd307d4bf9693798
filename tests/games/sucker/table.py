"""A So Long Sucker table that a test plays by hand, from the start or from a prepared position.

Colours are letters: R B G Y P O for seats 0 to 5. A hand is written "5R 2B"; a pile, bottom first, "RGB".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from games.api import Seat, open_prompts
from games.dice import Dice
from games.sucker.rules import turn_flow
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import (
    KINDS,
    TURN_TIME,
    Hands,
    Kind,
    Pile,
    Stage,
    SuckerOptions,
    SuckerState,
    Taken,
)
from games.sucker.rules.views import Preview
from tests.games.hand_table import START, HandTable

LETTERS = "RBGYPO"
R, B, G, Y = range(4)


def counts(text: str, seats: int) -> tuple[int, ...]:
    """Parses a hand such as "5R 2B" into counts by colour."""
    numbers = [0] * seats
    for number, letter in re.findall(r"(\d+)([RBGYPO])", text):
        numbers[LETTERS.index(letter)] += int(number)
    return tuple(numbers)


def colours(text: str) -> tuple[int, ...]:
    return tuple(map(LETTERS.index, text))


def position(
    *hands: str,
    piles: Sequence[str] = (),
    mover: int = R,
    trail: str = "",
    dead: str = "",
    out: str = "",
    cards: Sequence[tuple[int, int, Kind]] = (),
    deck: Sequence[Kind] = (),
    rows: Sequence[str] | None = None,
    **options: Any,
) -> SuckerState:
    """Sets up a turn. `cards`: (owner, token, kind) for each held card; `deck`: the top cards of the stack.

    Each row runs from left to right, with the enemy first. The trail ends with the mover.
    """
    seats = len(hands)
    chosen = msgspec.convert(options, SuckerOptions)
    state = SUCKER.setup(seats, chosen, START, Dice(b"position")).state
    fallen = colours(out)
    alive = tuple(seat not in fallen for seat in range(seats))
    top = [*(kind for _, _, kind in cards), *deck]
    rest = list(KINDS)
    for kind in top:
        rest.remove(kind)
    seat = Seat(mover)
    stage = Stage(1, "turn", 0, seat, seat, alive, tuple(map(Seat, fallen)))
    laid = tuple(Pile(number, colours(pile)) for number, pile in enumerate(piles))
    state = replace(
        state,
        stage=stage,
        hands=Hands(tuple(counts(hand, seats) for hand in hands), counts(dead, seats)),
        piles=laid,
        laid=len(laid),
        trail=(*map(Seat, colours(trail)), seat),
        taken=tuple(Taken(Seat(owner), Seat(token)) for owner, token, _ in cards),
        deck=(*top, *rest) if chosen.blackmail else (),
        rows=state.rows if rows is None else tuple(map(colours, rows)),
    )
    return turn_flow.open_phase(state, "turn", seat, (seat,), TURN_TIME, START)


class Table(HandTable[SuckerState]):
    def __init__(self, seats: int = 0, state: SuckerState | None = None, **options: Any) -> None:
        super().__init__(SUCKER, seats, options, Dice(b"table"), state=state)
        self.seats = len(self.state.stage.alive)

    def kinds(self, seat: int) -> list[str]:
        """The kinds of a seat's open prompts, except those about the clock."""
        prompts = open_prompts(SUCKER.prompts(self.state), Seat(seat))
        return [one.kind for one in prompts if one.kind not in ("extend", "lastCall")]

    def deal(self, *hands: str) -> None:
        """Gives each seat its hand, replacing what it held before."""
        chips = tuple(counts(hand, self.seats) for hand in hands)
        self.state = replace(self.state, hands=Hands(chips, self.state.hands.dead))

    def away(self, *seats: int) -> None:
        """Marks these seats as away: the rules have played for them twice in a row."""
        missed_in_a_row = tuple(2 * (seat in seats) for seat in range(self.seats))
        self.state = replace(
            self.state, time_control=replace(self.state.time_control, missed_in_a_row=missed_in_a_row)
        )

    # common moves

    def place(self, seat: int, colour: str, pile: int | None = None, card: int | None = None) -> None:
        target = {name: value for name, value in (("pile", pile), ("card", card)) if value is not None}
        self.do(seat, "turn", "place", colour=LETTERS.index(colour), **target)

    def give(self, seat: int, to: int) -> None:
        self.do(seat, "choose", "giveMove", to=to)

    def kill(self, seat: int, colour: str) -> None:
        self.do(seat, "kill", "kill", colour=LETTERS.index(colour))

    def transfer(self, seat: int, count: int, colour: str, to: int) -> None:
        self.do(seat, "prisoners", "transfer", colour=LETTERS.index(colour), count=count, to=to)

    def bury(self, seat: int, count: int, colour: str) -> None:
        self.do(seat, "prisoners", "killPrisoners", colour=LETTERS.index(colour), count=count)

    def save(self, seat: int, count: int, colour: str) -> None:
        self.do(seat, "rescue", "rescue", colour=LETTERS.index(colour), count=count)

    def play(self, seat: int, card: int, colour: str | None = None, kind: str = "turn") -> None:
        named = {} if colour is None else {"colour": LETTERS.index(colour)}
        self.do(seat, kind, "playCard", card=card, **named)

    def refuse(self, *seats: int) -> None:
        for seat in seats:
            self.do(seat, "rescue", "refuse")

    def preview(self, seat: int, tag: str, **fields: Any) -> Preview:
        shown = SUCKER.preview(self.state, Seat(seat), msgspec.convert({"move": tag, **fields}, SUCKER.Move))
        assert shown is not None
        assert isinstance(shown.data, Preview)
        return shown.data

    # the visible state

    @property
    def phase_and_mover(self) -> tuple[str, int | None]:
        """The phase, and the seat that has the move."""
        return self.state.stage.phase, self.state.stage.mover

    def hand(self, seat: int) -> str:
        return shown(self.state.hands.chips[seat])

    @property
    def dead(self) -> str:
        return shown(self.state.hands.dead)

    @property
    def piles(self) -> list[str]:
        return ["".join(LETTERS[colour] for colour in pile.chips) for pile in self.state.piles]

    @property
    def trail(self) -> str:
        return "".join(LETTERS[seat] for seat in self.state.trail)

    def own_section(self, seat: int) -> Any:
        return self.private(seat, "mine")

    def told(self, key: str, viewer: int | None = None) -> list[dict[str, Any]]:
        return super().told(f"sucker.{key}", viewer)


def shown(chips: Sequence[int]) -> str:
    return " ".join(f"{count}{LETTERS[colour]}" for colour, count in enumerate(chips) if count)


def set_up(*hands: str, **about: Any) -> Table:
    return Table(state=position(*hands, **about))


def rescue(**about: Any) -> Table:
    """R has given the move to B, who has nothing; G and Y hold prisoners."""
    table = set_up("2R", "", "3G 1B", "3Y 2R", piles=["Y"], mover=R, trail="G", **about)
    table.place(R, "R", 0)
    table.give(R, B)
    return table


def forced_on_b(**about: Any) -> Table:
    """A full pile forces the move on B, who has nothing; G holds one of B's chips."""
    about = {"piles": ["BGY"], "mover": R, "trail": "G", "deck": ["tribute"], **about}
    table = set_up("2R", "", "3G 1B", "3Y", **about)
    table.place(R, "R", 0)
    return table
