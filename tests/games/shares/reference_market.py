"""Open Market and The Whole Truth in the reference Share and Share Alike (reference.py).

Every function that takes a seat is an event: it changes the game in place, or returns the rule that forbids
it and changes nothing.
"""

from __future__ import annotations

from tests.games.shares.reference_cards import may_act, pay
from tests.games.shares.reference_round import effect_over
from tests.games.shares.reference_table import COMPANIES, Game, Offer, Played, Shown, holdings, rank


def open_market(game: Game, seat: int, card: str) -> str | None:
    """A royal card opens a market; it has no other effect (SSA-35)."""
    if not may_act(game, seat):
        return "GEN-4"
    if not game.options.open_market:
        return "1a"
    if seat != game.active:
        return "SSA-16"
    if card not in game.hands[seat] or rank(card) not in ("J", "Q", "K", "A"):
        return "SSA-35"
    pay(game, 1)
    game.hands[seat].remove(card)
    game.resolving.append(Played(card, seat))
    game.phase = "market"
    return None


def propose(game: Game, by: int, to: int, give: list[int], take: list[int]) -> str | None:
    """Offers shares for shares, counted by company; only the proposer's side is checked (SSA-33)."""
    if game.phase != "market":
        return "GEN-4"
    if by == to or not 0 <= to < game.seats or game.active not in (by, to):
        return "SSA-34"
    whole = len(give) == COMPANIES and len(take) == COMPANIES and min(give + take) >= 0
    if not whole or sum(give + take) == 0:
        return "SSA-32"
    if not covers(holdings(game, by), give):
        return "SSA-32"
    game.offers.append(Offer(game.offers_made, by, to, tuple(give), tuple(take)))
    game.offers_made += 1
    return None


def covers(own: list[int], wanted: list[int] | tuple[int, ...]) -> bool:
    return all(has >= number for has, number in zip(own, wanted, strict=True))


def find_offer(game: Game, number: int) -> Offer | None:
    for offer in game.offers:
        if offer.number == number:
            return offer
    return None


def accept(game: Game, seat: int, number: int) -> str | None:
    """Makes the trade if both have the shares; then drops offers that their proposer can no longer cover."""
    offer = find_offer(game, number)
    if game.phase != "market" or offer is None or offer.to != seat:
        return "GEN-4"
    if not covers(holdings(game, seat), offer.take):
        return "SSA-33"
    for company in range(COMPANIES):
        moved = offer.give[company] - offer.take[company]
        game.delta[offer.by][company] -= moved
        game.delta[offer.to][company] += moved
    game.offers.remove(offer)
    game.offers = [other for other in game.offers if covers(holdings(game, other.by), other.give)]
    return None


def decline_offer(game: Game, seat: int, number: int) -> str | None:
    offer = find_offer(game, number)
    if game.phase != "market" or offer is None or offer.to != seat:
        return "GEN-4"
    game.offers.remove(offer)
    return None


def cancel_offer(game: Game, seat: int, number: int) -> str | None:
    offer = find_offer(game, number)
    if game.phase != "market" or offer is None or offer.by != seat:
        return "GEN-4"
    game.offers.remove(offer)
    return None


def close_market(game: Game, seat: int) -> str | None:
    """Closes the market; open offers lapse."""
    if game.phase != "market" or seat != game.active:
        return "GEN-4"
    game.offers = []
    effect_over(game)
    return None


def show(game: Game, seat: int, to: list[int]) -> str | None:
    """Shows a tracker to these seats: rounds whose selection has closed, and trades (SSA-30, SSA-42)."""
    if game.options.talk != "wholeTruth" or game.phase == "over":
        return "SSA-30"
    if game.peeking is not None and seat == game.peeking.viewer:
        return "1b SPY"  # also during a Chance 1 peek: 1c has the same rule for both
    if not to or seat in to or len(set(to)) < len(to) or not set(to) <= set(range(game.seats)):
        return "SSA-30"
    game.shown.append(Shown(seat, tuple(to), tuple(game.marks[seat]), tuple(game.delta[seat])))
    return None
