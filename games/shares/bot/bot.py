"""The Share and Share Alike bot (1g): three skill levels, each playing only from its own seat's observation.

A bot keeps no memory between decisions. All it knows about other seats' shares is what the towers suggest
now and what those seats have shown, since it forgets a tracker when its peek closes. So it peeks only with
cards that have no other use, and stops at once.

`normal` estimates what each company will win and how many shares of it there will be. It plays small cards
where they gain most and keeps its kings and aces for the end (`games.shares.bot.policy`). `easy` does the
same half the time and otherwise plays at random. `hard` considers how a mark dilutes its own shares,
favours certain companies, and acts last in the last round. All levels trade in markets
(`games.shares.bot.bargaining`); none of them uses extensions or the last call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from games.api import Bot, Character, Choice, Decision, Dice, Observation, OneOf, Prompt, PromptId
from games.kit import choices as kit_choices
from games.kit.observations import optional, part, phrase
from games.kit.offers import Decline
from games.kit.peeks import StopPeeking
from games.shares.bot import bargaining, policy
from games.shares.bot.bargaining import TradeEvaluator
from games.shares.bot.evaluation import EvaluationOptions
from games.shares.bot.observation import moves_floors, read_table
from games.shares.bot.policy import BotContext, SkillLevel
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

SKILL_LEVELS: Final[dict[str, SkillLevel]] = {
    "easy": SkillLevel(50, EvaluationOptions(True, 0.5, 0.0), False, 0.0, 60, 0, 3, 1, False),
    "normal": SkillLevel(0, EvaluationOptions(False, 1.0, 0.0), False, 0.0, 30, 2, 3, 1, False),
    "hard": SkillLevel(0, EvaluationOptions(False, 1.0, 0.5), True, 1.0, 30, 3, 2, 2, True),
}
SPEAKS_ONE_IN: Final = 8
"""On average, the bot speaks up once in this many opportunities."""
CLOSES_ONE_IN: Final = 4
"""When the bot could propose in its own market, it closes the market instead once in this many times."""
PROPOSES_ONE_IN: Final = 3
"""When the bot could propose in another seat's market, it does so once in this many times."""
IGNORED_PROMPTS: Final = frozenset({"show", "extend", "lastCall"})
"""Kinds of prompts that no bot answers."""
ENDLESS_MOVES: Final = frozenset({"select", "bid", "unlock", "propose", "counter", "cancel"})
"""Moves left out of random play because they can be repeated for ever without progress."""


def _find_pending(observation: Observation) -> tuple[Prompt, tuple[Choice, ...]] | None:
    """The prompt of the current decision with its choices, if this seat has one."""
    kind = part(observation, "scene", Scene).kind
    for prompt in observation.prompts:
        if prompt.kind == kind and observation.choices.get(prompt.id):
            return prompt, observation.choices[prompt.id]
    return None


def _play_randomly(observation: Observation, dice: Dice) -> Answer | None:
    kinds = {prompt.id: prompt.kind for prompt in observation.prompts}
    offered = {
        prompt: tuple(choice for choice in choices if choice.move not in ENDLESS_MOVES)
        for prompt, choices in observation.choices.items()
        if kinds[prompt] not in IGNORED_PROMPTS
    }
    nonempty = {prompt: choices for prompt, choices in offered.items() if choices}
    sample = kit_choices.sample(nonempty, observation.seats, SharesMove, dice)
    return None if sample is None else Decision(*sample)


def _list_numbers(choices: Sequence[Choice], move: str, field: str) -> tuple[int, ...]:
    """The numbers that a field of this move may take."""
    numbers: list[int] = []
    for choice in choices:
        domain = choice.fields.get(field)
        if choice.move == move and isinstance(domain, OneOf):
            numbers.extend(value for value in domain.of if isinstance(value, int) and value not in numbers)
    return tuple(numbers)


def _list_cards(choices: Sequence[Choice], move: str) -> tuple[Card, ...]:
    """The cards with which this move can be made."""
    for choice in choices:
        domain = choice.fields.get("card")
        if choice.move == move and isinstance(domain, OneOf):
            return msgspec.convert(domain.of, tuple[Card, ...])
    return ()


