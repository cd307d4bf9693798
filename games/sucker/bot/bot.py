"""The players of So Long Sucker that are not people (2g): three levels, from what their seat sees alone.

`normal` plays by habit (`games.sucker.bot.policy`). `easy` does so half of the time, without a thought for
allies and enemies, and otherwise anything. `hard` searches small positions to the end for a win that nobody
can prevent, giving and killing prisoners if need be (`games.sucker.bot.endgame`), and tries its moves in
rounds played out by habit where there is none (`games.sucker.bot.playouts`). All of them act only when the
table waits for them, and leave the clock alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple, TypeAlias

import msgspec

from games.api import Bot, Choice, Decision, Dice, Observation, OneOf, PromptId, Range
from games.kit.observations import optional, part, phrase
from games.sucker.bot import playouts, policy
from games.sucker.bot import search_state as scenes
from games.sucker.bot.endgame import Endgame, TooLarge
from games.sucker.bot.playouts import Player
from games.sucker.bot.policy import Chance, Heart
from games.sucker.bot.search_state import NEW, Scene
from games.sucker.rules.values import (
    Continue,
    GiveMove,
    Hands,
    Kill,
    KillPrisoners,
    Place,
    PlayCard,
    Refuse,
    RescueWith,
    Stage,
    SuckerMove,
    Transfer,
)
from games.sucker.rules.views import Cards, Mine, Piles, Rescue, Trail

Answer: TypeAlias = Decision[SuckerMove]
Level: TypeAlias = str


class Temper(NamedTuple):
    """What makes a level."""

    careless: int
    """Out of 100, how often it does anything; and whether it forgets who its enemy and its ally are."""
    positions: int
    """How many it looks at to find a forced win."""
    steps: int
    """How many of rounds played out."""


TEMPERS: Final[dict[str, Temper]] = {
    "easy": Temper(50, 0, 0),
    "normal": Temper(0, 0, 0),
    "hard": Temper(0, 1_000, 2_000),
}
FEW_SEATS: Final = 3
FEW_CHIPS: Final = 8
"""With so many seats alive, and chips in all their hands, a position is small."""
RARELY: Final = 5
"""One in so many occasions to say something is taken."""


class Option(NamedTuple):
    """A legal move, and what comes of it."""

    prompt: PromptId
    move: SuckerMove
    after: Scene


# --- what it sees ---


def seen(observation: Observation) -> Scene:
    """The position. Raises ValueError where nobody has the move."""
    return scenes.seen(
        part(observation, "stage", Stage),
        part(observation, "hands", Hands),
        part(observation, "piles", Piles),
        part(observation, "trail", Trail),
        part(observation, "mine", Mine),
        optional(observation, "cards", Cards),
        optional(observation, "rescue", Rescue),
    )


def _moves(choice: Choice) -> Iterator[SuckerMove]:
    domains: list[Sequence[int | str]] = []
    for domain in choice.fields.values():
        match domain:
            case OneOf(of=of):
                domains.append(of)
            case Range(least=least, most=most):
                domains.append(range(least, most + 1))
            case _:
                raise TypeError(f"{choice.move} has a field of another kind")
    for values in product(*domains):
        fields = dict(zip(choice.fields, values, strict=True))
        move: SuckerMove = msgspec.convert({"move": choice.move, **fields}, SuckerMove)
        yield move


def after(scene: Scene, seat: int, move: SuckerMove, places: dict[int, int]) -> Scene | None:
    """What comes of a move, by the piles' places; None for those that only touch the clock or an answer."""
    match move:
        case Place(colour=colour, pile=pile, card=card):
            return scenes.placed(scene, colour, NEW if pile is None else places[pile], card)
        case PlayCard(card=card, colour=colour):
            return scenes.played(scene, card, colour)
        case GiveMove(to=to):
            return scenes.given(scene, to)
        case Kill(colour=colour):
            return scenes.killed(scene, colour)
        case RescueWith(colour=colour, count=count):
            return scenes.handed(scene, seat, colour, count, scene.mover)
        case Transfer(colour=colour, count=count, to=to):
            return scenes.handed(scene, seat, colour, count, to)
        case KillPrisoners(colour=colour, count=count):
            return scenes.handed(scene, seat, colour, count, None)
        case Refuse():
            return scenes.refused(scene, seat)
        case _:
            return None


