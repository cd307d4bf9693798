"""So Long Sucker: every example by its id, the deal, and who is next."""

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
from tests.games.sucker.table import LETTERS, B, G, R, Table, Y, forced_on_b, rescue, table

VECTORS = json.loads((Path(__file__).parent.parent / "vectors.json").read_text())["sucker"]
ALL = (True, True, True, True)


# --- 2f: examples ---


def test_sls_t1_the_move_goes_to_a_missing_colour() -> None:
    here = table("6R", "7B", "7G", "7Y", piles=["R"], mover=B, trail="R")
    here.place(B, "B", 0)
    assert here.where == ("choose", B)
    assert here.state.stage.next == (G, Y)
    assert here.refused(B, "choose", "giveMove", to=R) == "NOT_NEXT"
    assert here.refused(B, "choose", "giveMove", to=B) == "NOT_NEXT"
    here.give(B, Y)
    assert here.where == ("turn", Y)
    assert here.trail == "RBY"


def test_sls_t2_all_in_the_lowest_top_is_next_and_a_card_is_taken() -> None:
    here = table("6R", "6B", "6G", "7Y", piles=["RBG"], mover=Y, trail="RBG", deck=["return"])
    here.place(Y, "Y", 0)
    assert here.where == ("turn", R)
    assert here.trail == "RBGYR"
    assert here.told("tookCard") == [{"seat": Y, "other": R}]
    assert here.told("cardKind") == here.told("cardKind", B) == here.told("cardKind", G) == []
    assert here.told("cardKind", Y) == here.told("cardKind", R) == [{"seat": Y, "other": R, "kind": "return"}]
    cards = here.public("cards")
    assert cards.left == 5
    (card,) = cards.cards
    assert (card.owner, card.token, card.status, card.kind) == (Y, R, "held", None)
    assert [[known.kind for known in here.mine(seat).kinds] for seat in range(4)] == [
        ["return"],
        [],
        [],
        ["return"],
    ]


def test_sls_t3_the_highest_of_each_colour_not_the_bottom_chip() -> None:
    here = table("6R", "6B", "6G", "6Y", piles=["RBGY"], mover=R, trail="Y")
    here.place(R, "R", 0)
    assert here.where == ("turn", B)
    view = here.public("piles").piles[0]
    assert view.tops == (4, 1, 2, 3)
    assert view.decides == 1


def test_sls_t4_the_colour_captures_whoever_placed_it() -> None:
    here = table("5R 2B", "4B", "7G", "7Y", piles=["RGB"], mover=R, trail="B")
    here.place(R, "B", 0)
    assert here.where == ("kill", B)
    assert here.refused(B, "kill", "kill", colour=Y) == "NOT_IN_PILE"
    here.kill(B, "R")
    assert here.hand(B) == "6B 1G"
    assert here.dead == "1R"
    assert here.piles == []
    assert here.where == ("turn", B)
    assert here.trail == "BRB"


def test_sls_t5_a_prisoner_lets_the_placer_keep_the_move() -> None:
    here = table("5R 1Y", "7B", "7G", "6Y")
    here.place(R, "Y")
    assert here.state.stage.next == (R, B, G)
    here.give(R, R)
    assert here.where == ("turn", R)
    assert here.trail == "RR"
    assert here.told("kept") == [{"seat": R}]


def test_sls_t6_dead_colours_decide_nothing() -> None:
    here = table("6R", "6B", "7G", "", piles=["YRB"], mover=G, trail="RB", out="Y")
    here.place(G, "G", 0)
    assert here.where == ("turn", R)
    assert here.told("tookCard") == [{"seat": G, "other": R}]


def test_sls_t7_a_dead_colour_kills_the_pile_and_the_mover_moves_again() -> None:
    here = table("3R 1Y", "7B", "7G", "", piles=["BGY"], mover=R, trail="GR", out="Y")
    here.place(R, "Y", 0)
    assert here.dead == "1B 1G 2Y"
    assert here.piles == []
    assert here.where == ("turn", R)
    assert here.hand(R) == "3R"
    assert here.trail == "GRR"


def test_sls_t8_without_prisoners_anywhere_the_chipless_falls_at_once() -> None:
    here = table("2R", "", "3G", "3Y", piles=["Y"], mover=R, trail="G")
    here.place(R, "R", 0)
    here.give(R, B)
    assert here.where == ("turn", R)
    assert here.state.stage.out == (B,)
    assert here.trail == "GR"
    assert here.told("needy") == []
    assert here.told("fell") == [{"seat": B}]
    assert here.told("back") == [{"seat": R}]


def test_sls_t11_a_transfer_saves_and_it_must_place() -> None:
    here = rescue()
    assert here.where == ("rescue", B)
    here.transfer(G, 1, "B", B)
    assert here.where == ("turn", B)
    assert here.state.stage.alive == ALL
    assert here.told("rescued") == [{"seat": B}]
    assert here.told("tookCard") == []  # the move was given by choice
    assert here.state.stage.bound


