"""The secret choices all seats make: each round's share, and in Lowball a card for the first turn (GEN-5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from msgspec.structs import replace

from games.api import Dice, LogLine, Millis, Refusal, Seat, Step, WindowId
from games.kit import sealed as sealing
from games.kit import time_control as time_control
from games.kit.sealed import Sealed
from games.kit.timed_game import OTHER_PROMPT, count_missed, timer_of
from games.kit.tuples import replace_at
from games.shares.rules.moves import Bidding, Lock, Select, Unlock
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import (
    ACTIONS,
    CARDS,
    COMPANIES,
    HAND,
    LOWBALL_TIME,
    RANKS,
    SEATS,
    Card,
    Cards,
    rank_of,
    suit_of,
)
from games.shares.rules.turn_flow import (
    ALL_CHOOSE,
    NO_SHARES,
    Lines,
    open_select,
    open_turns,
    remove_cards,
    say,
    sort_cards,
    with_hand,
)
from games.shares.rules.values import Bids, Recent, Scene, SharesState, Shows, Stage, Trades, Turns
from games.shares.texts import NOT_YOUR_CARDS

C = TypeVar("C")

HIGHEST_LAST: Final = "CSDH"
"""Suits in ascending order, for cards of equal rank: hearts beat diamonds beat spades beat clubs (SSA-25)."""
NO_CARD: Final[Cards] = ()
"""The offer of a seat that has no card or did not offer one in time."""


def begin(seats: int, options: SharesOptions, at: Millis, dice: Dice) -> Step[SharesState]:
    """Begin the game with five cards each and no floors (1a)."""
    cards = dice.shuffle("deck", CARDS)
    rounds = int(options.rounds)
    control = time_control.start(seats, options.timers)
    state = SharesState(
        options=options,
        stage=Stage("select", 0, rounds, None, None, seats == SEATS and rounds == 15),
        scene=ALL_CHOOSE,
        recent=Recent(None, None, (), ()),
        serial=0,
        turns=Turns((ACTIONS,) * seats, (False,) * seats, 0),
        towers=((),) * len(COMPANIES),
        deck=cards[HAND * seats :],
        discard=(),
        hands=tuple(sort_cards(cards[HAND * seat : HAND * (seat + 1)]) for seat in range(seats)),
        marks=((),) * seats,
        traded=(NO_SHARES,) * seats,
        selected=Sealed((None,) * seats, (False,) * seats),
        offered=Sealed((None,) * seats, (False,) * seats),
        bids=None,
        peek=None,
        trades=Trades(()),
        seen=((None,) * seats,) * seats,
        shows=Shows((None,) * seats),
        time_control=control,
        timer=None,
        held=None,
    )
    return open_select(state, 1, at)


# --- legal choices ---


def refuse(
    state: SharesState, seat: Seat, kind: str, move: Select | Bidding | Lock | Unlock
) -> Refusal | None:
    """Why noting, locking or unlocking this choice is refused, if it is."""
    if kind == "select":
        other = isinstance(move, Bidding) or (isinstance(move, Lock) and move.card is not None)
        return OTHER_PROMPT if other else _refuse(state.selected, seat, move)
    if isinstance(move, Select) or (isinstance(move, Lock) and move.company is not None):
        return OTHER_PROMPT
    refused = _refuse(state.offered, seat, move)
    return refused if isinstance(move, Unlock) else refused or _refuse_card(state, seat, move.card)


def _refuse(choice: Sealed[C], seat: Seat, move: Select | Bidding | Lock | Unlock) -> Refusal | None:
    match move:
        case Unlock():
            return sealing.refuse_unlock(choice, seat)
        case Lock(company=company, card=card):
            return sealing.refuse_lock(choice, seat, company is not None or card is not None)
        case Select() | Bidding():
            return sealing.refuse_draft(choice, seat)


def _refuse_card(state: SharesState, seat: Seat, card: Card | None) -> Refusal | None:
    return None if card is None or card in state.hands[seat] else NOT_YOUR_CARDS


def draft(state: SharesState, seat: Seat, move: Select | Bidding) -> SharesState:
    if isinstance(move, Select):
        return replace(state, selected=sealing.draft(state.selected, seat, move.company))
    return replace(state, offered=sealing.draft(state.offered, seat, (move.card,)))


def unlock(state: SharesState, seat: Seat) -> SharesState:
    """Unlock a choice; a seat that had offered no card has none noted (SSA-25)."""
    if state.stage.phase == "select":
        return replace(state, selected=sealing.unlock(state.selected, seat))
    offered = sealing.unlock(state.offered, seat)
    noted = offered.draft[seat] or None
    return replace(state, offered=replace(offered, draft=replace_at(offered.draft, seat, noted)))


def lock(state: SharesState, seat: Seat, move: Lock, at: Millis, dice: Dice) -> Step[SharesState]:
    if state.stage.phase == "select":
        selected = sealing.lock(state.selected, seat, move.company)
        return _finish_selection(replace(state, selected=selected), state, seat, at, dice)
    offered = sealing.lock(state.offered, seat, None if move.card is None else (move.card,))
    return _finish_lowball(replace(state, offered=offered), state, seat, at, dice)


def _list_missed(before: SharesState, locked: tuple[bool, ...], but: Seat | None) -> tuple[Seat, ...]:
    """The seats for which the rules chose: those that had not locked, and those that were away."""
    concerned = timer_of(before).concerns
    return tuple(
        seat
        for seat in concerned
        if time_control.is_away(before.time_control, seat) or (not locked[seat] and seat != but)
    )


def _count_misses(state: SharesState, key: str, seats: Iterable[Seat]) -> tuple[SharesState, Lines]:
    """Count misses; nobody else learns whether a seat had noted something (SSA-8)."""
    gone = tuple(seats)
    if not gone:
        return state, ()
    after, news = count_missed(state, gone)
    line = LogLine(key, {"seats": [int(seat) for seat in gone]}, None)
    return after, (line, *news)


# --- the share of the round ---


def _defaults(state: SharesState, seats: Iterable[Seat], dice: Dice) -> tuple[SharesState, Lines]:
    """Lock what these seats have noted, or else a random company; only they learn which (SSA-8)."""
    selected = state.selected
    lines = []
    for seat in seats:
        noted = selected.draft[seat]
        company = noted or COMPANIES[dice.below("mark", len(COMPANIES))]
        selected = sealing.lock(selected, seat, company)
        key = "shares.markDrawn" if noted is None else "shares.markCounted"
        lines.append(LogLine(key, {"round": state.stage.round, "company": company}, frozenset({seat})))
    return replace(state, selected=selected), tuple(lines)


def time_to_select(state: SharesState, alone: Seat | None, at: Millis, dice: Dice) -> Step[SharesState]:
    """When time is up, choose for one seat that is away, or for every seat that has not locked."""
    open_to = [Seat(seat) for seat, done in enumerate(state.selected.locked) if not done]
    chosen, lines = _defaults(state, open_to if alone is None else [alone], dice)
    step = _finish_selection(chosen, state, alone, at, dice)
    return Step(step.state, (*lines, *step.lines))


def _finish_selection(
    state: SharesState, before: SharesState, but: Seat | None, at: Millis, dice: Dice
) -> Step[SharesState]:
    """Make the round's marks final once every seat has locked (SSA-7)."""
    if not sealing.complete(state.selected):
        return Step(state)
    counted, lines = _count_misses(
        state, "shares.autoMarks", _list_missed(before, before.selected.locked, but)
    )
    chosen = sealing.reveal(counted.selected)
    marked = replace(
        counted,
        marks=tuple((*marks, company) for marks, company in zip(state.marks, chosen, strict=True)),
        selected=Sealed((None,) * len(chosen), (False,) * len(chosen)),
    )
    if state.options.lowball:
        return _open_lowball(marked, at, dice, lines)
    start = Seat(dice.below("start", len(chosen)))
    return open_turns(marked, start, at, (*lines, say("shares.starts", start)))


