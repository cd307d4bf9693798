"""The players of Share and Share Alike that are not people (1g): three levels, from what their seat sees."""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from games.api import Ask, Bot, Choice, Decision, Dice, Pick, Sight
from games.kit import choosing
from games.kit.looks import StopLooking
from games.shares import habits, reading
from games.shares.habits import Mind, Temper
from games.shares.moves import CloseMarket, SharesMove
from games.shares.outlook import Lens
from games.shares.reading import part
from games.shares.values import Bid, Mark, Peek, Scene

Answer: TypeAlias = Decision[SharesMove]

TEMPERS: Final[dict[str, Temper]] = {
    "easy": Temper(50, Lens(True, 0.0, 0.0), False, 0.0, 0, 3, 1, False),
    "normal": Temper(0, Lens(True, 0.0, 0.0), False, 0.0, 2, 3, 1, False),
    "hard": Temper(0, Lens(False, 1.0, 0.5), True, 20.0, 3, 2, 2, True),
}
ASIDE: Final = frozenset({"show", "extend", "lastCall"})
"""Kinds of asks that no bot answers."""
RESTLESS: Final = frozenset({"select", "bid", "unlock", "propose", "counter", "cancel"})
"""What the careless leave out: it could be done for ever without the game going on."""


def _due(sight: Sight) -> tuple[Ask, tuple[Choice, ...]] | None:
    """What is decided now, if this seat is asked."""
    kind = part(sight, "scene", Scene).kind
    for ask in sight.asks:
        if ask.kind == kind and sight.choices.get(ask.id):
            return ask, sight.choices[ask.id]
    return None


def _careless(sight: Sight, dice: Dice) -> Answer | None:
    kinds = {ask.id: ask.kind for ask in sight.asks}
    due = {
        ask: tuple(choice for choice in found if choice.move not in RESTLESS)
        for ask, found in sight.choices.items()
        if kinds[ask] not in ASIDE
    }
    found = choosing.some({ask: choices for ask, choices in due.items() if choices}, sight.seats, dice)
    return None if found is None else Decision(found[0], msgspec.convert(found[1], SharesMove))


def _pick(choices: tuple[Choice, ...], move: str, field: str) -> tuple[int, ...]:
    for choice in choices:
        if choice.move == move:
            domain = choice.fields[field]
            if isinstance(domain, Pick):
                return tuple(one for one in domain.of if isinstance(one, int))
    return ()


def _answer(sight: Sight, me: Mind, choices: tuple[Choice, ...]) -> SharesMove | None:
    match me.here.kind:
        case "select":
            return None if part(sight, "mark", Mark).locked else habits.mark(me)
        case "lowball":
            return None if part(sight, "bid", Bid).locked else habits.bid(me)
        case "turn":
            return habits.turn(me, False)
        case "chance4":
            return habits.turn(me, True)
        case "hearts" | "spades":
            return habits.floor(me)
        case "clubs":
            return habits.look(me)
        case "look":
            return StopLooking()
        case "adjust":
            roll = part(sight, "scene", Scene).roll
            return None if roll is None else habits.adjust(me, _pick(choices, "adjust", "by"), roll.rolled)
        case "chance1":
            return habits.rob(me, _pick(choices, "target", "seat"))
        case "take":
            return habits.take(me, part(sight, "peek", Peek).cards or ())
        case "chance2":
            return habits.swap(me)
        case "chance6":
            return habits.pass_on(me)
        case "chance3" | "draw":
            return habits.draw(me, frozenset(choice.move for choice in choices))
        case "market":
            return CloseMarket() if any(choice.move == "closeMarket" for choice in choices) else None
        case "over":
            return None


class SharesBot(Bot[SharesMove]):
    """The bot, with all options of 1a."""

    levels = tuple(TEMPERS)

    def decide(self, sight: Sight, level: str, dice: Dice) -> Answer | None:
        """Raises KeyError for a level it does not have."""
        temper = TEMPERS[level]
        due = _due(sight)
        if due is None:
            return None
        ask, choices = due
        if temper.careless and dice.below("careless", 100) < temper.careless:
            return _careless(sight, dice)
        me = habits.mind(reading.table(sight), temper, dice)
        move = _answer(sight, me, choices)
        return None if move is None else Decision(ask.id, move)


BOT: Final = SharesBot()