def test_sls_t11_a_forced_move_brings_its_card_after_the_rescue() -> None:
    here = forced_on_b()
    assert here.where == ("rescue", B)
    assert here.told("tookCard") == []
    assert here.public("rescue").award == R
    here.save(G, 1, "B")
    assert here.told("tookCard") == [{"seat": R, "other": B}]
    assert here.told("cardKind", B) == [{"seat": R, "other": B, "kind": "tribute"}]
    assert here.where == ("turn", B)


def test_sls_t12_a_capture_card_captures_for_its_owner() -> None:
    about: Any = {"piles": ["GYB"], "mover": R, "trail": "B", "cards": [(R, B, "capture")]}
    here = table("2R 1B", "4B", "5G", "5Y", **about)
    here.place(R, "B", 0, card=0)
    assert here.where == ("kill", R)
    here.kill(R, "B")
    assert here.hand(R) == "2R 1B 1G 1Y"
    assert here.dead == "1B"
    assert here.where == ("turn", R)
    assert here.trail == "BRR"
    (card,) = here.public("cards").cards
    assert (card.status, card.kind) == ("played", "capture")
    without = table("2R 1B", "4B", "5G", "5Y", **about)
    without.place(R, "B", 0)
    assert without.where == ("kill", B)


def test_sls_t13_a_return_card() -> None:
    here = table("3R 2B", "1B", "2G 1B", "4Y", cards=[(R, B, "return")])
    here.play(R, 0)
    assert here.hand(B) == "3B"
    assert here.dead == "1B"
    assert (here.hand(R), here.hand(G)) == ("3R", "2G")
    assert here.where == ("turn", R)
    assert here.told("returned") == [{"seat": R, "other": B, "count": 3}]


def test_sls_t14_a_tribute_card() -> None:
    here = table("3R", "2B 3G 1Y", "2G", "4Y", cards=[(R, B, "tribute")])
    here.play(R, 0, "G")
    assert here.hand(R) == "3R 3G"
    assert here.hand(B) == "2B 1Y"
    assert here.where == ("turn", R)


def test_sls_t15_a_tribute_card_saves_its_owner() -> None:
    here = table("", "2B 2Y", "4G", "4Y", piles=["B"], mover=G, cards=[(R, B, "tribute")])
    here.place(G, "G")
    here.give(G, R)
    assert here.where == ("rescue", R)
    here.play(R, 0, "Y", kind="rescue")
    assert here.hand(R) == "2Y"
    assert here.where == ("turn", R)
    assert here.state.stage.alive == ALL
    assert here.state.stage.bound


def test_sls_t17_no_card_where_the_forced_one_falls() -> None:
    here = forced_on_b()
    here.refuse(G)
    assert here.state.stage.out == (B,)
    assert here.told("tookCard") == []
    assert here.where == ("turn", R)
    assert here.public("cards").left == 6


def test_sls_t18_a_survivor_without_chips_and_the_last_one_out_wins_alone() -> None:
    here = table("1R", "", "", "", piles=["BG"], mover=R, out="GY", rows=["BGY", "GYR", "RBY", "RBG"])
    here.place(R, "R", 0)
    assert here.outcome == Outcome((Seat(B),), (0, 1, 0, 0))
    assert here.told("survived") == [{"seat": R}]
    assert here.told("roundLost") == [{"seat": R, "other": B}]
    assert here.told("won") == [{"seats": [B]}]
    assert here.state.hands.chips[R] == (0, 0, 0, 0)
    assert here.told("tookCard") == []  # SLS-33


@pytest.mark.parametrize("row", VECTORS["outcomes"], ids=lambda row: str(row["id"]))
def test_sls_t19_outcomes(row: dict[str, Any]) -> None:
    enemy, ally = row["survivorEnemyIsLastOut"], row["lastOutAllyIsSurvivor"]
    rows = ["BGY" if enemy else "GYB", "GYR" if ally else "RYG", "RBY", "RBG"]
    here = table("1R", "", "", "", piles=["BG"], mover=R, out="GY", rows=rows)
    here.place(R, "R", 0)
    named = {"survivor": R, "lastOut": B}
    assert here.outcome.winners == tuple(sorted(named[who] for who in row["winners"]))
    assert bool(here.told("nobodyWon")) == (not row["winners"])


def test_2d_the_chance_of_each_outcome() -> None:
    found = {(0, 0): 0, (0, 1): 0, (1, 0): 0, (1, 1): 0}
    for mine in permutations((B, G, Y)):
        for other in permutations((R, G, Y)):
            won = endings.winners((mine, other, (), ()), Seat(R), Seat(B))
            key = (int(mine[0] == B), int(other[-1] == R))
            expected = {(0, 0): (R,), (0, 1): (R, B), (1, 0): (), (1, 1): (B,)}[key]
            assert won == expected
            found[key] += 1
    assert found == {(0, 0): 16, (0, 1): 8, (1, 0): 8, (1, 1): 4}  # of 36: 4/9, 2/9, 2/9, 1/9


