"""A game built from docs/ADD_A_GAME.md alone satisfies the contract: the guide is sufficient."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from games.api import Judgement, LessonStep, Millis, Outcome, Promise, Registration, Seat, Section
from games.dice import Dice
from games.kit.lessons import BadLesson
from games.kit.promises import section
from games.testing.conformance import conform, conform_bot, conform_sharing
from games.testing.lessons import play_lesson
from games.testing.playthroughs import render
from games.testing.positions import Broken
from games.testing.promises import Moment, check_promises
from tests.sample_game import rules
from tests.sample_game.bot import BOT
from tests.sample_game.rules import (
    HAMMER,
    Auction,
    HammerOptions,
    HammerState,
    Lot,
    Sale,
    UnderTheHammer,
    highest,
    outcome,
)
from tests.test_docs import example

PLAYTHROUGHS = sorted((Path(rules.__file__).parent / "playthroughs").glob("*.txt"))


@pytest.mark.parametrize("cases", [6, pytest.param(16, marks=pytest.mark.at_length)])
def test_the_game_conforms(cases: int) -> None:
    conform(HAMMER, cases=cases, limit=60)


def test_unchanged_parts_are_the_same_object() -> None:
    conform_sharing(HAMMER)


@pytest.mark.parametrize("cases", [6, pytest.param(12, marks=pytest.mark.at_length)])
def test_its_bot_conforms(cases: int) -> None:
    conform_bot(HAMMER, BOT, cases=cases)


@pytest.mark.parametrize("path", PLAYTHROUGHS, ids=lambda path: path.stem)
def test_its_playthroughs_say_what_the_rules_do(path: Path) -> None:
    assert path.read_text() == render(Registration(HAMMER, BOT), path.read_text())


def judge_slowly(promise: Promise, moments: Sequence[Moment]) -> Judgement:
    """Reads the bid in the last view, which has all sales."""
    sales = section(moments[-1].view, "auction", Auction).sales
    bids = [
        sale.bids[promise.by] for number, sale in enumerate(sales, 1) if number == promise.terms["number"]
    ]
    return "lapsed" if not bids else "broken" if bids[0] > 0 else "kept"


@pytest.mark.parametrize("games", [15, pytest.param(30, marks=pytest.mark.at_length)])
def test_its_promises_are_judged_as_by_a_second_judge(games: int) -> None:
    """R30, HAM-6"""
    assert {"leave kept", "leave broken"} <= check_promises(HAMMER, judge_slowly, games).keys()


def test_its_lesson_ends_as_it_says() -> None:
    """R29: the bots' secret wishes explain their bids, and the last text tells the scores."""
    assert play_lesson(HAMMER) == Outcome((Seat(0),), (22, 21, 21))


def test_a_lesson_that_cannot_be_played_is_refused() -> None:
    """R29"""
    lesson = HAMMER.lesson
    assert lesson is not None

    def play(*steps: LessonStep, **changed: Any) -> None:
        class Changed(UnderTheHammer):
            lesson = replace(lesson_of_the_game, steps=steps, **changed)

        play_lesson(Changed())

    lesson_of_the_game = lesson
    first, second, *rest = lesson.steps
    with pytest.raises(BadLesson, match=r"step 1: seat 0 is not asked 'bet', but \['bid'"):
        play(replace(first, prompt="bet"), second, *rest)
    with pytest.raises(BadLesson, match="step 1: TOO_MUCH"):
        play(replace(first, move={"move": "draft", "coins": 21}), second, *rest)
    with pytest.raises(BadLesson, match="after its 17 steps, the game is not over"):
        play(*lesson.steps[:-1])
    with pytest.raises(BadLesson, match="the seats: 3 to 5, not 9"):
        play(*lesson.steps, seats=9)


def test_equal_highest_bids_return_the_lot() -> None:
    """HAM-4, with the example in the rules."""
    assert highest((5, 3, 0)) == 0
    assert highest((7, 7, 6)) is None
    assert highest((0, 0, 0)) is None


def test_the_score_of_the_example() -> None:
    """HAM-5, with the example in the rules; tied seats win together (GEN-10)."""
    clock = Lot("clock", 6)
    state = HAMMER.setup(3, HammerOptions(), Millis(0), Dice(b"score")).state
    ended = replace(state, coins=(11, 20, 17), sales=(Sale(clock, (9, 4, 0), Seat(0)),))
    assert outcome(ended, ("clock", "rug", "lamp")) == Outcome((Seat(0), Seat(1)), (20, 20, 17))
    assert outcome(ended, ("lamp", "rug", "lamp")) == Outcome((Seat(1),), (17, 20, 17))


def test_a_leak_would_be_found() -> None:
    """The suite rejects a variant of the game in which everybody sees the drafted bids."""

    class Leaky(UnderTheHammer):
        def public(self, state: HammerState) -> dict[str, Section]:
            written = tuple(bid or 0 for bid in state.bids.draft)
            return super().public(state) | {
                "time_control": Section(replace(state.time_control, missed_in_a_row=written))
            }

    with pytest.raises(Broken, match=r"silent|G4"):
        conform(Leaky(), cases=4, limit=60)


def test_the_example_of_the_guide_has_a_bot_that_conforms() -> None:
    guide = example()
    conform_bot(guide.GAME, guide.BOT, cases=4)
