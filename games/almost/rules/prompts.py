"""Prompts, choices and small sections.

Each is built once per distinct situation and shared by all rooms, because every command needs them.
"""

from __future__ import annotations

from games.almost.rules.values import Mine, Phase, Plans, Readiness, Stage
from games.api import Choice, Choices, OneOf, PerSeat, Prompt, PromptId, Range, Seat, Section, WindowId
from games.kit import time_control as time_control
from games.kit.memo import memoize
from games.kit.time_control import Timer


@memoize
def _phase_prompts(phase: Phase, number: int, seats: int, window: WindowId | None) -> tuple[Prompt, ...]:
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
    """The open prompts."""
    window = timer.id if timer.clock is not None else None
    prompts = _phase_prompts(stage.phase, stage.round, seats, window)
    return prompts if control is None else (*prompts, control.prompt)


@memoize
def ready_choices(
    phase: Phase,
    number: int,
    done: bool,
    highest: int,
    plans: Plans,
    supported: int | None,
    more: time_control.TimerPrompt | None,
) -> Choices:
    """The choices of a seat during a discussion or a reveal; `supported` is the number of its plan."""
    choices: dict[PromptId, tuple[Choice, ...]] = {}
    if phase == "reveal":
        choices[PromptId(f"continue:{number}")] = () if done else (Choice("continue"),)
    else:
        choices[PromptId(f"ready:{number}")] = (Choice("unready" if done else "ready"),)
        plan_choices = [Choice("propose", {"bids": PerSeat(1, highest)})]
        joinable = tuple(plan.number for plan in plans.plans if plan.number != supported)
        if joinable:
            plan_choices.append(Choice("agree", {"plan": OneOf(joinable)}))
        if supported is not None:
            plan_choices.append(Choice("withdraw"))
        choices[PromptId(f"plan:{number}")] = tuple(plan_choices)
    if more is not None:
        choices[more.prompt.id] = more.choices
    return choices


@memoize
def bid_choices(
    number: int, highest: int, drafted: bool, locked: bool, more: time_control.TimerPrompt | None
) -> Choices:
    """The choices of a seat that may bid from 1 to `highest`."""
    choices: dict[PromptId, tuple[Choice, ...]] = {}
    if locked:
        choices[PromptId(f"bid:{number}")] = (Choice("unlock"),)
    else:
        fields = {"number": Range(1, highest)}
        with_number = (Choice("bid", fields), Choice("lock", fields))
        choices[PromptId(f"bid:{number}")] = (*with_number, Choice("lock")) if drafted else with_number
    if more is not None:
        choices[more.prompt.id] = more.choices
    return choices


@memoize
def readiness(done: tuple[bool, ...]) -> Section:
    """Section `readiness`."""
    return Section(Readiness(done))


@memoize
def private(bid: int | None, locked: bool, extensions: int) -> dict[str, Section]:
    """The private sections of a seat."""
    return {"mine": Section(Mine(bid, locked, extensions))}
