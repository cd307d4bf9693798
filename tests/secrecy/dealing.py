"""Random draws at two Takeover tables: the same for the viewer, different for other seats.

The rules are unchanged; only the dice passed to them are replaced. Draws that everybody sees (the grid, who
begins) are the same. When the viewer picks a value in the draft, it gets the same coin at both tables;
other seats get coins that keep this possible. Offers made at the same moment get the same id, so that an
offer the viewer knows about has the same id at both tables; consecutive numbers would differ.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, TypeVar

from games.api import Seat
from games.dice import Dice
from games.takeover.rules.draft import table as lying
from games.takeover.rules.values import Name, TakeoverState, value_of

T = TypeVar("T")
LATE = 8
"""With this many picks of the draft to go, the coins left on both tables are made the same again."""


def left_of(state: TakeoverState, value: int) -> set[Name]:
    """The coins of a value that are on the table."""
    return {name for name in lying(state.hands, state.spent) if value_of(name) == value}


class Deal:
    """The draws of both tables. `moment` identifies the current action; the caller sets it."""

    def __init__(self, viewer: Seat | None, chance: random.Random) -> None:
        self.viewer = viewer
        self.chance = chance
        self.moment = 0
        self.states: Callable[[], tuple[Any, Any]] = lambda: (None, None)
        self._picked: dict[int, tuple[Name, Name]] = {}
        self._drawn: dict[tuple[int, int], int] = {}
        """The draws by table and dice counter: a hub that replays its log has to draw the same values."""

    def common(self, value: int) -> set[Name]:
        """The coins of a value that are on both tables, which the viewer may get."""
        one, other = self.states()
        return left_of(one, value) & left_of(other, value)

    def picked(self, number: int, value: int) -> tuple[Name, Name]:
        """The coin at each table for this pick of the draft."""
        if number not in self._picked:
            one, other = self.states()
            assert len(one.draft.picks) == len(other.draft.picks) == number
            pairs = [(a, b) for a in sorted(left_of(one, value)) for b in sorted(left_of(other, value))]
            if one.draft.order[number] == self.viewer:
                pairs = [(a, b) for a, b in pairs if a == b]
            else:
                pairs = self._fair(
                    pairs, left_of(one, value), left_of(other, value), len(one.draft.order) - number
                )
            self._picked[number] = self.chance.choice(pairs)
        return self._picked[number]

    def _fair(
        self, pairs: list[tuple[Name, Name]], one: set[Name], other: set[Name], left: int
    ) -> list[tuple[Name, Name]]:
        """The pairs that leave a coin common to both tables or, late in the draft, as many as possible."""
        met = {(a, b): len((one - {a}) & (other - {b})) for a, b in pairs}
        most = max(met.values())
        least = most if left <= LATE or len(one) <= 2 else min(1, most)
        return [pair for pair in pairs if met[pair] >= least]

    def below(
        self, table: int, state: TakeoverState | None, move: Any, at: int, label: str, sides: int
    ) -> int:
        if (table, at) not in self._drawn:
            self._drawn[table, at] = self._draw(table, state, move, label, sides)
        return self._drawn[table, at]

    def shuffle(self, table: int, at: int, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Shuffles what everybody sees, the same way at both tables."""
        return Dice(sha256(f"{self.moment}:{label}".encode()).digest()).shuffle(label, items)

    def _draw(self, table: int, state: TakeoverState | None, move: Any, label: str, sides: int) -> int:
        kind, _, number = label.partition(":")
        if kind == "draft" and state is not None and state.draft.coins is None:
            highest = max(value for value, count in enumerate(state.draft.left) if count)
            value = getattr(move, "value", highest)
            coins = [name for name in lying(state.hands, state.spent) if value_of(name) == value]
            return coins.index(self.picked(int(number), value)[table])
        drawn = sha256(f"{self.moment}:{label}".encode()).digest()
        return int.from_bytes(drawn) % sides


class _Dice(Dice):
    """The dice of one command at one table: the counter advances as usual, but the deal gives the results."""

    __slots__ = ("_deal", "_move", "_real", "_state", "_table")

    def __init__(self, deal: Deal, table: int, state: Any, move: Any, real: Dice) -> None:
        self._deal, self._table, self._state, self._move, self._real = deal, table, state, move, real

    def below(self, label: str, sides: int) -> int:
        self._real.below(label, sides)
        at = self._real.counter
        return self._deal.below(self._table, self._state, self._move, at, label, sides)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        self._real.shuffle(label, items)
        return self._deal.shuffle(self._table, self._real.counter, label, items)


def dealt(game: Any, deal: Deal, table: int) -> Any:
    """The same game with the dice of one table."""
    kind = type(game)

    def setup(self: Any, seats: int, options: Any, at: Any, dice: Dice) -> Any:
        return kind.setup(self, seats, options, at, _Dice(deal, table, None, None, dice))

    def apply(self: Any, state: Any, seat: Any, prompt: Any, move: Any, at: Any, dice: Dice) -> Any:
        return kind.apply(self, state, seat, prompt, move, at, _Dice(deal, table, state, move, dice))

    def expire(self: Any, state: Any, window: Any, at: Any, dice: Dice) -> Any:
        return kind.expire(self, state, window, at, _Dice(deal, table, state, None, dice))

    return type(kind.__name__, (kind,), {"setup": setup, "apply": apply, "expire": expire})()
