"""Share and Share Alike: every example in the rulings, how companies are ranked, and what everybody sees."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Held, Millis, OneOf, Running, Seat, Section
from games.dice import Dice
from games.shares.rules import scoring, turn_flow
from games.shares.rules.game import SHARES
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import CARDS, COMPANIES
from games.shares.rules.values import Preview, Roll, SharesState
from games.testing import random_play
from tests.games.shares.table import Table, cards, position, towers

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["shares"]
T11 = VECTORS[0]
"""The vector whose holdings most of the others share."""


def marked(holdings: list[int]) -> str:
    """Marks that add up to these holdings."""
    return "".join(company * count for company, count in zip(COMPANIES, holdings, strict=True))


def last_turn(holdings: list[list[int]], sizes: list[int], **options: Any) -> Table:
    """Plays the last turn of the last round, in which there is nothing to do but end it."""
    state = position(
        *["2C"] + [""] * (len(holdings) - 1),
        built=["S" * size for size in sizes],
        marks={seat: marked(each) for seat, each in enumerate(holdings)},
        actions=[3] + [0] * (len(holdings) - 1),
        round=15,
        **options,
    )
    table = Table(state=state)
    table.end(0)
    return table


# --- 1f: examples ---


def test_ssa_t1_setup() -> None:
    table = Table(4)
    assert table.public("players").cards == (5, 5, 5, 5)
    assert table.public("piles").deck == 32
    assert table.public("piles").discard == ()
    assert table.supply == (20, 20, 20)
    assert [one.floors for one in table.public("towers").companies] == [()] * 5
    stage = table.public("stage")
    assert (stage.phase, stage.round, stage.rounds, stage.official) == ("select", 1, 15, True)
    dealt = [card for hand in table.state.hands for card in hand]
    assert sorted([*dealt, *table.state.deck]) == sorted(CARDS)


def test_ssa_t2_hearts_place_the_largest_floor_left() -> None:
    """Two large floors are left: the other eighteen are on E."""
    table = Table(state=position("KH 2C", "", "", "", built=["", "", "", "", "L" * 18]))
    table.play(0, "KH")
    assert table.public("scene").uses == 3
    for tower in "AAB":
        assert "KH" not in table.state.deck
        table.do(0, "hearts", "add", tower=tower)
    assert (table.tower("A"), table.tower("B")) == ("LL", "M")
    assert table.supply == (0, 19, 20)
    assert table.state.deck[-1] == "KH"
    assert table.actions[0] == 2


def test_ssa_t3_floors_removed_by_spades_can_be_placed_again() -> None:
    """No floors are left: the ones that C does not have are on A and B."""
    built = ["L" * 19, "M" * 19 + "S" * 20, "LM", "", ""]
    table = Table(state=position("10S 2H", "", "", "", built=built))
    assert table.supply == (0, 0, 0)
    table.play(0, "10S")
    table.do(0, "spades", "remove", tower="C")
    assert table.refused(0, "spades", "remove", tower="D") == "NO_FLOORS"
    assert table.refused(0, "spades", "play", card="2H") == "FINISH_FIRST"
    table.do(0, "spades", "remove", tower="C")
    assert table.supply == (1, 1, 0)
    assert table.public("towers").next == "L"
    table.play(0, "2H")
    table.do(0, "hearts", "add", tower="D")
    assert table.tower("D") == "L"


def test_ssa_t4_turn_order() -> None:
    hand = "2C 3C 4C 5C"
    hands = [hand, "6C 7C 8C 9C", "2D 3D 4D 5D", "2S 3S 4S 5S"]
    table = Table(state=position(*hands, turn=2))

    def spend(seat: int, count: int) -> None:
        for _ in range(count):
            table.do(seat, "turn", "discard", cards=[table.state.hands[seat][0]])

    spend(2, 1)
    table.end(2)
    assert table.active == 3
    table.end(3)
    assert table.state.turns.out == (False, False, False, True)
    assert table.active == 0
    spend(0, 3)  # the last action ends the turn
    assert table.active == 1
    spend(1, 2)
    table.end(1)
    assert table.active == 2
    table.end(2)
    assert table.state.turns.out == (False, False, True, True)
    assert table.active == 1  # seat 3 is out, and seat 0 has no actions left
    spend(1, 1)
    assert table.public("stage").phase == "select"
    assert table.public("stage").round == 3


def test_ssa_t5_drawing_up_to_five() -> None:
    state = position("2C 3C", "4C", "", "", discard="KS QS")
    table = Table(state=state)
    top = table.state.deck[:2]
    table.do(0, "turn", "drawUp")
    table.do(0, "draw", "fromDeck")
    table.do(0, "draw", "fromDiscard", card="KS")
    table.do(0, "draw", "fromDeck")
    assert set(table.state.hands[0]) == {"2C", "3C", "KS", *top}
    assert table.public("piles").discard == ("QS",)
    assert table.actions[0] == 0
    assert table.active == 1
    full = Table(state=position("2C 3C 4C 5C 6C", "", "", ""))
    assert full.refused(0, "turn", "drawUp") == "FULL_HAND"
    late = Table(state=position("2C", "", "", "", actions=[2, 3, 3, 3]))
    assert late.refused(0, "turn", "drawUp") == "THREE_ACTIONS"
    assert late.refused(0, "turn", "add", tower="D") == "HEART_FIRST"
    assert late.refused(0, "turn", "remove", tower="D") == "HEART_FIRST"


def test_ssa_t6_another_seat_rolls_until_it_is_not_a_six() -> None:
    state = position("7D 2C", "", "2H 3D", "", actions=[3, 3, 0, 3])
    table = Table(state=replace(state, turns=replace(state.turns, out=(False, False, True, False))))
    table.dice.roll(6, 6, 4)
    table.play(0, "7D")
    table.do(0, "chance6", "target", seat=2)
    assert [one["number"] for one in table.told("shares.again")] == [6]
    assert table.public("scene").roll == Roll(Seat(2), 4, 0, 4)
    assert table.refused(2, "chance4", "play", card="3D") == "NO_DIAMOND"
    table.play(2, "2H", "chance4")
    table.do(2, "hearts", "add", tower="B")
    assert table.tower("B") == "L"
    assert table.state.deck[-2:] == ("2H", "7D")  # the card played last is resolved first
    assert table.active == 0
    assert table.actions == (2, 3, 0, 3)
    assert table.state.turns.out[2]


@pytest.mark.parametrize(
    ("card", "rolled", "results"),
    [("QD", 1, [1, 2]), ("KD", 5, [3, 4, 5, 6]), ("AD", 1, [1, 2, 3]), ("9D", 3, [3]), ("10D", 6, [5, 6])],
)
def test_ssa_t7_adjusting_the_roll(card: str, rolled: int, results: list[int]) -> None:
    table = Table(state=position(f"{card} 2C", "3C", "", ""))
    table.dice.roll(rolled)
    table.play(0, card)
    if results == [rolled]:
        assert not table.open("adjust", 0)
        assert table.public("recent").roll.result == rolled
        return
    found = SHARES.choices(table.state, Seat(0))[table.prompt("adjust", 0)]
    (choice,) = found
    assert choice.fields["by"] == OneOf(tuple(one - rolled for one in results))
    for by in (-2, -1, 0, 1, 2):
        refused = table.check(0, "adjust", "adjust", by=by)
        assert (refused is None) == (rolled + by in results)


def test_ssa_t8_two_hands_are_swapped() -> None:
    table = Table(state=position("2D 2C", "3C 4C 5C", "", ""))
    table.dice.roll(2)
    table.play(0, "2D")
    assert table.refused(0, "chance2", "swap", seats=[1, 1]) == "TWO_SEATS"
    table.do(0, "chance2", "swap", seats=[1, 3])
    assert table.hand(1) == ""
    assert table.hand(3) == "3C 4C 5C"
    assert table.told("shares.swapped") == [{"seat": 0, "seats": [1, 3]}]


def test_ssa_t9_two_peeks_in_sequence() -> None:
    table = Table(state=position("JC 2C", "3C 4H", "", "", marks={1: "AB"}))

    def notes_locked() -> bool:
        return SHARES.talk_policy(table.state, Seat(0)).notes_locked

    table.wait(5_000)
    table.play(0, "JC")
    assert not notes_locked()
    table.do(0, "clubs", "spy", seat=1, what="tracker")
    first = table.window("peek")
    assert first.clock == Running(Millis(table.at + 30_000))
    assert table.window("turn").clock == Held(Millis(55_000))
    assert notes_locked()
    assert table.private(0, "peek_content").tracker.marks == ("A", "B")
    table.wait(12_000)
    table.do(0, "peek", "stopPeeking")
    assert not notes_locked()
    assert not table.sees(0, "peek_content")
    table.do(0, "clubs", "spy", seat=1, what="hand")
    assert table.window("peek").id != first.id
    assert table.private(0, "peek_content").cards == ("4H", "3C")
    assert notes_locked()
    assert table.expire().startswith("peek:")
    assert not notes_locked()
    assert table.open("turn", 0)
    assert table.window("turn").clock == Running(Millis(table.at + 55_000))
    assert [one["what"] for one in table.told("peek.began")] == ["tracker", "hand"]


def test_ssa_t10_lowball_aces_tie() -> None:
    table = Table(4, lowball=True)
    table.state = replace(table.state, hands=tuple(map(cards, ["AC", "9H", "AD", "AS"])), deck=())
    table.select(*"ABCD")
    table.bid("AC", "9H", "AD", "AS")
    assert table.active == 2
    assert table.public("bids").cards == ("AC", "9H", "AD", "AS")
    assert table.told("shares.highest") == [{"seat": 2, "card": "AD"}]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["id"])
def test_scoring(vector: dict[str, Any]) -> None:
    """The examples of 1f that need no rounding, played to the end."""
    table = last_turn(vector["holdings"], vector["towers"], companyTie=vector["tie"])
    found, outcome = table.public("reckoning"), table.outcome
    assert [one.prize for one in found.companies] == vector["points"]
    assert [one.claimed for one in found.companies] == vector["claimed"]
    values = [None if one.value is None else Fraction(*one.value) for one in found.companies]
    assert values == [None if one is None else Fraction(one) for one in vector["shareValue"]]
    scores = [Fraction(score, outcome.over) for score in outcome.scores]
    assert scores == [Fraction(one) for one in vector["scoresExact"]]
    assert list(outcome.winners) == vector["winners"]
    assert sum(scores) == sum(one.prize for one in found.companies if one.claimed)


def test_ssa_t13_high_changes_the_winner() -> None:
    table = last_turn(T11["holdings"], [7, 5, 5, 2, 0], companyTie="high")
    assert [one.prize for one in table.public("reckoning").companies] == [1000, 800, 800, 400, 200]
    assert table.outcome.winners == (2,)


@pytest.mark.parametrize(
    ("rounding", "scores", "winners"), [("floor", (827, 828), (2,)), ("nearest", (830, 830), (0, 2))]
)
def test_ssa_t14_rounding_changes_the_winner(
    rounding: str, scores: tuple[int, int], winners: tuple[int, ...]
) -> None:
    table = last_turn(T11["holdings"], [7, 5, 5, 2, 0], rounding=rounding)
    assert table.outcome.over == 1
    assert (table.outcome.scores[0], table.outcome.scores[2]) == scores
    assert table.outcome.winners == winners
    exact = last_turn(T11["holdings"], [7, 5, 5, 2, 0])
    assert exact.outcome.winners == (0,)
    assert round(Fraction(exact.outcome.scores[0], exact.outcome.over)) == 832


def test_ssa_t19_a_trade() -> None:
    state = position("KC 2C", "", "", "", marks={0: "AAAB", 1: "BBBB"}, round=4, openMarket=True)
    table = Table(state=state)
    table.do(0, "turn", "openMarket", card="KC")
    too_much = table.offer(0, 1, "A", "B" * 9)
    assert table.refused(1, too_much, "accept") == "NOT_YOUR_SHARES"
    table.do(1, too_much, "decline")
    good = table.offer(0, 1, "A", "BB")
    table.do(1, good, "accept")
    assert table.holdings(0) == (2, 3, 0, 0, 0)
    assert table.holdings(1) == (1, 2, 0, 0, 0)
    assert table.private(0, "tracker").marks == ("A", "A", "A", "B")  # a trade changes no marks (SSA-32)
    assert table.private(0, "tracker").traded == (-1, 2, 0, 0, 0)


# --- ranking companies ---


def test_ssa_1_floors_or_pips() -> None:
    built = towers("SSSS", "LL", "MMM", "", "S")
    floors = scoring.standings(built, SharesOptions()).companies
    assert [one.size for one in floors] == [4, 2, 3, 0, 1]
    assert [one.place for one in floors] == [1, 3, 2, 5, 4]
    pips = scoring.standings(built, SharesOptions(company_metric="pips")).companies
    assert [one.size for one in pips] == [4, 6, 6, 0, 1]
    assert [(one.place, one.tied) for one in pips] == [(3, 1), (1, 2), (1, 2), (5, 1), (4, 1)]


@pytest.mark.parametrize(
    ("tie", "prizes"),
    [
        ("average", [800, 800, 800, 300, 300]),
        ("high", [1000, 1000, 1000, 400, 400]),
        ("low", [600, 600, 600, 200, 200]),
    ],
)
def test_ssa_2_ties(tie: Any, prizes: list[int]) -> None:
    found = scoring.standings(towers("S", "S", "S"), SharesOptions(company_tie=tie))
    assert [one.prize for one in found.companies] == prizes


def test_ssa_5_an_unclaimed_prize_is_lost() -> None:
    holdings = [[5, 0, 0, 0, 10]] * 3
    table = last_turn(holdings, [0, 9, 8, 7, 6])
    found = table.public("reckoning")
    assert [one.value for one in found.companies][1:4] == [None, None, None]
    assert [one.prize for one in found.companies] == [200, 1000, 800, 600, 400]  # no company moves up
    assert sum(table.outcome.scores) == 600 * table.outcome.over


def test_everything_is_public_at_the_end() -> None:
    """GEN-9: the state holds no secrets after the end."""
    table = last_turn(T11["holdings"], T11["towers"])
    seats = table.public("reckoning").seats
    assert [list(one.tracker.holdings) for one in seats] == T11["holdings"]
    assert seats[0].hand == ("2C",)
    assert sum(seats[0].points) == seats[0].score == table.outcome.scores[0]
    assert table.public("players").cards == (1, 0, 0, 0)
    assert SHARES.private(table.state, Seat(0)) == {}
    assert table.told("shares.won") == [{"seats": [0]}]


# --- seats, rounds, and public views ---


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_ssa_37_other_numbers_of_seats_are_unofficial(seats: int) -> None:
    table = Table(seats)
    assert table.public("stage").official == (seats == 4)
    assert table.public("piles").deck == 52 - 5 * seats
    assert SHARES.refuse_options(seats, SharesOptions()) is None


def test_short_games_are_unofficial() -> None:
    table = Table(4, rounds="5")
    assert not table.public("stage").official
    assert table.public("stage").rounds == 5
    for seats in (2, 7):
        assert SHARES.refuse_options(seats, SharesOptions()) is not None


def test_preview_of_a_floor_shows_the_prizes_after_it() -> None:
    table = Table(state=position("2H 2S 2C", "", "", "", built=["L", "L"]))
    table.play(0, "2H")
    preview = SHARES.preview(
        table.state, Seat(0), msgspec.convert({"move": "add", "tower": "A"}, SHARES.Move)
    )
    assert isinstance(preview, Section)
    assert isinstance(preview.data, Preview)
    assert preview.data.towers is not None
    assert [one.prize for one in preview.data.towers.companies] == [1000, 800, 400, 400, 400]
    table.do(0, "hearts", "add", tower="A")
    assert table.public("towers") == preview.data.towers


def test_everybody_sees_the_seats_and_the_kind_of_a_peek() -> None:
    table = Table(state=position("2C 9C", "3C", "4C", ""))
    table.play(0, "2C")
    assert table.refused(0, "clubs", "spy", seat=0, what="hand") == "NOT_YOURSELF"
    table.do(0, "clubs", "spy", seat=3, what="hand")
    peek = table.public("peek")
    assert (peek.seat, peek.other, peek.what) == (0, 3, "hand")
    assert table.private(0, "peek_content").cards == ()  # SSA-28
    assert not table.sees(3, "peek_content")
    table.do(0, "peek", "stopPeeking")
    assert "peek" not in SHARES.public(table.state)


# --- the floor that would have changed who won ---


def find_decisive_floor(built: tuple[str, ...], *held: str, **options: Any) -> tuple[Any, ...]:
    """Each seat's shares, as "AAB"."""
    taken = msgspec.convert(options, SharesOptions)
    trackers = tuple(scoring.tracker(tuple(marks), (0,) * 5) for marks in held)  # type: ignore[arg-type]
    result = scoring.reckoning(towers(*built), trackers, ((),) * len(held), taken)
    return msgspec.structs.astuple(scoring.find_decisive_floor(towers(*built), result, taken))


