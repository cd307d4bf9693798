"""The players of Takeover that are not people (section 5g): three levels, from what their seat sees alone.

A bot picks what is worth most, marks its stocks, and tries all mergers and takes the best, or passes where
none gains. `easy` counts its own coins, and not too well. `normal` minds what a merger brings others. `hard`
makes everything a stock, for a stock loses nothing by being one, and minds what its stacks come to stand
beside (`games.takeover.bot.evaluation`). All of them trade (`games.takeover.bot.bargaining`): they answer
every offer, the bad ones after their turn if it has come, and propose something now and then while it has
not. They never wait for an answer, and leave the clock alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias, cast

from games.api import Bot, Choice, Decision, Dice, Observation, OneOf, Prompt
from games.kit.observations import part, phrase
from games.kit.offers import KIND, Cancel
from games.takeover.bot import bargaining, evaluation
from games.takeover.bot.bargaining import Scales
from games.takeover.bot.evaluation import Gain
from games.takeover.bot.observation import (
    EMPTY,
    NEAR,
    NUMBER,
    SUIT,
    VALUE,
    Stacks,
    Table,
    read_stacks,
    read_table,
    read_wait,
)
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


class Temper(NamedTuple):
    """What makes a level."""

    whim: int
    """By how much, in hundredths of a point, it may misjudge."""
    propose: int
    """One in so many occasions to propose something is taken."""
    haggle: int
    """One in so many offers that lack little is answered with another; 0: none."""
    simple: bool
    """In trades it minds only what coins count now."""


TEMPERS: Final = {
    "easy": Temper(300, 8, 0, True),
    "normal": Temper(0, 5, 4, False),
    "hard": Temper(0, 4, 3, False),
}

FRIENDS: Final = 0.2
"""What a touching tile of one industry adds to a coin in the draft, if its suit can be seen."""
CASH_FROM: Final = 4
"""Coins from this value on `normal` keeps as cash, unless their tiles touch one of their industry (5g)."""
EQUAL: Final = 0.02
"""Points: no more than that below the best, a merger is as good."""
CASHING: Final = 0.5
"""What a merger must gain more than others to cash stocks out for it."""
STALE: Final = 4
"""Where offers do not run out, one in so many occasions after one's turn ends an offer of one's own."""
HOSTILE: Final = 3
"""Covering that many tiles of somebody is worth a word."""
RARELY: Final = 6
"""One in so many occasions to say something is taken."""


def _open(observation: Observation, kind: str) -> tuple[Prompt, tuple[Choice, ...]] | None:
    """The ask of this kind with what answers it, if there is one."""
    for prompt in observation.prompts:
        if prompt.kind == kind and observation.choices.get(prompt.id):
            return prompt, observation.choices[prompt.id]
    return None


def _say(observation: Observation, occasion: str | None, dice: Dice) -> str | None:
    """Never about an offer: others would learn of it (TKO-22)."""
    return phrase(observation, f"takeover.say.{occasion}", RARELY, dice)


# --- the draft and the flips ---


def _friends(here: Stacks, coin: int) -> int:
    """How many tiles of its industry touch the coin's: free to cover, and free to be covered by."""
    near = NEAR[here.tops.index(coin)]
    return sum(here.tops[square] != EMPTY and SUIT[here.tops[square]] == SUIT[coin] for square in near)


def _pick(observation: Observation, level: str, dice: Dice) -> Answer | None:
    """The highest value; of coins that can be told apart, the one with most to cover around its tile."""
    found = _open(observation, "draft")
    if found is None:
        return None
    prompt, choices = found
    domain = next(iter(choices[0].fields.values()))
    if not isinstance(domain, OneOf):
        raise TypeError("a coin is not picked from a list")
    here, whim = read_stacks(part(observation, "board", Board)), TEMPERS[level].whim

    def worth(what: int | str) -> float:
        misjudged = dice.below("whim", whim) / 100 if whim else 0.0
        if isinstance(what, int):
            return what + misjudged
        coin = NUMBER[cast(Name, what)]
        return VALUE[coin] + misjudged + FRIENDS * _friends(here, coin)

    worths = [(worth(what), what) for what in domain.of]
    most = max(points for points, _ in worths)
    best = [what for points, what in worths if points == most]
    what = best[dice.below("equal", len(best))]
    move = Pick(cast(Value, what)) if isinstance(what, int) else PickCoin(cast(Name, what))
    return Decision(prompt.id, move)


def _flip(observation: Observation, level: str, dice: Dice) -> Answer | None:
    """Which coins are stocks."""
    found = _open(observation, "flip")
    if found is None or part(observation, "flip", Flip).locked:
        return None
    here = read_stacks(part(observation, "board", Board))
    coins = [coin.name for coin in part(observation, "hand", Hand).coins]
    if level == "easy":
        stocks = [coin for coin in coins if dice.below("flip", 2)]
    elif level == "normal":
        stocks = [coin for coin in coins if _grows(here, NUMBER[coin])]
    else:
        stocks = coins
    return Decision(found[0].id, Lock(tuple(stocks)))


def _grows(here: Stacks, coin: int) -> bool:
    """Whether `normal` makes it a stock: a null may be a teleport, a high coin pays well (5g)."""
    return VALUE[coin] > 0 and (VALUE[coin] < CASH_FROM or _friends(here, coin) > 0)


# --- play ---


