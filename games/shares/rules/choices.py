"""A seat's legal moves as domains, derived from what it may see."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, assert_never, get_args

from msgspec.structs import replace

from games.api import Choice, Choices, OneOf, PromptId, Range, Seat, Struct, Subset
from games.kit import offers as offering
from games.kit import peeks as peeks
from games.kit import time_control as time_control
from games.kit import trading
from games.kit.memo import memoize
from games.kit.time_control import TimerPrompt
from games.kit.timed_game import timer_of
from games.shares.rules import chance, market, prompts, showing
from games.shares.rules.pieces import ACTIONS, COMPANIES, HAND, OFFERS, Cards, Company, Kind, Shares, What
from games.shares.rules.turn_flow import active_of, tracker_of
from games.shares.rules.values import Bargain, SharesState

NONE: Final[Choices] = {}
DONE: Final = Choice("done")
WHAT: Final[tuple[What, ...]] = get_args(What)


class Facts(Struct, frozen=True, cache_hash=True):
    """Everything a seat's choices depend on; fields that do not matter now keep their defaults."""

    name: PromptId
    kind: Kind | None
    """None if the seat has nothing to decide now."""
    seat: Seat
    seats: int
    noted: bool = False
    locked: bool = False
    hand: Cards = ()
    effects: Cards = ()
    """Cards that may be played for their effect."""
    royals: Cards = ()
    """Cards that may open a market."""
    may_draw: bool = False
    towers: tuple[Company, ...] = ()
    """Companies with at least one floor."""
    by: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    """Seats to take from, or to make an offer to."""
    closes: bool = False
    """Whether the seat may close the market."""
    places: int = 0
    deck: bool = False
    discard: Cards = ()
    holdings: Shares = ()
    known: tuple[Bargain, ...] = ()
    show: tuple[int, ...] = ()
    show_all: bool = False
    more: TimerPrompt | None = None


def choices(state: SharesState, seat: Seat) -> Choices:
    return NONE if state.timer is None else _choices(_facts(state, seat))


def _facts(state: SharesState, seat: Seat) -> Facts:
    clock = timer_of(state)
    facts = Facts(prompts.prompt_id(state), None, seat, len(state.hands))
    more = time_control.prompt(state.time_control, clock)
    if more is not None and seat in more.prompt.seats:
        facts = replace(facts, more=more)
    if seat in showing.open_to(state):
        news = showing.news(state, seat)
        facts = replace(facts, show=showing.list_outdated(state, seat), show_all=news)
    return _deciding(state, seat, facts) if seat in clock.concerns else facts


def _deciding(state: SharesState, seat: Seat, facts: Facts) -> Facts:
    kind, hand = state.scene.kind, state.hands[seat]
    facts = replace(facts, kind=kind)
    match kind:
        case "select":
            noted, locked = state.selected.draft[seat] is not None, state.selected.locked[seat]
            return replace(facts, noted=noted, locked=locked)
        case "lowball":
            noted, locked = state.offered.draft[seat] is not None, state.offered.locked[seat]
            return replace(facts, noted=noted, locked=locked, hand=hand)
        case "turn":
            royals = chance.free_royals(state, seat)
            may_draw = state.turns.actions[seat] == ACTIONS and len(hand) < HAND
            return replace(facts, hand=hand, effects=hand, royals=royals, may_draw=may_draw)
        case "chance4":
            royals = chance.free_royals(state, seat)
            may_draw = state.options.chance4_draw and len(hand) < HAND
            effects = chance.free_cards(state, seat)
            return replace(facts, hand=hand, effects=effects, royals=royals, may_draw=may_draw)
        case "spades":
            standing = tuple(name for name, tower in zip(COMPANIES, state.towers, strict=True) if tower)
            return replace(facts, towers=standing)
        case "adjust" if state.scene.roll is not None:
            return replace(facts, by=chance.adjustments(state.scene.roll))
        case "chance1":
            return replace(facts, targets=chance.targets(state, seat))
        case "take" if state.peek is not None:
            return replace(facts, places=len(state.hands[state.peek.other]))
        case "chance3" | "draw":
            return replace(facts, deck=bool(state.deck), discard=state.discard)
        case "market":
            return _trading(state, seat, facts)
        case _:
            return facts


