"""The lesson of Almost: what its texts say is so."""

from __future__ import annotations

from typing import Any

from games.almost.rules.game import ALMOST
from games.almost.rules.rounds import lowest_unique
from games.api import PROMISE, SAY, Outcome, Seat
from games.testing.lessons import play_lesson
from tests.games.lesson_positions import check_length, find_step, list_states


def _after(text: str) -> Any:
    """The state after the step with this text."""
    return list_states(ALMOST)[find_step(ALMOST, text)]


def _before(text: str) -> Any:
    return list_states(ALMOST)[find_step(ALMOST, text) - 1]


def test_it_is_short() -> None:
    assert ALMOST.lesson is not None
    check_length(ALMOST.lesson)


def test_it_ends_as_its_last_text_says() -> None:
    assert ALMOST.lesson is not None
    assert "You win." in (ALMOST.lesson.steps[-1].then or "")
    assert "one round fewer than there are players" in (ALMOST.lesson.steps[-1].then or "")
    stage = list_states(ALMOST)[0].stage
    assert stage.rounds == ALMOST.lesson.seats - 1
    assert stage.target == stage.most  # so a round makes one player win at most
    assert play_lesson(ALMOST) == Outcome((Seat(0),), (10, 0, 0))


def test_bot_b_backs_the_plan_and_breaks_it() -> None:
    (plan,) = _after("the two 1s cancel out, so the 10 scores").plans.plans
    assert (plan.by, plan.bids, plan.behind) == (2, (1, 1, 10), (2,))
    (plan,) = _before("Press “Back it”").plans.plans
    assert plan.behind == (1, 2)
    (plan,) = _after("Press “Back it”").plans.plans
    assert plan.behind == (0, 1, 2)
    (row,) = _before("so it lied and picked 2. That left your 1 alone").score.rows
    assert (row.bids, row.promised, row.winner) == ((1, 2, 10), (1, 1, 10), 0)
    assert lowest_unique((1, 1, 10)) == 2  # the 2 kept Bot C from scoring


def test_what_the_bots_say_is_about_the_plan() -> None:
    assert ALMOST.lesson is not None
    said = [step for step in ALMOST.lesson.steps if step.prompt == SAY]
    assert [(step.seat, step.move["key"].split(".")[2]) for step in said] == [
        (2, "pitchWord"),
        (1, "yesTurn"),
        (2, "reproach"),
    ]
    pitched, agreed, scolded = (step.move["args"] for step in said)
    assert pitched == {"number": 10, "low": 1}  # what it proposes, and promises
    assert agreed == {"to": 2, "number": 1}
    (row,) = _before("so it lied and picked 2").score.rows
    assert scolded == {"to": 1, "number": row.promised[1], "bid": row.bids[1]}


def test_the_learner_gets_1_point_in_the_first_round() -> None:
    state = _before("1 point for you. Press “Continue”.")
    (row,) = state.score.rows
    assert (row.promised[0], row.bids[0], row.winner) == (1, 1, 0)
    assert state.score.points == (1, 0, 0)


def test_the_learner_then_needs_9_and_the_others_10() -> None:
    state = _before("You need only 9.")
    assert state.score.needs == (9, 10, 10)
    assert state.stage.most == 10  # so only a 10 can save either bot
    assert state.stage.round == state.stage.rounds == 2
    assert state.plans.plans == ()
    row = _before("The 10s cancelled out").score.rows[-1]
    assert (row.bids, row.promised, row.winner) == ((9, 10, 10), (None, None, None), 0)


def test_bot_c_promises_the_learner_a_1_and_breaks_its_word() -> None:
    assert ALMOST.lesson is not None
    promise = next(step for step in ALMOST.lesson.steps if step.prompt == PROMISE)
    assert (promise.seat, promise.move["terms"], promise.move["to"]) == (2, {"number": 1, "round": 2}, [0])
    assert find_step(ALMOST, "whatever Bot C promised") == find_step(ALMOST, "Press “Lock 9”")
    assert _before("The 10s cancelled out").score.rows[-1].bids[2] == 10
