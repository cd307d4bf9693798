"""Redraws what a viewer must not know: the deck, and other seats' hands, marks, trades and deals."""

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
from games.shares.rules.turn_flow import NO_SHARES, sort_cards, tracker_of
from games.shares.rules.values import SharesState, Shown, Snapshots

Marks = tuple[Company, ...]


def resample(state: SharesState, viewer: Seat | None, dice: Dice) -> SharesState:
    """A state that this viewer cannot tell from the given one.

    It keeps the viewer's own cards, shares and deals, what the viewer is peeking at or was shown, and what is
    public: the number of cards in each place, who has locked, and who has shown a tracker to whom.
    """
    if state.reckoning is not None:
        return state
    hands, deck = _redraw_cards(state, viewer, dice)
    state = replace(state, hands=hands, deck=deck)
    state = replace(
        state, selected=_redraw_selected(state, viewer, dice), offered=_redraw_offered(state, viewer, dice)
    )
    traded = _redraw_traded(state, viewer, dice)
    marks = tuple(
        companies if seat == viewer else _redraw_marks(state, viewer, Seat(seat), traded[seat], dice)
        for seat, companies in enumerate(state.marks)
    )
    state = replace(state, traded=traded, marks=marks)
    state = replace(state, seen=_redraw_seen(state, viewer))
    return MARKET.resample(state, viewer, dice) if state.scene.kind == "market" else state


# --- cards ---


def _redraw_cards(state: SharesState, viewer: Seat | None, dice: Dice) -> tuple[Hands, Cards]:
    """Redraw all cards that are neither face up nor visible to the viewer."""
    known = [
        seat == viewer or peeks.sees(state.peek, viewer, seat, "hand") for seat in range(len(state.hands))
    ]
    hidden = [hand for seat, hand in enumerate(state.hands) if not known[seat]]
    pool = iter(dice.shuffle("resample", [card for pile in (*hidden, state.deck) for card in pile]))
    hands = tuple(
        hand if known[seat] else sort_cards([next(pool) for _ in hand])
        for seat, hand in enumerate(state.hands)
    )
    return hands, tuple(pool)


def _redraw_selected(state: SharesState, viewer: Seat | None, dice: Dice) -> Sealed[Company]:
    """Redraw other seats' notes: a seat that has locked has one, and the rest may have one (GEN-5)."""
    if state.stage.phase != "select":
        return state.selected
    drafts = tuple(
        draft if seat == viewer else _draw_company(locked, dice)
        for seat, (draft, locked) in enumerate(zip(state.selected.draft, state.selected.locked, strict=True))
    )
    return Sealed(drafts, state.selected.locked)


def _draw_company(locked: bool, dice: Dice) -> Company | None:
    if not locked and dice.below("resample", 2):
        return None
    return COMPANIES[dice.below("resample", len(COMPANIES))]


def _redraw_offered(state: SharesState, viewer: Seat | None, dice: Dice) -> Sealed[Cards]:
    if state.stage.phase != "lowball":
        return state.offered
    drafts = tuple(
        draft if seat == viewer or draft == () else _draw_card(hand, locked, dice)
        for seat, (draft, locked, hand) in enumerate(
            zip(state.offered.draft, state.offered.locked, state.hands, strict=True)
        )
    )
    return Sealed(drafts, state.offered.locked)


def _draw_card(hand: Cards, locked: bool, dice: Dice) -> Cards | None:
    if not locked and dice.below("resample", 2):
        return None
    return (hand[dice.below("resample", len(hand))],)


# --- shares: changes since a seat last showed its tracker to everyone ---


def _find_known_marks(state: SharesState, viewer: Seat | None, seat: Seat) -> Marks | None:
    """The seat's marks that the viewer was shown or can see; None if it knows none."""
    base = state.shows.shown[seat]
    begin = 0 if base is None else base.round
    if peeks.sees(state.peek, viewer, seat, "tracker"):
        return state.marks[seat]
    shown = None if viewer is None else state.seen[viewer][seat]
    return None if shown is None or shown.round < begin else shown.tracker.marks[begin:]


def _need(state: SharesState, viewer: Seat | None, seat: Seat, traded: Shares) -> Shares:
    """The marks by company that a seat needs to cover what it traded away and offers the viewer."""
    most = [0] * len(COMPANIES)
    for offer in () if viewer is None else offering.list_known_offers(state.offers, viewer):
        if offer.by == seat:
            most = [max(pair) for pair in zip(most, market.count_shares(offer.give), strict=True)]
    base = scoring.tracker_after(state.shows.shown[seat], (), traded)
    return tuple(max(0, give - held) for give, held in zip(most, base.holdings, strict=True))


def _redraw_traded(state: SharesState, viewer: Seat | None, dice: Dice) -> tuple[Shares, ...]:
    """Move shares between seats the viewer knows nothing about, if there were any trades."""
    traded = state.traded
    free = [
        Seat(seat)
        for seat in range(len(traded))
        if seat != viewer and _find_known_marks(state, viewer, Seat(seat)) is None
    ]
    if not state.trades.trades or len(free) < 2:
        return traded
    for _ in range(dice.below("resample", 6)):
        first, second = dice.shuffle("resample", free)[:2]
        company = dice.below("resample", len(COMPANIES))
        after = replace_at(traded, first, replace_at(traded[first], company, traded[first][company] - 1))
        after = replace_at(after, second, replace_at(traded[second], company, traded[second][company] + 1))
        if sum(_need(state, viewer, first, after[first])) <= len(state.marks[first]):
            traded = after
    return traded


def _redraw_marks(state: SharesState, viewer: Seat | None, seat: Seat, traded: Shares, dice: Dice) -> Marks:
    """Redraw a seat's marks, including all those it needs; the marks the viewer knows stay in place."""
    marks, known = state.marks[seat], _find_known_marks(state, viewer, seat) or ()
    others = [
        company
        for company, count in zip(COMPANIES, _need(state, viewer, seat, traded), strict=True)
        for _ in range(count - known.count(company))
    ]
    while len(known) + len(others) < len(marks):
        others.append(COMPANIES[dice.below("resample", len(COMPANIES))])
    return (*known, *dice.shuffle("resample", others))


def _redraw_seen(state: SharesState, viewer: Seat | None) -> tuple[Snapshots, ...]:
    """The trackers that seats were shown; those the viewer does not know match the redrawn marks."""
    return tuple(
        trackers
        if other == viewer
        else tuple(_redraw_tracker(state, viewer, Seat(seat), shown) for seat, shown in enumerate(trackers))
        for other, trackers in enumerate(state.seen)
    )


def _redraw_tracker(state: SharesState, viewer: Seat | None, seat: Seat, shown: Shown | None) -> Shown | None:
    if shown is None or seat == viewer or _find_known_marks(state, viewer, seat) is not None:
        return shown
    whole = tracker_of(state, seat)
    marks = whole.marks[: shown.round]
    tracker = scoring.tracker(marks, whole.traded)
    if min(tracker.holdings) < 0:
        tracker = scoring.tracker(marks, NO_SHARES)
    return Shown(shown.round, tracker)
