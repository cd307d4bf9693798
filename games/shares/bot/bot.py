"""The players of Share and Share Alike that are not people (1g): three levels, from what their seat sees.

A bot keeps nothing in mind from one decision to the next. What it knows of others' shares is what towers say
now, and what was shown; what it saw when it looked somewhere is gone with the window. So it looks only with
cards that are of no other use, and stops at once.

`normal` guesses what each company will win and how many shares will be claimed of it, plays small cards where
they bring most, and keeps its kings and aces for the end (`games.shares.bot.policy`). `easy` does so half of
the time, and otherwise anything. `hard` minds what a mark does to its own shares, has companies of its own,
and is the last to act in the last round. All of them trade, where there are markets
(`games.shares.bot.bargaining`), and leave the clock alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from games.api import Ask, AskId, Bot, Choice, Decision, Dice, Pick, Sight
from games.kit import choices as kit_choices
from games.kit.observations import optional, part, phrase
from games.kit.offers import Decline
from games.kit.peeks import StopLooking
from games.shares.bot import bargaining, observation, policy
from games.shares.bot.bargaining import Scales
from games.shares.bot.evaluation import Lens
from games.shares.bot.observation import moves_floors
from games.shares.bot.policy import Mind, Temper
from games.shares.rules.moves import (
    Accept,
    Add,
    CloseMarket,
    EndTurn,
    Lock,
    OpenMarket,
    Remove,
    SharesMove,
    Swap,
)
from games.shares.rules.pieces import COMPANIES, Card, suit_of, uses
from games.shares.rules.values import Bid, Deals, Mark, Peek, Recent, Scene

Answer: TypeAlias = Decision[SharesMove]

TEMPERS: Final[dict[str, Temper]] = {
    "easy": Temper(50, Lens(True, 0.5, 0.0), False, 0.0, 60, 0, 3, 1, False),
    "normal": Temper(0, Lens(False, 1.0, 0.0), False, 0.0, 30, 2, 3, 1, False),
    "hard": Temper(0, Lens(False, 1.0, 0.5), True, 1.0, 30, 3, 2, 2, True),
}
RARELY: Final = 8
"""One in so many occasions to say something is taken."""
CLOSES: Final = 4
"""One in so many occasions to propose something in a market of its own is taken to close it."""
PROPOSES: Final = 3
"""One in so many in somebody else's is taken."""
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
    left = {ask: choices for ask, choices in due.items() if choices}
    found = kit_choices.sample(left, sight.seats, SharesMove, dice)
    return None if found is None else Decision(*found)


def _listed(choices: Sequence[Choice], move: str, field: str) -> tuple[int, ...]:
    """The numbers a move may have in this field."""
    found: list[int] = []
    for choice in choices:
        domain = choice.fields.get(field)
        if choice.move == move and isinstance(domain, Pick):
            found.extend(one for one in domain.of if isinstance(one, int) and one not in found)
    return tuple(found)


def _cards(choices: Sequence[Choice], move: str) -> tuple[Card, ...]:
    """The cards by which a move may be made."""
    for choice in choices:
        domain = choice.fields.get("card")
        if choice.move == move and isinstance(domain, Pick):
            return msgspec.convert(domain.of, tuple[Card, ...])
    return ()


