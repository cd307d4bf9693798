"""The Share and Share Alike bot (1g): three skill levels, each playing only from its own seat's observation.

A bot keeps no memory between decisions. All it knows about other seats' shares is what the towers suggest
now and what those seats have shown, since it forgets a tracker when its peek closes. So it peeks only with
cards that have no other use, and stops at once.

`normal` estimates what each company will win and how many shares of it there will be, favours the company of
which it has most, plays small cards where they gain most, and keeps its kings and aces for the end
(`games.shares.bot.policy`). `easy` favours no company, mostly picks any share, card or tower that makes
sense, does at once what it means to keep of its promises, and spends one action in the first round. `hard`
misjudges marks less, keeps more cards, and acts last in the last round. All levels trade in markets
(`games.shares.bot.bargaining`), talk and promise (`games.shares.bot.talk`); none of them uses extensions or
the last call. What they promise, and whom they like or resent, decides between floors that are about equally
good (`games.shares.bot.memory`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from games.api import (
    Bot,
    Character,
    Choice,
    Decision,
    Dice,
    Millis,
    Observation,
    OneOf,
    Promise,
    Prompt,
    PromptId,
    Seat,
    SeenLine,
)
from games.dice import bot_dice
from games.kit.observations import optional, part
from games.kit.offers import Decline
from games.kit.peeks import StopPeeking
from games.shares.bot import bargaining, policy
from games.shares.bot.bargaining import TradeEvaluator
from games.shares.bot.evaluation import EvaluationOptions
from games.shares.bot.memory import RAISING, ROUND, rate_towers
from games.shares.bot.observation import read_table
from games.shares.bot.pauses import choose_pace
from games.shares.bot.policy import BotContext, SkillLevel
from games.shares.bot.sayings import PROPOSALS, WORDINGS
from games.shares.bot.talk import ANSWERS, Talk, choose_kept, speak
from games.shares.rules.moves import (
    Accept,
    CloseMarket,
    SharesMove,
)
from games.shares.rules.pieces import Card
from games.shares.rules.values import Bid, Deals, Mark, PeekContent, Scene, Stage

Answer: TypeAlias = Decision[SharesMove]

SKILL_LEVELS: Final[dict[str, SkillLevel]] = {
    "easy": SkillLevel(75, EvaluationOptions(0.5, 0.0), False, 0.0, 60, 0, 3, 1, False, 1),
    "normal": SkillLevel(0, EvaluationOptions(1.0, 0.0), False, 0.4, 30, 2, 3, 1, False, 3),
    "hard": SkillLevel(0, EvaluationOptions(1.0, 0.5), True, 1.15, 30, 3, 2, 2, True, 3),
}
MARKET_PACE: Final = Millis(3_500)
"""How long a bot takes over an offer in a market, so that its pace tells nothing of what it is offered."""
MARKET_LENGTHS: Final = (10_000, 18_000)
"""The shortest and the longest time, in milliseconds, for which a bot keeps its own market open: long enough
for an offer, and for the bot's answer."""
OWN_ACTS: Final = {"shares.offered": "seat", "offer.declined": "other", "shares.exchanged": "other"}
"""The lines about what a seat does in a market, and the argument that names it."""
RESTS_ONE_IN: Final = 3
"""In its own market, the bot makes no offer once in this many times."""
MAX_OFFERS: Final = 3
"""How many offers a bot makes in one market."""
PROPOSES_ONE_IN: Final = 4
"""When the bot could propose in another seat's market, it does so once in this many times."""


def _find_pending(observation: Observation) -> tuple[Prompt, tuple[Choice, ...]] | None:
    """The prompt of the current decision with its choices, if this seat has one."""
    kind = part(observation, "scene", Scene).kind
    for prompt in observation.prompts:
        if prompt.kind == kind and observation.choices.get(prompt.id):
            return prompt, observation.choices[prompt.id]
    return None


def _count_peeks(observation: Observation) -> Counter[int]:
    """By seat, how often this seat has peeked at its tracker in this round."""
    began = max((line.at for line in observation.lines if line.key == ROUND), default=0)
    peeks = (line.args for line in observation.lines if line.key == "peek.began" and line.at >= began)
    trackers = (args for args in peeks if args["seat"] == observation.seat and args["what"] == "tracker")
    return Counter(other for args in trackers if isinstance(other := args["other"], int))


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
    observation: Observation, context: BotContext, choices: Sequence[Choice], talk: Talk
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
            suit = "H" if context.table.kind == "hearts" else "S"
            kept = choose_kept(talk.memory.list_own_open(), talk.character)
            leaning = rate_towers(talk.memory, suit, talk.liking, kept)
            barred = _list_barred(context, talk, kept) if suit == "S" else ()
            return policy.choose_floor(context, suit, leaning, barred)
        case "clubs":
            return policy.choose_peek(context, _count_peeks(observation))
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


# --- careless play ---


def _list_barred(context: BotContext, talk: Talk, kept: Sequence[Promise]) -> tuple[str, ...]:
    """The towers that it does not lower; a careless bot, which weighs nothing, adds those it has promised."""
    left = [str(promise.terms["company"]) for promise in kept if promise.kind == "leave"]
    return (*talk.memory.spared, *left) if context.skill.careless else talk.memory.spared


def _choose_carelessly(context: BotContext, talk: Talk) -> SharesMove | None:
    """What keeps a promise that it means to keep, or else mostly anything that makes sense; None to think."""
    kept = choose_kept(talk.memory.list_own_open(), talk.character)
    promised = {
        suit: [str(promise.terms["company"]) for promise in kept if promise.kind in kinds]
        for suit, kinds in (("H", RAISING), ("S", ("lower",)))
    }
    move = policy.choose_promised(context, promised)
    if move is not None:
        return move
    match context.table.kind:
        case "turn" | "chance4" if context.is_careless:
            return policy.choose_any_card(context, _list_barred(context, talk, kept))
        case "hearts" | "spades" if context.is_careless:
            return policy.choose_any_floor(context, _list_barred(context, talk, kept))
        case _:
            return None


