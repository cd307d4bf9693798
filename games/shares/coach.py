"""Advice for beginners (`Game.coach`), from what their seat sees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from games.api import Advice, Observation, Prompt
from games.kit.coaching import list_choices
from games.kit.observations import part
from games.shares.rules.pieces import COMPANIES, RANKS, Card, rank_of, suit_of, uses
from games.shares.rules.values import Hand, Piles, Players, Scene, Standing, Towers, Tracker

FEW: Final = 2
"""With this many cards or fewer, it may be time to draw."""
SIDES: Final = 6
"""A roll is at most this."""
SUITS: Final = "DCSH"
"""Of cards that count equally often, a heart is the best: its use is plain."""


def advise(observation: Observation, prompt: Prompt) -> Advice | None:
    """Advice about the current decision; None for trades, and once a secret choice is locked."""
    match prompt.kind:
        case "select" if list_choices(observation, prompt, "lock"):
            return _selecting(observation)
        case "lowball" if list_choices(observation, prompt, "lock"):
            return _bidding(observation)
        case "turn":
            return _taking_turn(observation, prompt)
        case "hearts":
            return _raising(observation)
        case "spades":
            return _lowering(observation)
        case "clubs":
            return _spying(observation)
        case "adjust":
            roll = part(observation, "scene", Scene).roll
            if roll is None:
                return None
            least, most = max(1, roll.rolled - roll.adjust), min(SIDES, roll.rolled + roll.adjust)
            return Advice("adjust", {"least": least, "most": most})
        case "draw" | "chance3" if list_choices(observation, prompt, "fromDiscard"):
            return Advice("draw", {"card": _best(part(observation, "piles", Piles).discard)})
        case "chance1":
            return _on_most_cards(observation, "chance1")
        case "chance2":
            cards = part(observation, "players", Players).cards
            return _on_most_cards(observation, "chance2", own=cards[observation.seat])
        case "chance4" if list_choices(observation, prompt, "play"):
            return Advice("chance4")
        case "chance6":
            return Advice("chance6")
        case _:
            return None


def _selecting(observation: Observation) -> Advice | None:
    companies, holdings = _companies(observation), part(observation, "tracker", Tracker).holdings
    if not any(company.size for company in companies):
        return None
    most = max(holdings)
    if most > 1:
        return Advice("select.more", {"company": COMPANIES[holdings.index(most)], "count": most})
    tallest = [number for number, company in enumerate(companies) if company.place == 1]
    args = {"company": COMPANIES[tallest[0]], "prize": companies[tallest[0]].prize}
    if len(tallest) == 1:
        return Advice("select.tallest", args)
    return Advice("select.tied", {**args, "rival": COMPANIES[tallest[1]], "tied": len(tallest)})


def _bidding(observation: Observation) -> Advice | None:
    cards = [held.card for held in part(observation, "hand", Hand).cards]
    return Advice("lowball", {"card": max(cards, key=_rank)}) if cards else None


def _taking_turn(observation: Observation, prompt: Prompt) -> Advice | None:
    cards = [held.card for held in part(observation, "hand", Hand).cards]
    if len(cards) <= FEW and list_choices(observation, prompt, "drawUp"):
        return Advice("turn.draw", {"count": len(cards)})
    if not cards or not list_choices(observation, prompt, "play"):
        return None
    target = _find_rival(observation)
    useful = [card for card in cards if suit_of(card) != "S" or target is not None]
    if not useful:
        built = any(company.floors for company in _companies(observation))
        return Advice("turn.wait" if built else "turn.early", {"card": _best(cards)})
    best = max(useful, key=lambda card: (uses(card), SUITS.index(suit_of(card))))
    match suit_of(best):
        case "H":
            return Advice("turn.hearts", {"card": best, "count": uses(best)})
        case "S":
            return Advice("turn.spades", {"card": best, "company": str(target)})
        case suit:
            players = part(observation, "players", Players)
            if players.spent and not _may_others_act(observation):
                return None
            if players.spent:
                return Advice("turn.enough", {"count": players.actions[observation.seat]})
            if suit == "C":
                return Advice("turn.clubs", {"card": best, "count": uses(best)})
            return Advice("turn.diamonds", {"card": best})


def _may_others_act(observation: Observation) -> bool:
    """Whether another seat can still act in this round."""
    players = part(observation, "players", Players)
    return any(
        not players.out[seat] and players.actions[seat]
        for seat in range(observation.seats)
        if seat != observation.seat
    )


def _find_rival(observation: Observation) -> str | None:
    """The tallest tower in which the seat has no share; None if there is no such tower."""
    companies, holdings = _companies(observation), part(observation, "tracker", Tracker).holdings
    targets = [number for number, company in enumerate(companies) if company.floors and not holdings[number]]
    return COMPANIES[max(targets, key=lambda number: companies[number].size)] if targets else None


def _raising(observation: Observation) -> Advice | None:
    companies, holdings = _companies(observation), part(observation, "tracker", Tracker).holdings
    most = max(holdings)
    if most < 1:
        return None
    number = holdings.index(most)
    first, name = max(company.size for company in companies), COMPANIES[number]
    if companies[number].size < first:
        return Advice("hearts.raise", {"company": name, "count": most})
    if companies[number].tied > 1:
        return Advice("hearts.first", {"company": name, "count": most})
    return Advice("hearts.ahead", {"company": name, "count": most})


def _lowering(observation: Observation) -> Advice:
    companies, holdings = _companies(observation), part(observation, "tracker", Tracker).holdings
    tallest = [number for number, company in enumerate(companies) if company.place == 1]
    least = min(tallest, key=lambda number: holdings[number])
    if not 0 < holdings[least] == max(holdings):
        key = "spades.rival" if len(tallest) == 1 else "spades.tied"
        return Advice(key, {"company": COMPANIES[least], "count": holdings[least]})
    rival = _find_rival(observation)
    if rival is None:
        return Advice("spades.own")
    return Advice("spades.other", {"company": COMPANIES[least], "rival": rival, "tied": len(tallest)})


def _spying(observation: Observation) -> Advice:
    cards = part(observation, "players", Players).cards
    return Advice("clubs.hand" if sum(cards) > cards[observation.seat] else "clubs.tracker")


def _on_most_cards(observation: Observation, key: str, **args: int) -> Advice | None:
    """Advice that names the other seat with the most cards; None if no other seat has any."""
    cards = part(observation, "players", Players).cards
    others = [seat for seat in range(observation.seats) if seat != observation.seat]
    most = max(others, key=lambda seat: cards[seat])
    tied = sum(cards[seat] == cards[most] for seat in others)
    return Advice(key, {"seat": most, "count": cards[most], "tied": tied, **args}) if cards[most] else None


def _companies(observation: Observation) -> tuple[Standing, ...]:
    return part(observation, "towers", Towers).companies


def _rank(card: Card) -> int:
    return RANKS.index(rank_of(card))


def _best(cards: Iterable[Card]) -> Card:
    """The card of the highest rank, and the plainest of these."""
    return max(cards, key=lambda card: (_rank(card), SUITS.index(suit_of(card))))
