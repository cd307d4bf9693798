"""The lesson of Subdivision: what its texts say is so."""

from __future__ import annotations

from typing import Any

import pytest

from games.api import LEARNER, Outcome, Seat
from games.subdivision.rules import scoring
from games.subdivision.rules.board import all_neighbours, edge_neighbours, empty, fits, name_of, square_at
from games.subdivision.rules.game import SUBDIVISION
from games.testing.lessons import play_lesson
from tests.games.lesson_positions import check_length, count_words, find_step, list_states

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


def test_it_leaves_time_for_a_first_game_within_six_minutes() -> None:
    """With nine moves and 446 words, a newcomer took more than three minutes, and as long for the game."""
    lesson = SUBDIVISION.lesson
    assert lesson is not None
    texts = [text for step in lesson.steps for text in (step.task, step.then) if text is not None]
    assert count_words(lesson.about) + sum(map(count_words, texts)) <= 260


def test_it_ends_as_its_last_text_says() -> None:
    assert SUBDIVISION.lesson is not None
    assert "you win, 15 to 12" in (SUBDIVISION.lesson.steps[-1].then or "")
    assert play_lesson(SUBDIVISION) == Outcome((LEARNER,), (15, 12))


@pytest.mark.parametrize(
    ("text", "learner", "bot_b"),
    [
        ("press “Place 3 on e4”", (1, 0, 2), (0, 0, 0)),
        ("to join your 3.", (0, 0, 2), (0, 0, 0)),
        ("A 1 goes only near", (0, 0, 1), (0, 0, 0)),
        ("each further one costs that 3 a point", (0, 1, -1), (0, 0, 1)),
        ("Do the same to Bot B’s c4", (0, 0, 1), (0, 1, -1)),
        ("the third 1 near c4 costs Bot B another point", (0, 0, 1), (0, 1, -1)),
        ("Your own 3s may not be near each other", (1, 0, 2), (0, 0, 0)),
        ("it joins your two groups", (-1, 0, 3), (0, 0, 0)),
        ("keeps Bot B’s a2 and c2 apart", (1, 0, 2), (0, 0, 0)),
        ("place your last 2 there", (0, 0, 2), (0, 0, 0)),
    ],
)
def test_each_placement_costs_and_earns_what_the_texts_say(
    text: str, learner: tuple[int, int, int], bot_b: tuple[int, int, int]
) -> None:
    assert (_changes(text, LEARNER), _changes(text, BOT_B)) == (learner, bot_b)


def test_two_1s_are_near_the_learners_3_when_it_loses_a_point() -> None:
    _, state = _around("the first 1 near a 3 is free")
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
    _, level = _around("Level at 11")
    assert _totals(level) == (11, 11)
    assert _free(level) == {"b1", "b2", "c1", "d1"}
    assert level.stash.left[BOT_B] == (2, 0, 0)
    assert fits(level.board, BOT_B, 1) == ()


def test_bot_b_has_room_for_a_1_only_after_the_learners_last_3() -> None:
    _, after = _around("keeps Bot B’s a2 and c2 apart")
    assert {name_of(square, SIZE) for square in fits(after.board, BOT_B, 1)} == {"b1", "c1"}


def test_a4_touches_the_learners_group_only_at_a_corner() -> None:
    state, _ = _around("touches b5 only at a corner")
    a4, b5 = _square("a4"), _square("b5")
    own = {square for square, piece in enumerate(state.board.squares) if piece and piece.seat == LEARNER}
    assert own & set(all_neighbours(SIZE)[a4]) == {b5}
    assert b5 not in edge_neighbours(SIZE)[a4]


def test_b2_is_the_only_way_out_for_a2() -> None:
    state, _ = _around("keeps Bot B’s a2 and c2 apart")
    beside = {name_of(square, SIZE) for square in edge_neighbours(SIZE)[_square("a2")]}
    assert beside & _free(state) == {"b2"}


def test_b5_is_as_near_to_c4_as_b4_and_joins_the_learners_group() -> None:
    """The step once asked for b4, which did Bot B the same harm and started a group."""
    state, _ = _around("the third 1 near c4")
    beside = {name_of(square, SIZE) for square in edge_neighbours(SIZE)[_square("b5")]}
    own = {
        name_of(square, SIZE)
        for square, piece in enumerate(state.board.squares)
        if piece is not None and piece.seat == LEARNER
    }
    assert "c5" in beside & own
    assert _square("c4") in all_neighbours(SIZE)[_square("b5")]


def test_at_the_end_bot_b_has_a_1_that_fits_only_on_b1() -> None:
    before, after = _around("place your last 2 there")
    assert _free(before) == {"b1", "d1"}
    assert [name_of(square, SIZE) for square in fits(before.board, BOT_B, 1)] == ["b1"]
    assert _square("b2") in all_neighbours(SIZE)[_square("b1")]  # the learner's 3 with one 1 near it
    assert _free(after) == {"d1"}
    around = [after.board.squares[near] for near in all_neighbours(SIZE)[_square("d1")]]
    assert all(piece is None or piece.seat != LEARNER for piece in around)
    assert after.stash.left == ((0, 0, 0), (1, 0, 0))
    assert after.stage.passed == (BOT_B,)
