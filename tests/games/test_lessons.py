"""Every lesson stops often enough for its learner to follow the bots."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pytest

from games import GAMES
from tests.games.lesson_positions import list_runs

MAX_RUN: Final = 3
"""The most moves that bots make without a text."""
LONGER: Final[Mapping[str, int]] = {"shares": 4}
"""Lessons with longer runs, and the longest. In Share and Share Alike, a bot plays a King of hearts, and adds
three floors."""


@pytest.mark.parametrize("key", GAMES)
def test_bots_make_few_moves_without_a_text(key: str) -> None:
    lesson = GAMES[key].game.lesson
    assert lesson is not None
    assert max(list_runs(lesson)) <= LONGER.get(key, MAX_RUN)
