"""So Long Sucker: every example by its id, the deal, and the next mover."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from games.api import Millis, Outcome, Seat
from games.dice import Dice
from games.sucker.rules import endings, piles
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import BASE, KINDS, SuckerOptions
from games.sucker.rules.views import Forecast
from games.testing import random_play
from tests.games.sucker.table import LETTERS, B, G, R, Table, Y, forced_on_b, rescue, set_up

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["sucker"]
ALL = (True, True, True, True)


# --- 2f: examples ---


def test_sls_t1_the_move_goes_to_a_missing_colour() -> None:
    table = set_up("6R", "7B", "7G", "7Y", piles=["R"], mover=B, trail="R")
    table.place(B, "B", 0)
    assert table.phase_and_mover == ("choose", B)
    assert table.state.stage.next == (G, Y)
    assert table.refused(B, "choose", "giveMove", to=R) == "NOT_NEXT"
    assert table.refused(B, "choose", "giveMove", to=B) == "NOT_NEXT"
    assert table.refused(B, "choose", "place", colour=B) == "GIVE_FIRST"
    table.give(B, Y)
    assert table.phase_and_mover == ("turn", Y)
    assert table.trail == "RBY"


def test_sls_t2_a_full_pile_forces_its_lowest_top_and_awards_a_card() -> None:
    table = set_up("6R", "6B", "6G", "7Y", piles=["RBG"], mover=Y, trail="RBG", deck=["return"])
    table.place(Y, "Y", 0)
    assert table.phase_and_mover == ("turn", R)
    assert table.trail == "RBGYR"
    assert table.told("tookCard") == [{"seat": Y, "other": R}]
    assert table.told("cardKind") == table.told("cardKind", B) == table.told("cardKind", G) == []
    assert (
        table.told("cardKind", Y) == table.told("cardKind", R) == [{"seat": Y, "other": R, "kind": "return"}]
    )
    cards = table.public("cards")
    assert cards.left == 5
    (card,) = cards.cards
    assert (card.owner, card.token, card.status, card.kind) == (Y, R, "held", None)
    assert [[known.kind for known in table.own_section(seat).kinds] for seat in range(4)] == [
        ["return"],
        [],
        [],
        ["return"],
    ]


def test_sls_t3_the_highest_chip_of_each_colour_counts_not_the_bottom_one() -> None:
    table = set_up("6R", "6B", "6G", "6Y", piles=["RBGY"], mover=R, trail="Y")
    table.place(R, "R", 0)
    assert table.phase_and_mover == ("turn", B)
    view = table.public("piles").piles[0]
    assert view.tops == (4, 1, 2, 3)
    assert view.decides == 1


def test_sls_t4_a_colour_captures_no_matter_which_seat_placed_it() -> None:
    table = set_up("5R 2B", "4B", "7G", "7Y", piles=["RGB"], mover=R, trail="B")
    table.place(R, "B", 0)
    assert table.phase_and_mover == ("kill", B)
    assert table.refused(B, "kill", "kill", colour=Y) == "NOT_IN_PILE"
    table.kill(B, "R")
    assert table.hand(B) == "6B 1G"
    assert table.dead == "1R"
    assert table.piles == []
    assert table.phase_and_mover == ("turn", B)
    assert table.trail == "BRB"


def test_sls_t5_a_prisoner_lets_the_placer_keep_the_move() -> None:
    table = set_up("5R 1Y", "7B", "7G", "6Y")
    table.place(R, "Y")
    assert table.state.stage.next == (R, B, G)
    table.give(R, R)
    assert table.phase_and_mover == ("turn", R)
    assert table.trail == "RR"
    assert table.told("kept") == [{"seat": R}]


def test_sls_t6_dead_colours_decide_nothing() -> None:
    table = set_up("6R", "6B", "7G", "", piles=["YRB"], mover=G, trail="RB", out="Y")
    table.place(G, "G", 0)
    assert table.phase_and_mover == ("turn", R)
    assert table.told("tookCard") == [{"seat": G, "other": R}]


def test_sls_t7_a_dead_colour_kills_the_pile_and_the_mover_moves_again() -> None:
    table = set_up("3R 1Y", "7B", "7G", "", piles=["BGY"], mover=R, trail="GR", out="Y")
    table.place(R, "Y", 0)
    assert table.dead == "1B 1G 2Y"
    assert table.piles == []
    assert table.phase_and_mover == ("turn", R)
    assert table.hand(R) == "3R"
    assert table.trail == "GRR"


def test_sls_t8_without_prisoners_a_seat_without_chips_falls_at_once() -> None:
    table = set_up("2R", "", "3G", "3Y", piles=["Y"], mover=R, trail="G")
    table.place(R, "R", 0)
    table.give(R, B)
    assert table.phase_and_mover == ("turn", R)
    assert table.state.stage.out == (B,)
    assert table.trail == "GR"
    assert table.told("needy") == []
    assert table.told("fell") == [{"seat": B}]
    assert table.told("back") == [{"seat": R}]


def test_sls_t11_a_seat_rescued_by_a_transfer_must_place() -> None:
    table = rescue()
    assert table.phase_and_mover == ("rescue", B)
    table.transfer(G, 1, "B", B)
    assert table.phase_and_mover == ("turn", B)
    assert table.state.stage.alive == ALL
    assert table.told("rescued") == [{"seat": B}]
    assert table.told("tookCard") == []  # the move was given by choice
    assert table.state.stage.bound


def test_sls_t11_the_card_for_a_forced_move_comes_after_the_rescue() -> None:
    table = forced_on_b()
    assert table.phase_and_mover == ("rescue", B)
    assert table.told("tookCard") == []
    assert table.public("rescue").award == R
    table.save(G, 1, "B")
    assert table.told("tookCard") == [{"seat": R, "other": B}]
    assert table.told("cardKind", B) == [{"seat": R, "other": B, "kind": "tribute"}]
    assert table.phase_and_mover == ("turn", B)


def test_sls_t12_a_capture_card_captures_for_its_owner() -> None:
    about: Any = {"piles": ["GYB"], "mover": R, "trail": "B", "cards": [(R, B, "capture")]}
    table = set_up("2R 1B", "4B", "5G", "5Y", **about)
    table.place(R, "B", 0, card=0)
    assert table.phase_and_mover == ("kill", R)
    table.kill(R, "B")
    assert table.hand(R) == "2R 1B 1G 1Y"
    assert table.dead == "1B"
    assert table.phase_and_mover == ("turn", R)
    assert table.trail == "BRR"
    (card,) = table.public("cards").cards
    assert (card.status, card.kind) == ("played", "capture")
    without = set_up("2R 1B", "4B", "5G", "5Y", **about)
    without.place(R, "B", 0)
    assert without.phase_and_mover == ("kill", B)


def test_sls_t13_a_return_card() -> None:
    table = set_up("3R 2B", "1B", "2G 1B", "4Y", cards=[(R, B, "return")])
    table.play(R, 0)
    assert table.hand(B) == "3B"
    assert table.dead == "1B"
    assert (table.hand(R), table.hand(G)) == ("3R", "2G")
    assert table.phase_and_mover == ("turn", R)
    assert table.told("returned") == [{"seat": R, "other": B, "count": 3}]


def test_sls_t14_a_tribute_card() -> None:
    table = set_up("3R", "2B 3G 1Y", "2G", "4Y", cards=[(R, B, "tribute")])
    table.play(R, 0, "G")
    assert table.hand(R) == "3R 3G"
    assert table.hand(B) == "2B 1Y"
    assert table.phase_and_mover == ("turn", R)


def test_sls_t15_a_tribute_card_saves_its_owner() -> None:
    table = set_up("", "2B 2Y", "4G", "4Y", piles=["B"], mover=G, cards=[(R, B, "tribute")])
    table.place(G, "G")
    table.give(G, R)
    assert table.phase_and_mover == ("rescue", R)
    table.play(R, 0, "Y", kind="rescue")
    assert table.hand(R) == "2Y"
    assert table.phase_and_mover == ("turn", R)
    assert table.state.stage.alive == ALL
    assert table.state.stage.bound


def test_sls_t17_no_card_is_taken_if_the_forced_seat_falls() -> None:
    table = forced_on_b()
    table.refuse(G)
    assert table.state.stage.out == (B,)
    assert table.told("tookCard") == []
    assert table.phase_and_mover == ("turn", R)
    assert table.public("cards").left == 6


def test_sls_t18_a_survivor_without_chips_loses_to_the_last_seat_out() -> None:
    table = set_up("1R", "", "", "", piles=["BG"], mover=R, out="GY", rows=["BGY", "GYR", "RBY", "RBG"])
    table.place(R, "R", 0)
    assert table.outcome == Outcome((Seat(B),), (0, 1, 0, 0))
    assert table.told("survived") == [{"seat": R}]
    assert table.told("roundLost") == [{"seat": R, "other": B}]
    assert table.told("won") == [{"seats": [B]}]
    assert table.state.hands.chips[R] == (0, 0, 0, 0)
    assert table.told("tookCard") == []  # SLS-33


@pytest.mark.parametrize("row", VECTORS["outcomes"], ids=lambda row: str(row["id"]))
def test_sls_t19_outcomes(row: dict[str, Any]) -> None:
    enemy, ally = row["survivorEnemyIsLastOut"], row["lastOutAllyIsSurvivor"]
    rows = ["BGY" if enemy else "GYB", "GYR" if ally else "RYG", "RBY", "RBG"]
    table = set_up("1R", "", "", "", piles=["BG"], mover=R, out="GY", rows=rows)
    table.place(R, "R", 0)
    named = {"survivor": R, "lastOut": B}
    assert table.outcome.winners == tuple(sorted(named[who] for who in row["winners"]))
    assert bool(table.told("nobodyWon")) == (not row["winners"])


def test_2d_the_chance_of_each_outcome() -> None:
    outcomes = {(0, 0): 0, (0, 1): 0, (1, 0): 0, (1, 1): 0}
    for row in permutations((B, G, Y)):
        for other in permutations((R, G, Y)):
            won = endings.winners((row, other, (), ()), Seat(R), Seat(B))
            key = (int(row[0] == B), int(other[-1] == R))
            expected = {(0, 0): (R,), (0, 1): (R, B), (1, 0): (), (1, 1): (B,)}[key]
            assert won == expected
            outcomes[key] += 1
    assert outcomes == {(0, 0): 16, (0, 1): 8, (1, 0): 8, (1, 1): 4}  # of 36: 4/9, 2/9, 2/9, 1/9


def test_sls_t20_chips_of_the_next_round() -> None:
    """R is the ally of one and the enemy of two, B the ally of two and the enemy of one."""
    rows = ["GYB", "RYG", "RYB", "BGR"]
    table = set_up("1R", "", "", "", piles=["BG"], mover=R, out="GY", rows=rows, rounds=2)
    table.state = replace(table.state, match=replace(table.state.match, chips=(7, 7, 7, 7)))
    table.place(R, "R", 0)
    (over,) = table.public("match").results
    assert over.change == (1, -1, 0, 0)
    for seat in range(4):
        table.do(seat, "continue", "continue")
    assert table.public("match").chips == (8, 6, 7, 7)
    assert [table.hand(seat) for seat in range(4)] == ["8R", "6B", "7G", "7Y"]


# --- set-up ---


@pytest.mark.parametrize("seats", range(4, 7))
def test_2a_setup_deals_chips_cards_and_rows(seats: int) -> None:
    table = Table(seats)
    assert [sum(chips) for chips in table.state.hands.chips] == [BASE[seats]] * seats
    assert all(chips[seat] == BASE[seats] for seat, chips in enumerate(table.state.hands.chips))
    assert table.public("cards").left == 6
    assert sorted(table.state.deck) == sorted(KINDS)
    for seat in range(seats):
        section = table.own_section(seat)
        assert sorted(section.row) == [other for other in range(seats) if other != seat]
        assert (section.enemy, section.ally) == (section.row[0], section.row[-1])
        assert section.enemy != section.ally
    assert table.phase_and_mover == ("turn", table.state.stage.first)


def test_2a_four_to_six_seats_are_allowed() -> None:
    assert list(SUCKER.seats) == [4, 5, 6]
    for seats in (3, 7):
        refused = SUCKER.refuse_options(seats, SuckerOptions())
        assert refused is not None
        assert refused.code == "SEATS"


def test_sls_2_and_3_rows_and_first_players_are_random() -> None:
    firsts, rows = set(), set()
    for number in range(60):
        state = SUCKER.setup(4, SuckerOptions(), Millis(0), Dice(b"%d" % number)).state
        firsts.add(state.stage.first)
        rows.add(state.rows[0])
    assert firsts == {0, 1, 2, 3}
    assert rows == set(permutations((1, 2, 3)))


def test_1964_the_original_game_has_neither_rows_nor_cards() -> None:
    table = Table(4, blindAlly=False, blackmail=False)
    assert "cards" not in SUCKER.public(table.state)
    assert table.own_section(0).row == ()
    assert table.own_section(0).enemy is table.own_section(0).ally is None
    table = set_up("6R", "6B", "6G", "7Y", piles=["RBG"], mover=Y, blackmail=False, blindAlly=False)
    table.place(Y, "Y", 0)
    assert table.phase_and_mover == ("turn", R)
    assert table.told("tookCard") == []
    table = set_up("1R", "", "", "", piles=["BG"], out="GY", blindAlly=False, blackmail=False)
    table.place(R, "R", 0)
    assert table.outcome.winners == (R,)
    assert table.told("loyalty") == []


# --- placing, and the next mover ---


def test_sls_4_a_single_candidate_gets_the_move_at_once() -> None:
    table = set_up("3R", "3B", "3G", "3Y", piles=["BG"])
    table.place(R, "R", 0)
    assert table.phase_and_mover == ("turn", Y)
    assert table.told("only") == [{"seat": R, "other": Y}]
    table = set_up("3R 1Y", "3B", "3G", "3Y", piles=["BG"])
    table.place(R, "Y", 0)
    assert table.phase_and_mover == ("turn", R)  # only R's own colour is missing from the pile
    assert table.told("kept") == [{"seat": R}]


def test_sls_5_the_forced_seat_has_the_lowest_of_the_highest_chips() -> None:
    for chips in set(permutations((R, R, B, B, G, G, Y))):
        highest = {seat: max(place for place, chip in enumerate(chips) if chip == seat) for seat in range(4)}
        assert piles.deciding_seat(chips, ALL) == min(highest, key=lambda seat: highest[seat])
        living = (True, True, True, False)
        assert piles.deciding_seat(chips, living) == min((R, B, G), key=lambda seat: highest[seat])


def test_forecasts_come_true() -> None:
    """Checked for every colour on every pile, and on a new one, in random games."""
    seen = set()
    for seed in range(12):
        for place in random_play.play(
            SUCKER, 4 + seed % 3, SuckerOptions(), b"%d" % seed, random_play.STYLES[0], 120
        ):
            state = place.state
            if state.stage.phase != "turn":
                continue
            mover = state.stage.mover or 0
            view = Table(state=state).public("piles")
            for pile in (None, *view.piles):
                for colour in (one for one, count in enumerate(state.hands.chips[mover]) if count):
                    outlook = (view.fresh if pile is None else pile.outlook)[colour]
                    table = Table(state=state)
                    table.place(mover, LETTERS[colour], None if pile is None else pile.id)
                    seen.add(outlook.what)
                    assert came_true(outlook, table)
    assert seen >= {"capture", "forced", "free"}


def came_true(outlook: Forecast, table: Table) -> bool:
    match outlook.what:
        case "capture":
            return [line["seat"] for line in table.told("captured")] == [*outlook.seats]
        case "dies":
            return len(table.told("pileDied")) == 1
        case "forced":
            return [line["seat"] for line in table.told("forced")] == [*outlook.seats]
        case "free":
            if len(outlook.seats) > 1:
                return table.state.stage.next == outlook.seats
            return len(table.told("only") + table.told("kept")) == 1


def test_phrases_fit_the_moment() -> None:
    """Nobody asks for the turn it has, or to be saved while it has chips."""
    table = Table(seats=4)
    state = table.state
    mover = state.stage.mover
    assert mover is not None
    other = Seat((mover + 1) % 4)

    def phrases(seat: Seat) -> set[str]:
        return {key.rpartition(".")[2] for key in SUCKER.talk_policy(state, seat).phrases}

    assert phrases(other) - phrases(mover) == {"giveMeTheMove", "iReturnTheMove"}
    assert phrases(mover) - phrases(other) == {"iGiveYouTheMove"}
    assert "rescueMe" not in phrases(mover) | phrases(other)
    assert SUCKER.talk_policy(state, None).mode == "closed"
    state = rescue().state
    assert "rescueMe" in phrases(Seat(B))
    assert "iWillRescueYou" in phrases(Seat(G)) - phrases(Seat(B))
