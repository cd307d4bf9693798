"""The simulation: the same plan gives the same bytes, and its figures agree with published ones."""

from __future__ import annotations

import csv
import io
import math
import random
import re
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from games import GAMES
from games.api import (
    Bot,
    Bound,
    Decision,
    Dice,
    Domain,
    Held,
    Millis,
    Observation,
    OneOf,
    PerSeat,
    PromptId,
    Range,
    Registration,
    Running,
    Subset,
    Window,
    WindowId,
)
from games.api import Multiset as BagOf
from games.simulate import estimates, figures, findings, playing, pool, report, table, terminal
from games.simulate import plan as planning
from games.simulate.estimates import Sample
from games.simulate.plan import Plan, Unusable
from games.simulate.playing import Row
from games.testing.positions import moves_of

ALMOST = GAMES["almost"]
MODES = (
    "mode=almost",
    "mode=almost,discussion=none",
    "mode=banbury,banburyRounds=3",
    "mode=banbury,scoring=sumOfEntries,banburyRounds=3",
    "discussion=untilReady,timers=off",
)


def plan_of(
    options: str = "",
    games: int = 12,
    seats: int | None = 4,
    levels: str | None = None,
    compare: str | None = None,
    name: str = "almost",
    bot: str | None = None,
    seed: int = 7,
    limit: int = 5_000,
) -> Plan:
    return planning.plan(
        name,
        bot,
        games=games,
        seats=seats,
        levels=levels,
        options=[options] if options else [],
        compare=compare,
        seed=seed,
        limit=limit,
    )


def played(plan: Plan, entry: Registration = ALMOST) -> tuple[Row, ...]:
    return pool.play_all(plan, entry, 1, lambda count: None).rows


def reported(plan: Plan, entry: Registration = ALMOST) -> figures.Report:
    return figures.report(plan, entry, played(plan, entry))


# --- one game ---


@pytest.mark.parametrize("options", MODES)
def test_games_of_every_mode_reach_an_outcome(options: str) -> None:
    for row in played(plan_of(options, games=6)):
        assert row.end == "outcome"
        assert len(row.scores) == 4
        assert row.refused == 0
        assert row.turns <= row.moves <= row.events
        assert row.forced.items() <= row.move_counts.items()  # after a reveal, every seat can only continue
        assert set(row.move_counts) <= set(moves_of(ALMOST.game))
        assert (row.untimed > 0) == ("off" in options or "untilReady" in options)


def test_a_game_is_reproducible() -> None:
    plan = plan_of()
    once, again = (playing.play(ALMOST, planning.match(plan, 5), 5_000) for _ in range(2))
    assert once == again
    assert once != playing.play(ALMOST, planning.match(plan_of(seed=8), 5), 5_000)


def test_the_minutes_at_full_length_are_those_of_the_timers() -> None:
    """Three rounds of 90 s of talk, 30 s to bid and 8 s of reveal (ALM-5); half of that with fast timers."""
    assert {row.most for row in played(plan_of("", games=4))} == {3 * 128_000}
    assert {row.ran for row in played(plan_of("", games=4))} == {0}
    assert {row.most for row in played(plan_of("timers=fast", games=4))} == {3 * (45_000 + 15_000 + 8_000)}
    assert {row.most for row in played(plan_of("discussion=none,timers=off", games=2))} == {0}


def window(name: str, clock: Running | Held) -> Window:
    return Window(WindowId(name), "x", None, frozenset(), clock, Millis(60))


def test_the_slow_clock() -> None:
    clock = playing._SlowClock()
    at = Millis(0)
    clock.see((window("a", Running(Millis(10))), window("b", Running(Millis(30)))), at)
    clock.see((window("b", Running(Millis(30))),), at)  # a closed early but could have run until 10
    assert clock.elapsed == 10
    clock.see((window("b", Running(Millis(50))),), at)  # b was extended to 50 on this clock
    clock.see((window("b", Held(Millis(45))), window("c", Running(Millis(10)))), Millis(5))
    clock.see((window("b", Running(Millis(50))),), Millis(5))  # c took 5, and b has 45 left
    assert clock.elapsed == 15
    clock.see((), Millis(5))
    assert clock.elapsed == 60
    clock.see((window("d", Running(Millis(20))),), Millis(5))
    clock.see((window("d", Running(Millis(25))),), Millis(15))  # five more
    clock.see((), Millis(15))
    assert clock.elapsed == 80