def test_the_decisive_floor_preferably_makes_another_seat_the_only_winner() -> None:
    """Level towers are level in prizes, so a floor more makes seats level before it makes one of them win."""
    assert find_decisive_floor(("LLLL", "L"), "A", "B", "C") == (None, 0, ())
    assert find_decisive_floor(("LLL", "LL"), "A", "B", "C") == ("A", -1, (0, 1))
    assert find_decisive_floor(("LL", "LL", "L"), "AC", "BD", "EE") == ("C", -1, (0, 1))
    assert find_decisive_floor(("LL", "LL"), "A", "B", "C") == ("A", -1, (1,))
    assert find_decisive_floor(("LL", "LL"), "A", "B", "C", companyTie="high") == ("A", -1, (1,))


def test_a_floor_that_cannot_be_added_decides_nothing() -> None:
    """All sixty floors are built: only one floor fewer could change anything."""
    full = ("L" * 20, "M" * 20, "S" * 20)
    assert find_decisive_floor(full, "A", "B", "C") == ("A", -1, (1, 2))
    assert find_decisive_floor(full, "AB", "C", "CC") == (None, 0, ())


# --- the contract ---


def test_a_resampled_state_is_possible() -> None:
    """In a resampled state every card and share exists once, and no holding is negative."""
    options = SharesOptions(open_market=True, lowball=True, talk="wholeTruth", rounds="5")
    for seed in range(6):
        for moment in random_play.play(SHARES, 4, options, b"%d" % seed, random_play.STYLES[0], 60):
            state = moment.state
            for viewer in (None, *map(Seat, range(4))):
                other = SHARES.resample(state, viewer, Dice(b"again %d" % seed))
                whole(other)
                if viewer is not None:
                    assert SHARES.private(other, viewer) == SHARES.private(state, viewer)


def whole(state: SharesState) -> None:
    """Checks that every card and share is in exactly one place."""
    if state.reckoning is not None:
        return
    held = [card for pile in (*state.hands, state.deck, state.discard) for card in pile]
    middle = [one.card for one in state.scene.played]
    assert sorted([*held, *middle]) == sorted(CARDS)
    for seat in range(len(state.hands)):
        own = turn_flow.tracker_of(state, seat)
        assert min(own.holdings) >= 0
        assert len(own.marks) == sum(own.holdings) - sum(own.traded)
    shares = sum(sum(turn_flow.tracker_of(state, seat).traded) for seat in range(len(state.hands)))
    assert shares == 0