# --- markets ---


def _make_evaluator(context: BotContext) -> TradeEvaluator:
    return TradeEvaluator(context.valuation, not context.skill.focus)


def _trade(
    observation: Observation, context: BotContext, prompt: Prompt | None, choices: Sequence[Choice]
) -> Answer | None:
    """Answers an offer, makes one, or closes its own market; waits while an offer of its own is open.

    What it does depends on its shares and on offers to it, so it takes equally long over all of it, and its
    own market closes when that was due from the start (G4).
    """
    evaluator = _make_evaluator(context)
    is_broker = part(observation, "stage", Stage).active == observation.seat
    closing: Answer | None = None
    pace = MARKET_PACE
    if is_broker and prompt is not None:
        times = _read_market(observation)  # from its opening, with which the bot's decision began
        closing = Decision(prompt.id, CloseMarket(), after=Millis(times.closing))
        if times.acting >= times.closing:
            return closing
        pace = Millis(times.acting)
    deals = part(observation, "deals", Deals).deals
    for deal in deals:
        if deal.to == observation.seat:
            legal = {choice.move for choice in observation.choices[PromptId(deal.id)]}
            accepted = "accept" in legal and bargaining.accepts(evaluator, deal)
            answer = Accept() if accepted else Decline()
            return Decision(PromptId(deal.id), answer, after=pace)
    if prompt is None or deals or _count_offers(observation) >= MAX_OFFERS:
        return closing
    chance = context.dice.below("propose", RESTS_ONE_IN if is_broker else PROPOSES_ONE_IN)
    if (chance == 0) == is_broker:
        return closing
    proposal = bargaining.choose_proposal(evaluator, _list_numbers(choices, "propose", "to"), context.dice)
    return closing if proposal is None else Decision(prompt.id, proposal, after=pace)


class MarketTimes(NamedTuple):
    """Times since a bot's own market opened, in milliseconds."""

    closing: int
    """When it closes: this depends only on when it opened, which everybody knows (G4)."""
    acting: int
    """When the bot next answers an offer, or makes one: as long after the last time as it always takes."""


def _read_market(observation: Observation) -> MarketTimes:
    """The times as the log lines tell them."""
    seat, lines = observation.seat, observation.lines
    first = next((i for i in reversed(range(len(lines))) if lines[i].key == "shares.market"), 0)
    since = lines[first:]
    opened = since[0].at if since else 0
    acted = max((line.at for line in since if _is_own(line, seat)), default=opened)
    shortest, longest = MARKET_LENGTHS
    closing = shortest + bot_dice(b"market", seat, opened).below("length", longest - shortest + 1)
    return MarketTimes(closing, acted - opened + MARKET_PACE)


def _is_own(line: SeenLine, seat: Seat) -> bool:
    """Whether this is the bot's offer, or its answer to another seat's."""
    return line.key in OWN_ACTS and line.args.get(OWN_ACTS[line.key]) == seat


def _count_offers(observation: Observation) -> int:
    """How many offers this seat has made in this market, as its own log lines say."""
    count = 0
    for line in reversed(observation.lines):
        if line.key == "shares.market":
            break
        count += line.key == "shares.offered" and line.args.get("seat") == observation.seat
    return count


def _choose_answer(
    observation: Observation,
    context: BotContext,
    pending: tuple[Prompt, tuple[Choice, ...]] | None,
    deals: Deals | None,
    talk: Talk,
) -> Answer | None:
    """The answer to a prompt, if the seat has one to give."""
    if pending is None and (deals is None or not deals.deals):
        return None
    prompt, choices = pending or (None, ())
    if deals is not None:
        return _trade(observation, context, prompt, choices)
    if prompt is None:
        return None
    move = _choose_carelessly(context, talk) if context.skill.careless else None
    move = move or _choose_move(observation, context, choices, talk)
    return None if move is None else Decision(prompt.id, move)


def _take_time(observation: Observation, answer: Answer) -> Answer:
    pace = choose_pace(observation)
    return answer if pace is None else replace(answer, after=pace)


class SharesBot(Bot[SharesMove]):
    """A bot that plays with all the options in 1a."""

    levels = tuple(SKILL_LEVELS)
    proposals = frozenset({"propose", "counter", *WORDINGS.list_keys(PROPOSALS)})
    remarkable = frozenset({"shares.removed", "promise.broken"})
    answers = frozenset({"accept", "decline", "counter", *WORDINGS.list_keys(ANSWERS)})

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Answer | None:
        """Raises KeyError for an unknown level."""
        skill = SKILL_LEVELS[character.level]
        if part(observation, "stage", Stage).phase == "end":
            return None
        pending = _find_pending(observation)
        deals = optional(observation, "deals", Deals)
        if pending is None and not (observation.may_speak or (deals and deals.deals)):
            return None
        context = policy.make_context(read_table(observation), skill, dice)
        talk = Talk(observation, character, context, dice)
        answer = _choose_answer(observation, context, pending, deals, talk)
        if deals is not None:
            return answer  # it says nothing in a market: its silence would tell of offers (SSA-31)
        speech = speak(talk, None if answer is None else answer.move)
        if answer is not None:
            return replace(_take_time(observation, answer), remark=speech.remark, promise=speech.promise)
        if speech.remark is None and speech.promise is None:
            return None
        return Decision(remark=speech.remark, promise=speech.promise)


BOT: Final = SharesBot()
