"""The lesson of Subdivision: what its texts say is so."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from games.api import LEARNER, Outcome, Seat
from games.kit.lessons import BadLesson
from games.subdivision.rules import scoring
from games.subdivision.rules.board import all_neighbours, edge_neighbours, empty, fits, name_of, square_at
from games.subdivision.rules.game import SUBDIVISION
from games.testing.lessons import LessonPlayer, play_lesson
from tests.games.lesson_positions import check_length, find_step, list_states

SIZE = 5
BOT_B = Seat(1)


def _around(text: str) -> tuple[Any, Any]:
    """The states before and after the step with this text."""
    number = find_step(SUBDIVISION, text)
    return list_states(SUBDIVISION)[number - 1], list_states(SUBDIVISION)[number]


def _parts(state: Any, seat: Seat) -> tuple[int, int, int]:
    """Groups, points lost to crowding, and the total."""
    total = scoring.score(state.board, 2, state.options).totals[seat]
    return total.groups, total.crowded, total.total


def _changes(text: str, seat: Seat) -> tuple[int, ...]:
    before, after = (_parts(state, seat) for state in _around(text))
    return tuple(new - old for old, new in zip(before, after, strict=True))


def _totals(state: Any) -> tuple[int, int]:
    return _parts(state, LEARNER)[2], _parts(state, BOT_B)[2]


def _square(name: str) -> int:
    square = square_at(name, SIZE)
    assert square is not None
    return square


def _free(state: Any) -> set[str]:
    return {name_of(square, SIZE) for square in empty(state.board)}


def test_it_is_short() -> None:
    assert SUBDIVISION.lesson is not None
    check_length(SUBDIVISION.lesson)


def test_it_ends_as_its_last_text_says() -> None:
    assert SUBDIVISION.lesson is not None
    assert "you win, 15 to 12" in (SUBDIVISION.lesson.steps[-1].then or "")
    assert play_lesson(SUBDIVISION) == Outcome((LEARNER,), (15, 12))


def test_only_two_squares_link_the_halves() -> None:
    state, _ = _around("press “Place 3 on e4”")
    middle = {name for name in _free(state) if name.endswith("3")}
    assert middle == {"a3", "e3"}
    _, shut = _around("Bot B has e3 and now a3")
    assert {shut.board.squares[_square(name)].seat for name in middle} == {BOT_B}


@pytest.mark.parametrize(
    ("text", "learner", "bot_b"),
    [
        ("press “Place 3 on e4”", (1, 0, 2), (0, 0, 0)),
        ("both are one group: 2 more points at no cost", (0, 0, 2), (0, 0, 0)),
        ("This 3 starts a second group, so it brings Bot B only 2 points", (0, 0, 0), (1, 0, 2)),
        ("A 1 may go only near", (0, 0, 1), (0, 0, 0)),
        ("this second one costs you a point", (0, 1, -1), (0, 0, 1)),
        ("Pay it back", (0, 0, 1), (0, 1, -1)),
        ("at the cost of a third group", (0, 0, 0), (1, 0, 2)),
        ("costs Bot B one more point. It is a new group of yours", (1, 0, 0), (0, 1, -1)),
        ("Your 3s may never be near each other", (0, 0, 3), (0, 0, 0)),
        ("it joins your two groups into one", (-1, 0, 3), (0, 0, 0)),
        ("these two groups can never become one", (1, 0, 2), (0, 0, 0)),
        ("The first one is free", (0, 0, 0), (0, 0, 1)),
        ("So place your last 2 on b1", (0, 0, 2), (0, 0, 0)),
    ],
)
def test_each_placement_costs_and_earns_what_the_texts_say(
    text: str, learner: tuple[int, int, int], bot_b: tuple[int, int, int]
) -> None:
    assert (_changes(text, LEARNER), _changes(text, BOT_B)) == (learner, bot_b)


def test_two_1s_are_near_the_learners_3_when_it_loses_a_point() -> None:
    _, state = _around("The first 1 near a 3 is free, but this second one costs you a point")
    near = all_neighbours(SIZE)[_square("e4")]
    ones = {
        name
        for name in ("d5", "e3")
        if _square(name) in near and state.board.squares[_square(name)].pips == 1
    }
    assert ones == {"d5", "e3"}
    assert (
        sum(piece is not None and piece.pips == 1 for piece in map(state.board.squares.__getitem__, near))
        == 2
    )


def test_the_totals_in_the_middle() -> None:
    assert _totals(_around("it leads, 9 to 8")[1]) == (8, 9)
    _, level = _around("Level at 11!")
    assert _totals(level) == (11, 11)
    assert _free(level) == {"b1", "b2", "c1", "d1"}
    assert level.stash.left[BOT_B] == (2, 0, 0)


def test_b2_is_the_only_way_out_for_a2() -> None:
    state, _ = _around("these two groups can never become one")
    beside = {name_of(square, SIZE) for square in edge_neighbours(SIZE)[_square("a2")]}
    assert beside & _free(state) == {"b2"}


def test_at_the_end_bot_b_has_a_1_that_fits_only_on_b1() -> None:
    before, after = _around("So place your last 2 on b1")
    assert _free(before) == {"b1", "d1"}
    assert [name_of(square, SIZE) for square in fits(before.board, BOT_B, 1)] == ["b1"]
    assert _square("b2") in all_neighbours(SIZE)[_square("b1")]  # the learner's 3 with one 1 near it
    assert _free(after) == {"d1"}
    assert after.stash.left == ((0, 0, 0), (1, 0, 0))
    assert after.stage.passed == (BOT_B,)


def test_with_the_last_2_on_d1_it_could_have_been_13_to_13() -> None:
    lesson = SUBDIVISION.lesson
    assert lesson is not None
    last = lesson.steps[-1]
    steps = (
        *lesson.steps[:-1],
        replace(last, move={"move": "place", "pips": 2, "square": _square("d1")}),
        replace(last, seat=BOT_B, move={"move": "place", "pips": 1, "square": _square("b1")}),
    )
    player = LessonPlayer(SUBDIVISION, replace(lesson, steps=steps))
    for _ in steps:
        player.play()
    assert SUBDIVISION.prompts(player.state) == Outcome((LEARNER, BOT_B), (13, 13))
    with pytest.raises(BadLesson):
        player.find_prompt(last)
