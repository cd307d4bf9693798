"""Lessons: tables of one learner, where every move is fixed (R29; games/api.py, `Lesson`).

The learner makes the moves of their own seat, one step at a time, and lets the bots make theirs with
`go_on`, and those of their own that have no task, or that are promises. Nobody else can come in, no window
ends by time, and the dice are fixed: so there is no record.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from games.api import (
    LEARNER,
    PROMISE,
    SAY,
    LessonStep,
    Millis,
    Multiset,
    NewPromise,
    Outcome,
    PromptId,
    Refusal,
    Remark,
    Seat,
    Subset,
)
from hub.table import actions, seating, speech
from hub.table.replay import LogEntry
from hub.table.room import Change, Room, Rules, Table, add_promise, move, move_of
from hub.wire import messages as m

NOT_IN_LESSON: Final = Refusal("NOT_IN_LESSON", "R29")
ALLOWED_ACTS: Final = (m.Pause, m.Resume)
"""What a learner may do to the table besides going on and leaving."""


def begin(table: Table) -> Table:
    """A new table, as a lesson: nobody comes in but the learner, and no bot takes the learner's seat."""
    return replace(table, lesson=0, watching=False, takes_latecomers=False, grace="game")


def find_step(rules: Rules, table: Table) -> LessonStep | None:
    """The next step; None if there is none, or if the table is no lesson."""
    if rules.lesson is None or table.lesson is None or table.lesson >= len(rules.lesson.steps):
        return None
    return rules.lesson.steps[table.lesson]


def follow(rules: Rules, room: Room, seat: Seat, command: m.Do, at: Millis) -> Change | Refusal:
    """The learner's move: the next step, or one that only drafts something."""
    source = (command.session, command.n)
    kind = command.move.get("move")
    if isinstance(kind, str) and kind in rules.silent and not _has_drafts(rules):
        return move(rules, room, seat, command.prompt, command.move, at, source)
    step = find_step(rules, room.table)
    if step is None or step.seat != seat or step.prompt == PROMISE:
        return NOT_IN_LESSON
    prompt = _find_prompt(room, step)
    if prompt != command.prompt:
        return NOT_IN_LESSON if prompt is not None else Refusal("STALE_PROMPT", "GEN-4")
    change = move(rules, room, seat, command.prompt, command.move, at, source)
    if isinstance(change, Refusal):
        return change
    if not _is_same(rules, room, step, prompt, command.move):
        return NOT_IN_LESSON
    return _count(change)


def _has_drafts(rules: Rules) -> bool:
    """Whether the learner's drafts are steps of the lesson, because what is locked is the draft."""
    steps = () if rules.lesson is None else rules.lesson.steps
    return any(step.seat == LEARNER and step.move.get("move") in rules.silent for step in steps)


def _is_same(rules: Rules, room: Room, step: LessonStep, prompt: str, raw: Mapping[str, Any]) -> bool:
    """Whether a legal move is the step's: in whatever order the items of a set are."""
    assert room.position is not None
    unordered = {
        name
        for choice in rules.choices(room.position.state, step.seat).get(PromptId(prompt), ())
        for name, domain in choice.fields.items()
        if choice.move == step.move["move"] and isinstance(domain, Subset | Multiset)
    }
    one, other = (msgspec.to_builtins(move_of(rules, move)) for move in (raw, step.move))
    for name in unordered & one.keys() & other.keys():
        one[name], other[name] = sorted(one[name] or ()), sorted(other[name] or ())
    return bool(one == other)


def manage(
    rules: Rules, levels: tuple[str, ...], room: Room, seat: Seat, act: m.Act, at: Millis
) -> Change | Refusal:
    """The learner's action: the next step that follows by itself, a pause, or the end."""
    match act:
        case m.GoOn():
            return _go_on(rules, room, act, at)
        case m.FreeSeat() if act.seat == seat:
            return seating.free_seat(room, seat, at, (), by_host=False)
        case _ if isinstance(act, ALLOWED_ACTS):
            return actions.manage(rules, levels, room, seat, act, at)
        case _:
            return NOT_IN_LESSON


def _go_on(rules: Rules, room: Room, act: m.GoOn, at: Millis) -> Change | Refusal:
    step = find_step(rules, room.table)
    if room.table.status != "running" or act.step != room.table.lesson:
        return Refusal("NOT_NOW", "R29")
    if step is None or (step.task is not None and step.prompt != PROMISE):
        return NOT_IN_LESSON
    if step.prompt == SAY:
        said = speech.say_as_bot(rules, room, step.seat, msgspec.convert(step.move, Remark), at)
        return Refusal("BROKEN", "R29") if isinstance(said, Refusal) else _count(said)
    if step.prompt == PROMISE:
        promise = replace(msgspec.convert(step.move, NewPromise), bot=step.seat != LEARNER)
        content = msgspec.to_builtins(promise, order="deterministic")
        return _count(add_promise(rules, room, LogEntry("promise", step.seat, None, content, None, at)))
    prompt = _find_prompt(room, step)
    if prompt is None:
        return Refusal("BROKEN", "R29")
    change = move(rules, room, step.seat, prompt, step.move, at)
    return change if isinstance(change, Refusal) else _count(change)


def _find_prompt(room: Room, step: LessonStep) -> str | None:
    position = room.position
    if position is None or isinstance(position.prompts, Outcome):
        return None
    for prompt in position.prompts:
        if prompt.kind == step.prompt and step.seat in prompt.seats:
            return prompt.id
    return None


def _count(change: Change) -> Change:
    """The change, with one more step done."""
    table = change.room.table
    counted = replace(table, lesson=(table.lesson or 0) + 1)
    return replace(change, room=replace(change.room, table=counted), played=False)
