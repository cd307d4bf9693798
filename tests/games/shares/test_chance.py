"""Share and Share Alike: the whole Chance chart and free actions, ruling by ruling."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from games.api import Held, Millis, Running, Seat
from games.shares.rules import chance
from games.shares.rules.game import SHARES
from games.shares.rules.values import Preview, Roll
from tests.games.shares.table import Table, position, rolled

# --- Chance ---


def test_ssa_11_a_played_card_is_not_drawn_by_its_own_chance() -> None:
    state = replace(position("2D 2C", "", "", ""), deck=("AS",))
    table = rolled(state, 3)
    assert table.hand(0) == "AS 2C"
    assert table.state.deck == ("2D",)


def test_chance_1_the_hand_is_shown_until_a_card_is_taken() -> None:
    table = rolled(position("2D 2C", "3C 4C KH", "", "5C"), 1)
    assert table.refused(0, "chance1", "target", seat=0) == "NOT_YOURSELF"
    assert table.refused(0, "chance1", "target", seat=2) == "EMPTY_HAND"  # SSA-21
    table.do(0, "chance1", "target", seat=1)
    peek = table.window("take")
    assert peek.span == 20_000
    assert peek.extend is None
    assert table.private(0, "peek_content").cards == ("KH", "3C", "4C")
    assert SHARES.private(table.state, Seat(0))["peek_content"].peek == peek.id
    assert SHARES.talk_policy(table.state, Seat(0)).notes_locked
    assert not SHARES.talk_policy(table.state, Seat(1)).notes_locked
    assert table.refused(0, "take", "take", place=3) == "NO_SUCH_CARD"
    table.do(0, "take", "take", place=0)
    assert table.hand(0) == "KH 2C"
    assert table.hand(1) == "3C 4C"
    assert table.told("shares.took") == [{"seat": 0, "other": 1}]
    known = [{"seat": 0, "other": 1, "card": "KH"}]
    assert table.told("shares.tookCard", 0) == table.told("shares.tookCard", 1) == known
    assert table.told("shares.tookCard", 2) == []
    assert not table.sees(0, "peek_content")


def test_ssa_21_chance_1_is_in_vain_if_nobody_has_a_card() -> None:
    table = rolled(position("2D 2C", "", "", ""), 1)
    assert table.open("turn", 0)
    assert table.told("shares.inVain") == [{"seat": 0, "number": 1}]


def test_the_choices_do_not_reveal_the_cards_to_take() -> None:
    """A paused table still sends the choices, but withholds the content of the peek."""
    one = rolled(position("2D 2C", "3C 4C KH", "", "5C"), 1)
    other = rolled(position("2D 2C", "5H 6H 7H", "", "5C"), 1)
    for table in (one, other):
        table.do(0, "chance1", "target", seat=1)
    assert SHARES.choices(one.state, Seat(0)) == SHARES.choices(other.state, Seat(0))


def test_ssa_15_chance_3_draws_from_the_deck_and_from_the_discards_when_it_is_empty() -> None:
    table = rolled(position("2D 2C", "", "", "", discard="AS"), 3)
    assert len(table.state.hands[0]) == 3
    assert table.public("piles").discard == ("AS",)
    short = rolled(replace(position("2D 2C", "", "", "", discard="AS KS"), deck=("AH",)), 3)
    assert short.hand(0) == "AH 2C"
    assert short.refused(0, "chance3", "fromDeck") == "DECK_EMPTY"
    assert short.refused(0, "chance3", "done") == "OTHER_PROMPT"
    short.do(0, "chance3", "fromDiscard", card="AS")
    assert short.hand(0) == "AH AS 2C"
    assert short.open("turn", 0)


def test_ssa_15_either_pile_can_be_drawn_from_by_option() -> None:
    table = rolled(position("2D 2C", "", "", "", discard="AS", chance3Source="either"), 3)
    table.do(0, "chance3", "fromDiscard", card="AS")
    assert table.open("turn", 0)  # nothing is left to choose: the other card comes from the deck
    assert len(table.state.hands[0]) == 3
    both = rolled(position("2D 2C", "", "", "", discard="AS KS", chance3Source="either"), 3)
    both.do(0, "chance3", "fromDeck")
    both.do(0, "chance3", "fromDiscard", card="KS")
    assert both.public("piles").discard == ("AS",)


def test_ssa_15_chance_3_may_exceed_five_cards() -> None:
    table = rolled(position("2D 2C 3C 4C 5C 6C", "", "", ""), 3)
    assert len(table.state.hands[0]) == 7


def test_ssa_16_17_a_free_action() -> None:
    state = position("2D 3D JD 2H KC", "", "", "", openMarket=True)
    table = rolled(state, 4)
    assert table.refused(0, "chance4", "play", card="3D") == "NO_DIAMOND"
    assert table.refused(0, "chance4", "drawUp") == "NO_FREE_DRAW"
    assert table.refused(0, "chance4", "endTurn") == "OTHER_PROMPT"
    market = Table(state=table.state)
    market.do(0, "chance4", "openMarket", card="JD")  # a diamond, but not played for its effect
    market.do(0, "market", "closeMarket")
    assert market.actions[0] == 2
    discard = Table(state=table.state)
    discard.do(0, "chance4", "discard", cards=["3D", "JD"])
    assert discard.actions[0] == 2
    declined = Table(state=table.state)
    declined.do(0, "chance4", "decline")
    assert declined.actions[0] == 2
    assert declined.state.deck[-1] == "2D"
    table.play(0, "KC", "chance4")
    table.do(0, "clubs", "spy", seat=1, what="hand")
    assert [one.card for one in table.public("scene").played] == ["2D", "KC"]
    table.do(0, "peek", "stopPeeking")
    table.do(0, "clubs", "done")
    assert table.state.deck[-2:] == ("KC", "2D")
    assert table.actions[0] == 2


def test_ssa_16_only_the_active_seat_may_open_a_free_market() -> None:
    table = rolled(position("2D 2C", "JD 2H", "", "", openMarket=True), 6, 4)
    table.do(0, "chance6", "target", seat=1)
    assert table.refused(1, "chance4", "openMarket", card="JD") == "NOT_ON_TURN"
    assert table.open("chance4", 1)


def test_ssa_16_free_drawing_by_option() -> None:
    table = rolled(position("2D 2C", "", "", "", chance4Draw=True), 4)
    table.do(0, "chance4", "drawUp")
    for _ in range(4):
        table.do(0, "draw", "fromDeck")
    assert len(table.state.hands[0]) == 5
    assert table.actions[0] == 2
    full = rolled(position("2D 2C 3C 4C 5C 6C", "", "", "", chance4Draw=True), 4)
    assert full.refused(0, "chance4", "drawUp") == "FULL_HAND"
    empty = rolled(position("2D", "", "", "", chance4Draw=True), 4)
    assert empty.open("chance4", 0)


def test_chance_4_with_nothing_to_do_is_in_vain() -> None:
    table = rolled(position("2D", "3C", "", ""), 4)
    assert table.told("shares.inVain") == [{"seat": 0, "number": 4}]
    assert table.active == 1  # no cards left, and only two actions (SSA-36)


def test_chance_5_has_no_effect() -> None:
    table = rolled(position("2D 2C", "3C", "", ""), 5)
    assert table.open("turn", 0)
    assert table.told("shares.inVain") == [{"seat": 0, "number": 5}]


def test_ssa_20_another_seats_roll_is_not_adjusted() -> None:
    table = rolled(position("AD 2C", "3C", "", ""), 6, 5, card="AD")
    table.do(0, "adjust", "adjust", by=0)
    table.do(0, "chance6", "target", seat=1)
    assert table.open("turn", 0)
    assert table.public("recent").roll == Roll(Seat(1), 5, 0, 5)


def test_ssa_18_adjusting_to_six_lets_another_roll() -> None:
    table = rolled(position("AD 2C", "3C", "", ""), 4, card="AD")
    preview = SHARES.preview(table.state, Seat(0), msgspec.convert({"move": "adjust", "by": 1}, SHARES.Move))
    assert preview is not None
    assert preview.data == Preview(chance=5, wasted=True)
    table.do(0, "adjust", "adjust", by=2)
    assert table.told("shares.adjusted") == [{"seat": 0, "number": 6}]
    assert table.open("chance6", 0)


def test_ssa_39_the_turn_is_stopped_while_another_seat_decides() -> None:
    table = Table(state=position("2D 2C", "3C 4C", "5C", ""))
    table.wait(10_000)
    table.dice.roll(6, 1)
    table.play(0, "2D")
    table.do(0, "chance6", "target", seat=1)
    assert table.window("turn").clock == Held(Millis(50_000))
    assert table.window("chance1").concerns == frozenset({Seat(1)})
    assert table.window("turn").extend is None
    table.wait(8_000)
    table.do(1, "chance1", "target", seat=2)
    table.wait(8_000)
    table.do(1, "take", "take", place=0)
    assert table.hand(1) == "3C 4C 5C"
    assert table.active == 0
    assert table.window("turn").clock == Running(Millis(table.at + 50_000))


def test_possible_effects_of_each_number() -> None:
    state = position("2D", "", "", "")
    assert [chance.possible(state, Seat(0), number) for number in range(1, 7)] == [
        False,
        True,
        True,
        True,
        False,
        True,
    ]
