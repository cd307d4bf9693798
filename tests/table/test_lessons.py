"""Lessons as pure decisions (R29): each to its end, and everything that is refused."""

from __future__ import annotations

from itertools import count
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games import GAMES
from games.api import LEARNER, PROMISE, Lesson, LessonStep, Millis, Outcome, Seat
from games.kit.lessons import BadLesson, lesson_seed, read_lesson
from games.testing import lessons as playing
from games.testing.lessons import play_lesson
from hub.table import actions, game_start, lessons, seating
from hub.table.commands import Command, decide, expire
from hub.table.room import NEVER, Change, Room, attach, next_end
from hub.wire import messages as m
from tests.table.almost_rooms import LEVELS, NOW, done, refused

LATE = Millis(10**9)


class Table:
    """A lesson's room, and its learner, whose commands are numbered."""

    def __init__(self, game: str) -> None:
        self.rules: Any = GAMES[game].game
        lesson: Lesson | None = self.rules.lesson
        assert lesson is not None
        self.lesson = lesson
        options = msgspec.convert(lesson.options, self.rules.Options)
        keys = [bytes(16)] * lesson.seats
        room = actions.create(
            self.rules,
            "r" * 22,
            "r" * 22,
            lesson.seats,
            options,
            lesson_seed(lesson),
            name_keys=keys,
            open=False,
        )
        room = replace(room, table=lessons.begin(room.table))
        room = done(seating.sit(room, "ann", "Ann", 0, 0, NOW))
        for seat in range(1, lesson.seats):
            room = done(seating.add_bot(room, seat, LEVELS[0], LEVELS, NOW))
        self.room, self.session = attach(
            done(game_start.start(self.rules, room, LEVELS[0], NOW)), LEARNER, None
        )
        self.numbers = count(1)

    @property
    def step(self) -> LessonStep:
        step = lessons.find_step(self.rules, self.room.table)
        assert step is not None
        return step

    def decide(self, command: Command) -> Any:
        return decide(self.room, command, NOW, LEARNER, self.rules, LEVELS)

    def do(self, step: LessonStep, prompt: str | None = None, **changed: Any) -> Any:
        assert self.room.position is not None
        assert not isinstance(self.room.position.prompts, Outcome)
        ids = [each.id for each in self.room.position.prompts if each.kind == step.prompt]
        move = {**step.move, **changed}
        return self.decide(m.Do(self.session, next(self.numbers), prompt or ids[0], move))

    def act(self, act: m.Act) -> Any:
        return self.decide(m.Manage(self.session, next(self.numbers), act))

    def go(self, steps: int | None = None) -> None:
        """Makes the next steps, or all that are left."""
        assert self.room.table.lesson is not None
        left = len(self.lesson.steps) - self.room.table.lesson
        for _ in range(left if steps is None else steps):
            step, number = self.step, self.room.table.lesson or 0
            goes_on = step.task is None or step.prompt == PROMISE
            made = self.act(m.GoOn(number)) if goes_on else self.do(step)
            self.room = done(made)
            assert self.room.table.lesson == number + 1


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_ends_as_the_rules_alone_say(game: str) -> None:
    table = Table(game)
    table.go()
    assert table.room.table.status == "finished"
    assert table.room.position is not None
    assert table.room.position.prompts == play_lesson(table.rules)
    assert refused(table.act(m.GoOn(len(table.lesson.steps)))) == "NOT_NOW"


def test_no_window_ends_and_no_bot_steps_in() -> None:
    """R29: reading takes as long as it takes."""
    table = Table("almost")
    table.go(3)
    assert next_end(table.room) == NEVER
    assert expire(table.room, LATE, {LEARNER: NOW}, table.rules) is None


def test_only_the_next_step_is_accepted() -> None:
    table = Table("almost")
    steps = table.lesson.steps
    assert refused(table.act(m.GoOn(4))) == "NOT_NOW"
    assert refused(table.do(steps[8])) == "NOT_IN_LESSON"
    table.go(5)
    assert refused(table.act(m.GoOn(5))) == "NOT_IN_LESSON"
    assert refused(table.do(steps[8])) == "NOT_IN_LESSON"
    assert refused(table.do(table.step, "plan:9")) == "NOT_IN_LESSON"
    assert refused(table.do(table.step, plan=9)) == "NO_SUCH_PLAN"
    assert refused(table.do(table.step, move=["agree"])) == "BAD_MOVE"
    table.go(5)
    lock = table.step
    draft = LessonStep(seat=LEARNER, prompt=lock.prompt, move={"move": "bid", "number": 4})
    table.room = done(table.do(draft))
    assert table.room.table.lesson == 10
    assert refused(table.do(lock, number=4)) == "NOT_IN_LESSON"
    table.go(1)


def test_a_move_without_a_task_follows_by_itself_or_is_made() -> None:
    for made_by_learner in (False, True):
        table = Table("almost")
        silent = next(
            number
            for number, step in enumerate(table.lesson.steps)
            if step.seat == LEARNER and step.task is None
        )
        table.go(silent)
        change = table.do(table.step) if made_by_learner else table.act(m.GoOn(silent))
        assert done(change).table.lesson == silent + 1


def test_a_bot_makes_a_promise_to_the_learner() -> None:
    table = Table("almost")
    table.go(2)
    (promise,) = table.room.promises
    assert (promise.by, promise.to, promise.bot) == (2, (LEARNER,), True)
    table.go()
    assert [one.judgement for one in table.room.promises] == ["broken"]


