"""Share and Share Alike: Open Market, talk and The Whole Truth, ruling by ruling."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from games.api import Seat
from games.shares.rules.game import SHARES
from games.shares.rules.pieces import COMPANIES, LOT, OFFERS
from games.shares.rules.values import SharesState
from games.testing.positions import MAX_BYTES, encode_everything
from tests.games.shares.table import Table, position, rolled

# --- Open Market ---


def market(**options: Any) -> Table:
    state = position(
        "KC 2C",
        "",
        "",
        "",
        marks={0: "AAB", 1: "BBC", 2: "CCD", 3: "EEE"},
        round=3,
        openMarket=True,
        **options,
    )
    table = Table(state=state)
    table.do(0, "turn", "openMarket", card="KC")
    return table


def test_ssa_35_royals_open_a_market() -> None:
    table = Table(state=position("KH 10C", "JH", "", "", openMarket=True))
    assert table.refused(0, "turn", "openMarket", card="10C") == "NOT_ROYAL"
    assert table.refused(0, "turn", "openMarket", card="JH") == "NOT_YOUR_CARDS"
    table.do(0, "turn", "openMarket", card="KH")
    assert table.supply == (20, 20, 20)
    assert not table.open("hearts", 0)
    assert table.actions[0] == 2
    assert table.public("scene").played[0].card == "KH"
    table.expire()
    assert table.state.deck[-1] == "KH"
    assert table.open("turn", 0)
    assert table.state.time_control.missed_in_a_row == (
        0,
        0,
        0,
        0,
    )  # a market that closes is not counted as a miss
    plain = Table(state=position("KH", "", "", ""))
    assert plain.refused(0, "turn", "openMarket", card="KH") == "NO_MARKETS"


def test_ssa_34_the_seat_that_opened_the_market_is_part_of_every_trade() -> None:
    table = market()
    assert table.refused(1, "market", "propose", to=2, give=["B"], wish=["C"]) == "NOT_WITH_BROKER"
    assert table.refused(1, "market", "closeMarket") == "NOT_YOUR_MARKET"
    assert table.refused(1, "market", "propose", to=1, give=["B"], wish=["C"]) == "WITH_YOURSELF"
    table.do(0, table.offer(1, 0, "B", "A"), "accept")
    table.do(2, table.offer(0, 2, "B", "D"), "accept")  # and passes it on in the same window
    assert table.holdings(0) == (1, 1, 0, 1, 0)
    assert table.holdings(2) == (0, 1, 2, 0, 0)


def test_ssa_32_a_seat_can_offer_only_shares_it_owns() -> None:
    table = market()
    assert table.refused(0, "market", "propose", to=1, give=["C"], wish=["B"]) == "NOT_YOUR_SHARES"
    assert table.refused(0, "market", "propose", to=1, give=["A"] * 3, wish=["B"]) == "NOT_YOUR_SHARES"
    assert table.refused(0, "market", "propose", to=1, give=[], wish=[]) == "NOTHING"
    gift = table.offer(0, 1, "AA")
    table.do(1, gift, "accept")
    assert table.holdings(1) == (2, 2, 1, 0, 0)


def test_ssa_32_an_offer_lapses_when_its_shares_are_gone() -> None:
    table = market()
    first, second = table.offer(0, 1, "AA", "B"), table.offer(0, 2, "A", "C")
    table.do(1, first, "accept")
    assert not table.open(second, 2)
    assert table.told("offer.gone", 2) == [{"seat": 0, "other": 2}]
    assert table.told("offer.gone", 1) == []


def test_ssa_33_the_other_seats_shares_matter_only_when_it_accepts() -> None:
    table = market()
    probe = table.offer(0, 1, "A", "EEEEEEEEE")
    assert table.refused(1, probe, "accept") == "NOT_YOUR_SHARES"
    other = market()
    before = SHARES.choices(other.state, Seat(0))
    swapped = replace(other.state, marks=put_mark(other.state, 1, "EEE"))
    assert SHARES.choices(swapped, Seat(0)) == before


def put_mark(state: SharesState, seat: int, marks: str) -> tuple[Any, ...]:
    return (*state.marks[:seat], tuple(marks), *state.marks[seat + 1 :])


def test_ssa_31_a_trade_is_public_but_its_contents_are_not() -> None:
    table = market()
    table.do(1, table.offer(0, 1, "AA", "C"), "accept")
    assert table.told("shares.traded") == [{"seat": 0, "other": 1}]
    assert table.told("shares.exchanged") == table.told("shares.exchanged", 2) == []
    known = [{"seat": 0, "other": 1, "give": ["A", "A"], "back": ["C"]}]
    assert table.told("shares.exchanged", 0) == table.told("shares.exchanged", 1) == known
    (trade,) = table.public("trades").trades
    assert (trade.round, trade.seat, trade.other, trade.given, trade.back) == (3, 0, 1, None, None)


def test_ssa_31_the_size_of_a_trade_is_as_secret_as_its_contents() -> None:
    one, other = market(), market()
    one.do(1, one.offer(0, 1, "AA", "C"), "accept")
    other.do(1, other.offer(0, 1, "", "B"), "accept")
    for viewer in (None, Seat(2), Seat(3)):
        sections = [
            {name: one.data for name, one in SHARES.public(table.state).items()}
            | ({} if viewer is None else {n: s.data for n, s in SHARES.private(table.state, viewer).items()})
            for table in (one, other)
        ]
        assert sections[0] == sections[1]
        assert one.told("shares.traded", viewer) == other.told("shares.traded", viewer)


def test_ssa_31_contents_are_public_by_option() -> None:
    table = market(marketLog="public")
    table.do(1, table.offer(0, 1, "AA", "C"), "accept")
    assert table.told("shares.exchanged") == [{"seat": 0, "other": 1, "give": ["A", "A"], "back": ["C"]}]
    assert table.told("shares.traded") == []
    (trade,) = table.public("trades").trades
    assert (trade.given, trade.back) == (("A", "A"), ("C",))


def test_an_open_offer_is_known_only_to_its_two_seats() -> None:
    table = market()
    offer = table.offer(0, 1, "A", "B")
    assert [deal.id for deal in table.private(1, "deals").deals] == [offer]
    assert table.private(2, "deals").deals == ()
    assert "deals" not in SHARES.public(table.state)
    assert table.told("shares.offered", 2) == []
    assert table.told("shares.offered", 1)[0]["wish"] == ["B"]


def test_offers_lapse_when_the_market_closes() -> None:
    table = market()
    offer = table.offer(0, 1, "A", "B")
    table.do(1, offer, "counter", give=["B"], wish=["A", "A"])
    assert not table.open(offer, 1)
    assert table.expire().startswith("market:")
    assert table.state.offers.open == ()
    assert table.told("offer.gone", 0) == [{"seat": 1, "other": 0}]
    assert not table.sees(0, "deals")


# --- talk, and The Whole Truth ---


def talk_policy(state: SharesState, seat: int) -> tuple[str, int]:
    found = SHARES.talk_policy(state, Seat(seat))
    return found.mode, len(found.phrases)


def test_ssa_29_30_talk_options() -> None:
    def talk(**options: Any) -> tuple[str, set[str]]:
        found = SHARES.talk_policy(position("", "", "", "", **options), Seat(0))
        return found.mode, set(found.phrases)

    strict, phrases = talk()
    assert strict == "phrases"
    assert talk(strictChat="honour") == ("open", phrases)
    assert not any("iHold" in one or "iTake" in one for one in phrases)
    assert any("raise" in one for one in phrases)
    assert any("spied" in one for one in phrases)  # SSA-41
    loose, more = talk(talk="looseLips")
    assert loose == "open"
    assert more > phrases
    assert talk(talk="wholeTruth") == ("open", more)
    assert SHARES.talk_policy(position("", "", ""), None).mode == "closed"


def test_a_peeking_seat_can_neither_talk_nor_write_notes() -> None:
    table = Table(state=position("2C", "3C", "4C", "", talk="wholeTruth"))
    table.play(0, "2C")
    table.do(0, "clubs", "spy", seat=1, what="hand")
    found = SHARES.talk_policy(table.state, Seat(0))
    assert (found.mode, found.phrases, found.notes_locked) == ("closed", (), True)
    assert not table.open("show", 0)
    assert table.open("show", 1)
    assert [one.kind for one in table.prompts if 0 in one.seats] == ["peek"]


def truth(**marks: str) -> Table:
    found = {int(seat[1]): made for seat, made in marks.items()}
    return Table(state=position("2C", "3C", "4C", "", marks=found, talk="wholeTruth"))


def test_ssa_30_is_below_1c_a_peeking_seat_cannot_show_its_tracker() -> None:
    found = {0: "BD", 1: "AC"}
    spying = Table(state=position("2C", "3C", "4C", "", marks=found, talk="wholeTruth"))
    spying.play(0, "2C")
    spying.do(0, "clubs", "spy", seat=1, what="tracker")
    taking = rolled(position("2D", "3C", "4C", "", marks=found, talk="wholeTruth"), 1)
    taking.do(0, "chance1", "target", seat=1)
    for table, ask, move, fields in (
        (spying, "peek", "stopPeeking", {}),
        (taking, "take", "take", {"place": 0}),
    ):
        assert "show" not in SHARES.choices(table.state, Seat(0))
        assert not table.open("show", 0)
        table.do(1, "show", "show", to=[0])  # other seats may, even to the seat that is peeking
        table.do(0, ask, move, **fields)
        table.do(0, "show", "showAll")
        assert table.public("shows").shown[0].tracker.marks == ("B", "D")


def test_ssa_30_a_tracker_can_be_shown_to_some_seats() -> None:
    table = truth(s1="BD")
    assert table.refused(1, "show", "show", to=[1]) == "NOBODY"
    assert table.refused(1, "show", "show", to=[]) == "NOBODY"
    table.do(1, "show", "show", to=[2])
    shown = table.private(2, "seen").shown[1]
    assert shown.tracker.marks == ("B", "D")
    assert shown.round == 2
    assert table.private(0, "seen").shown[1] is None
    assert table.public("shows").shown[1] is None
    assert table.told("shares.showed") == [{"seat": 1, "seats": [2]}]
    assert table.refused(1, "show", "show", to=[0, 2]) == "ALREADY_SHOWN"
    table.do(1, "show", "show", to=[0, 3])


def test_ssa_30_a_tracker_can_be_shown_to_everybody() -> None:
    table = truth(s1="BD")
    table.do(1, "show", "show", to=[2])
    table.do(1, "show", "showAll")
    assert table.public("shows").shown[1].tracker.marks == ("B", "D")
    assert table.private(2, "seen").shown[1] is None  # everyone knows it now
    assert table.private(1, "tracker").marks == ("B", "D")
    assert table.refused(1, "show", "showAll") == "ALREADY_SHOWN"
    assert table.refused(1, "show", "show", to=[0]) == "ALREADY_SHOWN"


def test_ssa_30_a_shown_tracker_is_not_updated() -> None:
    table = truth(s1="BD")
    table.do(1, "show", "showAll")
    for seat in (0, 1, 2, 3):
        table.end(seat)
    table.select(*"EEEE")
    assert table.public("shows").shown[1].tracker.marks == ("B", "D")
    assert table.private(1, "tracker").marks == ("B", "D", "E")
    table.do(1, "show", "show", to=[0])
    assert table.private(0, "seen").shown[1].tracker.marks == ("B", "D", "E")


def test_ssa_42_only_closed_rounds_are_shown_while_shares_are_selected() -> None:
    table = Table(4, talk="wholeTruth")
    assert table.refused(0, "show", "showAll") == "NOTHING_MARKED"
    table.select(*"ABCD")
    for seat in range(4):
        assert table.active is not None
        table.end(table.active)
        assert seat < 4
    table.do(0, "select", "lock", company="E")
    table.do(0, "show", "showAll")
    assert table.public("shows").shown[0].tracker.marks == ("A",)


def test_trackers_cannot_be_shown_under_other_talk_options() -> None:
    for talk in ("strict", "looseLips"):
        table = Table(state=position("2C", "3C", "4C", "", talk=talk))
        assert not table.open("show", 0)


def test_a_shown_tracker_contains_traded_shares() -> None:
    state = position("KC", "", "", marks={0: "AA", 1: "BB"}, openMarket=True, talk="wholeTruth")
    table = Table(state=state)
    table.do(0, "show", "showAll")
    table.do(0, "turn", "openMarket", card="KC")
    table.do(1, table.offer(0, 1, "A", "B"), "accept")
    assert table.holdings(0) == (1, 1, 0, 0, 0)
    table.do(0, "show", "show", to=[2])
    shown = table.private(2, "seen").shown[0].tracker
    assert (shown.marks, shown.traded, shown.holdings) == (("A", "A"), (-1, 1, 0, 0, 0), (1, 1, 0, 0, 0))
    assert table.public("shows").shown[0].tracker.holdings == (2, 0, 0, 0, 0)
    table.do(0, "show", "showAll")  # showing a tracker moves no shares
    assert table.public("shows").shown[0].tracker == shown == table.private(0, "tracker")


def test_the_largest_market_fits_a_view() -> None:
    """With six seats, the largest offers and all trackers shown, each audience's view is at most 16 KB."""
    state = position(
        "KC 2C",
        *[""] * 5,
        built=["L" * 20, "M" * 20, "S" * 20],
        marks=dict.fromkeys(range(6), "ABCDE" * 3),
        round=15,
        openMarket=True,
        talk="wholeTruth",
    )
    table = Table(state=replace(state, traded=((3,) * 5,) * 6))
    for seat in range(6):
        table.do(seat, "show", "show", to=[other for other in range(6) if other != seat])
    table.do(0, "turn", "openMarket", card="KC")
    lot = "".join(company * (LOT // 5) for company in COMPANIES)
    for other in range(1, 6):
        table.offer(0, other, lot, lot)  # one fewer than allowed, so every offer may be countered
        for _ in range(OFFERS):
            table.offer(other, 0, lot, lot)
    sizes = [len(encode_everything(SHARES, table.state, viewer)) for viewer in (None, *map(Seat, range(6)))]
    assert max(sizes) > 10_000
    assert max(sizes) <= MAX_BYTES
