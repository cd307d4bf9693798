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
    assert sum(step.task is not None for step in SHARES.lesson.steps) == 10
    assert sum(step.then is not None for step in SHARES.lesson.steps) == 1


def test_the_learner_plays_a_heart_a_diamond_and_a_spade_and_takes_two_shares() -> None:
    assert SHARES.lesson is not None
    moves = [
        str(step.move["move"])
        for step in SHARES.lesson.steps
        if step.task is not None and step.prompt != PROMISE
    ]
    assert moves == [
        *("lock", "play", "add", "play", "adjust", "endTurn", "play", "remove"),
        "lock",
    ]


def test_it_ends_as_its_last_text_says() -> None:
    assert SHARES.lesson is not None
    last = SHARES.lesson.steps[-1].then or ""
    assert (
        "1,200 to 920 and 880: three shares in Beacon paid 600, Dynamo, yours alone, 400, Ember 200." in last
    )
    assert play_lesson(SHARES) == Outcome((Seat(0),), (1200, 880, 920), 1)
    reckoning = list_states(SHARES)[-1].reckoning
    assert reckoning.seats[0].points == (0, 600, 0, 400, 200)
    assert reckoning.seats[0].tracker.holdings == (0, 3, 0, 1, 1)
    assert reckoning.companies[3].claimed == 1


def test_the_learner_has_one_heart_and_one_spade_of_one_use() -> None:
    """Nobody wonders why a better card is left in the hand."""
    hand = list_states(SHARES)[0].hands[0]
    assert [card for card in hand if suit_of(card) in "HS"] == ["9H", "4S"]
    assert (uses("9H"), uses("4S")) == (1, 1)


def test_the_roll_is_changed_to_draw_two_cards() -> None:
    before, after = (list_states(SHARES)[find_step(SHARES, "A 10 may change") - by] for by in (1, 0))
    roll = before.scene.roll
    assert (roll.rolled, roll.adjust) == (2, 1)
    assert len(after.hands[0]) == len(before.hands[0]) + 2


def test_the_learner_spends_all_three_actions_of_the_first_round() -> None:
    assert _before("Diamonds roll").turns.actions[0] == 2
    assert _before("Keep your last").turns.actions[0] == 1
    kept = _before("Anchor ties")
    assert (kept.stage.round, kept.stage.active, kept.turns.actions[0]) == (1, 0, 1)
    assert _heights(kept) == (2, 2, 0, 0, 0)
    spent = _after("Choose Anchor")
    assert (spent.turns.actions[0], _heights(spent)) == (0, (1, 2, 0, 0, 0))


def test_the_others_sit_out_and_the_round_ends() -> None:
    assert SHARES.lesson is not None
    begin, end = (find_step(SHARES, text) for text in ("Choose Anchor", "Round 2."))
    between = [step for step in SHARES.lesson.steps[begin : end - 1] if step.prompt == "turn"]
    assert [(step.seat, step.move) for step in between] == [(seat, {"move": "endTurn"}) for seat in (1, 2)]
    assert list_states(SHARES)[begin + 1].turns.out == (False, True, False)
    assert _before("Round 2.").stage.round == 2


def test_bot_b_keeps_its_promise() -> None:
    assert SHARES.lesson is not None
    promise, own = [step for step in SHARES.lesson.steps if step.prompt == PROMISE]
    assert (promise.seat, promise.move["kind"]) == (1, "raise")
    assert promise.move["terms"] == {"company": "B", "round": 2}
    assert (own.seat, own.move["kind"], own.move["terms"]) == (0, "leave", promise.move["terms"])
    assert _heights(_before("Last round")) == (1, 3, 0, 0, 0)


def test_three_rounds_play_themselves_at_once() -> None:
    assert SHARES.lesson is not None
    first, last = (find_step(SHARES, text) for text in ("Round 2.", "Last round"))
    assert all(step.quick and step.task is None for step in SHARES.lesson.steps[first : last - 1])
    state = list_states(SHARES)[last]
    assert (state.stage.round, state.stage.rounds) == (5, 5)
    assert state.marks[0] == ("B", "B", "B", "E", "D")
    assert state.marks[0][1:4].count("B") == 2  # the text says what the learner has taken
    assert all("D" not in marks for marks in state.marks[1:])


def test_nothing_is_left_to_do_with_the_last_share() -> None:
    """Nobody wonders why Dynamo is not raised."""
    assert [card for card in _after("Last round").hands[0] if suit_of(card) in "HS"] == []


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
