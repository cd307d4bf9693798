"""The So Long Sucker bot: legal, deterministic, sensible, blind to secrets, stronger with each level (2g)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Seat, TalkPolicy
from games.dice import Dice
from games.kit.characters import unnamed
from games.sucker.bot import playouts
from games.sucker.bot.bot import BOT
from games.sucker.bot.endgame import EndgameSolver, SearchLimitError
from games.sucker.bot.playouts import PlayerModel
from games.sucker.bot.policy import Allegiance, FastRandom
from games.sucker.rules.game import SUCKER as GAME
from games.sucker.rules.values import (
    GiveMove,
    Kill,
    Place,
    Refuse,
    SuckerOptions,
    SuckerState,
)
from games.testing import random_play
from games.testing.conformance import list_cases
from tests.games.selfplay import answer_of
from tests.games.sucker.players import (
    decisions,
    observe,
    positions,
    search_state_of,
    whole_table,
    win_share,
)
from tests.games.sucker.positions import describe
from tests.games.sucker.table import B, G, R, Table, Y, position, set_up

JUDGING = ("normal", "hard")
"""The levels that never play at random."""
judging = pytest.mark.parametrize("level", JUDGING)


def does(state: SuckerState, level: str, seat: int = R) -> set[str]:
    """The moves the bot makes in this state, in words."""
    return {describe(one.move) for one in decisions(state, level, seat)}


# --- legal ---


@pytest.mark.parametrize("cases", [6, pytest.param(12, marks=pytest.mark.at_length)])
def test_2g_all_levels_answer_legally_in_random_positions(cases: int) -> None:
    """Nor do they ever extend a window, call the last minute, or take back a refusal."""
    kinds: set[type] = set()
    for turn, case in enumerate(list_cases(GAME, cases)):
        options = msgspec.convert(case.options, SuckerOptions)
        for moment, step in enumerate(
            random_play.play(GAME, case.seats, options, case.seed, case.style, 100)
        ):
            for seat in map(Seat, range(case.seats)):
                level = "hard" if (moment + seat + turn) % 40 == 0 else BOT.levels[(moment + seat) % 2]
                observation = random_play.observation(GAME, step.state, seat, case.seats)
                decision = BOT.decide(observation, unnamed(level), Dice(b"%d" % moment))
                if decision is not None:
                    prompt, move = answer_of(decision)
                    assert GAME.check(step.state, seat, prompt, move, step.event.at) is None
                    kinds.add(type(move))
    assert kinds >= {Place, GiveMove, Kill, Refuse}
    assert not {one.__name__ for one in kinds} & {"Extend", "LastCall", "Relent"}


@pytest.mark.parametrize("level", BOT.levels)
def test_the_same_dice_give_the_same_answer_whatever_is_hidden(level: str) -> None:
    """GEN-3: different enemies, allies and cards of other seats change neither its moves nor its phrases."""
    answered = 0
    for number, step in enumerate(list(positions(b"same", 4))[::12]):
        for seat in range(4):
            other = GAME.resample(step.state, Seat(seat), Dice(b"other %d" % number))
            assert other != step.state
            first = decisions(step.state, level, seat, streams=2)
            assert first == decisions(other, level, seat, streams=2)
            answered += len(first)
    assert answered > 8


@pytest.mark.parametrize("level", BOT.levels)
def test_a_seat_without_a_prompt_waits(level: str) -> None:
    table = set_up("2R", "", "3G 1B", "3Y 2R", piles=["Y"], mover=R, trail="G")
    assert not decisions(table.state, level, G)
    table.place(R, "R", 0)
    table.give(R, B)
    table.refuse(G)
    assert not decisions(table.state, level, G)
    assert not decisions(table.state, level, R)
    assert decisions(table.state, level, Y)


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(KeyError):
        BOT.decide(observe(Table(seats=4).state, 0), unnamed("godlike"), Dice(b""))


def test_it_plays_the_same_where_talk_is_closed() -> None:
    table = set_up("2R", "3B", "", "3Y", piles=["Y"], mover=R, trail="G")
    table.place(R, "R", 0)
    closed = replace(observe(table.state, R), talk_policy=TalkPolicy("closed"))
    silent = replace(observe(table.state, R), may_speak=False)
    for stream in range(40):
        dice = [Dice(b"%d" % stream) for _ in range(3)]
        loud = BOT.decide(observe(table.state, R), unnamed("normal"), dice[0])
        assert loud is not None
        for observation, other in zip((closed, silent), dice[1:], strict=True):
            quiet = BOT.decide(observation, unnamed("normal"), other)
            assert quiet is not None
            assert (quiet.move, quiet.remark, quiet.promise) == (loud.move, None, None)


OPTIONS: tuple[Mapping[str, Any], ...] = (
    {"timers": "off"},
    {"blindAlly": False, "blackmail": False},
    {"rounds": 2, "blackmailFaces": "public", "selfBlackmail": True, "deadCards": "keepCapture"},
)


@pytest.mark.parametrize(("seats", "options"), [*zip((4, 6, 5), OPTIONS, strict=True)], ids=str)
@pytest.mark.usefixtures("brief_thought")
def test_no_window_runs_out_in_games_of_bots(seats: int, options: Mapping[str, Any]) -> None:
    row = whole_table(["hard", *["normal", "easy"] * 3][:seats], f"short {seats}", options)
    assert row.end == "outcome"
    assert not row.ran_out
    assert not row.refused


# --- endgame and playouts ---


def test_the_solver_gives_up_on_a_large_position() -> None:
    with pytest.raises(SearchLimitError):
        EndgameSolver(R, B, G, 50).can_win(search_state_of(Table(seats=4).state, R))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [((B, B), 0.6), ((B, Y), 1.0), ((G, B), 0.0), ((G, Y), 0.0)],
)
def test_2d_the_score_of_an_end(rows: tuple[int, int], expected: float) -> None:
    """R survives and G is out last. `rows`: R's enemy, and G's ally (where B stands for R)."""
    enemy, ally = rows
    allegiances = [Allegiance(None, None)] * 4
    allegiances[R], allegiances[G] = Allegiance(enemy, Y), Allegiance(Y, R if ally == B else ally)
    start = search_state_of(Table(seats=4).state, R)
    end = start._replace(phase="over", mover=R, last_out=G)
    assert playouts.score_end(end, R, allegiances) == expected
    assert (
        playouts.score_end(end, G, allegiances)
        == {0.6: 0.6, 1.0: 0.0, 0.0: 1.0 if ally == B else 0.0}[expected]
    )
    assert playouts.score_end(end, B, allegiances) == 0
    assert playouts.score_end(start, R, allegiances) == 0


def test_2c_no_seat_is_guessed_to_be_the_ally_of_one_it_refused() -> None:
    table = set_up("2R", "", "3G 1B", "3Y 2R", piles=["Y"], mover=R, trail="G")
    table.place(R, "R", 0)
    table.give(R, B)
    state, player = search_state_of(table.state, Y), PlayerModel(Y, Allegiance(R, G), True)
    random = FastRandom(1)
    before = [playouts.guess_allegiances(state, player, random) for _ in range(60)]
    table.refuse(G)
    later = [playouts.guess_allegiances(search_state_of(table.state, Y), player, random) for _ in range(60)]
    assert {allegiances[G].ally for allegiances in before} == {R, B, Y}
    assert {allegiances[G].ally for allegiances in later} == {R, Y}
    assert all(allegiances[Y] == player.allegiance for allegiances in before)
    assert all(
        allegiances[seat].enemy not in (seat, allegiances[seat].ally)
        for allegiances in before
        for seat in range(4)
    )


# --- sensible ---

ROWS = ("BYG", "GYR", "RYB", "RGB")
"""R's enemy is B, its ally G."""


