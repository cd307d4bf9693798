"""What a viewer may not know, drawn anew: other hands, the deck, other marks and trades, deals of others."""

from __future__ import annotations

from msgspec.structs import replace

from games.api import Dice, Seat
from games.kit import offers as offering
from games.kit import peeks as peeks
from games.kit.sealed import Sealed
from games.kit.tuples import replace_at
from games.shares.rules import market, scoring
from games.shares.rules.market import MARKET
from games.shares.rules.pieces import COMPANIES, Cards, Company, Hands, Shares
from games.shares.rules.turn_flow import NO_SHARES, ordered, tracker_of
from games.shares.rules.values import SharesState, Shown, Snapshots

Marks = tuple[Company, ...]


def resample(state: SharesState, viewer: Seat | None, dice: Dice) -> SharesState:
    """A state that this viewer cannot tell from this one.

    It keeps the viewer's own cards, shares and deals, and what it looks at or was shown; and what it could
    not but notice: how many cards are where, who has locked, who has shown whom its tracker.
    """
    if state.reckoning is not None:
        return state
    hands, deck = _dealt(state, viewer, dice)
    state = replace(state, hands=hands, deck=deck)
    state = replace(state, selected=_selected(state, viewer, dice), offered=_offered(state, viewer, dice))
    traded = _traded(state, viewer, dice)
    marks = tuple(
        own if seat == viewer else _marked(state, viewer, Seat(seat), traded[seat], dice)
        for seat, own in enumerate(state.marks)
    )
    state = replace(state, traded=traded, marks=marks)
    state = replace(state, seen=_seen(state, viewer))
    return MARKET.resample(state, viewer, dice) if state.scene.kind == "market" else state


# --- cards ---


def _dealt(state: SharesState, viewer: Seat | None, dice: Dice) -> tuple[Hands, Cards]:
    """All cards that neither lie open nor are before the viewer's eyes."""
    known = [
        seat == viewer or peeks.sees(state.peek, viewer, seat, "hand") for seat in range(len(state.hands))
    ]
    hidden = [hand for seat, hand in enumerate(state.hands) if not known[seat]]
    pool = iter(dice.shuffle("resample", [card for pile in (*hidden, state.deck) for card in pile]))
    hands = tuple(
        hand if known[seat] else ordered([next(pool) for _ in hand]) for seat, hand in enumerate(state.hands)
    )
    return hands, tuple(pool)


def _selected(state: SharesState, viewer: Seat | None, dice: Dice) -> Sealed[Company]:
    """Who has locked has noted something; others may have (GEN-5)."""
    if state.stage.phase != "select":
        return state.selected
    drafts = tuple(
        own if seat == viewer else _some_company(locked, dice)
        for seat, (own, locked) in enumerate(zip(state.selected.draft, state.selected.locked, strict=True))
    )
    return Sealed(drafts, state.selected.locked)


def _some_company(locked: bool, dice: Dice) -> Company | None:
    if not locked and dice.below("resample", 2):
        return None
    return COMPANIES[dice.below("resample", len(COMPANIES))]


def _offered(state: SharesState, viewer: Seat | None, dice: Dice) -> Sealed[Cards]:
    if state.stage.phase != "lowball":
        return state.offered
    drafts = tuple(
        own if seat == viewer or own == () else _some_card(hand, locked, dice)
        for seat, (own, locked, hand) in enumerate(
            zip(state.offered.draft, state.offered.locked, state.hands, strict=True)
        )
    )
    return Sealed(drafts, state.offered.locked)


def _some_card(hand: Cards, locked: bool, dice: Dice) -> Cards | None:
    if not locked and dice.below("resample", 2):
        return None
    return (hand[dice.below("resample", len(hand))],)


# --- shares: what has come since a seat last showed its tracker to all ---


def _known(state: SharesState, viewer: Seat | None, seat: Seat) -> Marks | None:
    """Marks of this kind that the viewer has been shown, or sees; None: not one of them."""
    base = state.shows.shown[seat]
    begin = 0 if base is None else base.round
    if peeks.sees(state.peek, viewer, seat, "tracker"):
        return state.marks[seat]
    own = None if viewer is None else state.seen[viewer][seat]
    return None if own is None or own.round < begin else own.tracker.marks[begin:]


def _need(state: SharesState, viewer: Seat | None, seat: Seat, traded: Shares) -> Shares:
    """The marks a seat must have of each company to own what it traded away, and offers the viewer."""
    most = [0] * len(COMPANIES)
    for offer in () if viewer is None else offering.known(state.offers, viewer):
        if offer.by == seat:
            most = [max(pair) for pair in zip(most, market.counted(offer.give), strict=True)]
    base = scoring.tracker_after(state.shows.shown[seat], (), traded)
    return tuple(max(0, give - held) for give, held in zip(most, base.holdings, strict=True))


def _traded(state: SharesState, viewer: Seat | None, dice: Dice) -> tuple[Shares, ...]:
    """Shares change hands among seats the viewer knows nothing of: only where there were trades at all."""
    traded = state.traded
    free = [
        Seat(seat)
        for seat in range(len(traded))
        if seat != viewer and _known(state, viewer, Seat(seat)) is None
    ]
    if not state.trades.trades or len(free) < 2:
        return traded
    for _ in range(dice.below("resample", 6)):
        one, other = dice.shuffle("resample", free)[:2]
        company = dice.below("resample", len(COMPANIES))
        after = replace_at(traded, one, replace_at(traded[one], company, traded[one][company] - 1))
        after = replace_at(after, other, replace_at(traded[other], company, traded[other][company] + 1))
        if sum(_need(state, viewer, one, after[one])) <= len(state.marks[one]):
            traded = after
    return traded


def _marked(state: SharesState, viewer: Seat | None, seat: Seat, traded: Shares, dice: Dice) -> Marks:
    """Other marks, with all that the seat must have, and those the viewer knows in their places."""
    marks, known = state.marks[seat], _known(state, viewer, seat) or ()
    found = [
        company
        for company, count in zip(COMPANIES, _need(state, viewer, seat, traded), strict=True)
        for _ in range(count - known.count(company))
    ]
    while len(known) + len(found) < len(marks):
        found.append(COMPANIES[dice.below("resample", len(COMPANIES))])
    return (*known, *dice.shuffle("resample", found))


def _seen(state: SharesState, viewer: Seat | None) -> tuple[Snapshots, ...]:
    """What others were shown of trackers the viewer does not know: such as they are now."""
    return tuple(
        own
        if other == viewer
        else tuple(_again(state, viewer, Seat(seat), one) for seat, one in enumerate(own))
        for other, own in enumerate(state.seen)
    )


def _again(state: SharesState, viewer: Seat | None, seat: Seat, one: Shown | None) -> Shown | None:
    if one is None or seat == viewer or _known(state, viewer, seat) is not None:
        return one
    whole = tracker_of(state, seat)
    marks = whole.marks[: one.round]
    found = scoring.tracker(marks, whole.traded)
    if min(found.holdings) < 0:
        found = scoring.tracker(marks, NO_SHARES)
    return Shown(one.round, found)
