"""The quick hub with chosen deals for Share and Share Alike and So Long Sucker.

`python -m tests.harness.dealt_hub DEALS serve ...`

DEALS is a JSON list with one entry for each game that begins. Everything else is random: the hub looks for
a seed that gives the deal.

- {"game": "shares", "seats", "cards", "rolls", "lowball"}: the host's hand has these cards or suits, and the
  host starts the first round: by the random draw, or with the ace of hearts in Lowball. The first die rolls
  are these numbers.
- {"game": "sucker", "seats", "deck"}: the host begins, and these blackmail cards are taken first.

Peeks and markets last ten minutes, so that even a slow machine has time to take screenshots of them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from hashlib import sha256
from itertools import count
from typing import TypeAlias

import msgspec

from games.api import Millis
from games.dice import Dice
from games.shares.rules import actions, chance
from games.shares.rules.chance import SIDES
from games.shares.rules.game import SHARES
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import Cards
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import Kind, SuckerOptions
from hub.cli import main
from hub.table import game_start
from tests.harness import quick_hub

LONG = Millis(600_000)


class SharesDeal(msgspec.Struct, frozen=True, tag_field="game", tag="shares"):
    seats: int
    cards: tuple[str, ...]
    rolls: tuple[int, ...] = ()
    lowball: bool = False

    def given_by(self, dice: Dice) -> bool:
        """Whether these dice give this deal."""
        state = SHARES.setup(self.seats, SharesOptions(), Millis(0), dice).state
        if not _holds(state.hands[0], self.cards):
            return False
        if not self.lowball and dice.below("start", self.seats) != 0:
            return False
        return all(1 + dice.below("die", SIDES) == roll for roll in self.rolls)


class SuckerDeal(msgspec.Struct, frozen=True, tag_field="game", tag="sucker"):
    seats: int
    deck: tuple[Kind, ...]

    def given_by(self, dice: Dice) -> bool:
        """Whether these dice give this deal."""
        state = SUCKER.setup(self.seats, SuckerOptions(), Millis(0), dice).state
        return state.stage.first == 0 and state.deck[: len(self.deck)] == self.deck


Deal: TypeAlias = SharesDeal | SuckerDeal


def seed_of(deal: Deal) -> bytes:
    """The first seed that gives this deal."""
    seeds = (sha256(number.to_bytes(8, "big")).digest() for number in count())
    return next(seed for seed in seeds if deal.given_by(Dice(seed)))


def _holds(hand: Cards, wanted: Sequence[str]) -> bool:
    """Whether the hand has a different card for each of these: "AH", or "C" for any card of that suit."""
    left = list(hand)
    for want in sorted(wanted, key=len, reverse=True):
        match = next((card for card in left if card == want or (len(want) == 1 and card[-1] == want)), None)
        if match is None:
            return False
        left.remove(match)
    return True


if __name__ == "__main__":
    deals = iter(msgspec.json.decode(sys.argv.pop(1), type=list[Deal]))
    vars(game_start)["game_seed"] = lambda _seed, _salts: seed_of(next(deals))
    vars(actions).update(SPY_TIME=LONG, MARKET_TIME=LONG)
    vars(chance).update(TAKE_TIME=LONG)
    quick_hub.hurry()
    main()
