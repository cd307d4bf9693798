"""Plays a game's lesson with the rules alone, as its table does.

python -m games.testing.lessons almost      plays the lesson, and prints what it asks and says
python -m games.testing.lessons almost 12   prints what every seat may do after the first 12 steps
"""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from games import GAMES
from games.api import (
    LEARNER,
    PROMISE,
    SAY,
    Lesson,
    LessonStep,
    Millis,
    NewPromise,
    Outcome,
    PromptId,
    Remark,
    Seat,
    Step,
)
from games.dice import Dice, game_seed
from games.kit.lessons import BadLesson, lesson_seed
from games.kit.moves import convert_move
from games.kit.promises import refuse, view_public
from games.kit.remarks import find_fault

AT = Millis(0)
"""Table time stands still in a lesson."""


class LessonPlayer:
    """A lesson being played. Raises BadLesson if its options cannot be played."""

    def __init__(self, game: Any, lesson: Lesson) -> None:
        self.game = game
        self.lesson = lesson
        self.done = 0
        options = msgspec.convert(lesson.options, game.Options)
        if lesson.seats not in game.seats:
            raise BadLesson(f"the seats: {game.seats[0]} to {game.seats[-1]}, not {lesson.seats}")
        refusal = game.refuse_options(lesson.seats, options)
        if refusal is not None:
            raise BadLesson(f"the options: {refusal.code}")
        self._dice = Dice(game_seed(lesson_seed(lesson), ("",) * lesson.seats))
        self.state = game.setup(lesson.seats, options, AT, self._dice).state

    @property
    def prompts(self) -> tuple[Any, ...]:
        """The open prompts; none once the game is over."""
        prompts = self.game.prompts(self.state)
        return () if isinstance(prompts, Outcome) else prompts

    def find_prompt(self, step: LessonStep) -> PromptId:
        """The open prompt that a step answers. Raises BadLesson."""
        for prompt in self.prompts:
            if prompt.kind == step.prompt and step.seat in prompt.seats:
                return PromptId(prompt.id)
        kinds = sorted({prompt.kind for prompt in self.prompts if step.seat in prompt.seats})
        raise BadLesson(f"step {self.done + 1}: seat {step.seat} is not asked {step.prompt!r}, but {kinds}")

    def play(self) -> Step[Any]:
        """Makes the next move. Raises BadLesson if the rules do not allow it."""
        step = self.lesson.steps[self.done]
        if step.prompt == PROMISE:
            return self._promise(step)
        if step.prompt == SAY:
            return self._say(step)
        prompt = self.find_prompt(step)
        move = convert_move(step.move, self.game.Move)
        refusal = self.game.check(self.state, step.seat, prompt, move, AT)
        if refusal is not None:
            raise BadLesson(f"step {self.done + 1}: {refusal.code} {dict(refusal.args)}")
        result: Step[Any] = self.game.apply(self.state, step.seat, prompt, move, AT, self._dice)
        self.state = result.state
        self.done += 1
        return result

    def _promise(self, step: LessonStep) -> Step[Any]:
        """Checks a promise, which changes nothing in the game. Raises BadLesson if it may not be made."""
        if self.game.promises is None:
            raise BadLesson(f"step {self.done + 1}: this game has no promises")
        promise = msgspec.convert(step.move, NewPromise).promise("", step.seat, AT, self.done)
        view = view_public(self.game, self.state)
        refusal = refuse(self.game.promises, (), view, promise, self.lesson.seats)
        if refusal is not None:
            raise BadLesson(f"step {self.done + 1}: {refusal.code}")
        self.done += 1
        return Step(self.state)

    def _say(self, step: LessonStep) -> Step[Any]:
        """Checks a remark, which changes nothing in the game. Raises BadLesson if it may not be made."""
        policy = self.game.talk_policy(self.state, step.seat)
        remark = msgspec.convert(step.move, Remark)
        fault = find_fault(self.game.texts, policy, step.seat, self.lesson.seats, remark)
        if fault is not None:
            raise BadLesson(f"step {self.done + 1}: {fault}")
        self.done += 1
        return Step(self.state)


def play_lesson(game: Any) -> Outcome:
    """Plays the lesson of a game to its end, and returns its outcome. Raises BadLesson."""
    lesson: Lesson | None = game.lesson
    if lesson is None:
        raise BadLesson(f"{game.key} has no lesson")
    player = LessonPlayer(game, lesson)
    while player.done < len(lesson.steps):
        player.play()
    outcome = game.prompts(player.state)
    if not isinstance(outcome, Outcome):
        raise BadLesson(f"after its {player.done} steps, the game is not over")
    return outcome


def print_lesson(game: Any, stop: int | None) -> None:
    """Prints what a lesson asks and says, and what every seat may do after this many steps."""
    lesson = game.lesson
    player = LessonPlayer(game, lesson)
    print(f"About: {lesson.about}")
    for number, step in enumerate(lesson.steps[:stop], start=1):
        if step.task is not None:
            print(f"\n{number}. TASK  {step.task}")
        for line in player.play().lines:
            if line.to is None or LEARNER in line.to:
                print(f"      {line.key} {dict(line.args)}")
        who = "you" if step.seat == LEARNER else f"seat {step.seat}"
        print(
            f"{number}. {who}: {dict(step.move)}" + ("" if step.then is None else f"\n   THEN  {step.then}")
        )
    for seat in map(Seat, range(lesson.seats)):
        for prompt in player.prompts:
            if seat in prompt.seats:
                choices = player.game.choices(player.state, seat).get(prompt.id, ())
                print(f"seat {seat} may answer {prompt.kind}: {msgspec.json.encode(choices).decode()}")
    print(
        "over" if not player.prompts else "not over", game.prompts(player.state) if not player.prompts else ""
    )


if __name__ == "__main__":
    print_lesson(GAMES[sys.argv[1]].game, int(sys.argv[2]) if len(sys.argv) > 2 else None)
