"""Trades in Takeover: offers, counteroffers, and what the log says about them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Millis, Refusal, Seat
from games.kit import choices as kit_choices
from games.takeover.rules import deals, draft
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import NAMES, Bargain, Coin, Name
from games.testing.positions import encode_everything, lines_to
from tests.games.takeover.table import PLAIN, Table, position


def test_tko_22_a_swap_is_atomic_and_coins_do_not_flip() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2 M4"))
    offer = table.offer(0, 1, ["S3", "C1"], ["M4", "coin"])
    table.do(1, offer, "accept", coins=["M2", "M4"])
    assert (table.hand(0), table.hand(1)) == ("m2 M4", "S3 c1")
    assert table.deals(0) == table.deals(1) == []


def test_tko_22_an_acceptance_voids_other_offers_of_the_same_coin() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", "a3"))
    first, second, third = (
        table.offer(0, 1, ["S3"], ["2+"]),
        table.offer(0, 2, ["S3", "C1"]),
        table.offer(0, 3, ["C1"]),
    )
    assert table.deals(0) == [first, second, third]
    table.do(1, first, "accept", coins=["M2"])
    assert table.deals(2) == []
    assert table.deals(3) == [third]
    assert table.told("offer.gone", 2) == [{"seat": 0, "other": 2}]
    assert table.told("offer.gone", 1) == table.told("offer.gone", 3) == []


def test_tko_22_an_offer_is_void_when_its_coin_flips_or_is_spent() -> None:
    table = Table(state=position(PLAIN, "S5 a3 c1", "m2"))
    flips, spends = table.offer(0, 1, ["S5"]), table.offer(0, 1, ["A3"], ["2+"])
    assert table.deals(1) == [flips, spends]
    table.merge(0, "M4>C3", "A3")
    assert table.deals(1) == [flips]
    table.merge(1, "S3>S5")
    assert table.deals(1) == []
    assert table.told("offer.gone", 1) == [{"seat": 0, "other": 1}] * 2


def test_tko_22_a_returned_coin_does_not_revive_an_offer() -> None:
    table = Table(state=position(PLAIN, "S3", "m2", "a2"))
    old, sold = table.offer(0, 2, ["S3"]), table.offer(0, 1, ["S3"])
    table.do(1, sold, "accept", coins=[])
    back = table.offer(1, 0, ["S3"])
    table.do(0, back, "accept", coins=[])
    assert table.hand(0) == "S3"
    assert old not in table.deals(2)


def test_tko_24_accepting_needs_coins_that_fit() -> None:
    table = Table(state=position({**PLAIN, (5, 3): "C0"}, "S3", "m2 m5 C0 a0 S5"))
    offer = table.offer(0, 1, ["S3"], ["S5", "3+", "null", "coin"])
    fit = ["S5", "M5", "A0", "M2"]
    assert table.refused(1, offer, "accept", coins=fit[:3]) == "DOES_NOT_FIT"
    assert table.refused(1, offer, "accept", coins=[*fit[:3], "C0", "M2"]) == "DOES_NOT_FIT"
    assert table.refused(1, offer, "accept", coins=["S5", "M2", "A0", "C0"]) == "DOES_NOT_FIT"
    assert table.refused(1, offer, "accept", coins=["S5", "M5", "A0", "A0"]) == "DOES_NOT_FIT"
    table.do(1, offer, "accept", coins=fit)
    assert table.hand(0) == "S5 m2 m5 a0"


def test_tko_24_a_proposer_learns_nothing_about_the_others_coins() -> None:
    """The proposer's view and lines are the same, whether or not the other seat could meet the wish."""
    seen = []
    for other in ("S5", "s5", "a5"):
        state = position(PLAIN, "m3", other)
        table = Table(state=state)
        codes = [table.check(0, "trade", "propose", to=1, give=["M3"], wish=[wish]) for wish in ("S5", "5+")]
        offer = table.offer(0, 1, ["M3"], ["S5"])
        seen.append(
            (codes, encode_everything(TAKEOVER, table.state, Seat(0)), lines_to(table.lines, Seat(0)))
        )
        assert table.expire() == offer
        seen.append(([], encode_everything(TAKEOVER, table.state, Seat(0)), lines_to(table.lines, Seat(0))))
    assert seen[:2] == seen[2:4] == seen[4:]


