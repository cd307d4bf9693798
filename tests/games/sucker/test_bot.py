"""The bots of So Long Sucker: legal, repeatable, sensible, by views alone, and better level by level (2g)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Millis, Seat, TalkPolicy
from games.dice import Dice
from games.sucker.bot import bot, playouts
from games.sucker.bot.bot import BOT
from games.sucker.bot.endgame import Endgame, TooLarge
from games.sucker.bot.playouts import Player
from games.sucker.bot.policy import Chance, Heart
from games.sucker.bot.search_state import Scene
from games.sucker.rules.game import SUCKER as GAME
from games.sucker.rules.values import (
    GiveMove,
    Kill,
    Place,
    Refuse,
    SuckerOptions,
    SuckerState,
)
from games.sucker.texts import TEXTS
from games.testing import random_play
from games.testing.conformance import conform_bot, list_cases
from tests.games.selfplay import AllKinds
from tests.games.sucker.players import (
    decisions,
    positions,
    scene_of,
    seen,
    whole_table,
    win_share,
)
from tests.games.sucker.positions import POSITIONS, told
from tests.games.sucker.table import B, G, R, Table, Y, position, table

JUDGING = ("normal", "hard")
"""The levels that do nothing careless."""
judging = pytest.mark.parametrize("level", JUDGING)


def does(state: SuckerState, level: str, seat: int = R) -> set[str]:
    """The moves it makes there, in words."""
    return {told(one.move) for one in decisions(state, level, seat)}


# --- legal ---


@pytest.mark.usefixtures("brief_thought")
def test_2g_all_levels_play_whole_games_by_the_rules() -> None:
    conform_bot(GAME, BOT, cases=4)


def test_2g_all_levels_answer_legally_wherever_a_game_may_get() -> None:
    """And never lengthen a window, call the last minute, or take a refusal back."""
    made: set[type] = set()
    for turn, case in enumerate(list_cases(GAME, 12)):
        options = msgspec.convert(case.options, SuckerOptions)
        for moment, here in enumerate(
            random_play.play(GAME, case.seats, options, case.seed, case.style, 100)
        ):
            for seat in map(Seat, range(case.seats)):
                level = "hard" if (moment + seat + turn) % 40 == 0 else BOT.levels[(moment + seat) % 2]
                observation = random_play.observation(GAME, here.state, seat, case.seats)
                decision = BOT.decide(observation, level, Dice(b"%d" % moment))
                if decision is not None:
                    move = decision.move
                    assert GAME.check(here.state, seat, decision.prompt, move, here.event.at) is None
                    made.add(type(move))
    assert made >= {Place, GiveMove, Kill, Refuse}
    assert not {one.__name__ for one in made} & {"Extend", "LastCall", "Relent"}


@pytest.mark.parametrize("level", BOT.levels)
def test_the_same_dice_give_the_same_answer_whatever_it_cannot_see(level: str) -> None:
    """GEN-3: where others have other enemies, allies and cards, it does and says the same."""
    answered = 0
    for number, here in enumerate(list(positions(b"same", 4))[::12]):
        for seat in range(4):
            other = GAME.resample(here.state, Seat(seat), Dice(b"other %d" % number))
            assert other != here.state
            first = decisions(here.state, level, seat, streams=2)
            assert first == decisions(other, level, seat, streams=2)
            answered += len(first)
    assert answered > 8


@pytest.mark.parametrize("level", BOT.levels)
def test_who_is_not_asked_waits(level: str) -> None:
    here = table("2R", "", "3G 1B", "3Y 2R", piles=["Y"], mover=R, trail="G")
    assert not decisions(here.state, level, G)
    here.place(R, "R", 0)
    here.give(R, B)
    here.refuse(G)
    assert not decisions(here.state, level, G)
    assert not decisions(here.state, level, R)
    assert decisions(here.state, level, Y)


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(KeyError):
        BOT.decide(seen(Table(seats=4).state, 0), "godlike", Dice(b""))


def test_it_speaks_now_and_then_and_only_what_may_be_said() -> None:
    players = AllKinds(GAME, BOT)
    for number in range(20):
        whole_table(["easy", "normal", "normal", "easy"], f"talk {number}", player=players)
    phrases = [phrase for phrase in players.said if phrase is not None]
    assert set(phrases) <= set(TEXTS.phrases)
    assert len(set(phrases)) > 4
    assert 0 < len(phrases) < len(players.said) / 6
    here = table("2R", "3B", "", "3Y", piles=["Y"], mover=R, trail="G")
    here.place(R, "R", 0)
    loud = [BOT.decide(seen(here.state, R), "normal", Dice(b"%d" % stream)) for stream in range(40)]
    quiet = [
        BOT.decide(
            replace(seen(here.state, R), talk_policy=TalkPolicy("closed")), "normal", Dice(b"%d" % stream)
        )
        for stream in range(40)
    ]
    assert {one.phrase for one in loud if one} == {None, "sucker.say.soLong"}
    assert {one.phrase for one in quiet if one} == {None}
    assert [one.move for one in loud if one] == [one.move for one in quiet if one]


OPTIONS: tuple[Mapping[str, Any], ...] = (
    {"timers": "off"},
    {"blindAlly": False, "blackmail": False},
    {"rounds": 2, "blackmailFaces": "public", "selfBlackmail": True, "deadCards": "keepCapture"},
)


@pytest.mark.parametrize(("seats", "options"), [*zip((4, 6, 5), OPTIONS, strict=True)], ids=str)
def test_games_of_bots_leave_nobody_waiting(seats: int, options: Mapping[str, Any]) -> None:
    row = whole_table(["hard", *["normal", "easy"] * 3][:seats], f"short {seats}", options)
    assert row.end == "outcome"
    assert not row.ran_out
    assert not row.refused


# --- what it thinks with is what the rules say ---


def alike(scene: Scene, shown: frozenset[int]) -> Scene:
    """Without what a seat cannot tell: the kinds of cards, and how long ago somebody had the move."""
    return scene._replace(
        cards=tuple(card._replace(kind=None) for card in scene.cards),
        stack=(None,) * len(scene.stack),
        way=tuple(seat for seat in scene.way if seat in shown),
    )


def compared(state: SuckerState, seat: Seat, part: int) -> Iterator[str]:
    """The kinds of moves of a seat whose outcome was compared: one of three of its moves."""
    observation = seen(state, seat)
    scene = bot.seen(observation)
    kinds = (state.stage.phase, "prisoners")
    found = [one for kind in kinds for one in bot.options(observation, scene, kind)]
    for option in found[part % 3 :: 3]:
        then = GAME.apply(state, seat, option.prompt, option.move, Millis(0), Dice(b"")).state
        if then.stage.mover is None:
            over = then.match.results[-1]
            assert (option.after.mover, option.after.fallen) == (over.survivor, over.out[-1])
        elif then.timer is not None and then.need and then.stage.mover in then.timer.concerns:
            continue  # it may have a card that this seat does not know
        else:
            shown = frozenset(map(int, {*state.trail[-8:]} & {*then.trail[-8:]}))
            assert alike(option.after, shown) == alike(scene_of(then, seat), shown), option.move
        yield told(option.move).split()[0]


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_2b_what_comes_of_a_move_is_what_the_rules_say(seats: int) -> None:
    tried: set[str] = set()
    for seed in range(3):
        for number, here in enumerate(positions(b"scene %d" % seed, seats)):
            stage, need = here.state.stage, here.state.need
            if need is None and stage.mover is not None:
                tried.update(compared(here.state, stage.mover, number))
    assert tried >= {"place", "give", "kill", "hand", "bury"}


def test_2b_so_it_is_in_a_rescue_and_with_cards() -> None:
    tried = {
        kind
        for here in POSITIONS
        for part in range(3)
        for kind in compared(here.state(part), here.seat(part), part)
    }
    assert tried == {"place", "card", "give", "kill", "rescue", "refuse", "hand", "bury"}


def test_a_position_that_is_not_small_is_left_aside() -> None:
    with pytest.raises(TooLarge):
        Endgame(R, B, G, 50).wins(scene_of(Table(seats=4).state, R))


@pytest.mark.parametrize(
    ("rows", "worth"),
    [((B, B), 0.6), ((B, Y), 1.0), ((G, B), 0.0), ((G, Y), 0.0)],
)
def test_2d_what_an_end_is_worth_to_the_survivor(rows: tuple[int, int], worth: float) -> None:
    """R survives and G falls last: `rows` are the enemy of R and the ally of G, here R itself for B."""
    enemy, ally = rows
    hearts = [Heart(None, None)] * 4
    hearts[R], hearts[G] = Heart(enemy, Y), Heart(Y, R if ally == B else ally)
    start = scene_of(Table(seats=4).state, R)
    end = start._replace(where="over", mover=R, fallen=G)
    assert playouts.worth(end, R, hearts) == worth
    assert playouts.worth(end, G, hearts) == {0.6: 0.6, 1.0: 0.0, 0.0: 1.0 if ally == B else 0.0}[worth]
    assert playouts.worth(end, B, hearts) == 0
    assert playouts.worth(start, R, hearts) == 0


def test_2c_it_takes_nobody_for_the_ally_of_whom_it_refused() -> None:
    here = table("2R", "", "3G 1B", "3Y 2R", piles=["Y"], mover=R, trail="G")
    here.place(R, "R", 0)
    here.give(R, B)
    scene, player = scene_of(here.state, Y), Player(Y, Heart(R, G), True)
    chance = Chance(1)
    before = [playouts.guessed(scene, player, chance) for _ in range(60)]
    here.refuse(G)
    later = [playouts.guessed(scene_of(here.state, Y), player, chance) for _ in range(60)]
    assert {hearts[G].ally for hearts in before} == {R, B, Y}
    assert {hearts[G].ally for hearts in later} == {R, Y}
    assert all(hearts[Y] == player.heart for hearts in before)
    assert all(hearts[seat].enemy not in (seat, hearts[seat].ally) for hearts in before for seat in range(4))


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
    here = Table(state=small("3R", "", "3G", "3Y", piles=["Y"], trail="G"))
    here.place(R, "R", 0)
    assert does(here.state, "normal") == {"give B"}
    here = Table(state=small("3R", "3B", "", "3Y", piles=["Y"], trail="B"))
    here.place(R, "R", 0)
    assert does(here.state, "normal") == {"give B"}


@pytest.mark.parametrize(("needy", "does_it"), [(B, "refuse"), (G, "rescue 1G"), (Y, "refuse")])
def test_2g_it_saves_the_ally_alone(needy: int, does_it: str) -> None:
    hands = ["2R 2B 2G 1Y", "3B", "3G", "3Y"]
    hands[needy] = ""
    here = Table(state=small(*hands, piles=["R"], mover=(giver := Y if needy != Y else B), trail="R"))
    here.place(giver, "RBGY"[giver], 0)
    here.give(giver, needy)
    assert does(here.state, "normal") == {does_it}


def test_2g_it_saves_who_keeps_it_from_being_alone_with_its_enemy() -> None:
    here = Table(state=small("2R 1B", "3B", "", "", piles=["R"], mover=B, trail="R", out="G"))
    here.place(B, "B", 0)
    assert here.where == ("rescue", Y)
    assert does(here.state, "normal") == {"rescue 1B"}


def test_2g_it_kills_a_chip_of_the_strongest_not_of_the_ally() -> None:
    here = Table(state=small("2R", "1B", "6G", "5Y", piles=["BGYR"], trail="B"))
    here.place(R, "R", 0)
    assert does(here.state, "normal") == {"kill Y"}


def test_2g_it_plays_its_cards() -> None:
    capture = small("1R 1Y", "3B", "3G", "3Y", piles=["RGBGBGY"], trail="B", cards=[(R, Y, "capture")])
    assert does(capture, "normal") == {"place Y on 0 by card"}
    tribute = small("1R", "3B", "3G", "1Y 2B 1G", trail="B", cards=[(R, Y, "tribute")])
    assert does(tribute, "normal") == {"card B"}


# --- better level by level: a few tables; docs/BOTS.md has more ---


def test_2g_levels_differ() -> None:
    unlike = 0
    for here in list(positions(b"levels", 4))[::8]:
        seat = here.state.stage.mover
        assert seat is not None
        if decisions(here.state, "hard", seat, 1):
            unlike += does(here.state, "normal", seat) != {
                told(one.move) for one in decisions(here.state, "hard", seat, 1)
            }
    assert unlike > 2


@pytest.mark.parametrize("seats", [4, 5, 6])
def test_2g_normal_beats_chance(seats: int) -> None:
    assert win_share("normal", "random", seats, 18).low > 1 / seats


@pytest.mark.parametrize(("one", "others", "tables"), [("easy", "random", 14), ("normal", "easy", 24)])
def test_2g_levels_beat_those_below(one: str, others: str, tables: int) -> None:
    assert win_share(one, others, 4, tables).low > 1 / 4
