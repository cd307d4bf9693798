"""Playing one simulated game: its end, its clock, and bots that misbehave."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
import pytest

from games.api import (
    Bot,
    Bound,
    Character,
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
from games.simulate import figures, playing, report, terminal
from games.simulate import plan as planning
from games.testing.positions import moves_of
from tests.games.simulate.plans import ALMOST, MODES, plan_of, played, reported


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


def test_the_full_length_of_a_game_follows_from_its_timers() -> None:
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

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Decision[Any] | None:
        return None


class Restless(Asleep):
    """A bot that alternates between ready and not ready for ever."""

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Decision[Any] | None:
        for prompt in observation.prompts:
            for choice in observation.choices.get(prompt.id, ()):
                if choice.move in ("ready", "unready") and observation.seat == 0:
                    return Decision(prompt.id, msgspec.convert({"move": choice.move}, ALMOST.game.Move))
        return None


class Wrong(Asleep):
    """A bot that answers unknown prompts and bids illegal numbers."""

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Decision[Any] | None:
        if observation.seat:
            prompt = next(prompt for prompt in observation.prompts if prompt.kind == "bid")
            return Decision(prompt.id, msgspec.convert({"move": "lock", "number": 99}, ALMOST.game.Move))
        return Decision(PromptId("none"), msgspec.convert({"move": "ready"}, ALMOST.game.Move))


class Faulty(Asleep):
    def decide(self, observation: Observation, character: Character, dice: Dice) -> Decision[Any] | None:
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
    with pytest.raises(playing.Broke, match=r"^Game 0 broke off with KeyError: 'plan' in .*test_playing"):
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

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Decision[Any] | None:
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
