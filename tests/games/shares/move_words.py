"""Translates moves of Share and Share Alike into events of its reference and back: see differential.py."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.api import PromptId, Seat
from games.kit import offers as offering
from games.shares.rules import prompts
from games.shares.rules.pieces import COMPANIES
from games.shares.rules.values import SharesState
from tests.games.shares import reference
from tests.games.shares.reference_table import Game
from tests.games.shares.same_words import companies

Raw = Mapping[str, Any]


class Untold(Exception):
    """Raised for a move that the second version cannot express."""


def events(
    state: SharesState, game: Game, seat: Seat, prompt: PromptId, raw: Raw
) -> Iterator[reference.Event]:
    """A move as events of the second version. Raises Untold if that version cannot express it."""
    tag = str(raw["move"])
    match tag:
        case "select" | "add" | "remove":
            yield tag, (seat, COMPANIES.index(raw["company" if tag == "select" else "tower"]))
        case "bid":
            yield "offer_card", (seat, raw["card"])
        case "lock":
            yield from locking(seat, raw)
        case "play" | "discard" | "openMarket" | "fromDiscard":
            yield snake(tag), (seat, list(raw["cards"]) if tag == "discard" else raw["card"])
        case "unlock" | "drawUp" | "endTurn" | "done" | "stopPeeking" | "fromDeck" | "closeMarket":
            yield snake(tag), (seat,)
        case "spy":
            yield "spy", (seat, raw["seat"], raw["what"])
        case "adjust":
            yield "adjust", (seat, raw["by"])
        case "target":
            yield "target", (seat, raw["seat"])
        case "take":
            yield "take", (seat, card_at(state, raw["place"]))
        case "swap":
            if len(raw["seats"]) != 2:
                raise Untold
            yield "swap", (seat, *raw["seats"])
        case "propose":
            yield "propose", (seat, raw["to"], companies(raw["give"]), companies(raw["wish"]))
        case "counter":
            offer = offering.find(state.offers, prompt)
            if offer is None:
                raise Untold
            yield "decline_offer", (seat, number(state, game, prompt))
            yield "propose", (seat, int(offer.by), companies(raw["give"]), companies(raw["wish"]))
        case "accept":
            yield "accept", (seat, number(state, game, prompt))
        case "cancel":
            yield "cancel_offer", (seat, number(state, game, prompt))
        case "decline" if offering.find(state.offers, prompt) is None:
            yield "decline", (seat,)
        case "decline":
            yield "decline_offer", (seat, number(state, game, prompt))
        case "show":
            yield "show", (seat, list(raw["to"]))
        case "showAll":
            yield "show", (seat, [other for other in range(game.seats) if other != seat])
        case _:
            raise ValueError(f"no such move: {tag}")


def locking(seat: Seat, raw: Raw) -> Iterator[reference.Event]:
    """A lock as events: its choice, if it carries one, and then the lock."""
    company, card = raw.get("company"), raw.get("card")
    if company is not None:
        yield "select", (seat, COMPANIES.index(company))
    if card is not None:
        yield "offer_card", (seat, card)
    yield "lock", (seat,)


def number(state: SharesState, game: Game, prompt: PromptId) -> int:
    """The number of an offer, found by its position, which both versions share; -1 if there is none."""
    for offer, same in zip(state.offers.open, game.offers, strict=True):
        if offer.id == prompt:
            return same.number
    return -1


def card_at(state: SharesState, place: int) -> str:
    peek = state.peek
    hand = state.hands[peek.other] if peek is not None else ()
    return hand[place] if place < len(hand) else "none"


def told(state: SharesState, game: Game, name: str, arguments: Sequence[Any]) -> tuple[Seat, PromptId, Raw]:
    """An event of the second version as a move: its seat, prompt and fields."""
    seat, *rest = arguments
    main = prompts.prompt_id(state)
    match name, rest:
        case "select", [company]:
            return seat, main, {"move": "select", "company": COMPANIES[company]}
        case (("add" | "remove"), [company]):
            return seat, main, {"move": name, "tower": COMPANIES[company]}
        case "offer_card", [card]:
            return seat, main, {"move": "bid", "card": card}
        case (("play" | "open_market" | "from_discard"), [card]):
            return seat, main, {"move": camel(name), "card": card}
        case "discard", [cards]:
            return seat, main, {"move": "discard", "cards": cards}
        case "spy", [other, what]:
            return seat, main, {"move": "spy", "seat": other, "what": what}
        case "adjust", [by]:
            return seat, main, {"move": "adjust", "by": by}
        case "target", [other]:
            return seat, main, {"move": "target", "seat": other}
        case "take", [card]:
            assert state.peek is not None
            place = state.hands[state.peek.other].index(card)
            return seat, main, {"move": "take", "place": place}
        case "swap", [*seats]:
            return seat, main, {"move": "swap", "seats": seats}
        case (("accept" | "decline_offer" | "cancel_offer"), [number]):
            place = [offer.number for offer in game.offers].index(number)
            prompt = PromptId(state.offers.open[place].id)
            return seat, prompt, {"move": name.partition("_")[0]}
        case _, []:
            return seat, main, {"move": camel(name)}
        case _:
            raise ValueError(f"no such event: {name} {rest}")


def snake(tag: str) -> str:
    """Converts openMarket to open_market."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in tag)


def camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