def small(*hands: str, **about: Any) -> SuckerState:
    return position(*hands, rows=ROWS, **about)


@judging
def test_2g_it_takes_its_own_capture(level: str) -> None:
    state = small("3R", "4B", "4G", "4Y", piles=["YBGYBR", "B"], trail="B")
    assert does(state, level) == {"place R on 0"}


def test_2g_it_does_not_feed_others() -> None:
    state = small("2R 1B", "4B", "4G", "4Y", piles=["RGYGYB"], trail="B")
    assert does(state, "normal") == {"place R on 0"}


def test_2g_it_starves_the_enemy_and_not_the_ally() -> None:
    table = Table(state=small("3R", "", "3G", "3Y", piles=["Y"], trail="G"))
    table.place(R, "R", 0)
    assert does(table.state, "normal") == {"give B"}
    table = Table(state=small("3R", "3B", "", "3Y", piles=["Y"], trail="B"))
    table.place(R, "R", 0)
    assert does(table.state, "normal") == {"give B"}


@pytest.mark.parametrize(("needy", "does_it"), [(B, "refuse"), (G, "rescue 1G"), (Y, "refuse")])
def test_2g_it_rescues_only_its_ally(needy: int, does_it: str) -> None:
    hands = ["2R 2B 2G 1Y", "3B", "3G", "3Y"]
    hands[needy] = ""
    table = Table(state=small(*hands, piles=["R"], mover=(giver := Y if needy != Y else B), trail="R"))
    table.place(giver, "RBGY"[giver], 0)
    table.give(giver, needy)
    assert does(table.state, "normal") == {does_it}


