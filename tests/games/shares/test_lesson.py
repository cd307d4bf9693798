"""The lesson of Share and Share Alike: what its texts say is so."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from games.api import Outcome, Seat
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
    check_length(SHARES.lesson, max_tasks=16)
    texts = [text for step in SHARES.lesson.steps for text in (step.task, step.then)]
    assert sum(map(count_words, texts)) <= 450


def test_the_learner_plays_a_heart_and_a_spade_and_draws() -> None:
    assert SHARES.lesson is not None
    moves = {str(step.move["move"]) for step in SHARES.lesson.steps if step.seat == 0}
    assert moves == {"lock", "play", "add", "remove", "drawUp", "fromDeck", "endTurn"}


def test_it_ends_as_its_last_text_says() -> None:
    assert SHARES.lesson is not None
    last = SHARES.lesson.steps[-1].then or ""
    assert "1200 points, Bot C 1000, Bot B 800. Dynamo, yours alone, paid 400." in last
    assert play_lesson(SHARES) == Outcome((Seat(0),), (3 * 1200, 3 * 800, 3 * 1000), 3)
    beacon, dynamo = (list_states(SHARES)[-1].reckoning.companies[place] for place in (1, 3))
    assert (beacon.place, beacon.tied, beacon.prize, beacon.claimed) == (1, 1, 1000, 5)
    assert (dynamo.prize, dynamo.claimed) == (400, 1)


def test_the_towers_grow_as_the_texts_say() -> None:
    assert _heights(_after("puts two floors on Beacon")) == (0, 2, 0, 0, 0)
    assert _heights(_after("Three floors for Beacon")) == (0, 3, 1, 0, 0)
    assert _heights(_after("raises Beacon to four floors")) == (0, 4, 1, 0, 0)
    assert _heights(_before("Beacon leads Comet by four floors to one")) == (0, 4, 1, 0, 0)


def test_the_bots_own_what_the_texts_guess() -> None:
    state = _after("So it probably owns a share there")
    assert state.marks == (("B",), ("B",), ("C",))
    assert _after("so that is probably its company").marks[2] == ("C",)
    assert all("D" not in marks for marks in list_states(SHARES)[-2].marks[1:])


def test_bot_c_sees_the_learners_tracker() -> None:
    state = _before("look at your tracker")
    assert (state.peek.seat, state.peek.other, state.peek.what) == (2, 0, "tracker")
    assert state.marks[0] == ("B", "B")


def test_what_the_texts_say_about_actions_and_cards() -> None:
    assert _after("keep two of them for your next turn").turns.actions[0] == 2
    state = _before("The bots did nothing this time")
    assert state.turns.out == (False, True, True)
    assert len(_before("Filling your hand").hands[0]) == 4
    state = _after("The 7 of hearts")
    assert "7H" in state.hands[0]
    assert (len(state.hands[0]), state.turns.actions[0]) == (5, 0)
    assert "KH" in _before("Keep your King of hearts").hands[0]


def test_bot_c_robs_the_learner_and_would_win() -> None:
    state = _after("make that a 2: swap two hands")
    assert (state.scene.roll.rolled, state.scene.roll.result) == (3, 2)
    before, after = state.hands, _after("Robbed!").hands
    assert (len(before[0]), before[2]) == (5, ("10S",))
    assert (after[0], after[2]) == (before[2], before[0])
    state = _after("With your hearts")
    assert _heights(state) == (0, 4, 5, 0, 0)
    assert _scores(state) == tuple(map(Fraction, (1130, 720, 1150)))
    assert state.turns.actions[2] == 0


def test_the_last_card_decides() -> None:
    state = _after("Four floors each")
    assert _heights(state) == (0, 4, 4, 0, 0)
    companies = scoring.standings(state.towers, state.options).companies
    assert [companies[place].prize for place in (1, 2)] == [900, 900]
    assert _scores(state) == tuple(map(Fraction, (1165, 760, 1075)))
    assert _heights(list_states(SHARES)[-1]) == (0, 4, 3, 0, 0)


def test_the_stops_on_the_way_say_what_the_bots_leave() -> None:
    assert _after("its other two actions").turns.actions[1] == 2
    assert _after("so it sits out").turns.out[1]
    assert _after("so the round is over").stage.round == 4
    assert _after("The bots wait, too.").hands[1:] == _before("Keep your King of hearts").hands[1:]
    second = find_step(SHARES, "Bot C plays your King of hearts, for three floors on Comet.")
    assert [_heights(list_states(SHARES)[second + step])[2] for step in (-2, -1, 0, 1)] == [1, 2, 3, 4]
