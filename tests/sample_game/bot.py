"""The Under the Hammer bot: it bids part of what a lot is worth to it."""

from __future__ import annotations

from typing import Final

from games.api import Bot, Character, Decision, Dice, Observation
from tests.sample_game.rules import WISH, Auction, Draft, HammerMove, Lock, Mine


class Bidder(Bot[HammerMove]):
    levels: tuple[str, ...] = ("easy", "normal", "hard")

    def decide(
        self, observation: Observation, character: Character, dice: Dice
    ) -> Decision[HammerMove] | None:
        """Drafts a bid, then seals it; a draft left by a person is sealed as it is."""
        prompt = next((prompt.id for prompt in observation.prompts if prompt.kind == "bid"), None)
        if prompt is None:
            return None
        offered = {choice.move for choice in observation.choices.get(prompt, ())}
        if "lock" in offered:
            return Decision(prompt, Lock())
        return (
            Decision(prompt, Draft(bid(observation, character.level, dice))) if "draft" in offered else None
        )


def bid(observation: Observation, level: str, dice: Dice) -> int:
    auction, private = observation.sections["auction"], observation.sections["mine"]
    if not isinstance(auction, Auction) or not isinstance(private, Mine) or auction.lot is None:
        raise TypeError("not a view of a lot for sale")
    coins = auction.coins[observation.seat]
    value = auction.lot.worth + WISH * (auction.lot.kind == private.wish)
    match level:
        case "easy":
            wanted = dice.below("bid", auction.lot.worth + 1)
        case "normal":
            wanted = value - 1 - dice.below("bid", 3)
        case _:
            left = auction.lots - len(auction.sales)
            wanted = min(value - 1, 2 * coins // left + dice.below("bid", 2))
    return max(0, min(coins, wanted))


BOT: Final = Bidder()