def _choose_move(
    observation: Observation, context: BotContext, choices: Sequence[Choice]
) -> SharesMove | None:
    """The answer to a single seat's decision, or to a secret choice that all seats make."""
    scene = part(observation, "scene", Scene)
    legal = frozenset(choice.move for choice in choices)
    match context.table.kind:
        case "select":
            return None if part(observation, "mark", Mark).locked else policy.choose_mark(context)
        case "lowball":
            return None if part(observation, "bid", Bid).locked else policy.choose_bid(context)
        case "turn" | "chance4":
            royals = _list_cards(choices, "openMarket")
            worthwhile = bool(royals) and bargaining.has_proposal(_make_evaluator(context))
            free = scene.kind == "chance4"
            return policy.choose_action(context, free, royals if worthwhile else (), "drawUp" in legal)
        case "hearts" | "spades":
            return policy.choose_floor(context)
        case "clubs":
            return policy.choose_peek(context, uses(scene.played[-1].card) - scene.uses)
        case "peek":
            return StopPeeking()
        case "adjust":
            rolled = 0 if scene.roll is None else scene.roll.rolled
            return policy.choose_adjustment(context, _list_numbers(choices, "adjust", "by"), rolled)
        case "chance1":
            return policy.choose_victim(context, _list_numbers(choices, "target", "seat"))
        case "take":
            peek_content = optional(observation, "peek_content", PeekContent)
            return None if peek_content is None else policy.choose_card(context, peek_content.cards or ())
        case "chance2":
            return policy.choose_swap(context)
        case "chance6":
            return policy.choose_recipient(context)
        case "chance3" | "draw":
            return policy.choose_draw(context, legal)
        case "market" | "over":
            return None


# --- markets ---


def _make_evaluator(context: BotContext) -> TradeEvaluator:
    return TradeEvaluator(context.valuation, not context.skill.dilutes)


def _trade(
    observation: Observation, context: BotContext, prompt: Prompt | None, choices: Sequence[Choice]
) -> Answer | None:
    """Answers an offer, makes one, or closes its own market; waits while an offer of its own is open."""
    evaluator = _make_evaluator(context)
    deals = part(observation, "deals", Deals).deals
    for deal in deals:
        if deal.to == observation.seat:
            legal = {choice.move for choice in observation.choices[PromptId(deal.id)]}
            accepted = "accept" in legal and bargaining.accepts(evaluator, deal)
            return Decision(PromptId(deal.id), Accept() if accepted else Decline())
    if prompt is None or deals:
        return None
    may_close = any(choice.move == "closeMarket" for choice in choices)
    if may_close and not context.dice.below("close", CLOSES_ONE_IN):
        return Decision(prompt.id, CloseMarket())
    if not may_close and context.dice.below("propose", PROPOSES_ONE_IN):
        return None
    proposal = bargaining.choose_proposal(evaluator, _list_numbers(choices, "propose", "to"), context.dice)
    if proposal is None:
        return Decision(prompt.id, CloseMarket()) if may_close else None
    return Decision(prompt.id, proposal)


# --- table talk ---


def _find_occasion(observation: Observation, context: BotContext, move: SharesMove) -> str | None:
    """The cue for table talk in a move, if any; never an offer, which stays hidden from others (SSA-31)."""
    match move:
        case Lock(company=company) if company is not None:
            return f"iTake{_find_largest_holding(context)}"
        case Add(tower=tower):
            return f"raise{tower}"
        case Remove(tower=tower):
            return f"lower{tower}"
        case Swap(seats=seats):
            return "thanks" if observation.seat in seats else None
        case EndTurn():
            last = part(observation, "recent", Recent).played
            if last is not None and last.seat == observation.seat and suit_of(last.card) == "C":
                return f"spied{_find_largest_holding(context)}"
            return None if any(map(moves_floors, context.table.hand)) else "whoHasHearts"
        case OpenMarket():
            return f"iHold{_find_largest_holding(context)}"
        case _:
            return None


def _find_largest_holding(context: BotContext) -> str:
    """The company in which the seat holds the most shares, which the bot names to discourage others."""
    return COMPANIES[max(range(len(COMPANIES)), key=context.table.tracker.holdings.__getitem__)]


class SharesBot(Bot[SharesMove]):
    """A bot that plays with all the options in 1a."""

    levels = tuple(SKILL_LEVELS)
    proposals = frozenset({"propose", "counter"})
    answers = frozenset({"accept", "decline", "counter"})

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Answer | None:
        """Raises KeyError for an unknown level."""
        skill = SKILL_LEVELS[character.level]
        pending = _find_pending(observation)
        deals = optional(observation, "deals", Deals)
        if pending is None and (deals is None or not deals.deals):
            return None
        if skill.careless and dice.below("careless", 100) < skill.careless:
            return _play_randomly(observation, dice)
        context = policy.make_context(read_table(observation), skill, dice)
        prompt, choices = pending or (None, ())
        if deals is not None:
            return _trade(observation, context, prompt, choices)
        move = None if prompt is None else _choose_move(observation, context, choices)
        if prompt is None or move is None:
            return None
        occasion = _find_occasion(observation, context, move)
        return Decision(prompt.id, move, phrase(observation, f"shares.say.{occasion}", SPEAKS_ONE_IN, dice))


BOT: Final = SharesBot()
