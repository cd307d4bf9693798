"""Random draws at two tables of Share and Share Alike: only the marks drawn for other seats differ.

The rules are unchanged; only the dice passed to them are replaced. The company drawn for a seat that
chose none in time (SSA-8) differs between the tables, unless the seat is the viewer's. Offers made at the
same moment get the same id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, TypeVar

from games.api import Seat
from games.dice import Dice
from games.shares.rules.values import SharesState

T = TypeVar("T")


class SharesDeal:
    """The draws of both tables. `moment` identifies the current action; the caller sets it."""

    def __init__(self, viewer: Seat | None) -> None:
        self.viewer = viewer
        self.moment = 0
        self._drawn: dict[tuple[int, int], int] = {}
        """The draws by table and dice counter: a hub that replays its log has to draw the same values."""

    def dice(self, table: int, state: SharesState | None, cause: Any, real: Dice | None = None) -> DealtDice:
        """The dice for one `cause`: a command or the end of a window. Without `real`, they look ahead."""
        return DealtDice(self, table, state, cause, real)

    def below(self, dice: DealtDice, label: str, sides: int) -> int:
        if dice.real is None:
            return self._draw(dice, label, sides)
        dice.real.below(label, sides)
        place = dice.table, dice.real.counter
        if place not in self._drawn:
            self._drawn[place] = self._draw(dice, label, sides)
        return self._drawn[place]

    def _draw(self, dice: DealtDice, label: str, sides: int) -> int:
        number = dice.met[label]
        dice.met[label] += 1
        apart = label == "mark" and dice.marked(number) != self.viewer
        name = f"{self.moment}:{dice.table if apart else 'both'}:{label}:{number}"
        return int.from_bytes(sha256(name.encode()).digest()) % sides


class DealtDice:
    """The dice of one command at one table: the hub's dice advance as usual; the deal gives the results."""

    def __init__(
        self, deal: SharesDeal, table: int, state: SharesState | None, cause: Any, real: Dice | None
    ) -> None:
        self.deal, self.table, self.state, self.cause, self.real = deal, table, state, cause, real
        self.met: Counter[str] = Counter()

    def below(self, label: str, sides: int) -> int:
        return self.deal.below(self, label, sides)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """Shuffles as the hub's dice do, draw by draw."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(label, last + 1)
            order[last], order[other] = order[other], order[last]
        if label == "deck":  # cards that lead to windows are dealt first
            drawn = {card: place for place, card in enumerate(order)}
            order.sort(key=lambda card: drawn[card] + (20 if plain(str(card)) else 0))
        return tuple(order)

    def marked(self, number: int) -> int | None:
        """The seat that gets draw `number`; the seats that noted no company get one each, in order."""
        if self.state is None:
            return None
        _, away, alone = str(self.cause).partition(":away:")
        chosen = self.state.selected
        seats = [
            seat
            for seat, (noted, locked) in enumerate(zip(chosen.draft, chosen.locked, strict=True))
            if noted is None and not locked and (not away or seat == int(alone))
        ]
        return seats[number]


def plain(card: str) -> bool:
    """Whether the card is a heart or a spade that opens no market."""
    return card[-1] in "HS" and card[:-1] not in ("J", "Q", "K", "A")


def dealt(game: Any, deal: SharesDeal, table: int) -> Any:
    """The same game with the dice of one table."""
    kind = type(game)

    def setup(self: Any, seats: int, options: Any, at: Any, dice: Dice) -> Any:
        return kind.setup(self, seats, options, at, deal.dice(table, None, None, dice))

    def apply(self: Any, state: Any, seat: Any, prompt: Any, move: Any, at: Any, dice: Dice) -> Any:
        return kind.apply(self, state, seat, prompt, move, at, deal.dice(table, state, move, dice))

    def expire(self: Any, state: Any, window: Any, at: Any, dice: Dice) -> Any:
        return kind.expire(self, state, window, at, deal.dice(table, state, window, dice))

    return type(kind.__name__, (kind,), {"setup": setup, "apply": apply, "expire": expire})()
