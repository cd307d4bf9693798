"""What a Takeover bot has heard, read and been promised, made by hand, and what it may say then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from games.api import Character, Decision, Millis, NewPromise, Observation, Seat, SeenLine, Spoken
from games.dice import Dice
from games.kit.characters import find_character
from games.kit.wordings import read_intent
from games.takeover.bot.bot import BOT
from games.takeover.bot.voice import WORDINGS
from games.takeover.rules.values import (
    TakeoverMove,
    TakeoverState,
)
from tests.games.takeover.players import observe
from tests.games.takeover.table import position

ROW: Final = {(0, 0): "S3", (1, 0): "S5", (2, 0): "M4", (3, 0): "C3", (5, 3): "A1"}
"""The first four touch, each the next one."""
NOOR: Final = find_character("noor", "normal")
"""Always honest."""
YUKI: Final = find_character("yuki", "normal")
RAVI: Final = find_character("ravi", "hard")
"""These two are seldom honest."""


def calm() -> TakeoverState:
    return position(ROW, "S5 c5", "S3 a5", "M4 m5", turn=2)


def seated(state: TakeoverState) -> Observation:
    """What seat 0 sees after it has asked for something, so that it only answers and reacts."""
    return hears(observe(state), says(0, "askPass", at=0))


def says(seat: int, intent: str, *, at: int = 2_000, **args: int | str) -> Spoken:
    """What a bot says; with a phrase's key, what a person says."""
    is_bot = not intent.startswith("say.")
    key = WORDINGS[intent][0] if is_bot else f"takeover.{intent}"
    return Spoken(Seat(seat), None, key, args, Millis(at), bot=is_bot)


def hears(observation: Observation, *messages: Spoken) -> Observation:
    return replace(observation, messages=(*observation.messages, *messages))


def reads(observation: Observation, *lines: tuple[str, Mapping[str, Any]]) -> Observation:
    read = tuple(SeenLine(key, args, None, Millis(1_000)) for key, args in lines)
    return replace(observation, lines=(*observation.lines, *read))


def knows(
    observation: Observation,
    by: int,
    kind: str,
    judgement: Any = None,
    *,
    to: int = 0,
    bot: bool = True,
    **terms: Any,
) -> Observation:
    """With a promise that has or has not been judged, and the line about that."""
    promise = NewPromise(kind, terms, (Seat(to),), bot=bot).promise("p", Seat(by), Millis(1_500), 3)
    promise = replace(promise, judgement=judgement)
    known = replace(observation, promises=(*observation.promises, promise))
    return (
        known if judgement is None else reads(known, (f"promise.{judgement}", {"seat": by, "promise": "p"}))
    )


def decide(observation: Observation, character: Character, streams: int = 60) -> list[Decision[TakeoverMove]]:
    answers = [BOT.decide(observation, character, Dice(b"%d" % stream)) for stream in range(streams)]
    return [answer for answer in answers if answer is not None]


def intents(observation: Observation, character: Character) -> set[str]:
    """Everything the character may say here; each line has been checked to be allowed and true."""
    said = set()
    for decision in decide(observation, character):
        if decision.remark is not None:
            said.add(read_intent(decision.remark.key))
    return said


def tall() -> TakeoverState:
    """The 5 can cover the tile after it with profit, for which seat 0 can pay."""
    return position({**ROW, (2, 0): "A5 A4 A3 A2 C1 C2 M4"}, "S5 c5", "S3 a5", "M4 m5", turn=2)
