"""The base of trading: a game defines its goods; the rest is the same in every trading game.

`Trading` checks and applies the moves `propose`, `counter`, `accept`, `decline` and `cancel`, and drops every
offer whose goods are gone; `proposals` and `replies` return a seat's choices. The offers themselves, with
their prompts and windows, are in `games.kit.offers`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec.structs import replace

from games.api import (
    Argument,
    Bound,
    Choice,
    Dice,
    Domain,
    LogLine,
    Millis,
    MoveBase,
    Multiset,
    OneOf,
    PromptId,
    Refusal,
    Seat,
    Step,
)
from games.kit import choices as kit_choices
from games.kit import offers as offering
from games.kit.offers import Cancel, Decline, Offer, Offers
from games.kit.time_control import Timers
from games.kit.timed_game import OTHER_PROMPT, TimedState

Names: TypeAlias = tuple[str, ...]
"""The names of goods in a move or a log line."""


class Propose(MoveBase, frozen=True, tag="propose", forbid_unknown_fields=True):
    """Offer goods to a seat in return for a wish. A game narrows the types of its fields."""

    to: int
    give: Names
    wish: Names


class Counter(MoveBase, frozen=True, tag="counter", forbid_unknown_fields=True):
    """Answer an offer with another that replaces it. A game narrows the types of its fields."""

    give: Names
    wish: Names


G = TypeVar("G")
"""One item of goods."""
W = TypeVar("W", bound=Names)
"""A wish: what is asked for in return."""


class TradingState(TimedState, Generic[G, W], frozen=True, kw_only=True):
    """Base of the state of a game that trades."""

    offers: Offers[G, W] = Offers()


T = TypeVar("T", bound=TradingState[Any, Any])
A = TypeVar("A", bound=MoveBase)
"""The game's move that accepts an offer."""


class Trading(ABC, Generic[T, G, W, A]):
    """The trading rules of a game. Refusals may depend only on what the seat may see."""

    prompt: str
    """The kind of the prompt that a proposal answers."""
    ruling: str
    """The game's ruling on who may offer how much to whom, which refusals of offers cite."""
    offered: str
    countered: str
    """Keys of the lines that show the two seats an offer, with arguments seat, other, give and wish."""
    swapped: str
    """Key of the line that shows what was traded, with arguments seat, other, give and back."""
    span: Millis | None = None
    """How long an offer stays open at normal pace; if None, until the game drops it."""

    @abstractmethod
    def max_offers(self, seats: int) -> int:
        """How many offers a seat may have open to the same seat."""

    @abstractmethod
    def refuse_pair(self, state: T, by: Seat, to: Seat) -> Refusal | None:
        """Why these two seats may not currently trade."""

    @abstractmethod
    def refuse_terms(self, state: T, seat: Seat, give: Names, wish: Names) -> Refusal | None:
        """Why the seat may not offer these goods for this wish."""

    @abstractmethod
    def refuse_accept(self, state: T, seat: Seat, offer: Offer[G, W], move: A) -> Refusal | None:
        """Why the seat that received the offer cannot give what it asks for."""

    @abstractmethod
    def terms(self, state: T, seat: Seat) -> Terms:
        """The goods the seat may offer, and those it may ask for in return."""

    @abstractmethod
    def goods(self, state: T, seat: Seat, give: Names, wish: Names) -> tuple[tuple[G, ...], W]:
        """The goods and the wish named in a legal move of this seat."""

    @abstractmethod
    def holds(self, state: T, offer: Offer[G, W]) -> bool:
        """Whether the proposer still has the goods just as they were shown."""

    @abstractmethod
    def swap(self, state: T, offer: Offer[G, W], move: A) -> Step[T]:
        """Exchanges the goods of both sides at once. The offer itself is already closed."""

    def name_goods(self, goods: Iterable[G]) -> list[str]:
        """The names of these goods in a log line."""
        return [str(good) for good in goods]

    # --- moves ---

    def check(
        self, state: T, seat: Seat, prompt: PromptId, move: Propose | Counter | A | Decline | Cancel
    ) -> Refusal | None:
        kind, _, _ = prompt.partition(":")
        if kind != (self.prompt if isinstance(move, Propose) else offering.KIND):
            return OTHER_PROMPT
        offers: Offers[G, W] = state.offers
        if isinstance(move, Propose):
            return self._refuse_offer(state, seat, Seat(move.to), move)
        if isinstance(move, Cancel):
            return offering.refuse_cancel(offers, prompt, seat, self.ruling)
        refused = offering.refuse_answer(offers, prompt, seat, self.ruling)
        if refused is not None or isinstance(move, Decline):
            return refused
        offer = offering.get(offers, prompt)
        if isinstance(move, Counter):
            return self._refuse_offer(state, seat, offer.by, move)
        return self.refuse_accept(state, seat, offer, move)

    def _refuse_offer(self, state: T, by: Seat, to: Seat, move: Propose | Counter) -> Refusal | None:
        seats = _seats(state)
        return (
            offering.refuse_propose(state.offers, by, to, seats, self.max_offers(seats), self.ruling)
            or self.refuse_pair(state, by, to)
            or self.refuse_terms(state, by, move.give, move.wish)
        )

    def apply(
        self,
        state: T,
        seat: Seat,
        prompt: PromptId,
        move: Propose | Counter | A | Decline | Cancel,
        at: Millis,
        dice: Dice,
    ) -> Step[T]:
        offers: Offers[G, W] = state.offers
        if isinstance(move, Propose):
            return self._offer(state, seat, Seat(move.to), move, at, dice)
        if isinstance(move, Decline | Cancel):
            end = offering.decline if isinstance(move, Decline) else offering.cancel
            left, lines = end(offers, prompt)
            return Step(replace(state, offers=left), lines)
        offer = offering.get(offers, prompt)
        closed = replace(state, offers=offering.close(offers, prompt))
        if isinstance(move, Counter):
            return self._offer(closed, seat, offer.by, move, at, dice)
        step = self.swap(closed, offer, move)
        after, lines = self.sweep(step.state)
        return Step(after, (*step.lines, *lines))

    def _offer(
        self, state: T, by: Seat, to: Seat, move: Propose | Counter, at: Millis, dice: Dice
    ) -> Step[T]:
        """Adds an offer without checking its wish (TKO-24); both seats get the same line (TKO-25)."""
        give, wish = self.goods(state, by, move.give, move.wish)
        timers: Timers = "off" if self.span is None else state.time_control.timers
        span = self.span or Millis(0)
        offers = offering.propose(state.offers, by, to, give, wish, span, timers, at, dice)
        offer = offers.open[-1]
        args = _args(offer, give=self.name_goods(give), wish=list(wish))
        key = self.offered if isinstance(move, Propose) else self.countered
        return Step(replace(state, offers=offers), (LogLine(key, args, offering.parties(offer)),))

    def expire(self, state: T, window: str) -> Step[T]:
        """Removes an offer whose time has run out; does nothing if it is already gone."""
        offers, lines = offering.expire(state.offers, window)
        return Step(replace(state, offers=offers), lines)

    def sweep(self, state: T) -> tuple[T, tuple[LogLine, ...]]:
        """Drops the offers whose goods the proposer no longer has; called after every change (TKO-22)."""
        offers, lines = offering.sweep(state.offers, lambda offer: self.holds(state, offer))
        return (state, ()) if offers is state.offers else (replace(state, offers=offers), lines)

    def swap_lines(
        self, offer: Offer[G, W], back: Iterable[G], fact: LogLine | None = None
    ) -> tuple[LogLine, ...]:
        """The lines about a trade. If everyone is to see only `fact`, its two seats see what was traded."""
        args = _args(offer, give=self.name_goods(offer.give), back=self.name_goods(back))
        if fact is None:
            return (LogLine(self.swapped, args, None),)
        return fact, LogLine(self.swapped, args, offering.parties(offer))

    def resample(self, state: T, viewer: Seat | None, dice: Dice) -> T:
        """Redraws the offers the viewer cannot know about (for `Game.resample`)."""

        def make(seat: Seat, dice: Dice) -> tuple[tuple[G, ...], W]:
            return self.goods(state, seat, *sample_terms(self.terms(state, seat), dice))

        def may(by: Seat, to: Seat) -> bool:
            return self.refuse_pair(state, by, to) is None

        offers = offering.unknown(state.offers, viewer, _seats(state), make, dice, may)
        return replace(state, offers=offers)