def test_a_bot_says_something_in_the_chat() -> None:
    """Under its own name, as it would at any table; a lesson whose bot may not say so cannot go on."""
    table = Table("almost")
    change = table.act(m.GoOn(0))
    assert isinstance(change, Change)
    (message,) = change.talk
    assert (message.name, message.seat, message.bot) == ("Bot C", 2, True)
    assert (message.phrase, message.args) == ("almost.bot.pitchWord.3", {"number": 10, "low": 1})
    assert change.room.table.lesson == 1
    bad = replace(table.lesson.steps[0], move={"key": "almost.bot.pitchWord.3", "args": {}})
    changed = replace(table.lesson, steps=(bad,))
    with pytest.raises(BadLesson, match="BAD_MOVE"):
        playing.LessonPlayer(table.rules, changed).play()
    table.rules = type("Changed", (type(table.rules),), {"lesson": changed})()
    assert refused(table.act(m.GoOn(0))) == "BROKEN"


def test_the_learner_makes_a_promise_and_nothing_else_where_a_lesson_asks_for_one() -> None:
    table = Table("sucker")
    number = next(
        number
        for number, step in enumerate(table.lesson.steps)
        if (step.seat, step.prompt) == (LEARNER, PROMISE)
    )
    table.go(number)
    refuse = next(step for step in table.lesson.steps if step.move.get("move") == "refuse")
    assert refused(table.do(refuse, "turn:1")) == "NOT_IN_LESSON"
    table.go(1)
    promise = table.room.promises[-1]
    assert (promise.by, promise.to, promise.bot) == (LEARNER, (2,), False)
    table.go()
    assert [one.judgement for one in table.room.promises] == ["kept", "broken", "broken"]


def test_a_promise_that_may_not_be_made_is_a_fault_of_the_lesson() -> None:
    lesson = GAMES["almost"].game.lesson
    assert lesson is not None
    promise = next(step for step in lesson.steps if step.prompt == PROMISE)
    step = replace(promise, move={**promise.move, "terms": {"number": 99, "round": 2}})
    player = playing.LessonPlayer(GAMES["almost"].game, replace(lesson, steps=(step,)))
    with pytest.raises(BadLesson, match="NO_SUCH_PROMISE"):
        player.play()


def test_the_items_of_a_set_may_come_in_any_order() -> None:
    table = Table("takeover")
    number = next(i for i, step in enumerate(table.lesson.steps) if step.move["move"] == "lock")
    while not (table.step.seat == LEARNER and table.step.move["move"] == "lock"):
        table.go(1)
    assert number <= (table.room.table.lesson or 0)
    coins = table.step.move["coins"]
    assert refused(table.do(table.step, coins=coins[:1])) == "NOT_IN_LESSON"
    assert isinstance(table.do(table.step, coins=coins[::-1]), Change)


def test_what_a_learner_may_do_to_the_table() -> None:
    table = Table("almost")
    for act in (m.Lock(True), m.CloseWatching(False), m.StandIn(), m.AddBot(1, "easy"), m.FreeSeat(1)):
        assert refused(table.act(act)) == "NOT_IN_LESSON"
    table.room = done(table.act(m.Pause()))
    assert refused(table.act(m.GoOn(0))) == "NOT_NOW"
    table.room = done(table.act(m.Resume()))
    ended: Room = done(table.act(m.FreeSeat(0)))
    assert (ended.table.status, ended.table.abandoned) == ("finished", True)
    table.room = ended
    assert lessons.find_step(table.rules, replace(ended.table, lesson=None)) is None


def test_a_bot_that_is_not_asked_is_a_fault() -> None:
    """A lesson whose test fails cannot be finished, but breaks nothing."""
    table = Table("almost")

    def change(step: LessonStep) -> None:
        changed = replace(table.lesson, steps=(replace(step, prompt="bid"),))
        table.rules = type("Changed", (type(table.rules),), {"lesson": changed})()

    change(table.lesson.steps[2])
    assert refused(table.act(m.GoOn(0))) == "BROKEN"
    change(table.lesson.steps[5])
    assert refused(table.do(table.lesson.steps[8])) == "STALE_PROMPT"


def test_a_lesson_that_says_the_wrong_things(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "badly_taught"
    package.mkdir()
    (package / "__init__.py").write_text("")
    step = '{"seat": 0, "prompt": "bid", "move": {"move": "lock"}}'
    bot = step.replace('"seat": 0', '"seat": 5')
    told = step.replace('"seat": 0', '"seat": 1, "task": "Lock it."')
    promise = '{"seat": 0, "prompt": "promise", "move": {}}'
    says = promise.replace("promise", "say")
    for steps, reason in (
        ("", "malformed"),
        (f"[{told}]", "have a task"),
        (f"[{bot}]", "no seat 5"),
        (f"[{promise}]", "asked for a promise"),
        (f"[{says}]", "only bots have lines"),
    ):
        text = f'{{"seats": 3, "options": {{}}, "seed": "1", "about": "a", "steps": {steps}}}'
        (package / "lesson.json").write_text(text)
        with pytest.raises(BadLesson, match=reason):
            read_lesson("badly_taught")


def test_authors_can_print_a_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    playing.print_lesson(GAMES["almost"].game, 5)
    printed = capsys.readouterr().out
    assert printed.startswith("About: ")
    assert "5. seat 1: {'move': 'agree', 'plan': 1}" in printed
    assert "seat 0 may answer plan" in printed
    assert Seat(0) == LEARNER
    playing.print_lesson(GAMES["almost"].game, None)
    assert "over Outcome" in capsys.readouterr().out
