"""The Takeover bot: legal, deterministic, sensible, and stronger with each level (5g)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Bot, Character, Decision, Observation, Seat, TalkPolicy
from games.dice import Dice
from games.kit.characters import find_character, unnamed
from games.kit.offers import Cancel, Decline
from games.takeover.bot import evaluation
from games.takeover.bot.bot import BOT
from games.takeover.bot.observation import read_table
from games.takeover.rules.game import TAKEOVER as GAME
from games.takeover.rules.values import (
    NAMES,
    Accept,
    CashOut,
    Counter,
    Grid,
    Lock,
    Merge,
    Pass,
    Pick,
    PickCoin,
    Preview,
    Propose,
    TakeoverMove,
    TakeoverOptions,
    TakeoverState,
    value_of,
)
from games.takeover.texts import TEXTS
from games.testing import random_play
from games.testing.conformance import list_cases
from tests.games.selfplay import AllKinds, answer_of
from tests.games.takeover.players import (
    JUDGING,
    Eager,
    moves,
    observe,
    offered,
    pairs,
    turns_of,
    whole_table,
    win_share,
)
from tests.games.takeover.table import Table, position

# --- legal ---


def test_5g_all_levels_answer_legally_in_random_positions() -> None:
    """They also never extend a window, call the last minute, or unlock."""
    kinds: set[type] = set()
    for case in list_cases(GAME, 20):
        options = msgspec.convert(case.options, TakeoverOptions)
        for moment, step in enumerate(
            random_play.play(GAME, case.seats, options, case.seed, case.style, 120)
        ):
            for seat in map(Seat, range(case.seats)):
                observation = random_play.observation(GAME, step.state, seat, case.seats)
                decision = BOT.decide(
                    observation, unnamed(BOT.levels[(moment + seat) % 3]), Dice(b"%d" % moment)
                )
                if decision is not None:
                    prompt, move = answer_of(decision)
                    assert GAME.check(step.state, seat, prompt, move, step.event.at) is None
                    kinds.add(type(move))
    assert kinds - {Propose, Counter} == {Pick, PickCoin, Lock, Merge, Pass, CashOut, Accept, Decline, Cancel}


@pytest.mark.parametrize("level", BOT.levels)
def test_the_same_dice_give_the_same_answer(level: str) -> None:
    for step in list(random_play.play(GAME, 4, TakeoverOptions(), b"same", random_play.STYLES[0], 150))[::9]:
        for seat in range(4):
            observation = observe(step.state, seat)
            first = [BOT.decide(observation, unnamed(level), Dice(b"%d" % stream)) for stream in range(3)]
            assert first == [
                BOT.decide(observation, unnamed(level), Dice(b"%d" % stream)) for stream in range(3)
            ]


@pytest.mark.parametrize("level", BOT.levels)
def test_a_seat_without_a_prompt_waits(level: str) -> None:
    table = Table(seats=2)
    turn = table.state.stage.turn
    assert turn is not None
    assert not moves(table.state, level, 1 - turn)
    while table.state.stage.phase == "draft":
        table.expire()
    table.do(0, "flip", "lock")
    assert not moves(table.state, level, 0)
    assert moves(table.state, level, 1)


def test_an_unknown_level_is_an_error() -> None:
    with pytest.raises(KeyError):
        BOT.decide(observe(Table(seats=2).state), unnamed("godlike"), Dice(b""))


def test_it_says_only_what_the_policy_allows() -> None:
    players = AllKinds(GAME, BOT)
    for number in range(4):
        whole_table(["hard", "normal", "easy", "hard"], f"talk {number}", player=players)
    said = {key for key in players.said if key is not None}
    assert said
    assert said <= {*TEXTS.phrases, *TEXTS.remarks}
    observation = observe(nothing_to_gain())
    for quiet in (
        replace(observation, talk_policy=TalkPolicy("closed")),
        replace(observation, may_speak=False),
    ):
        for number in range(40):
            decision = BOT.decide(quiet, find_character("ravi", "hard"), Dice(b"%d" % number))
            assert decision is not None
            assert decision.remark is None


# --- every game ends, and no window runs out ---


class EagerBot(Bot[TakeoverMove]):
    levels = BOT.levels

    def decide(
        self, observation: Observation, character: Character, dice: Any
    ) -> Decision[TakeoverMove] | None:
        return BOT.decide(observation, character, Eager())


OPTIONS: tuple[Mapping[str, Any], ...] = (
    {},
    {"timers": "off"},
    {"trading": "ownTurnOnly", "timers": "off"},
    {"holdings": "open", "tradeLog": "public"},
    {"holdings": "faces", "voluntaryCashOut": True, "exactPay": True},
    {"draftSuits": "shown", "voluntaryCashOut": True, "trading": "off"},
)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 6])
@pytest.mark.parametrize("games", [1, pytest.param(2, marks=pytest.mark.at_length)])
def test_games_of_bots_are_short_and_no_window_runs_out(
    seats: int, options: Mapping[str, Any], games: int
) -> None:
    for number in range(games):
        levels = [BOT.levels[(seat + number) % 3] for seat in range(seats)]
        row = whole_table(levels, f"short {number}", options)
        assert row.end == "outcome"
        assert not row.ran_out
        assert not row.refused
        turns = row.move_counts["merge"] + row.move_counts["pass"]
        assert row.move_counts.get("propose", 0) + row.move_counts.get("counter", 0) <= turns
        assert row.moves < 200


@pytest.mark.parametrize("options", OPTIONS[:3], ids=str)
@pytest.mark.parametrize("seats", [3, 5])
@pytest.mark.parametrize("games", [2, pytest.param(3, marks=pytest.mark.at_length)])
def test_games_end_even_if_every_bot_always_wants_to_trade(
    seats: int, options: Mapping[str, Any], games: int
) -> None:
    proposed = countered = 0
    for number in range(games):
        row = whole_table((["hard", "normal"] * 3)[:seats], f"eager {number}", options, EagerBot())
        assert row.end == "outcome"
        assert not row.refused
        assert row.moves < 250
        proposed += row.move_counts.get("propose", 0)
        countered += row.move_counts.get("counter", 0)
    assert proposed >= 2 * games
    assert countered or options.get("trading") == "ownTurnOnly"


@pytest.mark.parametrize("level", BOT.levels)
def test_a_flood_of_offers_does_not_delay_its_turn(level: str) -> None:
    state = offered(offered(nothing_to_gain(), give="s5", wish="M4"), by=2, give="a5", wish="M4")
    bad = offered(offered(nothing_to_gain(), wish="M4"), by=2, wish="3+")
    assert all(isinstance(move, Pass | Merge) for move in moves(bad, level))
    assert moves(replace(bad, stage=replace(bad.stage, turn=Seat(1))), level) == [Decline()]
    assert moves(state, level) == [Accept(("M4",))]  # it accepts good offers before it plays


# --- the draft and the flips ---


@pytest.mark.parametrize("level", JUDGING)
def test_5g_it_picks_the_highest_value(level: str) -> None:
    table = Table(seats=3)
    turn = table.state.stage.turn
    assert turn is not None
    assert moves(table.state, level, turn) == [Pick(5)]


@pytest.mark.parametrize("level", JUDGING)
def test_5g_with_visible_suits_it_considers_the_neighbours_of_its_tile(level: str) -> None:
    """S5 touches S4 and S3; the other 5s touch no tile of their industry."""
    first = {
        0: "S5",
        1: "S4",
        6: "S3",
        3: "M5",
        2: "S0",
        4: "S1",
        9: "S2",
        5: "A5",
        11: "M0",
        12: "C5",
        13: "M1",
    }
    left = iter(name for name in NAMES if name not in first.values() and name[0] != "C")
    late = iter(name for name in NAMES if name[0] == "C" and name != "C5")
    raw = [[first.get(square) or next(left, None) or next(late)] for square in range(24)]
    assert sorted(name for (name,) in raw) == sorted(NAMES)
    state = Table(seats=3, draftSuits="shown").state
    state = replace(state, grid=msgspec.convert(raw, Grid))
    turn = state.stage.turn
    assert turn is not None
    assert moves(state, level, turn) == [PickCoin("S5")]


def test_tko_5_hard_makes_everything_a_stock_and_normal_keeps_some_cash() -> None:
    table = Table(seats=2)
    while table.state.stage.phase == "draft":
        table.expire()
    coins = tuple(one.name for one in table.state.hands[0])
    assert moves(table.state, "hard") == [Lock(coins)]
    (lock,) = moves(table.state, "normal")
    assert isinstance(lock, Lock)
    assert lock.coins is not None
    assert {value_of(name) for name in coins if name not in lock.coins} <= {0, 4, 5}
    assert len(moves(table.state, "easy")) > 3


# --- mergers ---


def nothing_to_gain() -> TakeoverState:
    """The only merger would cost 3 and gain 1."""
    return position({(0, 0): "C3", (1, 0): "M4"}, "M4 s3", "C3 s5", "a5")


@pytest.mark.parametrize("level", JUDGING)
def test_5g_it_passes_if_no_merger_gains(level: str) -> None:
    assert pairs(nothing_to_gain(), level) == {"pass"}


@pytest.mark.parametrize("level", JUDGING)
def test_5g_it_makes_the_merger_that_gains_most(level: str) -> None:
    stacks = {(0, 0): "M1 C2 A3 S5", (1, 0): "S2", (2, 0): "S1", (1, 1): "M2 S3"}
    assert pairs(position(stacks, "S2", "S5 S1", "S3"), level) == {"S2>S5"}


@pytest.mark.parametrize("level", JUDGING)
def test_5g_it_does_not_cover_its_own_tall_stack_for_an_opponent(level: str) -> None:
    stacks = {(0, 0): "M1 C2 A3 S5", (1, 0): "S2"}
    assert pairs(position(stacks, "S5", "S2", "a1"), level) == {"S5>S2"}


@pytest.mark.parametrize("level", JUDGING)
def test_tko_12_it_pays_the_cheapest_set(level: str) -> None:
    stacks = {(0, 0): "S1 S2 S4 A2 C3", (1, 0): "M4"}
    state = position(stacks, "M4 c5 a3 m2 a1", "C3", "s5")
    assert moves(state, level) == [Merge("M4>C3", ("A3",))]


@pytest.mark.parametrize("level", JUDGING)
def test_tko_16_it_keeps_its_null_for_a_worthwhile_merger(level: str) -> None:
    hands = ("S2 a0", "S5", "c5")
    assert pairs(position({(0, 0): "S2", (4, 0): "S5"}, *hands), level) == {"pass"}
    tall = position({(0, 0): "S2", (4, 0): "M1 M2 M3 M4 S5"}, *hands)
    assert moves(tall, level) == [Merge("S2>S5", (), "A0")]


def test_5g_hard_does_not_build_beside_a_stack_that_can_cover_it() -> None:
    """On S3's square the stack would stand beside S5; on S4's it would stand alone."""
    stacks = {(0, 1): "S5", (1, 1): "S3", (2, 1): "M1 M2 M3 S2", (3, 1): "S4"}
    state = position(stacks, "S2 c5", "S3 S5", "S4")
    assert pairs(state, "normal") == {"S2>S3", "S2>S4"}
    assert pairs(state, "hard") == {"S2>S4"}


@pytest.mark.parametrize("level", JUDGING)
def test_tko_6_it_cashes_out_to_pay_for_a_better_merger(level: str) -> None:
    stacks = {(0, 0): "S1 S2 S4 A2 C3", (1, 0): "M4", (4, 3): "S3"}
    hands = ("M4 S3", "C3", "s5")
    assert moves(position(stacks, *hands), level) == [Pass()]
    table = Table(state=position(stacks, *hands, voluntaryCashOut=True))
    assert moves(table.state, level) == [CashOut(("S3",))]
    table.do(0, "turn", "cashOut", coins=["S3"])
    assert moves(table.state, level) == [Merge("M4>C3", ("S3",))]


def test_5b_the_immediate_effect_of_a_merger_agrees_with_the_rules() -> None:
    tried = 0
    for state in turns_of(b"gain one", b"gain two", b"gain three")[::5]:
        turn = state.stage.turn
        assert turn is not None
        table = read_table(observe(state, turn))
        for merger in evaluation.list_mergers(table, (0.0,) * 24, 0.0):
            section = GAME.preview(state, turn, evaluation.make_move(table, merger))
            assert section is not None
            preview: Any = section.data
            assert isinstance(preview, Preview)
            assert (preview.gain, preview.cost) == (merger.points, merger.cost)
            tried += 1
    assert tried > 300


# --- who holds what ---


@pytest.mark.parametrize("holdings", ["concealed", "faces", "open"])
def test_tko_4_it_uses_what_it_sees_of_other_hands(holdings: str) -> None:
    stacks = {(0, 0): "S5", (1, 0): "S4", (2, 0): "M3", (3, 0): "C2", (4, 0): "A1"}
    state = position(stacks, "S5 m5", "S4 c5", "M3 C2 a4", holdings=holdings)
    table = read_table(observe(state))
    share = dict(zip(NAMES, table.shares, strict=True))
    assert share["S5"] == [0, 0, 0]  # its own
    assert table.totals[0] == 10
    assert all(sum(row) <= 1 and row[0] == 0 for row in table.shares)
    if holdings == "open":
        assert (share["S4"], share["M3"], share["A1"]) == ([0, 1, 0], [0, 0, 1], [0, 0, 0])
        assert table.totals == [10, 9, 9]
    elif holdings == "faces":
        assert (share["S4"], share["M3"], share["A1"]) == ([0, 1, 0], [0, 0, 1], [0, 0, 0])
    else:
        assert share["S4"][1] == share["S4"][2] > 0


def test_tko_1_it_infers_stocks_from_the_picks() -> None:
    table = Table(seats=3)
    while table.state.stage.phase != "play":
        table.expire()
    picked: list[list[int]] = [[], [], []]
    for pick in table.state.draft.picks:
        picked[pick.seat].append(pick.value)
    unlike = 0
    for viewer, one, other in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        view = read_table(observe(table.state, viewer))
        for number, row in enumerate(view.shares):
            if sum(row):
                counts = [picked[seat].count(value_of(NAMES[number])) for seat in (one, other)]
                assert (counts[0] < counts[1]) == (row[one] < row[other])
                unlike += counts[0] < counts[1]
        assert [view.totals[seat] for seat in (one, other)] == [sum(picked[one]), sum(picked[other])]
    assert unlike


# --- stronger with each level: a few tables; docs/BOTS.md has more ---


@pytest.mark.parametrize(
    ("seats", "tables"),
    [(2, 48), *(pytest.param(*case, marks=pytest.mark.at_length) for case in ((2, 100), (3, 72), (4, 96)))],
)
def test_5g_hard_wins_more_than_its_share_among_normal(seats: int, tables: int) -> None:
    assert win_share("hard", "normal", seats, tables).low > 1 / seats


@pytest.mark.parametrize(
    ("seats", "tables"),
    [(2, 4), (4, 4), *(pytest.param(seats, 6, marks=pytest.mark.at_length) for seats in (2, 4, 6))],
)
def test_5g_normal_beats_random_play(seats: int, tables: int) -> None:
    assert win_share("normal", "random", seats, tables).low > 1 / seats


@pytest.mark.parametrize(("one", "others"), [("easy", "random"), ("normal", "easy")])
@pytest.mark.parametrize("tables", [10, pytest.param(12, marks=pytest.mark.at_length)])
def test_5g_every_level_beats_the_one_below(one: str, others: str, tables: int) -> None:
    assert win_share(one, others, 2, tables).low > 1 / 2
