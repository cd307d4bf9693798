"""The lesson of Share and Share Alike: what its texts say is so."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from games.api import PROMISE, Outcome, Seat
from games.shares.rules import scoring
from games.shares.rules.game import SHARES
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
    assert sum(map(count_words, texts)) <= 380
    assert max(map(count_words, texts)) <= 26


def test_the_learner_plays_a_heart_and_a_spade_discards_and_draws() -> None:
    assert SHARES.lesson is not None
    moves = [
        str(step.move["move"])
        for step in SHARES.lesson.steps
        if step.task is not None and step.prompt != PROMISE
    ]
    assert set(moves) == {"lock", "play", "add", "remove", "discard", "drawUp", "endTurn"}
    assert moves.count("endTurn") == 1


def test_it_ends_as_its_last_text_says() -> None:
    assert SHARES.lesson is not None
    last = SHARES.lesson.steps[-1].then or ""
    assert "1,100 points, Bot B 1,000, Bot C 900. Dynamo, yours alone, paid 300." in last
    assert play_lesson(SHARES) == Outcome((Seat(0),), (1100, 1000, 900), 1)
    beacon, dynamo = (list_states(SHARES)[-1].reckoning.companies[place] for place in (1, 3))
    assert (beacon.place, beacon.tied, beacon.prize, beacon.claimed) == (1, 1, 1000, 5)
    assert (dynamo.prize, dynamo.claimed) == (300, 1)


def test_the_towers_grow_as_the_texts_say() -> None:
    assert _heights(_after("10 of hearts adds two floors to Beacon")) == (0, 2, 0, 0, 0)
    assert _heights(_after("A 3 adds one floor")) == (0, 3, 1, 0, 0)
    assert _heights(_after("and adds a floor to Anchor, too")) == (1, 4, 1, 0, 0)
    assert _heights(_before("Beacon leads Comet by four floors to one")) == (1, 4, 1, 0, 0)


def test_the_bots_own_what_the_texts_guess() -> None:
    state = _after("so it probably has a share there, like you")
    assert state.marks == (("B",), ("B",), ("C",))
    assert state.stage.start == 1
    state = _before("Bot C raises Comet")
    assert (state.marks[2], _heights(state)) == (("C",), (0, 2, 1, 0, 0))
    assert all("D" not in marks for marks in list_states(SHARES)[-2].marks[1:])


def test_bot_c_sees_the_learners_tracker() -> None:
    state = _after("look at your tracker")
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
    assert _after("Bot B keeps its promise").stage.round == 2


def test_what_the_texts_say_about_actions_and_cards() -> None:
    assert _before("Keep two for later in the round").turns.actions[0] == 2
    state = _before("Neither bot did anything this time")
    assert (state.turns.out, state.turns.actions[0]) == ((False, True, True), 2)
    assert _before("Bot B promises to raise Beacon").hands[0] == ("KH", "8S")
    assert _before("You have only two cards").hands[0] == ("KH", "8S")
    state = _before("Bot B keeps its promise")
    assert (len(state.hands[0]), state.turns.actions[0]) == (5, 0)
    assert {"KH", "7H"} <= set(state.hands[0])


def test_two_rounds_play_themselves_at_once() -> None:
    assert SHARES.lesson is not None
    last = find_step(SHARES, "Two quick rounds later")
    states, steps = list_states(SHARES), SHARES.lesson.steps
    first = next(number for number, state in enumerate(states) if state.stage.round == 3)
    assert all(step.quick and step.task is None for step in steps[first:last])
    assert (states[last].stage.round, states[last].hands) == (5, states[first].hands)
    assert states[last].marks[0] == ("B", "B", "D", "C")
    assert all("D" not in marks for marks in states[last].marks[1:])


def test_bot_c_robs_the_learner_and_would_win() -> None:
    state = _after("shift it by one, to 2: swap two hands")
    assert (state.scene.roll.rolled, state.scene.kind) == (3, "adjust")
    before, after = state.hands, _after("Robbed!").hands
    assert (len(before[0]), before[2]) == (5, ("10S",))
    assert (after[0], after[2]) == (before[2], before[0])
    state = _after("raise Comet to five floors: now Bot C would win")
    assert _heights(state) == (1, 4, 5, 0, 0)
    assert _scores(state) == tuple(map(Fraction, (1030, 920, 1050)))


def test_the_last_card_decides() -> None:
    state = _after("the two highest prizes, 900 each")
    assert _heights(state) == (1, 4, 4, 0, 0)
    companies = scoring.standings(state.towers, state.options).companies
    assert [companies[place].prize for place in (1, 2)] == [900, 900]
    assert _scores(state) == tuple(map(Fraction, (1065, 960, 975)))
    assert _heights(list_states(SHARES)[-1]) == (1, 4, 3, 0, 0)
