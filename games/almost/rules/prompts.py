"""What is open to whom: prompts, choices and small sections.

Each is made once per distinct situation and shared by all rooms, for these are asked for at every command.
"""

from __future__ import annotations

from games.almost.rules.values import Mine, Phase, Plans, Readiness, Stage
from games.api import Choice, Choices, OneOf, PerSeat, Prompt, PromptId, Range, Seat, Section, WindowId
from games.kit import time_control as time_control
from games.kit.memo import memoize
from games.kit.time_control import Timer


@memoize
def _open(phase: Phase, number: int, seats: int, window: WindowId | None) -> tuple[Prompt, ...]:
    everybody = frozenset(Seat(seat) for seat in range(seats))

    def prompt(kind: str) -> Prompt:
        return Prompt(PromptId(f"{kind}:{number}"), kind, everybody, window, None)

    match phase:
        case "discuss":
            return (prompt("ready"), prompt("plan"))
        case "bid":
            return (prompt("bid"),)
        case "reveal":
            return (prompt("continue"),)
        case "end":
            return ()


@memoize
def prompts(
    stage: Stage, seats: int, timer: Timer, control: time_control.TimerPrompt | None
) -> tuple[Prompt, ...]:
    window = timer.id if timer.clock is not None else None
    prompts = _open(stage.phase, stage.round, seats, window)
    return prompts if control is None else (*prompts, control.prompt)


@memoize
def ready_choices(
    phase: Phase,
    number: int,
    done: bool,
    most: int,
    plans: Plans,
    own: int | None,
    more: time_control.TimerPrompt | None,
) -> Choices:
    found: dict[PromptId, tuple[Choice, ...]] = {}
    if phase == "reveal":
        found[PromptId(f"continue:{number}")] = () if done else (Choice("continue"),)
    else:
        found[PromptId(f"ready:{number}")] = (Choice("unready" if done else "ready"),)
        plan = [Choice("propose", {"bids": PerSeat(1, most)})]
        others = tuple(one.number for one in plans.plans if one.number != own)
        if others:
            plan.append(Choice("agree", {"plan": OneOf(others)}))
        if own is not None:
            plan.append(Choice("withdraw"))
        found[PromptId(f"plan:{number}")] = tuple(plan)
    if more is not None:
        found[more.prompt.id] = more.choices
    return found


@memoize
def bid_choices(
    number: int, most: int, drafted: bool, locked: bool, more: time_control.TimerPrompt | None
) -> Choices:
    found: dict[PromptId, tuple[Choice, ...]] = {}
    if locked:
        found[PromptId(f"bid:{number}")] = (Choice("unlock"),)
    else:
        fields = {"number": Range(1, most)}
        with_number = (Choice("bid", fields), Choice("lock", fields))
        found[PromptId(f"bid:{number}")] = (*with_number, Choice("lock")) if drafted else with_number
    if more is not None:
        found[more.prompt.id] = more.choices
    return found


@memoize
def readiness(done: tuple[bool, ...]) -> Section:
    return Section(Readiness(done))


@memoize
def mine(bid: int | None, locked: bool, extensions: int) -> dict[str, Section]:
    return {"mine": Section(Mine(bid, locked, extensions))}
