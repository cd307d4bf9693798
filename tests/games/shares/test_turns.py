"""Share and Share Alike: selecting, Lowball, actions and time, ruling by ruling."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Held, Millis, Running, Seat
from games.dice import Dice
from games.shares.rules import selection
from games.shares.rules.game import SHARES
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import CARDS, COMPANIES, adjustment, royal, uses
from games.shares.rules.values import Preview
from tests.games.shares.table import Table, cards, position, rolled

# --- selecting ---


def test_ssa_6_7_a_mark_can_be_changed_until_all_have_locked() -> None:
    table = Table(4)
    assert table.refused(0, "select", "lock") == "NO_DRAFT"
    table.do(0, "select", "select", company="A")
    table.do(0, "select", "select", company="B")
    table.do(0, "select", "lock")
    assert table.refused(0, "select", "select", company="C") == "LOCKED"
    assert table.public("readiness").locked == (True, False, False, False)
    table.do(0, "select", "unlock")
    table.do(0, "select", "lock", company="C")
    for seat in (1, 2, 3):
        table.do(seat, "select", "lock", company="E")
    assert table.private(0, "tracker").marks == ("C",)
    assert table.private(0, "tracker").holdings == (0, 0, 1, 0, 0)
    assert table.public("players").shares == 4
    assert table.public("stage").phase == "action"


def test_ssa_8_a_drawn_mark_is_known_only_to_its_seat() -> None:
    table = Table(4)
    table.dice = type(table.dice)(mark=[3, 0])
    table.do(0, "select", "lock", company="B")
    table.do(1, "select", "select", company="C")
    table.expire()
    assert [table.private(seat, "tracker").marks for seat in range(4)] == [("B",), ("C",), ("D",), ("A",)]
    assert table.told("shares.autoMarks") == [{"seats": [1, 2, 3]}]
    assert table.told("shares.markCounted", 1) == [{"round": 1, "company": "C"}]
    assert table.told("shares.markDrawn", 2) == [{"round": 1, "company": "D"}]
    assert table.told("shares.markDrawn", 1) == table.told("shares.markCounted", 2) == []
    assert table.told("shares.markDrawn") == table.told("shares.markCounted") == []
    assert table.public("time_control").missed_in_a_row == (0, 1, 1, 1)


def test_ssa_8_any_company_can_be_drawn() -> None:
    found: set[str] = set()
    for seed in range(30):
        state = SHARES.setup(4, SharesOptions(), Millis(0), Dice(b"%d" % seed)).state
        window = SHARES.windows(state)[0]
        after = SHARES.expire(state, window.id, Millis(90_000), Dice(b"%d" % seed)).state
        found.update(mark for marks in after.marks for mark in marks)
    assert found == set(COMPANIES)


def test_ssa_38_the_first_player_is_drawn_in_every_round() -> None:
    starts = []
    table = Table(4, rounds="5")
    for _ in range(5):
        table.select(*"AAAA")
        starts.append(table.active)
        assert table.told("shares.starts")[-1] == {"seat": table.active}
        for _ in range(4):
            assert table.active is not None
            table.end(table.active)
    assert len(set(starts)) > 1
    assert table.public("stage").phase == "end"


# --- Lowball ---


def lowball(*hands: str, **options: Any) -> Table:
    table = Table(len(hands), lowball=True, **options)
    table.state = replace(table.state, hands=tuple(map(cards, hands)))
    table.select(*"A" * len(hands))
    return table


def test_ssa_25_a_seat_without_cards_offers_none_and_ranks_last() -> None:
    table = lowball("", "2C", "2D", "")
    assert not table.open("lowball", 0)
    assert table.public("readiness").locked == (True, False, False, True)
    table.do(1, "lowball", "bid", card="2C")
    assert table.private(1, "bid").card == "2C"
    table.do(1, "lowball", "lock")
    table.expire()  # seat 2 has locked nothing
    assert table.public("bids").cards == (None, "2C", None, None)
    assert table.active == 1
    assert table.told("shares.noBid") == [{"seat": 0}, {"seat": 2}, {"seat": 3}]


def test_ssa_25_a_drafted_card_that_is_not_locked_is_not_offered() -> None:
    """1b: SELECT falls back to the draft, LOWBALL to offering no card."""
    table = lowball("AH", "2C", "3C", "4C")
    table.do(0, "lowball", "bid", card="AH")
    offers_of = {1: "2C", 2: "3C", 3: "4C"}
    for seat, card in offers_of.items():
        table.do(seat, "lowball", "lock", card=card)
    table.expire()
    assert table.public("bids").cards[0] is None
    assert table.active == 3


def test_ssa_25_without_offers_the_first_player_is_drawn() -> None:
    table = lowball("AH", "2C", "3C", "4C")
    table.dice = type(table.dice)(start=[2])
    table.expire()
    assert table.active == 2
    empty = Table(4, lowball=True)
    empty.state = replace(empty.state, hands=((),) * 4)
    empty.select(*"AAAA")
    assert empty.public("stage").phase == "action"  # nobody can offer anything


@pytest.mark.parametrize(
    ("option", "hand", "discard"), [("return", "2C 9C", ()), ("discard", "9C", ("2C", "3C", "4C", "5C"))]
)
def test_ssa_24_offered_cards_are_returned_or_discarded(
    option: str, hand: str, discard: tuple[str, ...]
) -> None:
    table = lowball("2C 9C", "3C", "4C", "5C", lowballCard=option)
    table.bid("2C", "3C", "4C", "5C")
    assert table.hand(0) == hand
    assert table.public("piles").discard == discard


def test_ssa_24_offered_cards_go_under_the_deck_by_option() -> None:
    table = lowball("2C 9C", "3C", "4C", "5C", lowballCard="bottom")
    table.bid("2C", "3C", "4C", "5C")
    assert table.state.deck[-4:] == ("2C", "3C", "4C", "5C")
    assert table.public("players").cards == (1, 0, 0, 0)


def test_ssa_25_suits_break_ties() -> None:
    ranked = sorted(CARDS, key=selection.strength)
    assert ranked[:4] == ["2C", "2S", "2D", "2H"]
    assert ranked[-5:] == ["KH", "AC", "AS", "AD", "AH"]


def test_an_absent_seat_that_returns_cannot_lock_without_a_card() -> None:
    table = lowball("AH", "2C", "3C", "4C")
    table.state = replace(
        table.state, time_control=replace(table.state.time_control, missed_in_a_row=(2, 0, 0, 0))
    )
    assert table.expire().endswith(":away:0")
    assert table.public("readiness").locked[0]
    table.do(0, "lowball", "unlock")
    assert table.refused(0, "lowball", "lock") == "NO_DRAFT"
    table.do(0, "lowball", "lock", card="AH")


# --- actions ---


def test_uses_by_rank() -> None:
    assert [uses(card) for card in cards("2H 9S 10C JH QS KC AH")] == [1, 2, 3, 1, 2, 2, 3]
    assert {uses(card) for card in CARDS if card.endswith("D")} == {1}
    assert [adjustment(card) for card in cards("9D 10D JD QD KD AD KH")] == [0, 0, 1, 1, 1, 2, 2]
    assert [card for card in cards("9H 10H JH QH KH AH") if royal(card)] == ["JH", "QH", "KH", "AH"]


def test_ssa_9_a_seat_that_spends_nothing_in_a_turn_is_out() -> None:
    table = Table(state=position("2C 3C", "4C", "", "", actions=[3, 3, 0, 0]))
    table.do(0, "turn", "discard", cards=["2C"])
    table.end(0)
    assert not table.state.turns.out[0]
    table.end(1)
    assert table.state.turns.out[1]
    assert table.active == 0
    table.end(0)
    assert table.public("stage").phase == "select"


def test_ssa_12_each_use_is_optional() -> None:
    table = Table(state=position("KH 2C", "", "", ""))
    table.play(0, "KH")
    table.do(0, "hearts", "add", tower="A")
    table.do(0, "hearts", "done")
    assert table.tower("A") == "L"
    assert table.told("shares.lapsed") == [{"seat": 0, "uses": 2}]
    assert table.open("turn", 0)


def test_ssa_13_a_card_without_effect_may_be_played() -> None:
    full = ["L" * 20, "M" * 20, "S" * 20]
    table = Table(state=position("KH KS 2C", "", "", "", built=full))
    preview = SHARES.preview(
        table.state, Seat(0), msgspec.convert({"move": "play", "card": "KH"}, SHARES.Move)
    )
    assert preview is not None
    assert preview.data == Preview(uses=3, wasted=True)
    table.play(0, "KH")
    assert table.open("turn", 0)
    assert table.actions[0] == 2
    assert table.told("shares.lapsed") == [{"seat": 0, "uses": 3}]
    empty = Table(state=position("KS 2C", "", "", ""))
    empty.play(0, "KS")
    assert empty.open("turn", 0)


def test_ssa_13_uses_lapse_when_the_last_floor_is_placed() -> None:
    table = Table(state=position("KH 2C", "", "", "", built=["L" * 20, "M" * 20, "S" * 18]))
    table.play(0, "KH")
    table.do(0, "hearts", "add", tower="D")
    table.do(0, "hearts", "add", tower="D")
    assert table.tower("D") == "SS"
    assert table.told("shares.lapsed") == [{"seat": 0, "uses": 1}]
    assert table.open("turn", 0)


def test_ssa_36_discarding() -> None:
    table = Table(state=position("2C 3C KH", "4C", "", "", discard="AS"))
    assert table.refused(0, "turn", "discard", cards=[]) == "NO_CARDS"
    assert table.refused(0, "turn", "discard", cards=["2C", "2C"]) == "NOT_YOUR_CARDS"
    assert table.refused(0, "turn", "discard", cards=["4C"]) == "NOT_YOUR_CARDS"
    table.do(0, "turn", "discard", cards=["KH", "2C"])
    assert table.public("piles").discard == ("AS", "KH", "2C")  # in the given order
    assert table.actions[0] == 2


def test_ssa_36_a_seat_that_can_do_nothing_is_out_in_its_next_turn() -> None:
    table = Table(state=position("2C", "3C", "", "4C 5C", actions=[3, 3, 2, 3]))
    table.do(0, "turn", "discard", cards=["2C"])
    assert (table.active, table.actions[0]) == (1, 2)
    assert not table.state.turns.out[0]
    assert table.told("shares.ended") == [{"seat": 0}]
    table.end(1)
    assert table.active == 3  # seat 2 has no cards and two actions: this turn puts it out
    assert table.state.turns.out == (False, True, True, False)
    table.do(3, "turn", "discard", cards=["4C"])
    table.end(3)
    assert table.active == 3  # and seat 0's second turn puts it out
    assert table.state.turns.out == (True, True, True, False)
    assert table.told("shares.stuck") == [{"seat": 2}, {"seat": 0}]


def test_ssa_36_cards_gained_by_chance_can_be_played_in_the_same_round() -> None:
    table = Table(state=position("2C", "2D 3C", "", "4C 5C", actions=[3, 3, 0, 3]))
    table.do(0, "turn", "discard", cards=["2C"])
    table.dice.roll(2)
    table.play(1, "2D")
    table.do(1, "chance2", "swap", seats=[0, 3])
    assert table.hand(0) == "4C 5C"
    table.end(1)
    assert table.state.turns.out == (False, False, False, False)
    table.do(3, "turn", "drawUp")
    table.do(3, "draw", "done")
    assert (table.active, table.actions[0]) == (0, 2)
    table.do(0, "turn", "discard", cards=["4C"])
    assert table.actions[0] == 1


def test_ssa_36_the_last_seat_in_a_round_gets_its_next_turn_at_once() -> None:
    table = Table(state=position("2C", "3C", "", "", actions=[2, 0, 0, 0]))
    table.do(0, "turn", "discard", cards=["2C"])
    assert table.told("shares.ended") == table.told("shares.stuck") == [{"seat": 0}]
    assert table.public("stage").phase == "select"


def test_states_of_older_versions_are_upgraded() -> None:
    state = position("2C", "3C", "", "4C", actions=[2, 3, 2, 3])
    state = replace(state, turns=replace(state.turns, out=(True, False, False, False)))
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(state))
    assert SHARES.version == 3
    assert all(SHARES.upgrade(version, packed) == state for version in (1, 2, 3))
    assert SHARES.upgrade(0, packed) is None
    assert SHARES.upgrade(4, packed) is None


def test_ssa_36_a_seat_without_cards_may_draw_with_three_actions() -> None:
    table = Table(state=position("2C", "", "", ""))
    table.end(0)
    assert table.active == 1
    table.do(1, "turn", "drawUp")
    for _ in range(5):
        table.do(1, "draw", "fromDeck")
    assert len(table.state.hands[1]) == 5
    assert table.active == 2


def test_ssa_22_23_drawing_may_stop_early_and_ends_when_nothing_is_left() -> None:
    table = Table(state=position("2C", "3C", "", "", discard="AS"))
    table.do(0, "turn", "drawUp")
    table.do(0, "draw", "fromDeck")
    table.do(0, "draw", "done")
    assert len(table.state.hands[0]) == 2
    assert table.actions[0] == 0
    bare = Table(state=replace(position("2C", "3C", "", "", discard="AS"), deck=()))
    bare.do(0, "turn", "drawUp")
    assert bare.refused(0, "draw", "fromDeck") == "DECK_EMPTY"
    bare.do(0, "draw", "fromDiscard", card="AS")
    assert bare.hand(0) == "AS 2C"
    assert bare.active == 1
    none = Table(state=replace(position("2C", "3C", "", ""), deck=()))
    none.do(0, "turn", "drawUp")
    assert none.active == 1


def test_a_card_drawn_from_the_deck_is_known_only_to_its_seat() -> None:
    table = Table(state=position("2C", "3C", "", "", discard="AS"))
    top = table.state.deck[0]
    table.do(0, "turn", "drawUp")
    table.do(0, "draw", "fromDeck")
    table.do(0, "draw", "fromDiscard", card="AS")
    assert table.told("shares.drew") == [{"seat": 0}]
    assert table.told("shares.drewCard") == []
    assert table.told("shares.drewCard", 0) == [{"card": top}]
    assert table.told("shares.drewOpen") == [{"seat": 0, "card": "AS"}]


# --- time ---


@pytest.mark.parametrize(
    ("card", "faces", "kind"),
    [
        ("KH", (), "hearts"),
        ("KS", (), "spades"),
        ("KC", (), "clubs"),
        ("KD", (5,), "adjust"),
        ("2D", (1,), "chance1"),
        ("2D", (2,), "chance2"),
        ("2D", (4,), "chance4"),
        ("2D", (6,), "chance6"),
    ],
)
def test_gen_7_choices_that_time_out(card: str, faces: tuple[int, ...], kind: str) -> None:
    state = position(f"{card} 2C", "3C 4C", "5C", "6C", built=["LM"])
    table = rolled(state, *faces, card=card)
    window = table.window(kind)
    assert window.span == 20_000
    assert window.clock == Running(Millis(table.at + 20_000))
    hands = table.state.hands
    table.expire()
    assert table.told("shares.auto")[0] == {"seat": 0, "what": kind}
    assert table.state.time_control.missed_in_a_row[0] == 1
    match kind:
        case "hearts" | "spades" | "clubs":
            assert table.told("shares.lapsed") == [{"seat": 0, "uses": 3}]
            assert table.tower("A") == "LM"
        case "adjust":
            assert table.told("shares.adjusted") == []
            assert table.public("recent").roll.result == 5
        case "chance1":
            (took,) = table.told("shares.took")
            assert took["other"] in (1, 2, 3)
            assert len(table.state.hands[0]) == 2
        case "chance2":
            (swapped,) = table.told("shares.swapped")
            one, other = swapped["seats"]
            assert table.state.hands[one] == hands[other]
        case "chance4":
            assert table.told("shares.declined") == [{"seat": 0}]
        case _:
            assert table.told("shares.passed")[0]["other"] in (1, 2, 3)


def test_gen_7_a_card_is_taken_at_random() -> None:
    taken = set()
    for place in range(3):
        table = rolled(position("2D 2C", "3C 4C KH", "", ""), 1)
        table.do(0, "chance1", "target", seat=1)
        table.dice = type(table.dice)(take=[place])
        assert table.expire().startswith("take:")
        taken |= set(table.state.hands[0]) - {"2C"}
        assert table.state.time_control.missed_in_a_row[0] == 1
    assert taken == {"3C", "4C", "KH"}


def test_gen_7_a_refill_comes_from_the_deck() -> None:
    table = Table(state=position("2C", "", "", "", discard="AS"))
    table.do(0, "turn", "drawUp")
    assert table.window("draw").span == 40_000
    table.do(0, "draw", "fromDiscard", card="AS")
    assert table.window("draw").clock == Running(Millis(table.at + 40_000))  # one clock for the whole draw
    table.expire()
    assert len(table.state.hands[0]) == 5
    assert table.public("piles").discard == ()
    bare = rolled(replace(position("2D 2C", "", "", "", discard="AS KS"), deck=()), 3)
    bare.expire()
    assert bare.hand(0) == "2C"


def test_gen_7_a_turn_that_runs_out_ends() -> None:
    table = Table(state=position("2C 3C", "4C", "", ""))
    table.do(0, "turn", "discard", cards=["2C"])
    table.expire()
    assert not table.state.turns.out[0]
    assert table.told("shares.ended") == [{"seat": 0}]
    table.expire()
    assert table.state.turns.out[1]
    assert table.told("shares.out") == [{"seat": 1}]


def test_each_choice_has_a_timer_and_stops_the_timer_of_the_turn() -> None:
    table = Table(state=position("KH 2C", "", "", ""))
    table.wait(20_000)
    table.play(0, "KH")
    for _ in range(2):
        table.wait(15_000)
        table.do(0, "hearts", "add", tower="A")
        assert table.window("hearts").clock == Running(Millis(table.at + 20_000))
    table.do(0, "hearts", "add", tower="A")
    assert table.window("turn").clock == Running(Millis(table.at + 40_000))


@pytest.mark.parametrize("timers", ["normal", "relaxed", "fast", "off"])
def test_gen_6_windows_of_fixed_length(timers: str) -> None:
    """Peeks and markets are never scaled, extended or switched off (GEN-6)."""
    state = position("KC KD 2C", "3C", "", "", timers=timers, openMarket=True)
    table = Table(state=state)
    table.do(0, "turn", "openMarket", card="KD")
    market = table.window("market")
    assert (market.span, market.extend) == (30_000, None)
    assert not table.open("extend", 0)
    assert not table.open("lastCall", 0)
    table.do(0, "market", "closeMarket")
    table.play(0, "KC")
    table.do(0, "clubs", "spy", seat=1, what="hand")
    peek = table.window("peek")
    assert (peek.span, peek.extend) == (30_000, None)
    assert peek.concerns == frozenset({Seat(0)})
    assert not table.open("extend", 0)
    assert not table.open("lastCall", 0)


def test_gen_6_each_phase_has_its_time() -> None:
    table = Table(4, lowball=True)
    assert table.window("select").span == 90_000
    table.select(*"AAAA")
    assert table.window("lowball").span == 25_000
    table.expire()
    assert table.window("turn").span == 60_000
    while table.public("stage").phase == "action":
        table.expire()
    assert table.window("select").span == 45_000


def test_gen_6_an_untimed_turn_waits_for_the_last_call() -> None:
    table = Table(state=position("KH 2C", "", "", "", timers="off"))
    assert SHARES.windows(table.state) == ()
    table.play(0, "KH")
    assert SHARES.windows(table.state) == ()
    table.do(2, "lastCall", "lastCall")
    table.expire()
    assert table.open("turn", 0)
    assert SHARES.windows(table.state) == ()


def test_gen_6_only_the_current_choice_can_be_extended() -> None:
    table = Table(state=position("KH 2C", "", "", ""))
    table.play(0, "KH")
    hearts = table.window("hearts")
    assert SHARES.extension(table.state, Seat(0), hearts.id) is not None
    assert SHARES.extension(table.state, Seat(1), hearts.id) is None
    assert SHARES.extension(table.state, Seat(0), table.window("turn").id) is None
    table.do(0, "extend", "extend")
    assert table.window("hearts").clock == Running(Millis(table.at + 80_000))
    assert table.window("turn").clock == Held(Millis(60_000))
