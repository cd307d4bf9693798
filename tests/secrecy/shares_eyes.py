"""A viewer's knowledge in Share and Share Alike (rulings 1c), derived from the secrets without the rules.

For the tests only: decides whether an action at two tables with different secrets may look the same.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from msgspec.structs import replace

from games.api import Seat
from games.shares.rules.pieces import CARDS, Card
from games.shares.rules.values import Bargain, SharesState


def marks_of(state: SharesState, seat: int) -> Any:
    """The whole tracker: its last state that everybody saw, and the marks and trades since then."""
    return state.shows.shown[seat], state.marks[seat], state.traded[seat]


def observation_of(state: SharesState) -> Any:
    """The content shown to the seat that is peeking; None if nobody is."""
    peek = state.peek
    if peek is None:
        return None
    return state.hands[peek.other] if peek.what == "hand" else marks_of(state, peek.other)


def content(offer: Bargain) -> Any:
    return offer.by, offer.to, offer.give, offer.wish


def deals(state: SharesState, viewer: Seat | None, known: bool) -> Any:
    """The offers that this viewer knows about (`known`) or does not, in the order in which they were made."""
    return [content(offer) for offer in state.offers.open if (viewer in (offer.by, offer.to)) == known]


def trades(state: SharesState) -> Any:
    """The trades: their partners and, if they are public, their shares (SSA-31)."""
    trades = state.trades.trades
    if state.options.market_log == "public":
        return trades
    return [(one.round, one.seat, one.other) for one in trades]


def in_sight(state: SharesState, viewer: Seat | None) -> Any:
    """Everything this viewer may know about a table, except time and presence, which no secret affects."""
    choosing = state.selected if state.stage.phase == "select" else state.offered
    public = (
        (state.stage, state.scene, state.recent, state.turns, state.towers, state.bids, state.peek),
        (trades(state), state.shows, state.reckoning),
        (len(state.deck), state.discard, [len(hand) for hand in state.hands], choosing.locked),
    )
    if viewer is None:
        return public
    own_hand = (
        state.hands[viewer],
        marks_of(state, viewer),
        state.selected.draft[viewer],
        state.offered.draft[viewer],
        state.seen[viewer],
        deals(state, viewer, known=True),
    )
    peeks = state.peek is not None and state.peek.seat == viewer
    return public, own_hand, observation_of(state) if peeks else None


def hidden(one: SharesState, other: SharesState, viewer: Seat | None) -> list[str]:
    """Hidden facts that differ between two states that look the same to this viewer."""
    seats = [seat for seat in range(len(one.hands)) if seat != viewer]
    pairs: dict[str, list[Any]] = {
        "cards": [[state.hands[seat] for seat in seats] for state in (one, other)],
        "deck": [state.deck for state in (one, other)],
        "marks": [[marks_of(state, seat) for seat in seats] for state in (one, other)],
        "drafts": [[state.selected.draft[seat] for seat in seats] for state in (one, other)],
        "bids": [[state.offered.draft[seat] for seat in seats] for state in (one, other)],
        "offers": [Counter(map(str, deals(state, viewer, known=False))) for state in (one, other)],
        "trackers shown": [[state.seen[seat] for seat in seats] for state in (one, other)],
    }
    if one.peek is not None and one.peek.seat != viewer:
        pairs["sights"] = [observation_of(state) for state in (one, other)]
    return [name for name, (first, second) in pairs.items() if first != second]


def stirred(state: SharesState, viewer: Seat | None, chance: random.Random) -> SharesState:
    """The state after swapping a few cards that this viewer knows nothing about."""
    hands: list[list[Card]] = [list(hand) for hand in state.hands]
    piles = [
        hand for seat, hand in enumerate(hands) if seat != viewer and not _peeked_at(state, viewer, seat)
    ]
    deck = list(state.deck)
    places = [(pile, place) for pile in (*piles, deck) for place in range(len(pile))]
    for _ in range(5 if len(places) > 1 else 0):
        (one, a), (other, b) = chance.sample(places, 2)
        one[a], other[b] = other[b], one[a]
    ordered = tuple(tuple(sorted(hand, key=CARDS.index)) for hand in hands)
    drafts = tuple(
        draft if seat == viewer or not draft else (chance.choice(ordered[seat]),)
        for seat, draft in enumerate(state.offered.draft)
    )
    return replace(state, hands=ordered, deck=tuple(deck), offered=replace(state.offered, draft=drafts))


def _peeked_at(state: SharesState, viewer: Seat | None, seat: int) -> bool:
    peek = state.peek
    return peek is not None and (peek.seat, peek.other, peek.what) == (viewer, seat, "hand")
