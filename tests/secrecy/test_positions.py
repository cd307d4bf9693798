"""G4 at single positions: a room is compared with itself after everything hidden from a viewer is redrawn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec
import pytest
import structlog

from games import GAMES
from games.api import Millis, Seat, open_prompts
from games.dice import Dice
from games.kit.moves import convert_move
from games.testing import random_play
from hub.table import game_start
from hub.table.room import Change, Room, position_of
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.games.tables import tables
from tests.secrecy.pair import Pair, new_table

ASYNC = pytest.mark.asyncio
STYLES: Final = [style for style in random_play.STYLES if style.moves]
PER_PHASE: Final = 2
"""The largest number of positions tested in each phase of a game."""


class Case(NamedTuple):
    game: Any
    seats: int
    options: Mapping[str, Any]
    style: random_play.Style

    def __str__(self) -> str:
        return f"{self.game.key}, {self.seats} seats, {self.style.name}, {sorted(self.options.items())}"


CASES: Final = tuple(
    Case(GAMES[key].game, *table, STYLES[turn % len(STYLES)])
    for key in ("almost", "takeover")
    for turn, table in enumerate(tables(key))
)


def positions(case: Case) -> Iterator[tuple[Any, Millis]]:
    """Some states of a random game, with their times: the first of each phase, and others at random."""
    chance, game = random.Random(str(case)), case.game
    options = msgspec.convert(case.options, game.Options)
    counts: Counter[str] = Counter()
    for one in random_play.play(game, case.seats, options, b"positions", case.style, 120):
        phase = one.state.stage.phase
        drafted = game.key != "almost" or any(draft is not None for draft in one.state.bids.draft)
        due = random_play.first_due(game.windows(one.state))
        if phase == "end" or (due is not None and due[1] <= one.event.at):
            continue
        if counts[phase] < PER_PHASE and (not counts[phase] or (drafted and chance.random() < 0.5)):
            counts[phase] += 1
            yield one.state, one.event.at


def with_state(game: Any, start: Room, state: Any) -> Room:
    return Room(start.table, start.counts, position_of(game, state))


def begin_game(case: Case) -> Room:
    """The table just after the start, which gives both tables the same log and dice."""
    change = game_start.start(case.game, new_table(case.game, case.seats, case.options), "x", Millis(0))
    assert isinstance(change, Change)
    return change.room


@pytest.mark.parametrize(
    "turn",
    [
        pytest.param(turn, id=f"{case.game.key}-{turn}", marks=pytest.mark.at_length if turn % 2 else ())
        for turn, case in enumerate(CASES)
    ],
)
@ASYNC
async def test_a_position_looks_the_same_with_other_secrets(turn: int, tasks: Tasks) -> None:
    """G4.1, M1, L1, TKO-24: a viewer's full views, refusals, previews, a pause, time and metrics."""
    case = CASES[turn]
    chance, dice = random.Random(turn), Dice(b"resample %d" % turn)
    start = begin_game(case)
    seen = set()
    with structlog.testing.capture_logs() as logs:
        for state, at in positions(case):
            seen.add(state.stage.phase)
            viewer = chance.choice((None, *map(Seat, range(case.seats))))
            other = case.game.resample(state, viewer, dice)
            pair = Pair(case.game, viewer, tasks)
            await pair.sit(with_state(case.game, start, state), with_state(case.game, start, other), at)
            await try_all(pair, chance)
    assert seen >= ({"bid"} if case.game.key == "almost" else {"draft", "flip", "play"})
    assert logs == []


async def try_all(pair: Pair, chance: random.Random) -> None:
    seat = pair.viewer or 0
    trying = pair.eyes[-1] if pair.viewer is None else pair.clients[seat]
    for message in pair.probes(seat, chance, 12):
        if isinstance(message, m.Do):  # asked about first: most of these are refused
            for client in trying:
                client.send(m.Preview(message.n, message.prompt, message.move))
            pair.steps.append(f"preview of {message}")
            await pair.check()
            if shows(pair, Seat(seat), message):
                continue
        for client in trying:
            client.send(message)
        pair.steps.append(str(message))
        await pair.check()
    for act in (m.Pause(), m.Resume()):
        pair.do(0, m.Manage, act=act)
        await pair.check()
    pair.same("the figures", *(hub.metrics.text() for hub in pair.hubs))
    assert all(hub.metrics.refused["BROKEN"] == 0 for hub in pair.hubs)


def shows(pair: Pair, seat: Seat, tried: m.Do) -> bool:
    """Whether the move may legitimately show a difference: it reveals all numbers, or draws a coin."""
    game, state = pair.game, pair.state
    if game.key == "almost":
        return bool(state.bids.locked.count(False) == 1 and tried.move.get("move") == "lock")
    try:
        move = convert_move(tried.move, game.Move)
    except msgspec.ValidationError:
        return False
    prompt = next((one.id for one in open_prompts(game.prompts(state), seat) if one.id == tried.prompt), None)
    return (
        prompt is not None
        and game.check(state, seat, prompt, move, Millis(pair.hubs[0].actor.table_time())) is None
    )
