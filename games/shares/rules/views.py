"""The sections for everybody, and the private sections of a seat."""

from __future__ import annotations

from typing import TypeAlias

from games.api import Seat, Section
from games.kit import offers as offering
from games.kit import peeks as peeks
from games.kit.memo import memoize
from games.kit.peeks import Peek
from games.shares.rules import market, scoring
from games.shares.rules.pieces import Cards, Company, adjustment, royal, uses
from games.shares.rules.turn_flow import tracker_of
from games.shares.rules.values import (
    Bid,
    Hand,
    Held,
    Mark,
    PeekContent,
    Piles,
    Players,
    Readiness,
    Seen,
    SharesState,
    Snapshots,
    Tracker,
    Turns,
)

Sections: TypeAlias = dict[str, Section]


@memoize
def _players(turns: Turns, cards: tuple[int, ...], shares: int) -> Players:
    return Players(turns.actions, turns.out, turns.spent, cards, shares)


@memoize
def _piles(deck: int, discard: Cards) -> Piles:
    return Piles(deck, discard)


@memoize
def _readiness(locked: tuple[bool, ...]) -> Readiness:
    return Readiness(locked)


def public(state: SharesState) -> Sections:
    """Everything except hands, marks, the deck and offers (1c)."""
    over = state.reckoning
    hands = state.hands if over is None else tuple(seat.hand for seat in over.seats)
    marked = state.stage.round - (state.stage.phase == "select")
    sections = {
        "stage": Section(state.stage),
        "scene": Section(state.scene),
        "recent": Section(state.recent),
        "towers": Section(scoring.standings(state.towers, state.options)),
        "players": Section(_players(state.turns, tuple(map(len, hands)), marked * len(hands))),
        "piles": Section(_piles(len(state.deck), state.discard)),
        "time_control": Section(state.time_control),
    }
    if state.stage.phase == "select":
        sections["readiness"] = Section(_readiness(state.selected.locked))
    if state.stage.phase == "lowball":
        sections["readiness"] = Section(_readiness(state.offered.locked))
    if state.bids is not None:
        sections["bids"] = Section(state.bids)
    if state.peek is not None:
        sections["peek"] = Section(state.peek)
    if state.options.open_market:
        sections["trades"] = Section(state.trades)
    if state.options.talk == "wholeTruth":
        sections["shows"] = Section(state.shows)
    if over is not None:
        sections["reckoning"] = Section(over)
        sections["decisive_floor"] = Section(scoring.find_decisive_floor(state.towers, over, state.options))
    return sections


# --- one seat ---


@memoize
def hand(cards: Cards) -> Hand:
    return Hand(tuple(Held(card, uses(card), adjustment(card), royal(card)) for card in cards))


@memoize
def _mark(company: Company | None, locked: bool) -> Mark:
    return Mark(company, locked)


@memoize
def _bid(noted: Cards | None, locked: bool) -> Bid:
    return Bid(noted[0] if noted else None, locked)


@memoize
def _snapshots_section(shown: Snapshots) -> Seen:
    return Seen(shown)


@memoize
def _peek_content(cards: Cards | None, tracker: Tracker | None) -> PeekContent:
    return PeekContent(cards, tracker)


def private(state: SharesState, seat: Seat) -> Sections:
    if state.reckoning is not None:
        return _no_sections()
    sections = {
        "hand": Section(hand(state.hands[seat])),
        "tracker": Section(tracker_of(state, seat)),
    }
    if state.stage.phase == "select":
        sections["mark"] = Section(_mark(state.selected.draft[seat], state.selected.locked[seat]))
    if state.stage.phase == "lowball":
        sections["bid"] = Section(_bid(state.offered.draft[seat], state.offered.locked[seat]))
    if state.scene.kind == "market":
        sections["deals"] = Section(market.section(offering.list_known_offers(state.offers, seat)))
    if state.options.talk == "wholeTruth":
        sections["seen"] = Section(_snapshots_section(state.seen[seat]))
    peek_content = peeks.peek_section(state.peek, seat, lambda peek: _peek_at(state, peek))
    if peek_content is not None:
        sections[peeks.SECTION] = peek_content
    return sections


def _peek_at(state: SharesState, peek: Peek) -> PeekContent:
    """The hand, or the tracker with this round's mark and all trades (1c)."""
    if peek.what == "hand":
        return _peek_content(state.hands[peek.other], None)
    return _peek_content(None, tracker_of(state, peek.other))


@memoize
def _no_sections() -> Sections:
    return {}
