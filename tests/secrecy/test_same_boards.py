"""GEN-8 through the whole hub: public sections are sent to every seat and to watchers as exactly the same
bytes."""

from __future__ import annotations

import random
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace

from games import GAMES
from games.api import Outcome, Seat, Section
from games.subdivision.rules.game import Subdivision
from games.subdivision.rules.values import SubdivisionState
from games.testing.random_play import Table
from hub.table.room import NEVER, next_end
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.games.tables import tables
from tests.secrecy.in_process_hub import Client, InProcessHub, payloads
from tests.secrecy.pair import Chance, new_table, registry

OWN: Final = frozenset({"choices", "talk_policy", "note", "knocks", "watchers"})
"""Sections made for each audience, whatever the game."""
SOME: Final = {"shares": 3, "subdivision": len(tables("subdivision")), "takeover": 6}
"""The number of tables played for each game."""
CASES: Final = [(key, turn) for key, count in SOME.items() for turn in range(count)]


class Sent(msgspec.Struct):
    """A view or a frame, with its sections as received."""

    sections: dict[str, msgspec.Raw] = {}


_decode: Final = msgspec.msgpack.Decoder(Sent).decode


class Eye:
    """An audience, and the current bytes of every section it has."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.sections: dict[str, bytes] = {}

    def peek(self) -> None:
        for data in self.client.heard():
            assert isinstance(data, bytes)
            for payload in payloads(data):
                self.sections.update({name: bytes(raw) for name, raw in _decode(payload).sections.items()})


async def play(game: Any, table: Table, seed: int, tasks: Tasks) -> int:
    """Plays a random game, and returns the number of states compared."""
    chance, (seats, options) = random.Random(seed), table
    hub = InProcessHub(registry(game), tasks)
    await hub.put(new_table(game, seats, options))
    eyes = [Eye(hub.client(seat)) for seat in (*map(Seat, range(seats)), None)]
    for eye in eyes:
        await eye.client.open()
    eyes[0].client.command(m.Manage, act=m.Start())
    await hub.settle()
    states = 0
    while True:
        compare(game, hub, eyes)
        states += 1
        if isinstance(game.prompts(hub.state), Outcome):
            return states
        await act(hub, [eye.client for eye in eyes[:-1]], chance)


def compare(game: Any, hub: InProcessHub, eyes: list[Eye]) -> None:
    """Compares all sections in Subdivision, which hides nothing, and the public ones in other games."""
    for eye in eyes:
        eye.peek()
    *seated, watcher = (eye.sections for eye in eyes)
    shared = {"table", "presence", *game.public(hub.state)}
    if game.key == "subdivision":
        shared = set(watcher) - OWN
        assert all(set(sections) - OWN == shared for sections in seated)
    assert set(game.public(hub.state)) <= shared
    for name in shared:
        assert {sections[name] for sections in (*seated, watcher)} == {watcher[name]}, name


@pytest.mark.parametrize(("key", "turn"), CASES, ids=[f"{key}-{turn}" for key, turn in CASES])
@pytest.mark.asyncio
async def test_public_sections_are_the_same_bytes_for_everybody(key: str, turn: int, tasks: Tasks) -> None:
    """GEN-8, rulings 7: checked in all states of random games with all pairs of options and seat counts."""
    assert await play(GAMES[key].game, tables(key)[turn], turn, tasks) > 15


class Favoured(Subdivision):
    """One seat is shown a section that others are not."""

    def private(self, state: SubdivisionState, seat: Seat) -> dict[str, Section]:
        return {} if seat else {"stash2": Section(state.stash)}


class Whispered(Subdivision):
    """Watchers are not shown whose turn it is."""

    def prompts(self, state: SubdivisionState) -> Any:
        prompts = super().prompts(state)
        everybody = frozenset(Seat(seat) for seat in range(len(state.stash.left)))
        return (
            tuple(replace(prompt, to=everybody) for prompt in prompts)
            if isinstance(prompts, tuple)
            else prompts
        )


@pytest.mark.parametrize("game", [Favoured(), Whispered()], ids=["favoured", "whispered"])
@pytest.mark.asyncio
async def test_sections_that_differ_between_audiences_are_detected(game: Any, tasks: Tasks) -> None:
    with pytest.raises(AssertionError):
        await play(game, tables("subdivision")[0], 0, tasks)


async def act(hub: InProcessHub, clients: list[Client], chance: random.Random) -> None:
    """Makes a move for some seat, or lets a window end without one."""
    end = next_end(hub.actor.room)
    if end < NEVER and chance.random() < 0.15:
        hub.advance(end - hub.actor.table_time() + 1)
        await hub.settle()
        return
    for client in chance.sample(clients, len(clients)):
        assert client.seat is not None
        sampled = hub.actor.rules.sample(hub.state, client.seat, Chance(chance))
        if sampled is not None:
            raw = msgspec.to_builtins(sampled[1])
            move = {name: value for name, value in raw.items() if value is not None}
            client.command(m.Do, prompt=sampled[0], move=move)
            await hub.settle()
            return
