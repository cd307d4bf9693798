"""Lessons: a game's first table, with fixed dice and fixed moves (games/api.py, `Lesson`).

A lesson is `lesson.json` in the game's folder, whose texts are in English. The hub offers it at tables of
their own (hub/table/lessons.py), client-js/build/lessons.ts reads the texts of the same file, and
games/testing/lessons.py plays it.
"""

from __future__ import annotations

from hashlib import sha256
from importlib.resources import files

import msgspec

from games.api import LEARNER, PROMISE, SAY, Lesson


class BadLesson(ValueError):
    """A lesson that cannot be what it should be; names the step and the reason."""


def read_lesson(package: str) -> Lesson:
    """The lesson of the game in this package, such as `games.almost`. Raises BadLesson.

    Whether it can be played to the end is for `games.testing.lessons.play_lesson` to say.
    """
    try:
        lesson = msgspec.json.decode(files(package).joinpath("lesson.json").read_bytes(), type=Lesson)
    except msgspec.DecodeError as error:
        raise BadLesson(f"{package}/lesson.json: {error}") from error
    for number, step in enumerate(lesson.steps, start=1):
        if step.task is not None and step.seat != LEARNER:
            raise BadLesson(f"step {number}: only the learner's moves have a task")
        if step.quick and step.task is not None:
            raise BadLesson(f"step {number}: a move with a task waits for the learner, so it cannot be quick")
        if step.prompt == PROMISE and step.seat == LEARNER and step.task is None:
            raise BadLesson(f"step {number}: the learner is asked for a promise")
        if step.prompt == SAY and step.seat == LEARNER:
            raise BadLesson(f"step {number}: only bots have lines to say")
        if step.seat >= lesson.seats:
            raise BadLesson(f"step {number}: there is no seat {step.seat}")
    return lesson


def lesson_seed(lesson: Lesson) -> bytes:
    """The secret seed of the lesson's table, which is no secret: 32 bytes."""
    return sha256(b"parley lesson:" + lesson.seed.encode()).digest()