class Asleep(Bot[Any]):
    """A bot that never moves."""

    levels = ("asleep",)

    def decide(self, observation: Observation, level: str, dice: Dice) -> Decision[Any] | None:
        return None


class Restless(Asleep):
    """A bot that alternates between ready and not ready for ever."""

    def decide(self, observation: Observation, level: str, dice: Dice) -> Decision[Any] | None:
        for prompt in observation.prompts:
            for choice in observation.choices.get(prompt.id, ()):
                if choice.move in ("ready", "unready") and observation.seat == 0:
                    return Decision(prompt.id, msgspec.convert({"move": choice.move}, ALMOST.game.Move))
        return None


class Wrong(Asleep):
    """A bot that answers unknown prompts and bids illegal numbers."""

    def decide(self, observation: Observation, level: str, dice: Dice) -> Decision[Any] | None:
        if observation.seat:
            prompt = next(prompt for prompt in observation.prompts if prompt.kind == "bid")
            return Decision(prompt.id, msgspec.convert({"move": "lock", "number": 99}, ALMOST.game.Move))
        return Decision(PromptId("none"), msgspec.convert({"move": "ready"}, ALMOST.game.Move))


class Faulty(Asleep):
    def decide(self, observation: Observation, level: str, dice: Dice) -> Decision[Any] | None:
        raise KeyError("plan")