def test_2g_it_rescues_a_seat_that_keeps_it_from_being_alone_with_its_enemy() -> None:
    table = Table(state=small("2R 1B", "3B", "", "", piles=["R"], mover=B, trail="R", out="G"))
    table.place(B, "B", 0)
    assert table.phase_and_mover == ("rescue", Y)
    assert does(table.state, "normal") == {"rescue 1B"}


def test_2g_it_kills_a_chip_of_the_strongest_seat_but_not_of_its_ally() -> None:
    table = Table(state=small("2R", "1B", "6G", "5Y", piles=["BGYR"], trail="B"))
    table.place(R, "R", 0)
    assert does(table.state, "normal") == {"kill Y"}


def test_2g_it_plays_its_cards() -> None:
    capture = small("1R 1Y", "3B", "3G", "3Y", piles=["RGBGBGY"], trail="B", cards=[(R, Y, "capture")])
    assert does(capture, "normal") == {"place Y on 0 by card"}
    tribute = small("1R", "3B", "3G", "1Y 2B 1G", trail="B", cards=[(R, Y, "tribute")])
    assert does(tribute, "normal") == {"card B"}


# --- stronger with each level: a few tables; docs/BOTS.md has more ---


def test_2g_levels_differ() -> None:
    different = 0
    for step in list(positions(b"levels", 4))[::8]:
        seat = step.state.stage.mover
        assert seat is not None
        if decisions(step.state, "hard", seat, 1):
            different += does(step.state, "normal", seat) != {
                describe(one.move) for one in decisions(step.state, "hard", seat, 1)
            }
    assert different > 2


AT_LENGTH = [pytest.param(seats, 18, marks=pytest.mark.at_length) for seats in (4, 5, 6)]


@pytest.mark.parametrize(("seats", "tables"), [(4, 12), (5, 10), (6, 6), *AT_LENGTH])
def test_2g_normal_beats_random_play(seats: int, tables: int) -> None:
    assert win_share("normal", "random", seats, tables).low > 1 / seats


@pytest.mark.parametrize(
    ("one", "others", "tables"),
    [
        ("normal", "easy", 14),
        pytest.param("normal", "easy", 20, marks=pytest.mark.at_length),
        pytest.param("easy", "random", 100, marks=pytest.mark.at_length),
    ],
)
def test_2g_levels_beat_those_below(one: str, others: str, tables: int) -> None:
    assert win_share(one, others, 4, tables).low > 1 / 4