def _judged(here: Table, level: str, dice: Dice) -> list[Gain]:
    if level == "hard":
        return evaluation.by_outlook(here)
    if level == "normal":
        return evaluation.by_standing(here)
    whim = TEMPERS[level].whim
    return [
        gain._replace(points=gain.points + (dice.below("whim", whim) - whim / 2) / 100)
        for gain in evaluation.by_worth(here)
    ]


def _best(gains: Sequence[Gain], dice: Dice) -> Gain | None:
    """The best merger, one of them by dice if there are several; None where nothing gains."""
    most = max((gain.points for gain in gains), default=0.0)
    if most <= EQUAL:
        return None
    found = [gain for gain in gains if gain.points >= most - EQUAL]
    return found[dice.below("equal", len(found))]


def _turn(observation: Observation, here: Table, level: str, dice: Dice) -> Answer | None:
    """Merges, or passes; or cashes stocks out, where that may be done and makes a better merger possible."""
    found = _open(observation, "turn")
    if found is None:
        return None
    prompt, choices = found
    best = _best(_judged(here, level, dice), dice)
    if level != "easy" and any(choice.move == "cashOut" for choice in choices):
        rich = evaluation.cashed(here)
        better = _best(_judged(rich, level, dice), dice)
        if better is not None and better.points > (best.points if best else 0.0) + CASHING:
            coins = evaluation.to_cash_out(here, rich, better)
            if coins:
                return Decision(prompt.id, CashOut(coins))
    if best is None:
        return Decision(prompt.id, Pass(), _say(observation, "letUsPass", dice))
    tall = here.stacks.heights[best.onto] >= HOSTILE
    mine = here.stacks.tops[best.onto] in here.purse.stocks
    return Decision(
        prompt.id,
        evaluation.merger(here, best),
        _say(observation, "hostile" if tall and not mine else None, dice),
    )


# --- trades ---


def _answer(observation: Observation, scales: Scales, deal: Deal, temper: Temper, dice: Dice) -> Answer:
    prompt = next(prompt for prompt in observation.prompts if prompt.id == deal.id)
    haggle = temper.haggle > 0 and observation.seats > 2 and not dice.below("haggle", temper.haggle)
    move = bargaining.answer(scales, deal, observation.choices[prompt.id], haggle)
    return Decision(prompt.id, move)


def _withdrawal(observation: Observation, scales: Scales, deals: Sequence[Deal], dice: Dice) -> Answer | None:
    """Ends an offer of its own that would do harm by now, or stands for long where none runs out."""
    untimed = {prompt.id for prompt in observation.prompts if prompt.kind == KIND and prompt.window is None}
    played = read_wait(observation) == observation.seats - 1
    for deal in (deal for deal in deals if deal.by == observation.seat):
        prompt = next(prompt for prompt in observation.prompts if prompt.id == deal.id)
        stale = played and prompt.id in untimed and not dice.below("stale", STALE)
        if stale or bargaining.unwanted(scales, deal):
            return Decision(prompt.id, Cancel())
    return None


def _proposes(observation: Observation, temper: Temper, dice: Dice) -> bool:
    """Now and then, off turn, so that no turn waits for it; never among two, where a gain is a loss."""
    if _open(observation, "trade") is None or observation.seats == 2 or read_wait(observation) == 0:
        return False
    return not dice.below("propose", temper.propose)


def _proposal(observation: Observation, scales: Scales, dice: Dice) -> Answer | None:
    found = _open(observation, "trade")
    if found is None:
        return None
    prompt, choices = found
    domain = choices[0].fields["to"]
    if not isinstance(domain, OneOf):
        raise TypeError("a partner is not picked from a list")
    to = [seat for seat in domain.of if isinstance(seat, int)]
    idea = bargaining.proposal(scales, to, dice)
    return None if idea is None else Decision(prompt.id, idea.move)


def _deal(observation: Observation, here: Table, temper: Temper, proposes: bool, dice: Dice) -> Answer | None:
    """Answers an offer, withdraws one, or makes one, if none of its own is open.

    At turn it takes what is good, which all see. It declines and withdraws nothing before it has played: no
    flood of offers stops it, and others cannot see its turn wait for what they do not know of (TKO-22).
    """
    scales = Scales(here, temper.simple)
    deals = part(observation, "deals", Deals).deals
    for deal in deals:
        if deal.to == observation.seat:
            found = _answer(observation, scales, deal, temper, dice)
            if here.wait or isinstance(found.move, Accept):
                return found
    if deals and here.wait:
        return _withdrawal(observation, scales, deals, dice)
    return _proposal(observation, scales, dice) if proposes else None


def _play(observation: Observation, level: str, dice: Dice) -> Answer | None:
    temper = TEMPERS[level]
    proposes = _proposes(observation, temper, dice)
    trades = proposes or ("deals" in observation.sections and bool(part(observation, "deals", Deals).deals))
    if not trades and _open(observation, "turn") is None:
        return None
    here = read_table(observation)
    found = _deal(observation, here, temper, proposes, dice) if trades else None
    return _turn(observation, here, level, dice) if found is None else found


class TakeoverBot(Bot[TakeoverMove]):
    """The bot, with all options of 5a."""

    levels = tuple(TEMPERS)

    def decide(self, observation: Observation, level: str, dice: Dice) -> Answer | None:
        """Raises KeyError for a level it does not have."""
        if level not in TEMPERS:
            raise KeyError(level)
        match part(observation, "stage", Stage).phase:
            case "draft":
                return _pick(observation, level, dice)
            case "flip":
                return _flip(observation, level, dice)
            case "play":
                return _play(observation, level, dice)
            case "end":
                return None


BOT: Final = TakeoverBot()
