"""The base class for trading, in a game that is nothing but trading: seats own letters, neighbours trade."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable
from typing import TypeAlias

import msgspec
import pytest

from games.api import (
    Argument,
    Choice,
    LogLine,
    Millis,
    MoveBase,
    OneOf,
    PromptId,
    Public,
    Refusal,
    Seat,
    Step,
    Subset,
)
from games.dice import Dice
from games.kit import offers as offering
from games.kit import time_control, trading
from games.kit.offers import Cancel, Decline, Offer
from games.kit.time_control import Timers
from games.kit.timed_game import OTHER_PROMPT
from games.kit.trading import Counter, Names, Propose, Terms, Trading, TradingState
from games.testing import visibility

Arguments: TypeAlias = dict[str, Argument]

AT = Millis(1_000)
NOT_A_NEIGHBOUR = Refusal("NOT_A_NEIGHBOUR", "-")
NOT_YOUR_LETTERS = Refusal("NOT_YOUR_LETTERS", "-")
CANNOT_MEET = Refusal("CANNOT_MEET", "-")


class Accept(MoveBase, frozen=True, tag="accept"):
    """Accepts an offer."""


class Letters(TradingState[str, Names], frozen=True):
    hands: Public[tuple[Names, ...]]


class Letter(Trading[Letters, str, Names, Accept]):
    prompt = "barter"
    ruling = "BAR-1"
    offered = "letters.offered"
    countered = "letters.countered"
    swapped = "letters.swapped"
    span: Millis | None = Millis(40_000)
    public = False

    def max_offers(self, seats: int) -> int:
        return 2

    def refuse_pair(self, state: Letters, by: Seat, to: Seat) -> Refusal | None:
        return None if (by - to) % len(state.hands) in (1, len(state.hands) - 1) else NOT_A_NEIGHBOUR

    def refuse_terms(self, state: Letters, seat: Seat, give: Names, wish: Names) -> Refusal | None:
        return None if contains(state.hands[seat], give) else NOT_YOUR_LETTERS

    def refuse_accept(
        self, state: Letters, seat: Seat, offer: Offer[str, Names], move: Accept
    ) -> Refusal | None:
        return None if contains(state.hands[seat], offer.wish) else CANNOT_MEET

    def terms(self, state: Letters, seat: Seat) -> Terms:
        hand = state.hands[seat]
        gift = Subset(hand, 1, len(hand)) if hand else None
        return trading.goods_or_gift(Subset(hand, 0, len(hand)), Subset(("a", "b", "c"), 1, 1), gift)

    def goods(self, state: Letters, seat: Seat, give: Names, wish: Names) -> tuple[Names, Names]:
        return tuple(sorted(give)), wish

    def holds(self, state: Letters, offer: Offer[str, Names]) -> bool:
        return contains(state.hands[offer.by], offer.give)

    def swap(self, state: Letters, offer: Offer[str, Names], move: Accept) -> Step[Letters]:
        hands = [Multiset(hand) for hand in state.hands]
        give, back = Multiset(offer.give), Multiset(offer.wish)
        hands[offer.by] = hands[offer.by] - give + back
        hands[offer.to] = hands[offer.to] - back + give
        after = msgspec.structs.replace(state, hands=tuple(tuple(sorted(hand.elements())) for hand in hands))
        fact = LogLine("letters.traded", {"seat": offer.by, "other": offer.to}, None)
        return Step(after, self.swap_lines(offer, offer.wish, None if self.public else fact))


class Aloud(Letter):
    """A variant with goods in capitals, public trades, and offers that stay open until they are closed."""

    span = None
    public = True

    def name_goods(self, goods: Iterable[str]) -> list[str]:
        return [letter.upper() for letter in goods]


LETTER = Letter()
ALOUD = Aloud()


def contains(hand: Names, letters: Names) -> bool:
    return Multiset(letters) <= Multiset(hand)


def table(*hands: str, timers: Timers = "normal") -> Letters:
    control = time_control.start(len(hands), timers)
    return Letters(tuple(tuple(hand) for hand in hands), time_control=control, timer=None)


def propose(state: Letters, by: int, to: int, give: str, wish: str, letter: Letter = LETTER) -> Letters:
    move = Propose(to, tuple(give), tuple(wish))
    assert letter.check(state, Seat(by), PromptId("barter:1"), move) is None
    return apply(state, by, "barter:1", move, letter).state


def apply(
    state: Letters,
    seat: int,
    prompt: str,
    move: Propose | Counter | Accept | Decline | Cancel,
    letter: Letter = LETTER,
) -> Step[Letters]:
    dice = Dice(b"offer", len(state.offers.open) + 10 * len(prompt))
    return letter.apply(state, Seat(seat), PromptId(prompt), move, AT, dice)


def check(
    state: Letters, seat: int, prompt: str, move: Propose | Counter | Accept | Decline | Cancel
) -> Refusal | None:
    return LETTER.check(state, Seat(seat), PromptId(prompt), move)


def pair(one: int, other: int) -> frozenset[Seat]:
    return frozenset({Seat(one), Seat(other)})


# --- legality ---


def test_gen_4_each_move_answers_its_own_kind_of_prompt() -> None:
    state = propose(table("a", "b", "c"), 0, 1, "a", "b")
    offer = state.offers.open[0].id
    assert check(state, 0, offer, Propose(1, ("a",), ())) == OTHER_PROMPT
    for move in (Counter((), ("a",)), Accept(), Decline(), Cancel()):
        assert check(state, 1, "barter:1", move) == OTHER_PROMPT
        assert check(state, 1, "turn:1", move) == OTHER_PROMPT
        assert check(state, 1, "offer:gone", move) == offering.NO_OFFER


def test_a_proposal_is_held_against_the_pair_and_then_the_terms() -> None:
    state = table("ab", "c", "", "")
    for to in (0, 4):
        assert check(state, 0, "barter:1", Propose(to, ("z",), ())) == Refusal("WITH_YOURSELF", "BAR-1")
    assert check(state, 0, "barter:1", Propose(2, ("z",), ())) == NOT_A_NEIGHBOUR
    assert check(state, 0, "barter:1", Propose(1, ("z",), ())) == NOT_YOUR_LETTERS
    assert check(state, 0, "barter:1", Propose(1, ("a",), ("b", "b"))) is None  # the wish is not checked
    state = propose(propose(state, 0, 1, "a", ""), 0, 1, "b", "")
    assert check(state, 0, "barter:1", Propose(1, ("a",), ())) == Refusal("TOO_MANY", "BAR-1", {"most": 2})
    assert check(state, 0, "barter:1", Propose(3, ("a",), ())) is None


def test_tko_24_only_the_recipient_answers_and_only_then_its_goods_are_looked_at() -> None:
    state = propose(table("a", "b", ""), 0, 1, "a", "c")
    offer = state.offers.open[0].id
    for move in (Counter((), ("a",)), Accept(), Decline()):
        assert check(state, 0, offer, move) == Refusal("NOT_YOURS", "BAR-1")
    assert check(state, 1, offer, Cancel()) == Refusal("NOT_YOURS", "BAR-1")
    assert check(state, 0, offer, Cancel()) is None
    assert check(state, 1, offer, Decline()) is None
    assert check(state, 1, offer, Accept()) == CANNOT_MEET
    assert check(state, 1, offer, Counter(("c",), ("a",))) == NOT_YOUR_LETTERS
    assert check(state, 1, offer, Counter(("b",), ("a",))) is None
    full = propose(propose(state, 1, 0, "b", ""), 1, 0, "b", "a")
    refused = check(full, 1, offer, Counter(("b",), ("a",)))
    assert refused is not None
    assert refused.code == "TOO_MANY"


# --- effects ---


def test_tko_25_both_seats_get_the_same_line_about_an_offer() -> None:
    state = table("ab", "c", "")
    step = apply(state, 0, "barter:1", Propose(1, ("b", "a"), ("c",)))
    args: Arguments = {"seat": 0, "other": 1, "give": ["a", "b"], "wish": ["c"]}
    assert step.lines == (LogLine("letters.offered", args, pair(0, 1)),)
    (offer,) = step.state.offers.open
    assert (offer.by, offer.to, offer.give, offer.wish) == (0, 1, ("a", "b"), ("c",))
    assert (offer.span, offer.end) == (40_000, 41_000)
    (line,) = apply(state, 0, "barter:1", Propose(1, ("b",), ("c",)), ALOUD).lines
    assert (line.args["give"], line.args["wish"]) == (["B"], ["c"])


@pytest.mark.parametrize(
    ("letter", "timers", "end"),
    [(LETTER, "relaxed", 81_000), (LETTER, "off", None), (ALOUD, "normal", None), (ALOUD, "fast", None)],
)
def test_gen_6_an_offer_runs_as_long_as_the_game_says(
    letter: Letter, timers: Timers, end: int | None
) -> None:
    (offer,) = propose(table("a", "b", timers=timers), 0, 1, "a", "b", letter).offers.open
    assert offer.end == end


def test_a_counter_takes_the_place_of_the_offer() -> None:
    state = propose(propose(table("a", "b", ""), 0, 1, "a", "c"), 0, 2, "a", "")
    first, other = state.offers.open
    step = apply(state, 1, first.id, Counter(("b",), ("a",)))
    kept, counter = step.state.offers.open
    assert kept == other
    assert (counter.by, counter.to, counter.give, counter.wish) == (1, 0, ("b",), ("a",))
    args: Arguments = {"seat": 1, "other": 0, "give": ["b"], "wish": ["a"]}
    assert step.lines == (LogLine("letters.countered", args, pair(0, 1)),)


@pytest.mark.parametrize(
    ("seat", "move", "key"), [(1, Decline(), "offer.declined"), (0, Cancel(), "offer.gone")]
)
def test_declining_or_withdrawing_removes_the_offer(seat: int, move: Decline | Cancel, key: str) -> None:
    state = propose(table("a", "b", ""), 0, 1, "a", "")
    step = apply(state, seat, state.offers.open[0].id, move)
    assert step.state == table("a", "b", "")
    assert step.lines == (LogLine(key, {"seat": 0, "other": 1}, pair(0, 1)),)


def test_an_offer_runs_out_once() -> None:
    state = propose(table("a", "b", ""), 0, 1, "a", "")
    window = state.offers.open[0].id
    step = LETTER.expire(state, window)
    assert step.state == table("a", "b", "")
    assert [line.key for line in step.lines] == ["offer.lapsed"]
    assert LETTER.expire(step.state, window) == Step(step.state)


@pytest.mark.parametrize(("letter", "public"), [(LETTER, False), (ALOUD, True)])
def test_tko_22_accepting_swaps_the_items_and_voids_other_offers_of_them(
    letter: Letter, public: bool
) -> None:
    state = propose(table("aa", "b", ""), 0, 1, "aa", "b", letter)
    state = propose(propose(state, 0, 2, "a", "", letter), 1, 2, "b", "", letter)
    state = propose(state, 1, 0, "", "a", letter)
    step = apply(state, 1, state.offers.open[0].id, Accept(), letter)
    assert step.state.hands == (("b",), ("a", "a"), ())
    assert [(offer.by, offer.to) for offer in step.state.offers.open] == [(1, 0)]
    give, back = (["A", "A"], ["B"]) if public else (["a", "a"], ["b"])
    args: Arguments = {"seat": 0, "other": 1, "give": give, "back": back}
    fact = LogLine("letters.traded", {"seat": 0, "other": 1}, None)
    assert step.lines == (
        *(() if public else (fact,)),
        LogLine("letters.swapped", args, None if public else pair(0, 1)),
        LogLine("offer.gone", {"seat": 0, "other": 2}, pair(0, 2)),
        LogLine("offer.gone", {"seat": 1, "other": 2}, pair(1, 2)),
    )


def test_a_sweep_that_voids_no_offer_returns_the_same_state() -> None:
    state = propose(table("a", "b", ""), 0, 1, "a", "")
    after, lines = LETTER.sweep(state)
    assert after is state
    assert lines == ()


# --- choices ---


def test_proposals_go_to_seats_with_room_for_one() -> None:
    state = propose(propose(table("a", "b", "c"), 0, 1, "a", ""), 0, 1, "a", "b")
    terms = LETTER.terms(state, Seat(0))
    known = offering.list_known_offers(state.offers, Seat(0))
    wished, gift = trading.proposals(known, Seat(0), (1, 2), 2, terms)
    assert wished.fields == {"to": OneOf((2,)), **terms[0]}
    assert gift.fields == {"to": OneOf((2,)), "give": Subset(("a",), 1, 1), "wish": trading.NO_WISH}
    assert trading.proposals(known, Seat(0), (1,), 2, terms) == ()
    assert len(trading.proposals((), Seat(0), (1,), 2, LETTER.terms(table("", "b"), Seat(0)))) == 1


def test_replies_are_what_the_check_lets_pass() -> None:
    state = propose(propose(table("a", "b", "c"), 0, 1, "a", "b"), 2, 1, "c", "cc")
    state = propose(propose(state, 1, 2, "b", ""), 1, 2, "b", "c")
    known = offering.list_known_offers(state.offers, Seat(1))
    met, unmet, *own = known
    accept = Choice("accept")

    def accepts(offer: Offer[str, Names]) -> Choice | None:
        assert offer.to == 1  # not called for its own offers
        return accept if contains(state.hands[1], offer.wish) else None

    terms = LETTER.terms(state, Seat(1))
    counters = tuple(Choice("counter", fields) for fields in terms)
    assert trading.replies(known, Seat(1), 2, terms, accepts) == {
        met.id: (accept, offering.DECLINE, *counters),
        unmet.id: (offering.DECLINE,),  # two offers to its proposer are already open
        **{offer.id: (offering.CANCEL,) for offer in own},
    }


# --- secrecy ---


def test_resample_redraws_others_offers_within_the_rules() -> None:
    state = propose(propose(table("ab", "bc", "ca", "a"), 0, 1, "a", "b"), 2, 3, "c", "b")
    strange = set[tuple[int, int]]()
    for number in range(60):
        other = LETTER.resample(state, Seat(0), Dice(b"%d" % number))
        assert offering.list_known_offers(other.offers, Seat(0)) == state.offers.open[:1]
        for offer in other.offers.open:
            if Seat(0) not in offering.parties(offer):
                strange.add((offer.by, offer.to))
                assert LETTER.refuse_pair(other, offer.by, offer.to) is None
                assert LETTER.holds(other, offer)
                assert offer.give or offer.wish
    assert strange == {(1, 2), (2, 1), (2, 3), (3, 2)}


def test_the_state_keeps_offers_secret_and_survives_storing() -> None:
    state = propose(table("a", "b"), 0, 1, "a", "b")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=Letters) == state
    assert {field.name: field.visibility for field in visibility.fields(Letters)}["offers.open"] == "hidden"
