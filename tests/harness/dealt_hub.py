"""The quick hub with chosen deals of Share and Share Alike.

`python -m tests.harness.dealt_hub DEALS serve ...`

DEALS is a list in JSON, one for each game that is begun: {"seats", "cards", "rolls", "lowball"}. The host's
hand has these cards or suits, and the host starts the first round: drawn, or by the ace of hearts in Lowball.
The die shows these numbers first. All else is as it comes: the seed of such a game is looked for here.
Looks and markets last ten minutes, so that there is time for pictures of them on the slowest machine.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count

import msgspec

from games.api import Millis
from games.dice import Dice
from games.shares import actions, chance
from games.shares.chance import SIDES
from games.shares.options import SharesOptions
from games.shares.pieces import Cards
from games.shares.rules import SHARES
from hub.cli import main
from hub.core import table
from tests.harness import quick_hub

LONG = Millis(600_000)


class Deal(msgspec.Struct, frozen=True):
    seats: int
    cards: tuple[str, ...]
    rolls: tuple[int, ...] = ()
    lowball: bool = False


def seed_of(deal: Deal) -> bytes:
    """The first seed that gives such a game."""
    return next(seed for seed in _seeds() if _gives(seed, deal))


def _seeds() -> Iterator[bytes]:
    return (sha256(number.to_bytes(8, "big")).digest() for number in count())


def _gives(seed: bytes, deal: Deal) -> bool:
    dice = Dice(seed)
    state = SHARES.setup(deal.seats, SharesOptions(), Millis(0), dice).state
    if not _holds(state.hands[0], deal.cards):
        return False
    if not deal.lowball and dice.below("start", deal.seats) != 0:
        return False
    return all(1 + dice.below("die", SIDES) == roll for roll in deal.rolls)


def _holds(hand: Cards, wanted: Sequence[str]) -> bool:
    """Whether each of these is a card of its own: "AH", or a suit, "C"."""
    left = list(hand)
    for want in sorted(wanted, key=len, reverse=True):
        found = next((card for card in left if card == want or (len(want) == 1 and card[-1] == want)), None)
        if found is None:
            return False
        left.remove(found)
    return True


if __name__ == "__main__":
    deals = iter(msgspec.json.decode(sys.argv.pop(1), type=list[Deal]))
    vars(table)["game_seed"] = lambda _seed, _salts: seed_of(next(deals))
    vars(actions).update(SPY_TIME=LONG, MARKET_TIME=LONG)
    vars(chance).update(TAKE_TIME=LONG)
    quick_hub.hurry()
    main()
