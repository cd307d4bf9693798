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

from games.api import Bot, Choice, Decision, Dice, Observation, OneOf, Prompt, PromptId
from games.kit import choices as kit_choices
from games.kit.observations import optional, part, phrase
from games.kit.offers import Decline
from games.kit.peeks import StopPeeking
from games.shares.bot import bargaining, policy
from games.shares.bot.bargaining import Scales
from games.shares.bot.evaluation import Lens
from games.shares.bot.observation import moves_floors, read_table
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
from games.shares.rules.values import Bid, Deals, Mark, PeekContent, Recent, Scene

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
"""Kinds of prompts that no bot answers."""
RESTLESS: Final = frozenset({"select", "bid", "unlock", "propose", "counter", "cancel"})
"""What the careless leave out: it could be done for ever without the game going on."""


def _due(observation: Observation) -> tuple[Prompt, tuple[Choice, ...]] | None:
    """What is decided now, if this seat is asked."""
    kind = part(observation, "scene", Scene).kind
    for prompt in observation.prompts:
        if prompt.kind == kind and observation.choices.get(prompt.id):
            return prompt, observation.choices[prompt.id]
    return None


def _careless(observation: Observation, dice: Dice) -> Answer | None:
    kinds = {prompt.id: prompt.kind for prompt in observation.prompts}
    due = {
        prompt: tuple(choice for choice in found if choice.move not in RESTLESS)
        for prompt, found in observation.choices.items()
        if kinds[prompt] not in ASIDE
    }
    left = {prompt: choices for prompt, choices in due.items() if choices}
    found = kit_choices.sample(left, observation.seats, SharesMove, dice)
    return None if found is None else Decision(*found)


def _listed(choices: Sequence[Choice], move: str, field: str) -> tuple[int, ...]:
    """The numbers a move may have in this field."""
    found: list[int] = []
    for choice in choices:
        domain = choice.fields.get(field)
        if choice.move == move and isinstance(domain, OneOf):
            found.extend(one for one in domain.of if isinstance(one, int) and one not in found)
    return tuple(found)


def _cards(choices: Sequence[Choice], move: str) -> tuple[Card, ...]:
    """The cards by which a move may be made."""
    for choice in choices:
        domain = choice.fields.get("card")
        if choice.move == move and isinstance(domain, OneOf):
            return msgspec.convert(domain.of, tuple[Card, ...])
    return ()


def _answer(observation: Observation, me: Mind, choices: Sequence[Choice]) -> SharesMove | None:
    """What it does where one seat decides, or all in secret."""
    scene = part(observation, "scene", Scene)
    may = frozenset(choice.move for choice in choices)
    match me.here.kind:
        case "select":
            return None if part(observation, "mark", Mark).locked else policy.mark(me)
        case "lowball":
            return None if part(observation, "bid", Bid).locked else policy.bid(me)
        case "turn" | "chance4":
            trades = bool(_cards(choices, "openMarket")) and bargaining.hopeful(_scales(me))
            royals = _cards(choices, "openMarket") if trades else ()
            return policy.turn(me, scene.kind == "chance4", royals, "drawUp" in may)
        case "hearts" | "spades":
            return policy.floor(me)
        case "clubs":
            return policy.peek(me, uses(scene.played[-1].card) - scene.uses)
        case "peek":
            return StopPeeking()
        case "adjust":
            rolled = 0 if scene.roll is None else scene.roll.rolled
            return policy.adjust(me, _listed(choices, "adjust", "by"), rolled)
        case "chance1":
            return policy.rob(me, _listed(choices, "target", "seat"))
        case "take":
            peek_content = optional(observation, "peek_content", PeekContent)
            return None if peek_content is None else policy.take(me, peek_content.cards or ())
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


def _market(
    observation: Observation, me: Mind, prompt: Prompt | None, choices: Sequence[Choice]
) -> Answer | None:
    """Answers an offer, makes one, or closes its own market; waits while one of its own is open."""
    scales = _scales(me)
    deals = part(observation, "deals", Deals).deals
    for deal in deals:
        if deal.to == observation.seat:
            may = {choice.move for choice in observation.choices[PromptId(deal.id)]}
            taken = "accept" in may and bargaining.accepts(scales, deal)
            return Decision(PromptId(deal.id), Accept() if taken else Decline())
    if prompt is None or deals:
        return None
    closes = any(choice.move == "closeMarket" for choice in choices)
    if closes and not me.dice.below("close", CLOSES):
        return Decision(prompt.id, CloseMarket())
    if not closes and me.dice.below("propose", PROPOSES):
        return None
    idea = bargaining.proposal(scales, _listed(choices, "propose", "to"), me.dice)
    if idea is None:
        return Decision(prompt.id, CloseMarket()) if closes else None
    return Decision(prompt.id, idea)


# --- what it says ---


def _occasion(observation: Observation, me: Mind, move: SharesMove) -> str | None:
    """What there is to say with a move: never of an offer, of which others are not to learn (SSA-31)."""
    match move:
        case Lock(company=company) if company is not None:
            return f"iTake{_most(me)}"
        case Add(tower=tower):
            return f"raise{tower}"
        case Remove(tower=tower):
            return f"lower{tower}"
        case Swap(seats=seats):
            return "thanks" if observation.seat in seats else None
        case EndTurn():
            before = part(observation, "recent", Recent).played
            if before is not None and before.seat == observation.seat and suit_of(before.card) == "C":
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

    def decide(self, observation: Observation, level: str, dice: Dice) -> Answer | None:
        """Raises KeyError for a level it does not have."""
        temper = TEMPERS[level]
        due = _due(observation)
        deals = optional(observation, "deals", Deals)
        if due is None and (deals is None or not deals.deals):
            return None
        if temper.careless and dice.below("careless", 100) < temper.careless:
            return _careless(observation, dice)
        me = policy.mind(read_table(observation), temper, dice)
        prompt, choices = due or (None, ())
        if deals is not None:
            return _market(observation, me, prompt, choices)
        move = None if prompt is None else _answer(observation, me, choices)
        if prompt is None or move is None:
            return None
        occasion = _occasion(observation, me, move)
        return Decision(prompt.id, move, phrase(observation, f"shares.say.{occasion}", RARELY, dice))


BOT: Final = SharesBot()
