"""When a bot closes its market tells nobody how many offers were made in it in private (SSA-31, G4.10)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.api import Bot, Character, Decision, Millis, Observation, Seat, open_prompts
from games.shares.bot.bot import BOT, MARKET_LENGTHS
from games.shares.rules.game import SHARES
from games.shares.rules.moves import OpenMarket, SharesMove
from hub.table import game_start, seating
from hub.table.room import Change, Room, position_of
from hub.telemetry.tasks import Tasks
from hub.wire import messages as m
from tests.games.shares.table import position
from tests.secrecy.in_process_hub import InProcessHub
from tests.secrecy.pair import new_table, registry

BROKER = Seat(0)
OPTIONS: dict[str, Any] = {"openMarket": True, "timers": "off"}
STEP_MS = 100


class Opener(Bot[SharesMove]):
    """The game's bot, but it opens a market as soon as it may."""

    levels = BOT.levels

    def decide(
        self, observation: Observation, character: Character, dice: Any
    ) -> Decision[SharesMove] | None:
        for prompt, choices in observation.choices.items():
            if any(choice.move == "openMarket" for choice in choices):
                return Decision(prompt, OpenMarket("KC"))
        return BOT.decide(observation, character, dice)


@pytest.fixture(autouse=True)
def same_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = random.Random
    monkeypatch.setattr("hub.runtime.actor.random.Random", lambda: drawing(5))
    monkeypatch.setattr("hub.runtime.bots.secrets.token_bytes", lambda size: b"t" * size)


def table_with_broker() -> Room:
    freed = seating.free_seat(new_table(SHARES, 4, OPTIONS), BROKER, Millis(0), by_host=True)
    assert isinstance(freed, Change)
    started = game_start.start(SHARES, freed.room, "normal", Millis(0))
    assert isinstance(started, Change)
    marks = {0: "AAB", 1: "BBC", 2: "CCD", 3: "EEE"}
    state = position("KC 2C", "3C", "4C", "5C", marks=marks, round=3, **OPTIONS)
    return Room(started.room.table, started.room.counts, position_of(SHARES, state))


async def measure_market(tasks: Tasks, offers: dict[int, int], cancels: dict[int, int]) -> tuple[int, int]:
    """How long the bot's market is open, and how many offers it answers.

    Both arguments give, by seat, the time since its opening at which it makes or withdraws an offer.
    """
    hub = InProcessHub(registry(SHARES), tasks)
    await hub.put(table_with_broker())
    hub.actor.bot = Opener()
    people = {seat: hub.client(Seat(seat)) for seat in (1, 2, 3)}
    for client in people.values():
        await client.open()
    waited = 0
    while hub.state.scene.kind != "market":
        hub.advance(STEP_MS)
        await hub.settle()
        waited += STEP_MS
        assert waited < 60_000
    answered = elapsed = 0
    while hub.state.scene.kind == "market":
        for seat, client in people.items():
            prompt = next(
                one.id for one in open_prompts(SHARES.prompts(hub.state), Seat(seat)) if one.kind == "market"
            )
            if offers.get(seat) == elapsed:
                move = {"move": "propose", "to": BROKER, "give": [], "wish": ["A"]}
                client.command(m.Do, prompt=prompt, move=move)
            mine = [offer for offer in hub.state.offers.open if offer.by == seat]
            if cancels.get(seat) == elapsed:
                assert mine
                client.command(m.Do, prompt=mine[0].id, move={"move": "cancel"})
        await hub.settle()
        before = len(hub.state.offers.open)
        hub.advance(STEP_MS)
        await hub.settle()
        elapsed += STEP_MS
        is_open = hub.state.scene.kind == "market"
        answered += is_open and len(hub.state.offers.open) < before
    return elapsed, answered


@pytest.mark.parametrize(
    ("offers", "cancels", "answers"),
    [
        ({1: 500}, {}, 1),
        ({1: 500, 2: 500}, {}, 2),
        ({1: 500, 2: 3_300}, {}, 2),
        ({1: 5_000}, {}, 1),
        ({1: 500}, {1: 1_000}, 0),
        ({1: 500, 2: 3_700, 3: 3_900}, {3: 5_000}, 2),
        ({1: 9_000, 2: 9_500, 3: 9_900}, {}, None),
    ],
)
@pytest.mark.asyncio
async def test_offers_do_not_change_when_a_bot_closes_its_market(
    offers: dict[int, int], cancels: dict[int, int], answers: int | None, tasks: Tasks
) -> None:
    alone, _ = await measure_market(tasks, {}, {})
    length, answered = await measure_market(tasks, offers, cancels)
    shortest, longest = MARKET_LENGTHS
    assert shortest <= alone <= longest + STEP_MS
    assert length == alone
    assert answers is None or answered == answers
