"""A Takeover table that a test plays by hand, from the start or from a prepared position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from games.api import Seat, WindowId
from games.dice import Dice
from games.kit import time_control as time_control
from games.takeover.rules import draft
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import (
    NAMES,
    SQUARES,
    TURN_TIME,
    Coin,
    Grid,
    Merger,
    Name,
    Stage,
    TakeoverOptions,
    TakeoverState,
)
from tests.games.hand_table import START, HandTable

PLAIN = {(0, 0): "S3", (1, 0): "S5", (2, 0): "M4", (3, 0): "C3"}
"""A row of four: S3 and S5 touch, M4 and C3 touch."""


def coin(text: str) -> Coin:
    """The coin: "S5" is a stock, "s5" the same coin as cash."""
    name: Any = text.upper()
    assert name in NAMES
    return Coin(name, text[0].isupper())


def grid(stacks: Mapping[tuple[int, int], str]) -> Grid:
    """The grid with these tiles by (column, row), bottom first: {(0, 1): "S5 S3"}."""
    found: list[tuple[Name, ...]] = [()] * SQUARES
    for (column, row), tiles in stacks.items():
        found[column + 6 * row] = tuple(msgspec.convert(tiles.split(), list[Name]))
    return tuple(found)


def position(
    stacks: Mapping[tuple[int, int], str], *hands: str, turn: int = 0, spent: str = "", **options: Any
) -> TakeoverState:
    """A turn in the play phase. Tiles that are not named are missing; no rule checks for that."""
    taken = msgspec.convert(options, TakeoverOptions)
    state = TAKEOVER.setup(len(hands), taken, START, Dice(b"position")).state
    own = tuple(draft.receive((), map(coin, hand.split())) for hand in hands)
    out = tuple(sorted(msgspec.convert(spent.split(), list[Name]), key=NAMES.index))
    seat = Seat(turn)
    timer = time_control.timer(state.time_control, WindowId("turn:0"), "turn", (seat,), TURN_TIME, START)
    stage = Stage("play", 0, seat, seat)
    held = state.with_coins("play", own, out)
    return replace(held, stage=stage, grid=grid(stacks), timer=timer)


class Table(HandTable[TakeoverState]):
    def __init__(self, seats: int = 0, state: TakeoverState | None = None, **options: Any) -> None:
        super().__init__(TAKEOVER, seats, options, Dice(b"table"), state=state)
        self.seats = len(self.state.hands)

    # common actions

    def merge(self, seat: int, pair: str, *pay: str, null: str | None = None) -> None:
        self.do(seat, "turn", "merge", pair=pair, pay=list(pay), **({"null": null} if null else {}))

    def no_merge(self, seat: int, pair: str, *pay: str, null: str | None = None) -> str:
        given = {"null": null} if null else {}
        return self.refused(seat, "turn", "merge", pair=pair, pay=list(pay), **given)

    def offer(self, by: int, to: int, give: Sequence[str] = (), wish: Sequence[str] = ()) -> str:
        """Makes an offer, and returns its id."""
        self.do(by, "trade", "propose", to=to, give=list(give), wish=list(wish))
        return self.state.offers.open[-1].id

    def pass_by(self, *seats: int) -> None:
        for seat in seats:
            self.do(seat, "turn", "pass")

    # views

    def hand(self, seat: int) -> str:
        """The seat's coins, stocks in capitals."""
        return " ".join(one.name if one.stock else one.name.lower() for one in self.state.hands[seat])

    def merger(self, pair: str) -> Merger:
        (found,) = [one for one in self.public("mergers").mergers if one.pair == pair]
        assert isinstance(found, Merger)
        return found

    def stack(self, column: int, row: int) -> str:
        return " ".join(self.state.grid[column + 6 * row])

    def deals(self, seat: int) -> list[str]:
        return [deal.id for deal in self.private(seat, "deals").deals]


def drafted(seats: int, **options: Any) -> Table:
    """A table in the flip phase."""
    table = Table(seats, **options)
    while table.state.stage.phase == "draft":
        table.expire()
    return table