def _seats(state: TimedState) -> int:
    return len(state.time_control.extensions)


def _args(offer: Offer[G, W], **goods: list[str]) -> dict[str, Argument]:
    return {"seat": offer.by, "other": offer.to, **goods}


# --- choices ---

Terms: TypeAlias = tuple[Mapping[str, Domain], ...]
"""The offers a seat may make: alternative domains for the fields `give` and `wish` of a move."""
NO_WISH = Multiset((), None, (Bound(None, 0, 0),))


def goods_or_gift(give: Domain, wish: Domain, gift: Domain | None) -> Terms:
    """Goods for a wish, or a gift; `gift` is None if the seat has nothing to give."""
    wished = {"give": give, "wish": wish}
    return (wished,) if gift is None else (wished, {"give": gift, "wish": NO_WISH})


def sample_terms(terms: Terms, dice: Dice) -> tuple[Names, Names]:
    """The goods and the wish of an offer a seat might have made (for `Game.resample`)."""
    raw = kit_choices.fill(Choice("offer", terms[dice.below("resample", len(terms))]), 0, dice)
    give, wish = raw["give"], raw["wish"]
    if isinstance(give, int) or isinstance(wish, int):
        raise ValueError("`give` and `wish` must be lists of goods")
    return tuple(map(str, give)), tuple(map(str, wish))


def proposals(
    known: tuple[Offer[G, W], ...], by: Seat, to: Iterable[int], most: int, terms: Terms
) -> tuple[Choice, ...]:
    """The offers `by` may make to these seats, except those to which it already has `most` offers open."""
    seats = tuple(seat for seat in to if offering.count_offers(known, by, seat) < most)
    return tuple(Choice("propose", {"to": OneOf(seats), **fields}) for fields in terms) if seats else ()


def replies(
    known: tuple[Offer[G, W], ...],
    seat: Seat,
    most: int,
    terms: Terms,
    accept: Callable[[Offer[G, W]], Choice | None],
) -> dict[PromptId, tuple[Choice, ...]]:
    """The seat's choices for each offer it knows about; `accept` returns None if the seat cannot accept."""
    return {
        PromptId(offer.id): (offering.CANCEL,)
        if offer.by == seat
        else _answers(accept(offer), terms if offering.count_offers(known, seat, offer.by) < most else ())
        for offer in known
    }


def _answers(accept: Choice | None, terms: Terms) -> tuple[Choice, ...]:
    counters = (Choice("counter", fields) for fields in terms)
    return (*(() if accept is None else (accept,)), offering.DECLINE, *counters)
