"""A viewer's knowledge in Takeover (rulings 5c), derived from the coins without the rules.

For the tests only: decides whether an action at two tables with different hidden coins may look the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.api import Seat
from games.kit import offers as offering
from games.takeover.rules.counting import face
from games.takeover.rules.values import Bargain, Coin, TakeoverOptions, TakeoverState, value_of


def all_see(options: TakeoverOptions, phase: str) -> bool:
    """Whether everybody knows both sides of every coin (TKO-1, TKO-4)."""
    return options.draft_suits == "shown" if phase in ("draft", "flip") else options.holdings == "open"


def in_sight(state: TakeoverState, phase: str, viewer: Seat | None) -> Any:
    """Everything that this viewer may know about everybody's coins."""
    hands, spent = state.hands, state.spent
    if all_see(state.options, phase):
        return hands, spent
    own_hand = None if viewer is None else hands[viewer]
    shown: Any = [len(hand) for hand in hands]
    if phase == "play" and state.options.holdings == "faces":
        shown = [sorted(map(face, hand)) for hand in hands]
    elif phase in ("draft", "flip"):
        shown = [sorted(value_of(coin.name) for coin in hand) for hand in hands]
    return own_hand, shown, sorted(map(value_of, spent))


def standing(before: TakeoverState, after: TakeoverState, viewer: Seat | None) -> Any:
    """The viewer's earlier offers, and whether the coins they give are still there (TKO-22)."""
    known = () if viewer is None else offering.list_known_offers(before.offers, viewer)
    return [(content(one), set(one.give) <= set(after.hands[one.by])) for one in known]


def content(offer: Bargain) -> tuple[Seat, Seat, tuple[Coin, ...], tuple[str, ...]]:
    return offer.by, offer.to, offer.give, offer.wish


def concerns(state: TakeoverState, seat: int, prompt: str, move: Mapping[str, Any]) -> set[int]:
    """The seats that learn what a seat does with an offer."""
    if move["move"] == "propose":
        return {seat, move["to"]}
    offer = offering.find(state.offers, prompt)
    return {seat} if offer is None else {offer.by, offer.to}


def told(state: TakeoverState, seat: int, prompt: str, move: Mapping[str, Any], viewer: Seat | None) -> Any:
    """The part of a move that this viewer is shown; `in_sight` and `standing` cover its effect on coins."""
    match move["move"]:
        case "merge":
            values = sorted(int(coin[1]) for coin in move["pay"])
            return "merge", move["pair"], values, move.get("null") is None
        case "accept":
            offer = offering.find(state.offers, prompt)
            assert offer is not None
            sides = offer.give, tuple(coin for coin in state.hands[seat] if coin.name in move["coins"])
            open_to_viewer = state.options.trade_log == "public" or viewer in (offer.by, offer.to)
            return "accept", offer.by, offer.to, sides if open_to_viewer else tuple(map(len, sides))
        case "cashOut":
            return "cashOut", state.options.holdings != "concealed" and len(move["coins"])
        case "lock":
            return "lock"
        case _:
            return move


def hidden(one: TakeoverState, other: TakeoverState, viewer: Seat | None) -> list[str]:
    """Hidden facts that differ between two states that look the same to this viewer."""
    differences = []
    hands = [(a, b) for seat, (a, b) in enumerate(zip(one.hands, other.hands, strict=True)) if seat != viewer]
    names = [{coin.name for coin in a} == {coin.name for coin in b} for a, b in hands]
    if not all(names):
        differences.append("coins")
    if any(same and set(a) != set(b) for same, (a, b) in zip(names, hands, strict=True)):
        differences.append("sides")
    if set(one.spent) != set(other.spent):
        differences.append("spent suits")
    if [set(marks or ()) for marks in one.flips.draft] != [set(marks or ()) for marks in other.flips.draft]:
        differences.append("marks")
    deals = [
        Counter(content(offer) for offer in state.offers.open if viewer not in (offer.by, offer.to))
        for state in (one, other)
    ]
    if deals[0] != deals[1]:
        differences.append("offers")
    return differences