def test_tko_25_both_seats_see_offered_coins_as_they_lie() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2"))
    table.offer(0, 1, ["S3", "C1"], ["coin"])
    assert table.private(0, "deals") == table.private(1, "deals")
    (deal,) = table.private(1, "deals").deals
    assert deal.give == (Coin("S3", True), Coin("C1", False))
    assert table.private(2, "deals").deals == ()
    said = {"seat": 0, "other": 1, "give": ["S3", "C1$"], "wish": ["coin"]}
    assert table.told("takeover.offered", 0) == table.told("takeover.offered", 1) == [said]
    assert table.told("takeover.offered", 2) == []


def test_countering_declining_and_withdrawing() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2"))
    offer = table.offer(0, 1, ["S3"], ["5+"])
    assert table.refused(0, offer, "accept", coins=[]) == "NOT_YOURS"
    assert table.refused(0, offer, "decline") == "NOT_YOURS"
    assert table.refused(1, offer, "cancel") == "NOT_YOURS"
    table.do(1, offer, "counter", give=["M2"], wish=["S3"])
    (answer,) = table.deals(0)
    assert answer != offer
    table.do(0, answer, "accept", coins=["S3"])
    assert (table.hand(0), table.hand(1)) == ("m2 c1", "S3")
    one = table.offer(0, 1, ["C1"])
    table.do(1, one, "decline")
    two = table.offer(0, 1, ["C1"])
    table.do(0, two, "cancel")
    assert table.deals(0) == []


def test_illegal_proposals_are_refused() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", "a3"))
    terms = {"give": ["S3"], "wish": ["coin"]}
    assert table.refused(0, "trade", "propose", to=0, **terms) == "WITH_YOURSELF"
    assert table.refused(0, "trade", "propose", to=4, **terms) == "WITH_YOURSELF"
    assert table.refused(0, "trade", "propose", to=1, give=[], wish=[]) == "NOTHING"
    assert table.refused(0, "trade", "propose", to=1, give=["M2"], wish=[]) == "NOT_YOUR_COINS"
    assert table.refused(0, "trade", "propose", to=1, give=["S3", "S3"], wish=[]) == "NOT_YOUR_COINS"
    for wish in (["C1"], ["A5"], ["S5", "S5"], ["null"] * 5, ["S"] * 7):  # its own, gone, or too many
        assert table.refused(0, "trade", "propose", to=1, give=[], wish=wish) == "WISH"
    with pytest.raises(msgspec.ValidationError):
        table.check(0, "trade", "propose", to=1, give=[], wish=["6+"])
    table.offer(0, 1, **terms)
    assert table.refused(0, "trade", "propose", to=1, **terms) == "TOO_MANY"
    table.offer(0, 2, **terms)


@pytest.mark.parametrize(("seats", "most"), [(2, 3), (3, 2), (4, 1), (5, 1), (6, 1)])
def test_tko_22_a_refused_offer_names_the_limit(seats: int, most: int) -> None:
    table = Table(state=position(PLAIN, "S3 c1", *["m2", "a2", "a3", "m4", "c2"][: seats - 1]))
    for _ in range(most):
        table.offer(0, 1, ["S3"])
    move = {"to": 1, "give": ["S3"], "wish": []}
    assert table.check(0, "trade", "propose", **move) == Refusal("TOO_MANY", "TKO-22", {"most": most})