def test_sls_t20_chips_of_the_next_round() -> None:
    """R is the ally of one and the enemy of two, B the ally of two and the enemy of one."""
    rows = ["GYB", "RYG", "RYB", "BGR"]
    here = table("1R", "", "", "", piles=["BG"], mover=R, out="GY", rows=rows, rounds=2)
    here.state = replace(here.state, match=replace(here.state.match, chips=(7, 7, 7, 7)))
    here.place(R, "R", 0)
    (over,) = here.public("match").results
    assert over.change == (1, -1, 0, 0)
    for seat in range(4):
        here.do(seat, "continue", "continue")
    assert here.public("match").chips == (8, 6, 7, 7)
    assert [here.hand(seat) for seat in range(4)] == ["8R", "6B", "7G", "7Y"]


# --- set-up ---


@pytest.mark.parametrize("seats", range(4, 7))
def test_2a_what_is_dealt(seats: int) -> None:
    here = Table(seats)
    assert [sum(own) for own in here.state.hands.chips] == [BASE[seats]] * seats
    assert all(own[seat] == BASE[seats] for seat, own in enumerate(here.state.hands.chips))
    assert here.public("cards").left == 6
    assert sorted(here.state.deck) == sorted(KINDS)
    for seat in range(seats):
        mine = here.mine(seat)
        assert sorted(mine.row) == [other for other in range(seats) if other != seat]
        assert (mine.enemy, mine.ally) == (mine.row[0], mine.row[-1])
        assert mine.enemy != mine.ally
    assert here.where == ("turn", here.state.stage.first)


def test_2a_seats() -> None:
    assert list(SUCKER.seats) == [4, 5, 6]
    for seats in (3, 7):
        refused = SUCKER.refuse_options(seats, SuckerOptions())
        assert refused is not None
        assert refused.code == "SEATS"


def test_sls_2_and_3_rows_and_first_players_are_drawn_anew() -> None:
    firsts, rows = set(), set()
    for number in range(60):
        state = SUCKER.setup(4, SuckerOptions(), Millis(0), Dice(b"%d" % number)).state
        firsts.add(state.stage.first)
        rows.add(state.rows[0])
    assert firsts == {0, 1, 2, 3}
    assert rows == set(permutations((1, 2, 3)))


def test_1964_without_both_additions() -> None:
    here = Table(4, blindAlly=False, blackmail=False)
    assert "cards" not in SUCKER.public(here.state)
    assert here.mine(0).row == ()
    assert here.mine(0).enemy is here.mine(0).ally is None
    here = table("6R", "6B", "6G", "7Y", piles=["RBG"], mover=Y, blackmail=False, blindAlly=False)
    here.place(Y, "Y", 0)
    assert here.where == ("turn", R)
    assert here.told("tookCard") == []
    here = table("1R", "", "", "", piles=["BG"], out="GY", blindAlly=False, blackmail=False)
    here.place(R, "R", 0)
    assert here.outcome.winners == (R,)
    assert here.told("loyalty") == []


# --- placing, and who is next ---


def test_sls_4_a_single_candidate_has_the_move_at_once() -> None:
    here = table("3R", "3B", "3G", "3Y", piles=["BG"])
    here.place(R, "R", 0)
    assert here.where == ("turn", Y)
    assert here.told("only") == [{"seat": R, "other": Y}]
    here = table("3R 1Y", "3B", "3G", "3Y", piles=["BG"])
    here.place(R, "Y", 0)
    assert here.where == ("turn", R)  # only itself is missing
    assert here.told("kept") == [{"seat": R}]


def test_sls_5_forced_agrees_with_looking_for_the_lowest_of_the_highest() -> None:
    for chips in set(permutations((R, R, B, B, G, G, Y))):
        highest = {seat: max(place for place, chip in enumerate(chips) if chip == seat) for seat in range(4)}
        assert piles.forced(chips, ALL) == min(highest, key=lambda seat: highest[seat])
        living = (True, True, True, False)
        assert piles.forced(chips, living) == min((R, B, G), key=lambda seat: highest[seat])


def test_the_forecast_tells_what_then_happens() -> None:
    """Of every colour on every pile, and on a new one, in games played by chance."""
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
                    here = Table(state=state)
                    here.place(mover, LETTERS[colour], None if pile is None else pile.id)
                    seen.add(outlook.what)
                    assert came_true(outlook, here)
    assert seen >= {"capture", "forced", "free"}


def came_true(outlook: Forecast, here: Table) -> bool:
    match outlook.what:
        case "capture":
            return [told["seat"] for told in here.told("captured")] == [*outlook.seats]
        case "dies":
            return len(here.told("pileDied")) == 1
        case "forced":
            return [told["seat"] for told in here.told("forced")] == [*outlook.seats]
        case "free":
            if len(outlook.seats) > 1:
                return here.state.stage.next == outlook.seats
            return len(here.told("only") + here.told("kept")) == 1
