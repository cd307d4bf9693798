"""The lesson of Share and Share Alike: what its texts say is so."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from games.api import PROMISE, LessonStep, Outcome, Seat
from games.shares.rules.game import SHARES
from games.shares.rules.pieces import suit_of, uses
from games.testing.lessons import play_lesson
from tests.games.lesson_positions import check_length, count_words, find_step, list_states


def _after(text: str) -> Any:
    """The state after the step with this text."""
    return list_states(SHARES)[find_step(SHARES, text)]


def _before(text: str) -> Any:
    return list_states(SHARES)[find_step(SHARES, text) - 1]


def _heights(state: Any) -> tuple[int, ...]:
    """The floors of Anchor, Beacon, Comet, Dynamo and Ember."""
    return tuple(map(len, state.towers))


def test_it_is_short() -> None:
    assert SHARES.lesson is not None
    check_length(SHARES.lesson)
    texts = [text for step in SHARES.lesson.steps for text in (step.task, step.then)]
    assert sum(map(count_words, texts)) <= 150
    assert max(map(count_words, texts)) <= 24
    assert sum(step.task is not None for step in SHARES.lesson.steps) == 7
    assert sum(step.then is not None for step in SHARES.lesson.steps) <= 3


def test_the_learner_plays_a_heart_and_a_spade_and_ends_one_turn() -> None:
    assert SHARES.lesson is not None
    moves = [
        str(step.move["move"])
        for step in SHARES.lesson.steps
        if step.task is not None and step.prompt != PROMISE
    ]
    assert moves == ["lock", "play", "add", "endTurn", "play", "remove"]


def test_it_ends_as_its_last_text_says() -> None:
    assert SHARES.lesson is not None
    last = SHARES.lesson.steps[-1].then or ""
    assert "1,200 points to 920 and 880. A share in Beacon paid 200, Dynamo, yours alone, 400:" in last
    assert play_lesson(SHARES) == Outcome((Seat(0),), (1200, 880, 920), 1)
    beacon, dynamo = (list_states(SHARES)[-1].reckoning.companies[place] for place in (1, 3))
    assert (beacon.place, beacon.tied, beacon.prize, beacon.claimed) == (1, 1, 1000, 5)
    assert (dynamo.prize, dynamo.claimed) == (400, 1)


def test_the_learner_has_one_heart_and_one_spade_of_one_use() -> None:
    """Nobody wonders why a better card is left in the hand."""
    hand = list_states(SHARES)[0].hands[0]
    assert [card for card in hand if suit_of(card) in "HS"] == ["7H", "7S"]
    assert (uses("7H"), uses("7S")) == (1, 1)


def test_the_learner_ends_the_turn_with_nothing_left_to_do() -> None:
    assert SHARES.lesson is not None
    assert _before("No other card helps now").turns.actions[0] == 2
    ends, begins = (
        find_step(SHARES, text) for text in ("No other card helps now", "Bot B raised Beacon, too")
    )
    moves = [step.move for step in SHARES.lesson.steps[ends : begins - 1] if step.prompt == "turn"]
    assert moves == [{"move": "play", "card": "10H"}, *[{"move": "endTurn"}] * 4]
    state = _before("Bot B raised Beacon, too")
    assert (state.stage.round, _heights(state)) == (2, (0, 3, 0, 0, 0))
    assert state.hands[0] == list_states(SHARES)[0].hands[0][1:]


def test_bot_b_keeps_its_promise() -> None:
    assert SHARES.lesson is not None
    promise, own = [step for step in SHARES.lesson.steps if step.prompt == PROMISE]
    assert (promise.seat, promise.move["kind"]) == (1, "raise")
    assert promise.move["terms"] == {"company": "B", "round": 2}
    assert (own.seat, own.move["kind"], own.move["terms"]) == (0, "leave", promise.move["terms"])
    state = _after("Bot B kept its promise")
    assert (state.stage.round, _heights(state)) == (2, (1, 4, 0, 0, 0))


def test_bot_c_sees_the_learners_tracker() -> None:
    state = _after("looks at your tracker")
    assert (state.peek.seat, state.peek.other, state.peek.what) == (2, 0, "tracker")
    assert state.marks[0] == ("B", "B")


def test_two_rounds_play_themselves_at_once() -> None:
    assert SHARES.lesson is not None
    first, last = (find_step(SHARES, text) for text in ("looks at your tracker", "The last round"))
    assert all(step.quick and step.task is None for step in SHARES.lesson.steps[first : last - 1])
    state = list_states(SHARES)[last]
    assert (state.stage.round, state.stage.rounds, state.stage.active) == (5, 5, 0)
    assert state.marks[0] == ("B", "B", "D", "E", "B")
    assert all("D" not in marks for marks in state.marks[1:])


def test_the_last_card_decides() -> None:
    before, state = list_states(SHARES)[find_step(SHARES, "The last round") - 10], _after("The last round")
    assert _heights(before) == (1, 4, 0, 0, 0)
    assert _heights(state) == (2, 2, 0, 0, 0)
    assert state.recent.played.card == "5H"
    assert _heights(list_states(SHARES)[-1]) == (1, 2, 0, 0, 0)


def test_nobody_waits_long() -> None:
    """Between two stops, one move at most takes its usual time; the others are played almost at once."""
    assert SHARES.lesson is not None
    steps = SHARES.lesson.steps
    for stop, step in enumerate(steps):
        if not has_text(step):
            continue
        begin = next(at for at in range(stop, -1, -1) if at == 0 or has_text(steps[at - 1]))
        assert sum(not each.quick for each in steps[begin:stop]) <= 1
    runs = [len([*run]) for quick, run in groupby(steps[2:], key=lambda step: step.quick) if quick]
    assert min(runs) > 3, runs


def has_text(step: LessonStep) -> bool:
    return step.task is not None or step.then is not None