# --- Lowball ---


def _open_lowball(state: SharesState, at: Millis, dice: Dice, lines: Lines) -> Step[SharesState]:
    """Open Lowball between the selection and the first turn (SSA-26); empty hands offer no card (SSA-25)."""
    seats = len(state.hands)
    bidders = tuple(Seat(seat) for seat in range(seats) if state.hands[seat])
    stage = replace(state.stage, phase="lowball")
    window = WindowId(f"lowball:{stage.round}")
    after = replace(
        state,
        stage=stage,
        scene=Scene("lowball", None, 0, (), None),
        offered=Sealed(
            tuple(None if hand else NO_CARD for hand in state.hands), tuple(not hand for hand in state.hands)
        ),
        timer=time_control.timer(state.time_control, window, "lowball", bidders, LOWBALL_TIME, at),
    )
    if not bidders:
        return _open_bids(after, at, dice, lines)
    return Step(after, lines)


def time_to_offer(state: SharesState, alone: Seat | None, at: Millis, dice: Dice) -> Step[SharesState]:
    """When time is up, one seat that is away, or every seat that has not locked, offers no card (1b)."""
    offered = state.offered
    for seat, done in enumerate(state.offered.locked):
        if not done and alone in (None, seat):
            offered = sealing.lock(offered, Seat(seat), NO_CARD)
    return _finish_lowball(replace(state, offered=offered), state, alone, at, dice)


