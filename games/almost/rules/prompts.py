"""What is open to whom: asks, choices and small sections.

Each is made once per distinct situation and shared by all rooms, for these are asked for at every command.
"""

from __future__ import annotations

from functools import lru_cache

from games.almost.rules.values import Lights, Mine, Phase, Plans, Stage
from games.api import Ask, AskId, Choice, Choices, Each, Pick, Range, Seat, Section, WindowId
from games.kit import time_control as pacing
from games.kit.time_control import Timer


@lru_cache(1024)
def _open(phase: Phase, number: int, seats: int, window: WindowId | None) -> tuple[Ask, ...]:
    everybody = frozenset(Seat(seat) for seat in range(seats))

    def ask(kind: str) -> Ask:
        return Ask(AskId(f"{kind}:{number}"), kind, everybody, window, None)

    match phase:
        case "discuss":
            return (ask("ready"), ask("plan"))
        case "bid":
            return (ask("bid"),)
        case "reveal":
            return (ask("continue"),)
        case "end":
            return ()


@lru_cache(8192)
def asks(stage: Stage, seats: int, timer: Timer, pace: pacing.PaceAsk | None) -> tuple[Ask, ...]:
    window = timer.id if timer.clock is not None else None
    asks = _open(stage.phase, stage.round, seats, window)
    return asks if pace is None else (*asks, pace.ask)


@lru_cache(8192)
def ready_choices(
    phase: Phase,
    number: int,
    done: bool,
    most: int,
    plans: Plans,
    own: int | None,
    more: pacing.PaceAsk | None,
) -> Choices:
    found: dict[AskId, tuple[Choice, ...]] = {}
    if phase == "reveal":
        found[AskId(f"continue:{number}")] = () if done else (Choice("continue"),)
    else:
        found[AskId(f"ready:{number}")] = (Choice("unready" if done else "ready"),)
        plan = [Choice("propose", {"bids": Each(1, most)})]
        others = tuple(one.number for one in plans.plans if one.number != own)
        if others:
            plan.append(Choice("agree", {"plan": Pick(others)}))
        if own is not None:
            plan.append(Choice("withdraw"))
        found[AskId(f"plan:{number}")] = tuple(plan)
    if more is not None:
        found[more.ask.id] = more.choices
    return found


@lru_cache(8192)
def bid_choices(number: int, most: int, drafted: bool, locked: bool, more: pacing.PaceAsk | None) -> Choices:
    found: dict[AskId, tuple[Choice, ...]] = {}
    if locked:
        found[AskId(f"bid:{number}")] = (Choice("unlock"),)
    else:
        fields = {"number": Range(1, most)}
        with_number = (Choice("bid", fields), Choice("lock", fields))
        found[AskId(f"bid:{number}")] = (*with_number, Choice("lock")) if drafted else with_number
    if more is not None:
        found[more.ask.id] = more.choices
    return found


@lru_cache(4096)
def lights(done: tuple[bool, ...]) -> Section:
    return Section(Lights(done))


@lru_cache(4096)
def mine(bid: int | None, locked: bool, extensions: int) -> dict[str, Section]:
    return {"mine": Section(Mine(bid, locked, extensions))}
