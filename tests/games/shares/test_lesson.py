"""The lesson of Share and Share Alike: what its texts say is so."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from games.api import PROMISE, Outcome, Seat
from games.shares.rules import scoring
from games.shares.rules.game import SHARES
from games.shares.rules.pieces import uses
from games.shares.rules.turn_flow import tracker_of
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


def _scores(state: Any) -> tuple[Fraction, ...]:
    """The scores if the game ended now."""
    trackers = tuple(tracker_of(state, seat) for seat in range(3))
    result = scoring.reckoning(state.towers, trackers, state.hands, state.options)
    return tuple(Fraction(seat.score, result.over) for seat in result.seats)


def test_it_is_short() -> None:
    assert SHARES.lesson is not None
    check_length(SHARES.lesson)
    texts = [text for step in SHARES.lesson.steps for text in (step.task, step.then)]
    assert sum(map(count_words, texts)) <= 240
    assert max(map(count_words, texts)) <= 24
    assert sum(step.task is not None for step in SHARES.lesson.steps) == 9
    assert sum(step.then is not None for step in SHARES.lesson.steps) <= 6


def test_the_learner_plays_a_heart_and_a_spade_and_ends_one_turn() -> None:
    assert SHARES.lesson is not None
    moves = [
        str(step.move["move"])
        for step in SHARES.lesson.steps
        if step.task is not None and step.prompt != PROMISE
    ]
    assert set(moves) == {"lock", "play", "add", "remove", "endTurn"}
    assert moves.count("endTurn") == 1


def test_it_ends_as_its_last_text_says() -> None:
    assert SHARES.lesson is not None
    last = SHARES.lesson.steps[-1].then or ""
    assert "1,100 points, Bot B 1,000, Bot C 900. Dynamo, yours alone, paid 300:" in last
    assert play_lesson(SHARES) == Outcome((Seat(0),), (1100, 1000, 900), 1)
    beacon, dynamo = (list_states(SHARES)[-1].reckoning.companies[place] for place in (1, 3))
    assert (beacon.place, beacon.tied, beacon.prize, beacon.claimed) == (1, 1, 1000, 5)
    assert (dynamo.prize, dynamo.claimed) == (300, 1)


def test_hearts_add_as_many_floors_as_the_text_says() -> None:
    state = _after("10, J and Q two, K and A three, the rest one")
    assert _heights(state) == (0, 2, 0, 0, 0)
    assert (uses("10H"), uses("JH"), uses("QH")) == (2, 2, 2)
    assert (uses("KH"), uses("AH"), uses("9H"), uses("2H")) == (3, 3, 1, 1)


def test_the_bots_own_what_the_texts_guess() -> None:
    state = _after("probably has a share in Beacon, too")
    assert state.marks == (("B",), ("B",), ("C",))
    assert state.stage.start == 1
    state = _before("Bot C raises Comet")
    assert (state.marks[2], _heights(state)) == (("C",), (0, 2, 1, 0, 0))
    assert all("D" not in marks for marks in list_states(SHARES)[-2].marks[1:])


def test_bot_c_sees_the_learners_tracker() -> None:
    state = _after("looks at your tracker")
    assert (state.peek.seat, state.peek.other, state.peek.what) == (2, 0, "tracker")
    assert state.marks[0] == ("B", "B")


def test_bot_b_keeps_its_promise() -> None:
    assert SHARES.lesson is not None
    promise, own = [step for step in SHARES.lesson.steps if step.prompt == PROMISE]
    kept = SHARES.lesson.steps[find_step(SHARES, "Bot B keeps its promise") - 1]
    assert (promise.seat, promise.move["kind"], kept.seat) == (1, "raise", 1)
    assert promise.move["terms"] == {"company": "B", "round": 2}
    assert (own.seat, own.move["kind"], own.move["terms"]) == (0, "leave", promise.move["terms"])
    assert _before("Bot B promises to raise Beacon").stage.round == 2
    state = _after("and adds a floor to Anchor, too")
    assert (state.stage.round, _heights(state)) == (2, (1, 4, 1, 0, 0))


def test_the_learner_keeps_two_actions_that_nobody_sees_spent() -> None:
    assert SHARES.lesson is not None
    assert _before("Keep two for another turn").turns.actions[0] == 2
    ends, begins = (find_step(SHARES, text) for text in ("Keep two for another turn", "so round 2 begins"))
    moves = [step.move for step in SHARES.lesson.steps[ends : begins - 1] if step.prompt == "turn"]
    assert moves == [{"move": "endTurn"}] * 3
    assert _before("so round 2 begins").hands[0] == ("KH", "8S", "6C", "KC")


def test_two_rounds_play_themselves_at_once() -> None:
    assert SHARES.lesson is not None
    last = find_step(SHARES, "The last round") - 1
    states, steps = list_states(SHARES), SHARES.lesson.steps
    first = next(number for number, state in enumerate(states) if state.stage.round == 3)
    assert all(step.quick and step.task is None for step in steps[first:last])
    assert (states[last].stage.round, states[last].hands) == (5, states[first].hands)
    assert states[last].marks[0] == ("B", "B", "D", "C")
    assert all("D" not in marks for marks in states[last].marks[1:])


def test_bot_c_robs_the_learner_and_would_win() -> None:
    states, swapped = list_states(SHARES), find_step(SHARES, "Bot C swaps hands with you!")
    assert (states[swapped - 2].scene.roll.rolled, states[swapped - 2].scene.kind) == (3, "adjust")
    before, after = states[swapped - 1].hands, states[swapped].hands
    assert (len(before[0]), before[2]) == (4, ("10S",))
    assert (after[0], after[2]) == (before[2], before[0])
    assert {"KH", "8S"} <= set(before[0])
    state = _after("Your King raises Comet to four floors")
    assert _heights(state) == (1, 3, 4, 0, 0)
    assert _scores(state) == tuple(map(Fraction, (1030, 920, 1050)))


def test_the_last_card_decides() -> None:
    state = _before("Comet and Beacon tie")
    assert _heights(state) == (1, 3, 3, 0, 0)
    assert _scores(state) == tuple(map(Fraction, (1065, 960, 975)))
    assert _heights(list_states(SHARES)[-1]) == (1, 3, 2, 0, 0)