@pytest.mark.parametrize(("log", "public"), [("private", False), ("public", True)])
def test_tko_23_a_trade_is_public_its_contents_only_by_option(log: str, public: bool) -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", tradeLog=log))
    table.do(1, table.offer(0, 1, ["S3", "C1"], ["coin"]), "accept", coins=["M2"])
    which = {"seat": 0, "other": 1, "give": ["S3", "C1$"], "back": ["M2$"]}
    assert table.told("takeover.swapped", 0) == table.told("takeover.swapped", 1) == [which]
    (trade,) = table.public("trades").trades
    assert (trade.gave, trade.got) == (2, 1)
    if public:
        assert table.told("takeover.swapped") == [which]
        assert trade.given == (Coin("S3", True), Coin("C1", False))
    else:
        assert table.told("takeover.swapped", 2) == []
        assert table.told("takeover.traded") == [{"seat": 0, "other": 1, "gave": 2, "got": 1}]
        assert trade.given is trade.back is None


def test_trading_only_with_the_seat_whose_turn_it_is() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", trading="ownTurnOnly"))
    assert table.refused(1, "trade", "propose", to=2, give=["M2"], wish=[]) == "NOT_ON_TURN"
    offer = table.offer(1, 0, ["M2"])
    table.pass_by(0)
    assert table.deals(0) == []  # offers end with the turn
    assert table.told("offer.gone", 1) == [{"seat": 1, "other": 0}]
    assert offer not in [prompt.id for prompt in table.prompts]
    table.offer(1, 2, ["M2"])


def test_trading_can_be_turned_off() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2", trading="off"))
    assert {prompt.kind for prompt in table.prompts} == {"turn", "extend"}
    assert "deals" not in TAKEOVER.private(table.state, Seat(0))


def test_every_offer_has_its_own_window() -> None:
    table = Table(state=position(PLAIN, "S3 c1", "m2"))
    offer = table.offer(0, 1, ["S3"])
    table.at = Millis(table.at + 44_999)
    assert table.expire() == offer
    assert table.at == 46_000
    assert table.told("offer.lapsed", 1) == [{"seat": 0, "other": 1}]
    assert table.state.stage.turn == 0


def test_matching_coins_to_wishes_agrees_with_trying_every_order() -> None:
    """Counting kinds accepts the same coins as trying every order."""
    fate = random.Random(24)
    accepted = 0
    for _ in range(3_000):
        hand = draft.receive(
            (), (Coin(name, fate.random() < 0.5) for name in fate.sample(NAMES, fate.randint(0, 6)))
        )
        kinds = (*NAMES[:3], "S", "M", "1+", "3+", "4+", "null", "coin")
        wish = tuple(fate.choice(kinds) for _ in range(fate.randint(0, 4)))
        coins = tuple(
            one.name for one in fate.sample(hand, min(len(hand), max(0, len(wish) + fate.randint(-1, 0))))
        )
        bag = deals.answers(hand, wish)
        chosen = {one.name: one for one in hand}
        reference_fit = any(
            all(deals.fits(chosen[name], wished) for name, wished in zip(order, wish, strict=True))
            for order in orders(coins)
            if len(order) == len(wish)
        )
        fast = bag is not None and kit_choices.contains(bag, coins, 0)
        assert fast == reference_fit, (hand, wish, coins)
        accepted += fast
    assert accepted > 200


def orders(names: tuple[Name, ...]) -> Iterator[tuple[Name, ...]]:
    if not names:
        yield ()
    for place, name in enumerate(names):
        for rest in orders((*names[:place], *names[place + 1 :])):
            yield (name, *rest)


def test_a_stored_state_keeps_its_offers() -> None:
    state = position(PLAIN, "S3", "m2")
    offer = Bargain("offer:1", Seat(0), Seat(1), (Coin("S3", True),), ("coin",), Millis(0), None)
    stored = replace(state, offers=replace(state.offers, open=(offer,)))
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(stored))
    assert TAKEOVER.upgrade(TAKEOVER.version, packed) == stored
    assert TAKEOVER.upgrade(0, packed) is None
