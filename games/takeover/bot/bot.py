"""The Takeover bot (section 5g): three skill levels, each of which sees only its own seat's observation.

A bot picks the most valuable coins, chooses its stocks, and then makes the best merger, or passes if none
is worthwhile. `easy` counts only its own coins, with a random error. `normal` also considers what others
gain from a merger. `hard` makes every coin a stock, since that loses nothing, and considers the stacks that
will be next to its own (`games.takeover.bot.evaluation`). All levels trade
(`games.takeover.bot.bargaining`): they answer every offer, but on their own turn they play first unless the
offer is good. They occasionally propose a trade between their turns. They never wait for an answer, and
never extend a timer.

A character has a favourite value in the draft, and talks (`games.takeover.bot.talk`). Its memory and its
promises decide only between mergers that are about equally good (`games.takeover.bot.loyalty`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias, cast

from games.api import Bot, Character, Choice, Decision, Dice, Observation, OneOf, Prompt, Remark
from games.kit.observations import part, phrase
from games.kit.offers import KIND, Cancel
from games.takeover.bot import bargaining, evaluation, loyalty, talk, voice
from games.takeover.bot.answering import list_null_holders
from games.takeover.bot.bargaining import TradeEvaluator
from games.takeover.bot.evaluation import RatedMerger, may_lose_now
from games.takeover.bot.observation import (
    EMPTY,
    NEAR,
    NUMBER,
    SUIT,
    VALUE,
    Stacks,
    Table,
    ends_by_pass,
    read_stacks,
    read_table,
    read_wait,
)
from games.takeover.bot.pauses import choose_pace
from games.takeover.rules.promises import IDLE, MERGED
from games.takeover.rules.values import (
    Accept,
    Board,
    CashOut,
    Deal,
    Deals,
    Flip,
    Hand,
    Lock,
    Name,
    Pass,
    Pick,
    PickCoin,
    Stage,
    TakeoverMove,
    Value,
)

Answer: TypeAlias = Decision[TakeoverMove]


class SkillLevel(NamedTuple):
    """The parameters of a level."""

    misjudgement: int
    """The largest error in rating, in hundredths of a point."""
    propose: int
    """It proposes a trade at one opportunity in this many."""
    haggle: int
    """It makes a counter-offer to one in this many offers that fall a little short; 0 means never."""
    simple: bool
    """Whether it considers only the coins' current worth when it trades."""


SKILL_LEVELS: Final = {
    "easy": SkillLevel(300, 8, 0, True),
    "normal": SkillLevel(0, 5, 4, False),
    "hard": SkillLevel(0, 4, 3, False),
}

NEIGHBOUR_BONUS: Final = 0.2
"""The value that each adjacent tile of its industry adds to a coin in the draft, if visible."""
CASH_FROM: Final = 4
"""`normal` keeps coins of at least this value as cash unless their tiles touch one of their industry (5g)."""
FAVOURITE_BONUS: Final = 1.0
WHIM: Final = 140
"""A character's favourite value counts as much more, and each value up to this many hundredths more: so it
often takes its favourite instead of a coin worth one more, and seldom gives up more than that. So drafts
differ at most tables."""
MIN_CASH_OUT_GAIN: Final = 0.5
"""How much more a merger must gain than the others for stocks to be cashed out for it."""
WITHDRAWS_ONE_IN: Final = 4
"""If offers do not expire, the bot withdraws its own after its turn once in this many times.

It does so only if whoever it was made to has had a turn since.
"""
OFFERED: Final = frozenset({"takeover.offered", "takeover.countered"})
"""The lines about an offer, which the two seats see."""
HOSTILE: Final = 3
"""The bot comments on covering a stack of at least this many tiles that is not its own."""
SPEAKS_ONE_IN: Final = 6
"""On average, the bot speaks up once in this many opportunities."""


def _find_open(observation: Observation, kind: str) -> tuple[Prompt, tuple[Choice, ...]] | None:
    """The open prompt of this kind with its choices, if there is one."""
    for prompt in observation.prompts:
        if prompt.kind == kind and observation.choices.get(prompt.id):
            return prompt, observation.choices[prompt.id]
    return None