def options(observation: Observation, scene: Scene, kind: str) -> Iterator[Option]:
    """All moves that answer the prompt of this kind, if it is open."""
    places = {pile.id: place for place, pile in enumerate(part(observation, "piles", Piles).piles)}
    for prompt in observation.prompts:
        if prompt.kind == kind:
            for choice in observation.choices.get(prompt.id, ()):
                for move in _moves(choice):
                    then = after(scene, observation.seat, move, places)
                    if then is not None:
                        yield Option(prompt.id, move, then)


# --- what it does ---


def _forced(
    observation: Observation, scene: Scene, due: Sequence[Option], heart: Heart, most: int
) -> Option | None:
    """A move that wins whatever the others do, if the position is small, and there is one."""
    if sum(scene.alive) > FEW_SEATS or sum(map(sum, scene.hands)) > FEW_CHIPS:
        return None
    game = Endgame(observation.seat, heart.enemy, heart.ally, most)
    try:
        for option in (*due, *options(observation, scene, "prisoners")):
            if game.wins(option.after):
                return option
    except TooLarge:
        pass
    return None


def _chosen(
    observation: Observation, scene: Scene, due: Sequence[Option], temper: Temper, dice: Dice
) -> Option:
    mine = part(observation, "mine", Mine)
    heart = Heart(mine.enemy, mine.ally)
    if temper.careless:
        if dice.below("careless", 100) < temper.careless:
            return due[dice.below("any", len(due))]
        heart = Heart(None, None)
    forced = _forced(observation, scene, due, heart, temper.positions) if temper.positions else None
    if forced is not None:
        return forced
    chance = Chance(dice.below("chance", 1 << 62))
    by_scene = {option.after: option for option in reversed(due)}
    if temper.steps:
        player = Player(observation.seat, heart, bool(mine.row))
        return by_scene[playouts.best(scene, tuple(by_scene), player, temper.steps, chance)]
    return by_scene[policy.answer(scene, observation.seat, heart, chance)]


# --- what it says ---


def _occasion(scene: Scene, seat: int, option: Option) -> str | None:
    """What there is to say with a move."""
    then = option.after
    match option.move:
        case Place():
            falls = len(then.alive) - sum(then.alive) > len(scene.alive) - sum(scene.alive)
            return "soLong" if falls else None
        case GiveMove(to=to):
            if not any(scene.hands[to]):
                return "soLong"
            if to != seat and scene.way[-2:-1] == (to,):
                return "iReturnTheMove"
            return "iGiveYouTheMove" if to != seat else None
        case Kill(colour=colour):
            return "sorry" if colour != seat and scene.alive[colour] else None
        case RescueWith():
            return "iWillRescueYou"
        case Refuse():
            return "rescueMe" if seat == scene.mover else None
        case PlayCard():
            return "thanks"
        case _:
            return None


class SuckerBot(Bot[SuckerMove]):
    """The bot, with all options of 2a."""

    levels = tuple(TEMPERS)
    slow = frozenset({"hard"})

    def decide(self, observation: Observation, level: Level, dice: Dice) -> Answer | None:
        """Raises KeyError for a level it does not have."""
        temper, phase = TEMPERS[level], part(observation, "stage", Stage).phase
        if phase == "review":
            ready = [
                prompt.id
                for prompt in observation.prompts
                if prompt.kind == "continue" and prompt.id in observation.choices
            ]
            return Decision(ready[0], Continue()) if ready else None
        if phase == "end":
            return None
        scene = seen(observation)
        due = list(options(observation, scene, phase))
        if not due or (scene.refused and scene.refused[observation.seat]):
            return None  # a refusal stands
        found = _chosen(observation, scene, due, temper, dice)
        occasion = _occasion(scene, observation.seat, found)
        return Decision(found.prompt, found.move, phrase(observation, f"sucker.say.{occasion}", RARELY, dice))


BOT: Final = SuckerBot()
