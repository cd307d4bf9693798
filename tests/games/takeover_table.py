"""A table of Takeover to play at by hand: from the start, or from a position set up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from games import trials
from games.api import Ask, AskId, Line, Millis, Outcome, Refusal, Seat, WindowId
from games.dice import Dice
from games.kit import pace as pacing
from games.takeover import draft, turns
from games.takeover.rules import TAKEOVER
from games.takeover.values import (
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

START = Millis(1_000)


def coin(text: str) -> Coin:
    """ "S5" a stock, "s5" the same coin as cash."""
    name: Any = text.upper()
    assert name in NAMES
    return Coin(name, text[0].isupper())


def grid(stacks: Mapping[tuple[int, int], str]) -> Grid:
    """By (column, row) the tiles, bottom first: {(0, 1): "S5 S3"}."""
    found: list[tuple[Name, ...]] = [()] * SQUARES
    for (column, row), tiles in stacks.items():
        found[column + 6 * row] = tuple(msgspec.convert(tiles.split(), list[Name]))
    return tuple(found)


def position(
    stacks: Mapping[tuple[int, int], str], *hands: str, turn: int = 0, spent: str = "", **options: Any
) -> TakeoverState:
    """A turn of play: tiles that are not named are nowhere, which no rule minds."""
    taken = msgspec.convert(options, TakeoverOptions)
    state = TAKEOVER.setup(len(hands), taken, START, Dice(b"position")).state
    own = tuple(draft.received((), map(coin, hand.split())) for hand in hands)
    out = tuple(sorted(msgspec.convert(spent.split(), list[Name]), key=NAMES.index))
    seat = Seat(turn)
    timer = pacing.timer(state.pace, WindowId("turn:0"), "turn", (seat,), TURN_TIME, START)
    stage = Stage("play", 0, seat, seat)
    held = turns.with_coins(state, "play", own, out)
    return replace(held, stage=stage, grid=grid(stacks), timer=timer)


class Table:
    """A game in progress; time passes only when told."""

    def __init__(self, seats: int = 0, state: TakeoverState | None = None, **options: Any) -> None:
        self.dice = Dice(b"table")
        self.at = START
        self.lines: list[Line] = []
        self.state: TakeoverState
        if state is not None:
            self.state = state
        else:
            taken = msgspec.convert(options, TakeoverOptions)
            self._follow(TAKEOVER.setup(seats, taken, self.at, self.dice))
        self.seats = len(self.state.hands)

    def _follow(self, step: Any) -> None:
        self.state = step.state
        self.lines.extend(step.lines)

    @property
    def asks(self) -> tuple[Ask, ...]:
        found = TAKEOVER.asks(self.state)
        return () if isinstance(found, Outcome) else found

    def ask(self, kind: str, seat: int) -> AskId:
        """The open ask of this kind, or with this id."""
        (found,) = [one for one in self.asks if kind in (one.kind, one.id) and seat in one.seats]
        return found.id

    def check(self, seat: int, kind: str, tag: str, **fields: Any) -> Refusal | None:
        move = msgspec.convert({"move": tag, **fields}, TAKEOVER.Move)
        return TAKEOVER.check(self.state, Seat(seat), self.ask(kind, seat), move, self.at)

    def do(self, seat: int, kind: str, tag: str, **fields: Any) -> None:
        refused = self.check(seat, kind, tag, **fields)
        assert refused is None, refused
        move = msgspec.convert({"move": tag, **fields}, TAKEOVER.Move)
        ask = self.ask(kind, seat)
        self._follow(TAKEOVER.apply(self.state, Seat(seat), ask, move, self.at, self.dice))

    def refused(self, seat: int, kind: str, tag: str, **fields: Any) -> str:
        """The code of the refusal there must be; nothing has changed."""
        before = msgspec.msgpack.encode(self.state)
        refusal = self.check(seat, kind, tag, **fields)
        assert refusal is not None
        assert msgspec.msgpack.encode(self.state) == before
        return refusal.code

    def expire(self) -> str:
        """Let time pass until the next window ends; its id."""
        due = trials.first_due(TAKEOVER.windows(self.state))
        assert due is not None
        window, self.at = due
        self._follow(TAKEOVER.expire(self.state, window.id, self.at, self.dice))
        return window.id

    # what is often done

    def merge(self, seat: int, pair: str, *pay: str, null: str | None = None) -> None:
        self.do(seat, "turn", "merge", pair=pair, pay=list(pay), **({"null": null} if null else {}))

    def no_merge(self, seat: int, pair: str, *pay: str, null: str | None = None) -> str:
        given = {"null": null} if null else {}
        return self.refused(seat, "turn", "merge", pair=pair, pay=list(pay), **given)

    def offer(self, by: int, to: int, give: Sequence[str] = (), wish: Sequence[str] = ()) -> str:
        """Its id."""
        self.do(by, "trade", "propose", to=to, give=list(give), wish=list(wish))
        return self.state.offers.open[-1].id

    def pass_by(self, *seats: int) -> None:
        for seat in seats:
            self.do(seat, "turn", "pass")

    # what is seen

    def hand(self, seat: int) -> str:
        """Stocks in capitals."""
        return " ".join(one.name if one.stock else one.name.lower() for one in self.state.hands[seat])

    def public(self, name: str) -> Any:
        return TAKEOVER.public(self.state)[name].data

    def private(self, seat: int, name: str) -> Any:
        return TAKEOVER.private(self.state, Seat(seat))[name].data

    def merger(self, pair: str) -> Merger:
        (found,) = [one for one in self.public("mergers").mergers if one.pair == pair]
        assert isinstance(found, Merger)
        return found

    def stack(self, column: int, row: int) -> str:
        return " ".join(self.state.grid[column + 6 * row])

    def deals(self, seat: int) -> list[str]:
        return [deal.id for deal in self.private(seat, "deals").deals]

    @property
    def outcome(self) -> Outcome:
        found = TAKEOVER.asks(self.state)
        assert isinstance(found, Outcome)
        return found

    def told(self, key: str, viewer: int | None = None) -> list[dict[str, Any]]:
        """The arguments of every line with this key that a seat may read; None: that all may."""
        return [
            dict(line.args)
            for line in self.lines
            if line.key == key and (line.to is None or (viewer is not None and viewer in line.to))
        ]