@pytest.fixture
def bots(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module that contains the bots of this file."""
    module = type(sys)("simulated_bots")
    for kind in (Asleep, Restless, Wrong, Faulty):
        setattr(module, kind.__name__.upper(), kind())
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module.__name__


def test_windows_run_out_if_no_seat_acts(bots: str) -> None:
    """GEN-7: the game continues; in the third round all seats are away and get only short windows."""
    plan = plan_of(bot=f"{bots}:ASLEEP", games=1)
    (row,) = played(plan, planning.load(plan.game, plan.bot))
    assert (row.end, row.moves, row.turns) == ("outcome", 0, 0)
    assert row.ran_out == {"discuss": 2, "bid": 2, "reveal": 3, "away": 8}
    assert (row.ran, row.most) == (2 * 128_000 + 28_000, 3 * 128_000)
    assert "were forced" not in terminal.text(figures.report(plan, ALMOST, [row]))
    assert "windows ran out per game" in terminal.text(figures.report(plan, ALMOST, [row]))


def test_a_game_gets_stuck_if_nothing_can_happen(bots: str) -> None:
    plan = plan_of("timers=off", bot=f"{bots}:ASLEEP", games=3)
    report_of = reported(plan, planning.load(plan.game, plan.bot))
    assert {row.end for row in report_of.sides[0].rows} == {"stuck"}
    assert report_of.sides[0].figures["stuck"].interval.value == 1
    assert "turns" not in report_of.sides[0].figures
    assert "3 games got stuck" in terminal.text(report_of)
    assert "3 games got stuck" in report.page(report_of, "1")


def test_repeated_positions_are_counted_up_to_the_limit(bots: str) -> None:
    plan = plan_of("timers=off", bot=f"{bots}:RESTLESS", games=1, limit=50)
    (row,) = played(plan, planning.load(plan.game, plan.bot))
    assert (row.end, row.events) == ("limit", 50)
    assert row.move_counts == {"ready": 25, "unready": 25}
    assert row.repeats == 49  # all moves but the first lead back to an earlier position
    assert "abandoned" in terminal.text(figures.report(plan, ALMOST, [row]))


def test_refused_decisions_are_counted_and_the_game_continues(bots: str) -> None:
    plan = plan_of("discussion=none", bot=f"{bots}:WRONG", games=1, limit=50)
    entry = planning.load(plan.game, plan.bot)
    game = playing._Play(entry, planning.match(plan, 0))
    assert not game._turn(50)
    assert game._refused == 4


def test_an_exception_is_reported_with_its_location(bots: str) -> None:
    plan = plan_of(bot=f"{bots}:FAULTY")
    with pytest.raises(playing.Broke, match=r"^Game 0 broke off with KeyError: 'plan' in .*test_simulate"):
        played(plan, planning.load(plan.game, plan.bot))


def test_the_random_bot_plays_any_game() -> None:
    plan = plan_of(bot=planning.RANDOM, games=3)
    rows = played(plan, planning.load(plan.game, plan.bot))
    assert {row.end for row in rows} == {"outcome"}
    assert not any(figures.timing(tag) for row in rows for tag in row.move_counts)


class Observer(Asleep):
    """A bot that records its observations."""

    def __init__(self) -> None:
        self.observations: list[Observation] = []

    def decide(self, observation: Observation, level: str, dice: Dice) -> Decision[Any] | None:
        self.observations.append(observation)
        return None


def test_a_bot_is_asked_again_only_after_its_observation_changed() -> None:
    bot = Observer()
    entry = Registration(ALMOST.game, bot)
    game = playing._Play(entry, planning.match(plan_of(), 0))
    assert not game._turn(99)
    assert not game._turn(99)
    assert sorted(observation.seat for observation in bot.observations) == [0, 1, 2, 3]
    assert all(set(observation.sections) >= {"stage", "mine"} for observation in bot.observations)


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        (Range(3, 3), True),
        (Range(3, 4), False),
        (OneOf((1,)), True),
        (OneOf((1, 2)), False),
        (Subset((1, 2), 2, 2), True),
        (Subset((1, 2), 0, 0), True),
        (Subset((1, 2), 1, 2), False),
        (PerSeat(1, 1), True),
        (PerSeat(1, 2), False),
        (BagOf((1, 2), None, (Bound(None, 2, 2),)), True),
        (BagOf((1, 2), (2, 1), (Bound(None, 0, 0),)), True),
        (BagOf((1, 2), (2, 1), (Bound(None, 2, 3),)), False),
    ],
)
def test_single_recognises_domains_with_one_value(domain: Domain, expected: bool) -> None:
    assert playing.single(domain) == expected


def test_a_move_is_forced_even_if_the_timer_can_be_extended() -> None:
    """GEN-6: continuing is forced even if the wait could be extended; ready is not, as a seat could plan."""
    assert all(row.forced == {"continue": 12} for row in played(plan_of(games=2)))


# --- the plan ---


def test_levels_rotate_so_that_each_has_each_seat_equally_often() -> None:
    plan = plan_of("target=8/10,discussion=none", games=12, levels="hard,normal,easy")
    met: Counter[tuple[int, int, str]] = Counter()
    for number in range(plan.total):
        match = planning.match(plan, number)
        met.update((match.variant, seat, level) for seat, level in enumerate(match.levels))
    assert len(met) == 2 * 4 * 3
    assert set(met.values()) == {2}


def test_game_seeds_depend_on_seed_and_number_and_differ_between_sides() -> None:
    plan = plan_of(games=20, compare="target=8")
    seeds = [planning.match(plan, number).seed for number in range(plan.total)]
    assert len(set(seeds)) == 40
    assert seeds[:20] == [planning.match(plan_of(games=20), number).seed for number in range(20)]
    assert [planning.match(plan, number).side for number in (0, 19, 20, 39)] == [0, 0, 1, 1]


def test_options_are_parsed_as_a_client_sends_them() -> None:
    side = plan_of("discussion=none,target=8/10,whispers=true", games=2).sides[0]
    assert [dict(one.options) for one in side.settings] == [
        {"discussion": "none", "target": 8, "whispers": True},
        {"discussion": "none", "target": 10, "whispers": True},
    ]
    chosen = plan_of("discussion=each,timers=each", games=12).sides[0]
    assert len(chosen.settings) == 12
    assert planning.varied(chosen)["discussion"] == ("timed", "none", "untilReady")


def test_a_comparison_changes_only_what_it_names() -> None:
    plan = plan_of("target=12,discussion=none", compare="target=10,seats=5,levels=hard", levels="hard,normal")
    assert plan.sides[1].seats == 5
    assert plan.sides[1].levels == ("hard",)
    assert plan.sides[1].settings[0].options == {"target": 10, "discussion": "none"}
    assert planning.side_title(plan, 0) == "4 seats, hard/normal, target=12"
    assert planning.side_title(plan, 1) == "5 seats, hard, target=10"


@pytest.mark.parametrize(
    ("options", "compare"),
    [("", None), ("target=8/12", None), ("target=12", "target=10,seats=5,levels=hard")],
)
def test_the_command_line_gives_the_same_plan(options: str, compare: str | None) -> None:
    plan = plan_of(options, compare=compare)
    words = planning.command(plan).split()
    assert words[:3] == ["parley", "simulate", "almost"]
    arguments = dict(zip(words[3::2], words[4::2], strict=True))
    assert plan == planning.plan(
        "almost",
        None,
        games=int(arguments["--games"]),
        seats=int(arguments["--seats"]),
        levels=arguments["--levels"],
        options=[arguments["--options"]] if "--options" in arguments else [],
        compare=arguments.get("--compare"),
        seed=int(arguments["--seed"]),
        limit=int(arguments["--limit"]),
    )


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ({"name": "almst"}, "no game almst: did you mean almost"),
        ({"name": "chess"}, "no game chess: this hub has "),
        ({"name": "json:loads"}, "needs a bot"),
        ({"name": "json:loads", "bot": "random"}, "json:loads is not a game: it has no key, title"),
        ({"name": "json:nothing", "bot": "random"}, "json has no nothing"),
        ({"name": "no_such_module:GAME", "bot": "random"}, "no module no_such_module"),
        ({"name": ":GAME", "bot": "random"}, "is not module:ATTRIBUTE"),
        ({"bot": "json:loads"}, "json:loads is not a bot: it has no levels, decide"),
        ({"seats": 2}, "takes 3 to 10 seats, not 2"),
        ({"levels": "hard,brutal"}, "no level brutal: choose from easy, normal, hard"),
        ({"levels": "hard,"}, "no level without a name"),
        ({"options": "targt=3"}, "no option targt: did you mean target"),
        ({"options": "nothing=3"}, "no option nothing: the options are mode, "),
        ({"options": "target"}, "target is not name=value"),
        ({"options": "target="}, "target= is not name=value"),
        ({"options": "target=101"}, "target must be a whole number from 1 to 100, not 101"),
        ({"options": "mode=chess"}, "mode must be one of almost, banbury, not chess"),
        ({"options": "whispers=perhaps"}, "whispers must be one of false, true, not perhaps"),
        ({"options": "target=100"}, r"refuses target=100 with 4 seats: OUT_OF_REACH \(ALM-10\)"),
        ({"options": "target=8/9/10", "games": 2}, "2 games are too few for 3 combinations"),
        ({"options": "discussion=each,timers=each,whispers=each,mode=each,scoring=each"}, "more than 60"),
        ({"compare": "target=200"}, "target must be"),
        ({"compare": "seats=many"}, "seats must be a whole number"),
        ({"games": 0}, "at least one game"),
        ({"limit": 0}, "at least one game"),
    ],
)
def test_an_unusable_plan_is_reported_in_one_sentence(words: dict[str, Any], fault: str) -> None:
    with pytest.raises(Unusable, match=fault) as error:
        plan_of(**words)
    assert re.fullmatch(r"[^\n]*[.?]", str(error.value))


@pytest.mark.parametrize(
    ("name", "line"), [("ZeroDivisionError", "GAME = 1 / 0"), ("SystemExit", "raise SystemExit(0)")]
)
def test_a_module_that_cannot_be_imported_is_reported(
    name: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = f"broken_by_{name}"
    (tmp_path / f"{module}.py").write_text(f"{line}\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Unusable, match=rf"{module} cannot be imported \({name}"):
        plan_of(name=f"{module}:GAME", bot="random")


# --- many games ---


@pytest.mark.parametrize("options", MODES[:2])
def test_one_worker_and_two_give_the_same_bytes(options: str) -> None:
    plan = plan_of(options, games=20, compare="target=8")
    done: list[int] = []
    one = pool.play_all(plan, ALMOST, 1, done.append)
    two = pool.play_all(plan, ALMOST, 2, done.append)
    assert sum(done) == 80
    assert one == two
    assert not one.stopped
    assert table.text(plan, ALMOST, one.rows) == table.text(plan, ALMOST, two.rows)
    pages = [report.page(figures.report(plan, ALMOST, rows), "1") for rows in (one.rows, two.rows)]
    assert pages[0] == pages[1]


def test_the_order_in_which_games_end_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_of(games=12)
    straight = table.text(plan, ALMOST, played(plan))
    numbers = list(range(12))
    random.Random(3).shuffle(numbers)
    monkeypatch.setattr(pool, "range", lambda total: numbers, raising=False)
    assert table.text(plan, ALMOST, played(plan)) == straight


def test_ctrl_c_keeps_the_finished_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def advance(count: int) -> None:
        done.append(count)
        if len(done) == 3:
            raise KeyboardInterrupt

    for workers in (1, 2):
        done: list[int] = []
        played_games = pool.play_all(plan_of(games=400), ALMOST, workers, advance)
        assert played_games.stopped
        assert 3 <= len(played_games.rows) < 400
        assert [row.number for row in played_games.rows] == sorted({row.number for row in played_games.rows})
        plan = plan_of(games=400)
        assert played_games.rows[0] == playing.play(
            ALMOST, planning.match(plan, played_games.rows[0].number), 5_000
        )


def test_an_exception_in_a_worker_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "faulty_bot.py").write_text(
        "class Bot:\n    levels = ('a',)\n"
        "    def decide(self, observation, level, dice):\n        return 1 // 0\nBOT = Bot()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    plan = plan_of(bot="faulty_bot:BOT", games=4)
    with pytest.raises(
        playing.Broke, match=r"Game \d broke off with ZeroDivisionError.*faulty_bot.py, line 4"
    ):
        pool.play_all(plan, planning.load(plan.game, plan.bot), 2, lambda count: None)


# --- intervals: known answers ---


def test_wilson() -> None:
    """Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3."""
    for successes, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
    ):
        interval = estimates.share(successes, n)
        assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)
    interval = estimates.share(1, 29)
    assert (round(interval.low, 4), round(interval.high, 4)) == (0.0061, 0.1718)
    with pytest.raises(ValueError, match="3 of 2"):
        estimates.share(3, 2)


def test_newcombe() -> None:
    """Newcombe (1998), table II, method 10: 56/70 less 48/80, and 10/10 less 0/10."""
    for one, other, low, high in (
        ((48, 80), (56, 70), 0.0524, 0.3339),
        ((0, 10), (10, 10), 0.6075, 1.0),
        ((0, 10), (0, 10), -0.2775, 0.2775),
    ):
        interval = estimates.difference_of_shares(estimates.share(*one), estimates.share(*other))
        assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_welch() -> None:
    one, other = Sample(100, 5.0, 4.0), Sample(400, 6.0, 9.0)
    interval = estimates.difference_of_means(one, other)
    half = 1.959964 * math.sqrt(4 / 100 + 9 / 400)
    assert interval == pytest.approx((1.0, 1 - half, 1 + half), abs=1e-6)
    assert estimates.sample([1.0, 2.0, 4.0]) == pytest.approx((3, 7 / 3, 7 / 3))
    with pytest.raises(ValueError, match="no values"):
        estimates.sample([])


def test_intervals_contain_the_true_value_about_as_often_as_they_claim() -> None:
    """600 samples of 80 games with occasional shared wins; the seed is fixed."""
    draw = random.Random(11)
    covered = 0
    for _ in range(600):
        wins = sum(draw.choice((0, 0, 0, 1, 0.5)) for _ in range(80))
        interval = estimates.share(wins, 80)
        covered += interval.low <= 0.3 <= interval.high
    assert 0.95 <= covered / 600 <= 1  # shared wins vary less, so slightly more often


def test_quantiles_and_explained_variance() -> None:
    assert [estimates.quantile((1, 2, 3, 10), q) for q in (0, 0.25, 0.5, 1)] == [1, 1.75, 2.5, 10]
    assert estimates.explained([[1, 1, 1], [2, 2, 2]]) == pytest.approx(1)
    assert estimates.explained([[1, 2, 3], [1, 2, 3]]) == 0
    assert estimates.explained([[1, 2, 3], []]) == 0
    assert estimates.explained([[1, 1], [1, 1]]) == 0
    # F = 3 of 1 and 4 degrees of freedom: eta squared 3/7, epsilon squared 1 - 4/7 * 5/4
    assert estimates.explained([[1, 2, 3], [math.sqrt(2) + x for x in (1, 2, 3)]]) == pytest.approx(2 / 7)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 3, 5], (0, 1, 6, True)),
        ([7], (7, 1, 1, True)),
        ([0, 100], (0, 5, 21, False)),
        ([0.5, 0.5], (0.5, 1, 1, False)),
        ([-4, 2], (-4, 1, 7, True)),
    ],
)
def test_bins_have_round_widths(values: list[float], expected: tuple[float, float, int, bool]) -> None:
    bins = estimates.bins(values)
    if values != [0.5, 0.5]:
        assert tuple(bins) == expected
    assert sum(bins.fill(values)) == len(values)
    assert bins.size <= 28


@pytest.mark.parametrize("seed", range(40))
def test_bins_contain_every_value(seed: int) -> None:
    draw = random.Random(seed)
    values = [draw.uniform(-1, 1) * 10 ** draw.randint(-3, 6) for _ in range(draw.randint(1, 60))]
    bins = estimates.bins(values)
    assert 1 <= bins.size <= 28
    assert sum(bins.fill(values)) == len(values)
    assert bins.low <= min(values) + 1e-6
    assert max(values) <= bins.low + bins.width * bins.size + 1e-6


# --- figures ---


def row(number: int = 0, **fields: Any) -> Row:
    usual: dict[str, Any] = {
        "number": number,
        "side": 0,
        "variant": 0,
        "levels": ("hard", "normal", "hard", "normal"),
        "end": "outcome",
        "winners": (0,),
        "scores": (4.0, 1.0, 0.0, 0.0),
        "turns": 6,
        "ran": 0,
        "most": 60_000,
        "repeats": 0,
        "refused": 0,
        "untimed": 0,
        "move_counts": {"lock": 8, "continue": 2},
        "forced": {"continue": 2},
        "ran_out": {},
        "values": {"lock.number": {1: 6, 10: 2}},
    }
    return Row(**{**usual, **fields})


def test_shared_wins_are_split_by_seat_and_by_level() -> None:
    rows = [
        row(0),
        row(1, winners=(0, 1)),
        row(2, winners=()),
        row(3, levels=("normal", "hard", "normal", "hard"), winners=(1, 2, 3)),
        row(4, end="limit", winners=(), scores=()),
    ]
    side = figures.report(plan_of(levels="hard,normal"), ALMOST, rows).sides[0]
    value = {key: one.interval.value for key, one in side.figures.items()}
    assert [value[f"seat:{seat}"] for seat in range(4)] == pytest.approx(
        [1.5 / 4, (0.5 + 1 / 3) / 4, 1 / 12, 1 / 12]
    )
    assert value["level:hard"] == pytest.approx((1 + 0.5 + 2 / 3) / 8)
    assert value["level:normal"] == pytest.approx((0.5 + 1 / 3) / 8)
    assert side.even == 3 / 16
    assert sum(value[f"seat:{seat}"] for seat in range(4)) == pytest.approx(4 * side.even)
    assert (value["nobody"], value["tied"], value["limit"]) == (0.25, 0.5, 0.2)
    assert value["margin"] == 3
    assert value["forced"] == pytest.approx(0.2)
    assert side.figures["turns"].sample.n == 4


def test_options_are_reported_by_their_values() -> None:
    plan = plan_of("target=8/10,discussion=none", games=20)
    (effect,) = reported(plan).sides[0].effects
    assert (effect.option, effect.values, effect.games) == ("target", (8, 10), (10, 10))
    assert len(effect.figures) == len(effect.explained) == len(figures.BY_OPTION)
    assert effect.explained[0] == 0  # every game has six turns


def test_an_option_that_matters_is_named() -> None:
    summary = reported(plan_of("discussion=timed/none", games=20))
    texts = [one.text for one in findings.findings(summary)]
    assert any("discussion matters most for “minutes" in text and "(100%" in text for text in texts)


def test_only_a_clear_difference_is_reported() -> None:
    clear = reported(plan_of("discussion=none", games=20, compare="discussion=timed"))
    assert {one.a.key: one.clear for one in clear.differences}["minutes"]
    assert any("From A to B, minutes" in one.text for one in findings.findings(clear))
    same = reported(plan_of("discussion=none", games=20, compare="discussion=none"))
    assert not {one.a.key: one.clear for one in same.differences}["turns"]
    assert {one.a.key for one in same.differences} >= {"seat:0", "level:hard", "move:lock", "score"}
    assert planning.side_title(same.plan, 0) == "the same"


def test_a_seat_with_an_edge_is_named() -> None:
    rows = [row(number, winners=(number % 10 // 4,)) for number in range(400)]
    texts = [
        one.text for one in findings.findings(figures.report(plan_of(levels="hard,normal"), ALMOST, rows))
    ]
    assert "Seat 0 wins 40.0% of its games, more than the even 25.0%." in texts
    assert "Seat 3 wins 0.0% of its games, less than the even 25.0%." in texts
    assert not any(text.startswith("No seat") for text in texts)


def test_the_values_in_moves_are_counted() -> None:
    counted = figures.count_values(
        [row(), row(values={"lock.number": {1: 1, 3: 1}, "agree.x": {"b": 1, "a": 2}})]
    )
    assert [(one.field, dict(one.counts)) for one in counted] == [
        ("agree.x", {"a": 2, "b": 1}),
        ("lock.number", {1: 7, 3: 1, 10: 2}),
    ]
    assert list(counted[1].counts) == [1, 3, 10]


def test_figures_are_formatted_for_people() -> None:
    assert figures.format_value("share", 0.1234) == "12.3%"
    assert figures.format_value("share", -0.1234, sign=True) == "−12.3 pp"
    assert figures.format_value("number", 12345.6) == "12,346"
    assert figures.format_value("number", 1.234, sign=True) == "+1.23"
    assert figures.format_interval("share", 0.1, 0.2) == "10.0 to 20.0%"


# --- output ---


def test_the_csv_describes_every_game() -> None:
    plan = plan_of("target=8/10", games=6)
    rows = played(plan)
    text = table.text(plan, ALMOST, rows)
    assert "\r" not in text
    read = list(csv.DictReader(io.StringIO(text)))
    assert [int(line["number"]) for line in read] == list(range(6))
    assert {line["option_target"] for line in read} == {"8", "10"}
    for line, game in zip(read, rows, strict=True):
        assert None not in line
        assert [int(seat) for seat in line["winners"].split()] == list(game.winners)
        assert int(line["move_lock"]) == game.move_counts["lock"]
        assert line["levels"].split() == list(game.levels)
        assert line["seed"] == planning.game_seed(7, game.number).hex()


def test_every_column_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "SIMULATE.md").read_text()
    documented = set(re.findall(r"^\| `(\w+)` \|", text, flags=re.M))
    assert set(table.FIXED) <= documented


def test_the_page_has_a_style_for_every_tone() -> None:
    tones = get_args(get_type_hints(findings.Finding)["tone"])
    assert set(report.SIGNS) == set(terminal.MARKS) == set(tones)
    assert all(f".{tone} .sign" in report.STYLE.read_text() for tone in tones)


class Page(HTMLParser):
    """A parser that checks that tags are closed and collects what the page would fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.fetched: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.fetched += [name for name, _ in attrs if name in ("src", "href", "srcset", "data", "action")]
        for _, value in attrs:
            assert "nan" not in (value or "").lower().split()
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize(
    ("options", "compare"),
    [
        ("", None),
        ("target=8/10,discussion=each", None),
        ("target=12", "target=10"),
        ("", "seats=6,levels=hard"),
    ],
)
def test_the_page_is_one_file_that_fetches_nothing(options: str, compare: str | None) -> None:
    plan = plan_of(options, games=24, compare=compare)
    text = report.page(reported(plan), "1.2.3")
    page = Page(text)
    assert page.fetched == []
    assert page.tags["script"] == page.tags["link"] == page.tags["img"] == 0
    assert "url(" not in text
    assert "@import" not in text
    assert page.tags["svg"] > 8
    assert planning.command(plan) in text
    assert "prefers-color-scheme: dark" in text
    assert "1.2.3" in text


def test_the_page_escapes_foreign_text() -> None:
    plan = plan_of(games=2)
    rows = [row(values={"lock.number": {"<b>": 1, "&": 2}})]
    text = report.page(figures.report(plan, ALMOST, rows), "<1>")
    assert "<b>:" not in text
    assert "&lt;b&gt;" in text
    assert "&lt;1&gt;" in text


def test_one_game_is_enough_for_a_page() -> None:
    for only in (
        [row()],
        [row(end="stuck", winners=(), scores=())],
        [row(winners=(), move_counts={}, forced={})],
    ):
        summary = figures.report(plan_of(levels="hard,normal"), ALMOST, only)
        Page(report.page(summary, "1"))
        assert "What stands out" in terminal.text(summary)


def test_a_comparison_that_was_stopped_early_has_one_side() -> None:
    summary = figures.report(plan_of(levels="hard", compare="target=8"), ALMOST, [row()])
    assert len(summary.sides) == 1
    assert "of the 24 requested" in report.page(summary, "1")
    assert "What stands out" in terminal.text(summary)


def test_the_text_fits_a_terminal() -> None:
    for compare in (None, "target=8"):
        text = terminal.text(reported(plan_of("target=10/12", games=12, compare=compare)))
        lines = [line for line in text.splitlines() if not re.match(r"  [·→!] ", line)]
        assert max(map(len, lines)) <= 104
