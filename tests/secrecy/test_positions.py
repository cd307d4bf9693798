"""G4 at single positions: a room, and the same with everything hidden from a viewer drawn anew."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec
import pytest
import structlog

from games import trials
from games.almost.rules import ALMOST
from games.api import Millis, Seat
from games.dice import Dice
from hub.core import messages as m
from hub.core import table
from hub.core.room import Change, Room, position
from hub.io.tasks import Tasks
from tests.secrecy.pair import Pair, new_table

ASYNC = pytest.mark.asyncio
STYLES: Final = [style for style in trials.STYLES if style.moves]
PER_PHASE: Final = 2
"""Positions of each phase of a game that are looked at."""


class Case(NamedTuple):
    options: Mapping[str, Any]
    seats: int
    style: trials.Style


def cases() -> Iterator[Case]:
    """All pairs of options, with different seats and paces."""
    for turn, options in enumerate(trials.pairwise(ALMOST)):
        for seats in (ALMOST.seats[turn % len(ALMOST.seats)], 3):
            if ALMOST.refuse_options(seats, msgspec.convert(options, ALMOST.Options)) is None:
                yield Case(options, seats, STYLES[turn % len(STYLES)])
                break


CASES: Final = tuple(cases())


def positions(case: Case) -> Iterator[tuple[Any, Millis]]:
    """Some states of a trial, of each phase the first and others by chance."""
    chance = random.Random(str(case))
    options = msgspec.convert(case.options, ALMOST.Options)
    found: Counter[str] = Counter()
    for one in trials.play(ALMOST, case.seats, options, b"positions", case.style, 120):
        phase = one.state.stage.phase
        drafted = any(draft is not None for draft in one.state.bids.draft)
        due = trials.first_due(ALMOST.windows(one.state))
        if phase == "end" or (due is not None and due[1] <= one.event.at):
            continue
        if found[phase] < PER_PHASE and (not found[phase] or (drafted and chance.random() < 0.5)):
            found[phase] += 1
            yield one.state, one.event.at


def with_state(made: Room, state: Any) -> Room:
    return Room(made.table, made.counts, position(ALMOST, state))


def begun(case: Case) -> Room:
    """The table after its start: what the log and the dice hold is the same at both."""
    change = table.start(ALMOST, new_table(ALMOST, case.seats, case.options), "x", Millis(0))
    assert isinstance(change, Change)
    return change.room


@pytest.mark.parametrize("turn", range(len(CASES)))
@ASYNC
async def test_positions(turn: int, tasks: Tasks) -> None:
    """G4.1, M1, L1: whole views, refusals, previews, a pause, time and figures, for each viewer in turn."""
    case = CASES[turn]
    chance, dice = random.Random(turn), Dice(b"resample %d" % turn)
    made = begun(case)
    seen = set()
    with structlog.testing.capture_logs() as logs:
        for state, at in positions(case):
            seen.add(state.stage.phase)
            viewer = chance.choice((None, *map(Seat, range(case.seats))))
            other = ALMOST.resample(state, viewer, dice)
            pair = Pair(ALMOST, viewer, tasks)
            await pair.sit(with_state(made, state), with_state(made, other), at)
            await try_all(pair, chance)
    assert {"bid"} <= seen
    assert logs == []


async def try_all(pair: Pair, chance: random.Random) -> None:
    seat = pair.viewer or 0
    trying = pair.eyes[-1] if pair.viewer is None else pair.clients[seat]
    last = pair.state.bids.locked.count(False) == 1
    for message in pair.probes(seat, chance, 12):
        if last and isinstance(message, m.Do) and message.move.get("move") == "lock":
            continue  # all numbers would be shown, and they are not the same
        for client in trying:
            client.send(message)
        pair.steps.append(str(message))
        await pair.check()
    for act in (m.Pause(), m.Resume()):
        pair.do(0, m.Manage, act=act)
        await pair.check()
    pair.same("the figures", *(rig.metrics.text() for rig in pair.rigs))
    assert all(rig.metrics.refused["BROKEN"] == 0 for rig in pair.rigs)


def test_the_cases_hold_every_option() -> None:
    """G4: both modes, every value that `trials` calls telling."""
    for name in ALMOST.Options.__struct_encode_fields__:
        values = {case.options.get(name) for case in CASES}
        assert len(values) > 1, name
    assert len(CASES) > 10