def _trading(state: SharesState, seat: Seat, facts: Facts) -> Facts:
    others = [Seat(other) for other in range(len(state.hands)) if other != seat]
    return replace(
        facts,
        targets=tuple(int(other) for other in others if market.may_trade(state, seat, other)),
        holdings=tracker_of(state, seat).holdings,
        known=offering.list_known_offers(state.offers, seat),
        closes=seat == active_of(state),
    )


@memoize
def _choices(facts: Facts) -> Choices:
    choices: dict[PromptId, tuple[Choice, ...]] = {}
    main = () if facts.kind is None else tuple(_main(facts, facts.kind))
    if main:
        choices[facts.name] = main
    if facts.known:
        accept, terms = partial(market.accept, facts.holdings), market.terms(facts.holdings)
        choices |= trading.replies(facts.known, facts.seat, OFFERS, terms, accept)
    show = tuple(showing.choices(facts.show, facts.show_all))
    if show:
        choices[showing.PROMPT] = show
    if facts.more is not None:
        choices[facts.more.prompt.id] = facts.more.choices
    return choices


def _main(facts: Facts, kind: Kind) -> Iterator[Choice]:
    match kind:
        case "select":
            yield from _secret_choices(facts, "select", "company", COMPANIES)
        case "lowball":
            yield from _secret_choices(facts, "bid", "card", facts.hand)
        case "turn":
            yield from _actions(facts)
            yield Choice("endTurn")
        case "chance4":
            yield from _actions(facts)
            yield offering.DECLINE
        case "hearts":
            yield from (Choice("add", {"tower": OneOf(COMPANIES)}), DONE)
        case "spades":
            yield from (Choice("remove", {"tower": OneOf(facts.towers)}), DONE)
        case "clubs":
            whom = {"seat": OneOf(_other_seats(facts)), "what": OneOf(WHAT)}
            yield from (Choice("spy", whom), DONE)
        case "peek":
            yield from peeks.STOP
        case "adjust":
            yield Choice("adjust", {"by": OneOf(facts.by)})
        case "chance1":
            yield Choice("target", {"seat": OneOf(facts.targets)})
        case "take":
            yield Choice("take", {"place": Range(0, facts.places - 1)})
        case "chance2":
            yield Choice("swap", {"seats": Subset(tuple(range(facts.seats)), 2, 2)})
        case "chance6":
            yield Choice("target", {"seat": OneOf(_other_seats(facts))})
        case "chance3" | "draw":
            if facts.deck:
                yield Choice("fromDeck")
            if facts.discard:
                yield Choice("fromDiscard", {"card": OneOf(facts.discard)})
            if kind == "draw":
                yield DONE
        case "market":
            terms = market.terms(facts.holdings)
            yield from trading.proposals(facts.known, facts.seat, facts.targets, OFFERS, terms)
            if facts.closes:
                yield Choice("closeMarket")
        case "over":
            return
        case _:
            assert_never(kind)


def _other_seats(facts: Facts) -> tuple[int, ...]:
    return tuple(seat for seat in range(facts.seats) if seat != facts.seat)


def _secret_choices(facts: Facts, tag: str, field: str, of: tuple[str, ...]) -> Iterator[Choice]:
    """Choices to note, lock or unlock a secret choice (GEN-5)."""
    if facts.locked:
        yield Choice("unlock")
        return
    yield Choice(tag, {field: OneOf(of)})
    yield Choice("lock", {field: OneOf(of)})
    if facts.noted:
        yield Choice("lock")


def _actions(facts: Facts) -> Iterator[Choice]:
    if facts.effects:
        yield Choice("play", {"card": OneOf(facts.effects)})
    if facts.hand:
        yield Choice("discard", {"cards": Subset(facts.hand, 1, len(facts.hand))})
    if facts.may_draw:
        yield Choice("drawUp")
    if facts.royals:
        yield Choice("openMarket", {"card": OneOf(facts.royals)})