def _choose_phrase(observation: Observation, occasion: str | None, dice: Dice) -> Remark | None:
    """A phrase to say; never about an offer, because others would learn of it (TKO-22)."""
    return phrase(observation, f"takeover.say.{occasion}", SPEAKS_ONE_IN, dice)


# --- the draft and the flips ---


def _count_industry_neighbours(stacks: Stacks, coin: int) -> int:
    """The number of tiles of the coin's industry that touch its tile: they can cover each other for free."""
    near = NEAR[stacks.tops.index(coin)]
    return sum(stacks.tops[square] != EMPTY and SUIT[stacks.tops[square]] == SUIT[coin] for square in near)


def _get_favourite(character: Character, seats: int) -> int | None:
    """The value that a character likes best, from low for cautious ones to high for bold ones.

    With two seats there is none: whatever one gives up, the other gains.
    """
    return None if character.is_substitute or seats == 2 else min(4, character.temper.boldness // 18)


def _pick(observation: Observation, character: Character, dice: Dice) -> Answer | None:
    """Picks by value and taste and, if industries are shown, also by what the coins' tiles can cover."""
    draft = _find_open(observation, "draft")
    if draft is None:
        return None
    prompt, choices = draft
    domain = next(iter(choices[0].fields.values()))
    if not isinstance(domain, OneOf):
        raise TypeError("a coin is not picked from a list")
    stacks = read_stacks(part(observation, "board", Board))
    favourite = _get_favourite(character, observation.seats)
    whim = SKILL_LEVELS[character.level].misjudgement or (0 if favourite is None else WHIM)

    def rate(pick: int | str) -> float:
        points = dice.below("whim", whim) / 100 if whim else 0.0
        value = _get_value(pick)
        if value == favourite:
            points += FAVOURITE_BONUS
        if not isinstance(pick, int):
            points += NEIGHBOUR_BONUS * _count_industry_neighbours(stacks, NUMBER[cast(Name, pick)])
        return points + value

    rated = [(rate(pick), pick) for pick in domain.of]
    most = max(points for points, _ in rated)
    best = [pick for points, pick in rated if points == most]
    pick = best[dice.below("equal", len(best))]
    move = Pick(cast(Value, pick)) if isinstance(pick, int) else PickCoin(cast(Name, pick))
    highest = max(_get_value(pick) for pick in domain.of)
    remark = talk.comment_on_pick(observation, character, _get_value(pick), highest, dice)
    return Decision(prompt.id, move, remark)


def _get_value(pick: int | str) -> int:
    return pick if isinstance(pick, int) else VALUE[NUMBER[cast(Name, pick)]]


def _flip(observation: Observation, level: str, dice: Dice) -> Answer | None:
    """Chooses which coins are stocks."""
    flip = _find_open(observation, "flip")
    if flip is None or part(observation, "flip", Flip).locked:
        return None
    stacks = read_stacks(part(observation, "board", Board))
    coins = [coin.name for coin in part(observation, "hand", Hand).coins]
    if level == "easy":
        stocks = [coin for coin in coins if dice.below("flip", 2)]
    elif level == "normal":
        stocks = [coin for coin in coins if _suits_as_stock(stacks, NUMBER[coin])]
    else:
        stocks = coins
    return Decision(flip[0].id, Lock(tuple(stocks)))


def _suits_as_stock(stacks: Stacks, coin: int) -> bool:
    """Whether `normal` makes the coin a stock: 0 coins and high coins may be useful as cash (5g)."""
    return VALUE[coin] > 0 and (VALUE[coin] < CASH_FROM or _count_industry_neighbours(stacks, coin) > 0)


# --- play ---


def _rate_without_errors(level: str, table: Table) -> list[RatedMerger]:
    match level:
        case "hard":
            return evaluation.rate_by_prospects(table)
        case "normal":
            return evaluation.rate_by_totals(table)
        case _:
            return evaluation.rate_by_total(table)


def _rate_mergers(table: Table, level: str, dice: Dice) -> list[RatedMerger]:
    misjudgement = SKILL_LEVELS[level].misjudgement
    mergers = _rate_without_errors(level, table)
    if not misjudgement:
        return mergers
    return [
        merger._replace(points=merger.points + (dice.below("whim", misjudgement) - misjudgement / 2) / 100)
        for merger in mergers
    ]


def _play_turn(observation: Observation, table: Table, character: Character, dice: Dice) -> Answer | None:
    """Merges or passes, or cashes stocks out if that is legal and makes a better merger possible."""
    level = character.level
    turn = _find_open(observation, "turn")
    if turn is None:
        return None
    prompt, choices = turn
    best = loyalty.choose(_rate_mergers(table, level, dice), table, observation, character, dice)
    if level != "easy" and any(choice.move == "cashOut" for choice in choices):
        rich = evaluation.cash_out_level(table)
        better = loyalty.choose(_rate_mergers(rich, level, dice), rich, observation, character, dice)
        if better is not None and better.points > (best.points if best else 0.0) + MIN_CASH_OUT_GAIN:
            coins = evaluation.list_needed_stocks(table, rich, better)
            if coins:
                return Decision(prompt.id, CashOut(coins), after=choose_pace(observation))
    if best is None:
        is_pointless = voice.is_pass_proposed(observation) or ends_by_pass(observation)
        proposes = not (may_lose_now(table) or is_pointless)
        remark = _choose_phrase(observation, "letUsPass" if proposes else None, dice)
        return Decision(prompt.id, Pass(), remark, after=choose_pace(observation))
    tall = table.stacks.heights[best.onto] >= HOSTILE
    owned = table.stacks.tops[best.onto] in table.purse.stocks
    return Decision(
        prompt.id,
        evaluation.make_move(table, best),
        _choose_phrase(observation, "hostile" if tall and not owned else None, dice),
        after=choose_pace(observation),
    )


# --- trades ---


def _wants_to_haggle(character: Character, skill: SkillLevel, dice: Dice) -> bool:
    """Whether it asks for more if an offer is close: the bolder, the more often."""
    if character.is_substitute:
        return not dice.below("haggle", skill.haggle)
    return dice.below("haggle", 200) < character.temper.boldness


def _answer_offer(
    observation: Observation, evaluator: TradeEvaluator, deal: Deal, character: Character, dice: Dice
) -> Answer:
    skill = SKILL_LEVELS[character.level]
    prompt = next(prompt for prompt in observation.prompts if prompt.id == deal.id)
    haggle = skill.haggle > 0 and observation.seats > 2 and _wants_to_haggle(character, skill, dice)
    move = bargaining.answer(evaluator, deal, observation.choices[prompt.id], haggle)
    return Decision(prompt.id, move)


def _withdraw_offer(
    observation: Observation, evaluator: TradeEvaluator, deals: Sequence[Deal], dice: Dice
) -> Answer | None:
    """Withdraws one of the bot's own offers if it would now do harm, or is old and never expires."""
    untimed = {prompt.id for prompt in observation.prompts if prompt.kind == KIND and prompt.window is None}
    has_played = read_wait(observation) == observation.seats - 1
    for deal in (deal for deal in deals if deal.by == observation.seat):
        prompt = next(prompt for prompt in observation.prompts if prompt.id == deal.id)
        is_old = has_played and prompt.id in untimed and _has_had_time(observation, deal.to)
        stale = is_old and not dice.below("stale", WITHDRAWS_ONE_IN)
        if stale or bargaining.is_unwanted(evaluator, deal):
            return Decision(prompt.id, Cancel())
    return None


def _has_had_time(observation: Observation, to: int) -> bool:
    """Whether a seat has had a turn since this one last offered it something, or no offer is seen."""
    for line in reversed(observation.lines):
        if line.key in MERGED | IDLE and line.args["seat"] == to:
            return True
        if line.key in OFFERED and (line.args["seat"], line.args["other"]) == (observation.seat, to):
            return False
    return True


def _wants_to_propose(observation: Observation, skill: SkillLevel, dice: Dice) -> bool:
    """Whether to propose: occasionally, and never on its own turn, so that no turn is delayed by it.

    With two seats it never proposes, because one side's gain is the other's loss.
    """
    if _find_open(observation, "trade") is None or observation.seats == 2 or read_wait(observation) == 0:
        return False
    return not dice.below("propose", skill.propose)


def _propose(observation: Observation, evaluator: TradeEvaluator, dice: Dice) -> Answer | None:
    trade = _find_open(observation, "trade")
    if trade is None:
        return None
    prompt, choices = trade
    domain = choices[0].fields["to"]
    if not isinstance(domain, OneOf):
        raise TypeError("a partner is not picked from a list")
    to = [seat for seat in domain.of if isinstance(seat, int)]
    people = [seat for seat in to if voice.has_heard_person(observation, seat)]
    if people and dice.below("people", 2):
        to = people
    proposal = bargaining.choose_proposal(
        evaluator,
        to,
        dice,
        declined=voice.list_declined(observation),
        null_holders=list_null_holders(observation),
    )
    return None if proposal is None else Decision(prompt.id, proposal.move)


def _trade(
    observation: Observation, table: Table, character: Character, proposes: bool, dice: Dice
) -> Answer | None:
    """Answers an offer, withdraws one, or makes one if none of its own is open.

    On its turn it accepts good offers, which everyone sees. It neither declines nor withdraws anything before
    it has played, so a flood of offers cannot hold it up, and others cannot see its turn waiting for
    something secret (TKO-22).
    """
    evaluator = TradeEvaluator(table, SKILL_LEVELS[character.level].simple)
    deals = part(observation, "deals", Deals).deals
    for deal in deals:
        if deal.to == observation.seat:
            decision = _answer_offer(observation, evaluator, deal, character, dice)
            if table.wait or isinstance(decision.move, Accept):
                return decision
    if deals and table.wait:
        return _withdraw_offer(observation, evaluator, deals, dice)
    return _propose(observation, evaluator, dice) if proposes else None


def _play(observation: Observation, character: Character, dice: Dice) -> tuple[Answer | None, Table | None]:
    """What it does in the play phase, and the table if it has looked at it."""
    skill = SKILL_LEVELS[character.level]
    proposes = _wants_to_propose(observation, skill, dice)
    trades = proposes or ("deals" in observation.sections and bool(part(observation, "deals", Deals).deals))
    if not trades and _find_open(observation, "turn") is None:
        return None, None
    table = read_table(observation)
    decision = _trade(observation, table, character, proposes, dice) if trades else None
    if decision is None:
        decision = _play_turn(observation, table, character, dice)
    return decision, table


class TakeoverBot(Bot[TakeoverMove]):
    """A bot that plays with all the options in 5a."""

    levels = tuple(SKILL_LEVELS)
    proposals = frozenset({"propose", "counter"}) | voice.WORDINGS.list_keys(voice.REQUESTS)
    quick = frozenset({"draft"})
    remarkable = frozenset({"promise.broken"})
    answers = frozenset({"accept", "decline", "counter"}) | voice.WORDINGS.list_keys(voice.REPLIES)

    def decide(self, observation: Observation, character: Character, dice: Dice) -> Answer | None:
        """Raises KeyError for an unknown level."""
        level = character.level
        if level not in SKILL_LEVELS:
            raise KeyError(level)
        match part(observation, "stage", Stage).phase:
            case "draft":
                return _pick(observation, character, dice)
            case "flip":
                return _flip(observation, level, dice)
            case "play":
                decision, table = _play(observation, character, dice)
                rate = partial(_rate_without_errors, level)
                return talk.add_talk(decision, observation, table, character, rate, dice)
            case "end":
                return None


BOT: Final = TakeoverBot()