def _finish_lowball(
    state: SharesState, before: SharesState, but: Seat | None, at: Millis, dice: Dice
) -> Step[SharesState]:
    if not sealing.complete(state.offered):
        return Step(state)
    counted, lines = _count_misses(state, "shares.autoBids", _list_missed(before, before.offered.locked, but))
    return _open_bids(counted, at, dice, lines)


def strength(card: Card) -> tuple[int, int]:
    """A card's rank, with aces high, and then its suit (SSA-25)."""
    return RANKS.index(rank_of(card)), HIGHEST_LAST.index(suit_of(card))


def _open_bids(state: SharesState, at: Millis, dice: Dice, lines: Lines) -> Step[SharesState]:
    """Reveal all cards at once: the highest starts, or a random seat if there are no cards."""
    cards = tuple(lot[0] if lot else None for lot in sealing.reveal(state.offered))
    news = [*lines]
    for seat, card in enumerate(cards):
        known = say("shares.noBid", Seat(seat)) if card is None else say("shares.bid", Seat(seat), card=card)
        news.append(known)
    offers = [(strength(card), Seat(seat), card) for seat, card in enumerate(cards) if card is not None]
    if offers:
        _, start, card = max(offers)
        news.append(say("shares.highest", start, card=card))
    else:
        start = Seat(dice.below("start", len(cards)))
        news.append(say("shares.starts", start))
    nobody = Sealed[Cards]((None,) * len(cards), (False,) * len(cards))
    opened = replace(_lay_down(state, cards), offered=nobody, bids=Bids(cards))
    return open_turns(opened, start, at, tuple(news))


def _lay_down(state: SharesState, cards: tuple[Card | None, ...]) -> SharesState:
    """Put the cards where the option says (SSA-24), the cards of lower seats first."""
    pile = state.options.lowball_card
    if pile == "return":
        return state
    hands = state.hands
    for seat, card in enumerate(cards):
        if card is not None:
            hands = with_hand(hands, Seat(seat), remove_cards(hands[seat], (card,)))
    laid = tuple(card for card in cards if card is not None)
    if pile == "discard":
        return replace(state, hands=hands, discard=(*state.discard, *laid))
    return replace(state, hands=hands, deck=(*state.deck, *laid))