def _answer(sight: Sight, me: Mind, choices: Sequence[Choice]) -> SharesMove | None:
    """What it does where one seat decides, or all in secret."""
    scene = part(sight, "scene", Scene)
    may = frozenset(choice.move for choice in choices)
    match me.here.kind:
        case "select":
            return None if part(sight, "mark", Mark).locked else policy.mark(me)
        case "lowball":
            return None if part(sight, "bid", Bid).locked else policy.bid(me)
        case "turn" | "chance4":
            trades = bool(_cards(choices, "openMarket")) and bargaining.hopeful(_scales(me))
            royals = _cards(choices, "openMarket") if trades else ()
            return policy.turn(me, scene.kind == "chance4", royals, "drawUp" in may)
        case "hearts" | "spades":
            return policy.floor(me)
        case "clubs":
            return policy.look(me, uses(scene.played[-1].card) - scene.uses)
        case "look":
            return StopLooking()
        case "adjust":
            rolled = 0 if scene.roll is None else scene.roll.rolled
            return policy.adjust(me, _listed(choices, "adjust", "by"), rolled)
        case "chance1":
            return policy.rob(me, _listed(choices, "target", "seat"))
        case "take":
            peek = optional(sight, "peek", Peek)
            return None if peek is None else policy.take(me, peek.cards or ())
        case "chance2":
            return policy.swap(me)
        case "chance6":
            return policy.pass_on(me)
        case "chance3" | "draw":
            return policy.draw(me, may)
        case "market" | "over":
            return None


# --- markets ---


def _scales(me: Mind) -> Scales:
    return Scales(me.view, not me.temper.diluted)


def _market(sight: Sight, me: Mind, ask: Ask | None, choices: Sequence[Choice]) -> Answer | None:
    """Answers an offer, makes one, or closes its own market; waits while one of its own is open."""
    scales = _scales(me)
    deals = part(sight, "deals", Deals).deals
    for deal in deals:
        if deal.to == sight.seat:
            may = {choice.move for choice in sight.choices[AskId(deal.id)]}
            taken = "accept" in may and bargaining.accepts(scales, deal)
            return Decision(AskId(deal.id), Accept() if taken else Decline())
    if ask is None or deals:
        return None
    closes = any(choice.move == "closeMarket" for choice in choices)
    if closes and not me.dice.below("close", CLOSES):
        return Decision(ask.id, CloseMarket())
    if not closes and me.dice.below("propose", PROPOSES):
        return None
    idea = bargaining.proposal(scales, _listed(choices, "propose", "to"), me.dice)
    if idea is None:
        return Decision(ask.id, CloseMarket()) if closes else None
    return Decision(ask.id, idea)


# --- what it says ---


def _occasion(sight: Sight, me: Mind, move: SharesMove) -> str | None:
    """What there is to say with a move: never of an offer, of which others are not to learn (SSA-31)."""
    match move:
        case Lock(company=company) if company is not None:
            return f"iTake{_most(me)}"
        case Add(tower=tower):
            return f"raise{tower}"
        case Remove(tower=tower):
            return f"lower{tower}"
        case Swap(seats=seats):
            return "thanks" if sight.seat in seats else None
        case EndTurn():
            before = part(sight, "recent", Recent).played
            if before is not None and before.seat == sight.seat and suit_of(before.card) == "C":
                return f"spied{_most(me)}"
            return None if any(map(moves_floors, me.here.hand)) else "whoHasHearts"
        case OpenMarket():
            return f"iHold{_most(me)}"
        case _:
            return None


def _most(me: Mind) -> str:
    """The company of which it has most, which others had better leave alone."""
    return COMPANIES[max(range(len(COMPANIES)), key=me.here.own.holdings.__getitem__)]


class SharesBot(Bot[SharesMove]):
    """The bot, with all options of 1a."""

    levels = tuple(TEMPERS)

    def decide(self, sight: Sight, level: str, dice: Dice) -> Answer | None:
        """Raises KeyError for a level it does not have."""
        temper = TEMPERS[level]
        due = _due(sight)
        deals = optional(sight, "deals", Deals)
        if due is None and (deals is None or not deals.deals):
            return None
        if temper.careless and dice.below("careless", 100) < temper.careless:
            return _careless(sight, dice)
        me = policy.mind(observation.table(sight), temper, dice)
        ask, choices = due or (None, ())
        if deals is not None:
            return _market(sight, me, ask, choices)
        move = None if ask is None else _answer(sight, me, choices)
        if ask is None or move is None:
            return None
        occasion = _occasion(sight, me, move)
        return Decision(ask.id, move, phrase(sight, f"shares.say.{occasion}", RARELY, dice))


BOT: Final = SharesBot()
