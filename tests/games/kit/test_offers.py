"""Offers between two seats: proposing, answering and withdrawing in any order keeps the state consistent.

Tested with two kinds of goods: unique pieces, and lots with a number of shares of each kind.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.api import Audience, Bound, LogLine, Millis, Multiset, Refusal, Running, Seat, WindowId
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit import offers
from games.kit.offers import Offer, Offers
from games.kit.texts import kit_texts
from games.kit.time_control import Timers

SPAN = Millis(45_000)
RULING = "BAR-1"
Pieces = Offers[str, int]
NONE: Pieces = Offers()


def seat(number: int) -> Seat:
    return Seat(number)


def proposed(found: Pieces, by: int, to: int, *give: str, at: int = 0, timers: Timers = "normal") -> Pieces:
    dice = Dice(b"%d %d" % (len(found.open), at))
    return offers.propose(found, seat(by), seat(to), give, 0, SPAN, timers, Millis(at), dice)


# --- who knows about an offer ---


def test_tko_22_an_offer_is_known_to_its_two_seats_alone() -> None:
    found = proposed(proposed(NONE, 0, 1, "a"), 2, 3, "b")
    for prompt, window, offer in zip(offers.prompts(found), offers.windows(found), found.open, strict=True):
        pair = frozenset({offer.by, offer.to})
        assert prompt.to == prompt.seats == window.to == pair
        assert window.concerns == frozenset({offer.to})
        assert {str(prompt.id), str(prompt.window), str(window.id)} == {offer.id}
    assert (
        offers.list_known_offers(found, seat(0)) == offers.list_known_offers(found, seat(1)) == found.open[:1]
    )
    assert offers.list_known_offers(found, seat(4)) == ()


def test_gen_2_ids_of_offers_count_nothing() -> None:
    """A seat cannot tell from the ids of its own offers how many other offers were made in between."""
    dice = Dice(b"ids")
    found: Pieces = NONE
    for _ in range(200):
        found = offers.propose(found, seat(0), seat(1), ("a",), 0, SPAN, "normal", Millis(0), dice)
    ids = [offer.id for offer in found.open]
    assert len(set(ids)) == 200
    assert {len(one) for one in ids} == {len("offer:") + 16}
    rises = sum(one < other for one, other in pairwise(ids))
    assert 60 < rises < 140  # not in the order they were made


@pytest.mark.parametrize(
    ("timers", "end"), [("normal", 46_000), ("relaxed", 91_000), ("fast", 23_500), ("off", None)]
)
def test_gen_6_every_offer_has_its_own_window(timers: Timers, end: int | None) -> None:
    found = proposed(NONE, 0, 1, "a", at=1_000, timers=timers)
    (offer,) = found.open
    assert offer.end == end
    if end is None:
        assert offers.windows(found) == ()
        assert offers.prompts(found)[0].window is None
        return
    (window,) = offers.windows(found)
    assert window.clock == Running(Millis(end))
    assert window.span == end - 1_000
    left, lines = offers.expire(found, window.id)
    assert left == NONE
    assert lines == (LogLine("offer.lapsed", {"seat": 0, "other": 1}, frozenset({seat(0), seat(1)})),)
    assert offers.expire(left, WindowId(window.id)) == (left, ())  # an expired offer stays gone


# --- who may do what ---


def test_the_recipient_answers_and_the_proposer_withdraws() -> None:
    found = proposed(NONE, 0, 1, "a")
    prompt = found.open[0].id
    not_yours = Refusal("NOT_YOURS", RULING)
    assert offers.refuse_answer(found, prompt, seat(1), RULING) is None
    assert offers.refuse_answer(found, prompt, seat(0), RULING) == not_yours
    assert offers.refuse_cancel(found, prompt, seat(0), RULING) is None
    assert offers.refuse_cancel(found, prompt, seat(1), RULING) == not_yours
    for one in (offers.refuse_answer, offers.refuse_cancel):
        assert one(NONE, prompt, seat(0), RULING) == offers.NO_OFFER


def test_offers_to_one_seat_are_limited_and_to_oneself_refused() -> None:
    found = proposed(proposed(NONE, 0, 1, "a"), 0, 1, "b")
    too_many = Refusal("TOO_MANY", RULING, {"most": 2})
    assert offers.refuse_propose(found, seat(0), seat(1), 3, 2, RULING) == too_many
    assert offers.refuse_propose(found, seat(0), seat(1), 3, 3, RULING) is None
    assert offers.refuse_propose(found, seat(0), seat(2), 3, 2, RULING) is None
    # offers by another seat do not count
    assert offers.refuse_propose(found, seat(1), seat(0), 3, 2, RULING) is None
    for to in (0, 3, -1):
        refusal = offers.refuse_propose(found, seat(0), Seat(to), 3, 2, RULING)
        assert refusal == Refusal("WITH_YOURSELF", RULING)


# --- how offers end ---


def test_tko_22_an_item_in_several_offers_is_traded_once() -> None:
    found = proposed(proposed(proposed(NONE, 0, 1, "a"), 0, 2, "a", "b"), 0, 2, "b")
    moved, lines = offers.sweep(found, lambda offer: "a" not in offer.give)
    assert [offer.give for offer in moved.open] == [("b",)]
    assert [(line.key, line.to) for line in lines] == [
        ("offer.gone", frozenset({seat(0), seat(1)})),
        ("offer.gone", frozenset({seat(0), seat(2)})),
    ]
    same, none = offers.sweep(moved, lambda offer: True)
    assert same is moved
    assert none == ()


def test_tko_22_withdrawn_and_void_offers_look_the_same() -> None:
    found = proposed(NONE, 0, 1, "a")
    cancelled, by_choice = offers.cancel(found, found.open[0].id)
    swept, by_loss = offers.sweep(found, lambda offer: False)
    assert cancelled == swept == NONE
    assert by_choice == by_loss
    declined, lines = offers.decline(found, found.open[0].id)
    assert declined == NONE
    assert [line.key for line in lines] == ["offer.declined"]


def test_every_line_is_declared() -> None:
    found = proposed(NONE, 0, 1, "a")
    prompt = found.open[0].id
    ways = (offers.cancel(found, prompt), offers.decline(found, prompt), offers.expire(found, prompt))
    lines = [line for _, told in ways for line in told]
    texts = kit_texts("offers")
    assert {line.key: set(line.args) for line in lines} == {key: set(texts.lines[key]) for key in texts.lines}
    assert set(texts.refusals) == {offers.NO_OFFER.code, "NOT_YOURS", "WITH_YOURSELF", "TOO_MANY"}


def test_offers_survive_storing() -> None:
    found = proposed(NONE, 0, 1, "a", "b")
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=Offers[str, int]) == found


@given(st.integers(0, 10**6), st.integers(2, 6))
def test_resample_redraws_only_what_the_viewer_cannot_know(seed: int, seats: int) -> None:
    fate = random.Random(seed)
    found = NONE
    for _ in range(fate.randrange(8)):
        by, to = fate.sample(range(seats), 2)
        found = proposed(found, by, to, "a")
    for viewer in (None, *map(Seat, range(seats))):
        dice = Dice(b"%d" % seed)
        other = offers.unknown(found, viewer, seats, lambda by, dice: ((f"{by}",), 1), dice)
        mine = () if viewer is None else offers.list_known_offers(found, viewer)
        assert mine == (() if viewer is None else offers.list_known_offers(other, viewer))
        assert all(offer.by != offer.to for offer in other.open)
        strange = [offer for offer in other.open if offer not in mine]
        assert not {offer.id for offer in strange} & {offer.id for offer in found.open}


# --- interleavings ---


@dataclass
class Market:
    """Seats that own goods and act in any order, with records kept independently of the kit's."""

    seats: int
    owns: list[dict[str, int]]
    found: Offers[tuple[str, int], tuple[tuple[str, int], ...]] = field(default_factory=Offers)
    told: dict[int, list[tuple[str, object]]] = field(default_factory=dict)
    dice: Dice = field(default_factory=lambda: Dice(b"market"))
    at: int = 0
    accepted: list[str] = field(default_factory=list)
    ended: set[str] = field(default_factory=set)

    def hear(self, lines: tuple[LogLine, ...]) -> None:
        for line in lines:
            to: Audience = line.to
            assert to is not None
            assert to == {line.args["seat"], line.args["other"]}
            for one in to:
                self.told.setdefault(one, []).append((line.key, line.args))

    def holds(self, offer: Offer[tuple[str, int], tuple[tuple[str, int], ...]]) -> bool:
        return all(self.owns[offer.by].get(kind, 0) >= count for kind, count in offer.give)

    def follow(self, after: Offers[tuple[str, int], tuple[tuple[str, int], ...]]) -> None:
        gone = {offer.id for offer in self.found.open} - {offer.id for offer in after.open}
        assert not gone & self.ended
        self.ended |= gone
        self.found = after

    def settle(self) -> None:
        after, lines = offers.sweep(self.found, self.holds)
        self.follow(after)
        self.hear(lines)

    def propose(self, by: int, to: int, give: dict[str, int], wish: dict[str, int]) -> None:
        if offers.refuse_propose(self.found, seat(by), seat(to), self.seats, 2, RULING) is not None:
            return
        self.found = offers.propose(
            self.found,
            seat(by),
            seat(to),
            tuple(sorted(give.items())),
            tuple(sorted(wish.items())),
            SPAN,
            "normal",
            Millis(self.at),
            self.dice,
        )
        assert self.found.open[-1].id not in self.ended

    def accept(self, prompt: str) -> bool:
        """Accepts if the recipient has the goods the offer asks for, and returns whether it has them."""
        offer = offers.find(self.found, prompt)
        assert offer is not None
        theirs, mine = self.owns[offer.by], self.owns[offer.to]
        assert self.holds(offer)  # the proposer of an open offer can always deliver
        if any(mine.get(kind, 0) < count for kind, count in offer.wish):
            return False
        for kind, count in offer.give:
            theirs[kind] -= count
            mine[kind] = mine.get(kind, 0) + count
        for kind, count in offer.wish:
            mine[kind] -= count
            theirs[kind] = theirs.get(kind, 0) + count
        self.accepted.append(prompt)
        self.follow(offers.close(self.found, prompt))
        self.settle()
        return True

    def totals(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for own in self.owns:
            assert min(own.values(), default=0) >= 0  # nothing is spent twice
            for kind, count in own.items():
                found[kind] = found.get(kind, 0) + count
        return {kind: count for kind, count in found.items() if count}


def some_of(own: dict[str, int], fate: random.Random) -> dict[str, int]:
    held = [kind for kind, count in own.items() if count]
    return {
        kind: fate.randint(1, own[kind]) for kind in fate.sample(held, fate.randint(0, min(3, len(held))))
    }


@pytest.mark.parametrize("games", [400, pytest.param(1_500, marks=pytest.mark.at_length)])
@pytest.mark.parametrize("lots", [False, True], ids=["pieces", "shares"])
def test_thousands_of_interleavings(lots: bool, games: int) -> None:
    """Nothing is spent twice, each offer is accepted at most once, and both seats are sent the same lines."""
    swaps = 0
    for seed in range(games):
        fate = random.Random(seed)
        seats = fate.randint(2, 6)
        names = "abcdefghijkl"
        owns: list[dict[str, int]] = [{} for _ in range(seats)]
        for kind in names[: 4 if lots else 12]:
            for _ in range(9 if lots else 1):
                own = fate.choice(owns)
                own[kind] = own.get(kind, 0) + 1
        market = Market(seats, owns)
        before = market.totals()
        for _ in range(40):
            market.at += fate.randrange(9_000)
            for window in offers.windows(market.found):
                assert isinstance(window.clock, Running)
                if window.clock.end <= market.at:
                    after, lines = offers.expire(market.found, window.id)
                    market.follow(after)
                    market.hear(lines)
            act = fate.choice(("propose", "propose", "accept", "counter", "decline", "cancel", "spend"))
            by, to = fate.sample(range(seats), 2)
            if act == "propose":
                market.propose(by, to, some_of(owns[by], fate), some_of(owns[to], fate))
            elif act == "spend":  # as payment for a merger: the goods leave the game
                for kind, count in some_of(owns[by], fate).items():
                    owns[by][kind] -= count
                    before[kind] -= count
                market.settle()
            elif market.found.open:
                offer = fate.choice(market.found.open)
                if act == "accept":
                    swaps += market.accept(offer.id)
                elif act == "counter":
                    market.follow(offers.close(market.found, offer.id))
                    market.propose(offer.to, offer.by, some_of(owns[offer.to], fate), {})
                else:
                    end = offers.decline if act == "decline" else offers.cancel
                    after, lines = end(market.found, offer.id)
                    market.follow(after)
                    market.hear(lines)
            assert market.totals() == {kind: count for kind, count in before.items() if count}
            assert all(market.holds(offer) for offer in market.found.open)
            assert len(market.accepted) == len(set(market.accepted))
            for one in range(seats):
                assert offers.count_offers(market.found.open, seat(one), seat((one + 1) % seats)) <= 2
        heard = sorted(repr(line) for lines in market.told.values() for line in lines)
        assert heard[::2] == heard[1::2]  # every line was sent to both its seats
    assert swaps > games * 2 / 3


# --- multisets: the domain of wishes and payments ---


def test_a_bag_is_filled_within_its_bounds_and_nothing_else() -> None:
    fate = random.Random(5)
    filled = 0
    for number in range(1_500):
        size = fate.randint(0, 7)
        of = tuple(f"x{index}" for index in range(size))
        times = None if fate.random() < 0.5 else tuple(fate.randint(1, 3) for _ in of)
        bounds = []
        for _ in range(fate.randint(1, 3)):
            worth = None if fate.random() < 0.3 else tuple(fate.randint(0, 5) for _ in of)
            least = fate.randint(0, 6)
            bounds.append(Bound(worth, least, least + fate.randint(0, 8)))
        bag = Multiset(of, times, tuple(bounds), tight=fate.random() < 0.3)
        limits = times or (1,) * size
        exists = any(kit_choices.contains(bag, value, 0) for value in every(of, limits)) if size < 5 else None
        assert exists in (None, kit_choices.feasible(bag))
        if kit_choices.feasible(bag):
            filled += 1
            for turn in range(4):
                value = kit_choices.sample_value(bag, 0, Dice(b"%d %d" % (number, turn)))
                assert kit_choices.contains(bag, value, 0)
        else:
            with pytest.raises(ValueError, match="no multiset"):
                kit_choices.sample_value(bag, 0, Dice(b"none"))
    assert filled > 400


def every(of: tuple[str, ...], limits: tuple[int, ...]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for name, limit in zip(of, limits, strict=True):
        found = [[*one, *[name] * count] for one in found for count in range(limit + 1)]
    return found


def test_a_tight_bag_holds_nothing_needless() -> None:
    bag = Multiset(("a", "b", "c"), None, (Bound((1, 2, 5), 3, 8),), tight=True)
    assert [value for value in every(bag.of, (1, 1, 1)) if kit_choices.contains(bag, value, 0)] == [  # type: ignore[arg-type]
        ["c"],
        ["a", "b"],
    ]
    loose = msgspec.structs.replace(bag, tight=False)
    assert kit_choices.contains(loose, ["a", "c"], 0)
    assert not kit_choices.contains(loose, ["a", "a", "b"], 0)
    assert not kit_choices.contains(loose, ["d"], 0)
    assert not kit_choices.contains(loose, "c", 0)
    assert not kit_choices.contains(loose, [True], 0)
