"""What the tests of every lesson check, and the positions that its texts are about."""

from __future__ import annotations

from typing import Any

from games.api import LEARNER, PROMISE, Lesson, Outcome
from games.kit.choices import allows
from games.testing.lessons import LessonPlayer

MAX_TASKS = 12
MAX_WORDS = 550
MAX_WORDS_IN_TEXT = 30
MAX_WORDS_IN_ABOUT = 20


def count_words(text: str | None) -> int:
    return 0 if text is None else len(text.split())


def check_length(lesson: Lesson, max_tasks: int = MAX_TASKS) -> None:
    """A lesson takes three minutes: few decisions, and short texts; more of the first if there is less of the
    second."""
    texts = [text for step in lesson.steps for text in (step.task, step.then) if text is not None]
    assert sum(step.task is not None for step in lesson.steps) <= max_tasks
    assert count_words(lesson.about) <= MAX_WORDS_IN_ABOUT
    assert [text for text in texts if count_words(text) > MAX_WORDS_IN_TEXT] == []
    assert count_words(lesson.about) + sum(map(count_words, texts)) <= MAX_WORDS
    assert lesson.steps[-1].then is not None


def list_runs(lesson: Lesson) -> list[int]:
    """How many bots' moves follow one another before each stop: a text, or a move that the learner makes.

    Quick moves are not counted: nobody has to follow them.
    """
    runs, length = [], 0
    for step in lesson.steps:
        length += step.seat != LEARNER and not step.quick
        if step.task is not None or step.then is not None:
            runs.append(length)
            length = 0
    return runs


def list_states(game: Any) -> list[Any]:
    """The states before the first step and after each; the learner's moves are among those offered."""
    player = LessonPlayer(game, game.lesson)
    states = [player.state]
    for step in game.lesson.steps:
        if step.seat == LEARNER and step.task is not None and step.prompt != PROMISE:
            choices = game.choices(player.state, LEARNER)[player.find_prompt(step)]
            assert allows(choices, step.move, game.lesson.seats)
        player.play()
        states.append(player.state)
    assert isinstance(game.prompts(player.state), Outcome)
    return states


def find_step(game: Any, text: str) -> int:
    """The number of the one step that has these words in a text."""
    numbers = [
        number for number, step in enumerate(game.lesson.steps, start=1) if text in f"{step.task} {step.then}"
    ]
    assert len(numbers) == 1, f"{text!r} is in steps {numbers}"
    return numbers[0]
