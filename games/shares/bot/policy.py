"""The bot's rules of thumb for each decision (1g), from marks and bids to the last card.

The bot plays small cards as they come, keeps the highest for the last round, and fills its hand before that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from games.api import Dice
from games.kit.offers import Decline
from games.shares.bot.evaluation import INDICES, EvaluationOptions, Valuation
from games.shares.bot.observation import Table, get_next_floor, moves_floors, rate_card
from games.shares.rules.moves import (
    Add,
    Adjust,
    Discard,
    Done,
    DrawUp,
    EndTurn,
    FromDeck,
    FromDiscard,
    Lock,
    OpenMarket,
    Play,
    Remove,
    SharesMove,
    Spy,
    Swap,
    Take,
    Target,
)
from games.shares.rules.pieces import ACTIONS, CARDS, COMPANIES, Card, Cards, Company, suit_of, uses
from games.shares.rules.selection import strength

FILL_UP_TO: Final = 3
"""The largest hand that is filled in the last round but one; a free action fills only smaller hands."""
LAST_ROUND_CARDS: Final = 3
"""The number of cards a seat can play in the last round."""


FREE: Final = 0.5
"""The value in floors of an action that a free one saves."""
FREE_DISCARD: Final = 0.2
DECLINED: Final = -0.1
"""Less than no effect: nobody adjusts a roll for an action that they then decline."""
CLOSE: Final = 6.0
"""Plans whose gains differ by fewer points than this are about equally good."""


class SkillLevel(NamedTuple):
    """The parameters of a level."""

    careless: int
    """How often it picks any share, card or tower that makes sense, as a percentage."""
    evaluation: EvaluationOptions
    dilutes: bool
    """Whether it takes into account that a mark makes its other shares of the company worth less."""
    focus: float
    """The extra weight of shares in the company in which it has the largest stake."""
    misjudgement: int
    """The percentage by which it may overrate a mark: bots that all mark the same company win nothing."""
    reserve: int
    """How many high cards it keeps for the end."""
    high: int
    """A card with at least this many uses counts as high."""
    draw: int
    """The largest hand with which it draws up."""
    patient: bool
    """Whether it spends one action a turn in the last round, to see what others do."""
    first_round: int
    """How many actions it spends in the first round, in which a beginner follows what others do."""


class BotContext(NamedTuple):
    """Everything a decision depends on."""

    table: Table
    skill: SkillLevel
    valuation: Valuation
    dice: Dice

    @property
    def is_final(self) -> bool:
        """Whether a patient bot is the last seat to act before the end."""
        return self.skill.patient and self.table.rounds_left == 0 and self.table.is_last

    @property
    def is_careless(self) -> bool:
        """Whether it picks anything that makes sense this time."""
        return self.skill.careless > 0 and self.dice.below("careless", 100) < self.skill.careless

    @property
    def has_finished_first_round(self) -> bool:
        """Whether it is the first round, and it spends no more actions in it."""
        spent = ACTIONS - self.table.actions[self.table.seat]
        return self.table.round == 1 and spent >= self.skill.first_round


def make_context(table: Table, skill: SkillLevel, dice: Dice) -> BotContext:
    return BotContext(table, skill, Valuation(table, skill.evaluation), dice)


# --- secret choices ---


def choose_mark(context: BotContext) -> SharesMove:
    """The company whose next share gains most, with a random misjudgement, or any if it is careless."""
    skill = context.skill
    if context.is_careless:
        return Lock(company=COMPANIES[context.dice.below("any", len(COMPANIES))])
    values = [
        context.valuation.value_mark(company, skill.dilutes, skill.focus)
        * (100 + context.dice.below("whim", skill.misjudgement + 1))
        for company in INDICES
    ]
    return Lock(company=COMPANIES[max(INDICES, key=values.__getitem__)])


def choose_bid(context: BotContext) -> SharesMove:
    """A low card of little use, since it pays to act last, after seeing what the others do."""

    def cost(card: Card) -> tuple[float, tuple[int, int]]:
        return strength(card)[0] + rate_card(card), strength(card)

    lowest: Card = min(context.table.hand, key=cost)
    return Lock(card=lowest)


# --- a turn ---


def rate_plays(context: BotContext, cards: Sequence[Card]) -> dict[Card, float]:
    """The gain in points from playing each heart and spade now."""
    by_use: dict[tuple[str, int], float] = {}
    gains = {}
    for card in cards:
        if moves_floors(card):
            key = suit_of(card), uses(card)
            if key not in by_use:
                by_use[key], _ = context.valuation.plan_floors(*key, context.is_final)
            gains[card] = by_use[key]
    return gains


def choose_action(context: BotContext, free: bool, royals: Cards, may_draw: bool) -> SharesMove:
    """An action or the end of the turn; `royals` are cards that can open a worthwhile market."""
    table = context.table
    if not free and context.has_finished_first_round:
        return EndTurn()
    gains = rate_plays(context, table.hand)
    diamonds = tuple(card for card in table.hand if suit_of(card) == "D")
    rolls = () if free else diamonds
    if table.rounds_left == 0:
        return _choose_last_action(context, gains, rolls, free, royals)
    kept = _choose_reserve(context, gains)
    plays = sorted((card for card in gains if card not in kept and gains[card] > 0), key=gains.__getitem__)
    idle = [card for card in table.hand if card not in (*kept, *plays, *diamonds)]
    if may_draw and _should_draw(context, free, len(plays) + len(kept)):
        return DrawUp()
    spare = [card for card in royals if card in idle]
    if spare:
        return OpenMarket(spare[0])
    careless = context.skill.careless > 0
    useless = tuple(card for card in idle if not (careless and _is_precious(card)))
    if len(useless) > 1 and (free or table.actions[table.seat] == 1):
        return Discard(useless)
    if plays:
        return Play(plays[-1])
    if rolls:
        return Play(max(rolls, key=rate_card))
    if len(useless) == 1 and suit_of(useless[0]) == "C" and table.rounds_left >= table.round / 2:
        return Play(useless[0])
    if useless:
        return Discard(useless)
    return Decline() if free else EndTurn()


def choose_any_card(context: BotContext, barred: Collection[str]) -> SharesMove | None:
    """Any card that can have its whole effect; None if there is none, or none may be played."""
    table = context.table
    free = table.kind == "chance4"
    if not free and context.has_finished_first_round:
        return None
    cards = [
        card
        for card in table.hand
        if (uses(card) <= _count_room(context, suit_of(card), barred) if moves_floors(card) else not free)
    ]
    return Play(cards[context.dice.below("any", len(cards))]) if cards else None


def choose_any_floor(context: BotContext, barred: Collection[str]) -> SharesMove | None:
    """A floor on any tower in which it has a share, or off any in which it has none; None without one."""
    suit = "H" if context.table.kind == "hearts" else "S"
    sites = _list_sites(context, suit, barred)
    return _change_tower(suit, sites[context.dice.below("any", len(sites))]) if sites else None


def choose_promised(context: BotContext, promised: Mapping[str, Collection[str]]) -> SharesMove | None:
    """What keeps a promise: the least card of a suit with which it has promised to change a tower, or that
    tower; None if it has promised no such thing, or can do nothing about it."""
    table = context.table
    match table.kind:
        case "turn" | "chance4":
            cards = [card for card in table.hand if _list_changeable(table, suit_of(card), promised)]
            return Play(min(cards, key=uses)) if cards else None
        case "hearts" | "spades":
            suit = "H" if table.kind == "hearts" else "S"
            towers = _list_changeable(table, suit, promised)
            return _change_tower(suit, towers[0]) if towers else None
        case _:
            return None


def _list_changeable(table: Table, suit: str, promised: Mapping[str, Collection[str]]) -> list[Company]:
    """The promised towers of this suit that a floor can now be put on, or taken off."""
    return [
        company
        for company, floors in zip(COMPANIES, table.towers, strict=True)
        if company in promised.get(suit, ()) and (get_next_floor(table, 0) if suit == "H" else floors)
    ]


def _list_sites(context: BotContext, suit: str, barred: Collection[str]) -> list[Company]:
    """The towers that a careless bot would change: for hearts its own, for spades those of others only."""
    table = context.table
    return [
        company
        for company, floors, held in zip(COMPANIES, table.towers, table.tracker.holdings, strict=True)
        if (held if suit == "H" else floors and not held and company not in barred)
    ]


def _count_room(context: BotContext, suit: str, barred: Collection[str]) -> int:
    """How many floors can be put on these towers, or taken off them."""
    table = context.table
    sites = _list_sites(context, suit, barred)
    if suit == "H":
        return sum(table.supply) if sites else 0
    return sum(len(table.towers[COMPANIES.index(company)]) for company in sites)


def _change_tower(suit: str, tower: Company) -> SharesMove:
    return Add(tower) if suit == "H" else Remove(tower)


def _is_precious(card: Card) -> bool:
    """Whether it is a heart or a spade that counts more than once: careless bots throw none of them away."""
    return moves_floors(card) and uses(card) > 1


def can_spare(context: BotContext, suit: str) -> bool:
    """Whether the seat has a card of this suit that it does not keep for the end."""
    table, least = context.table, context.skill.high
    return any(
        suit_of(card) == suit and (table.rounds_left == 0 or uses(card) < least) for card in table.hand
    )


def _should_draw(context: BotContext, free: bool, useful: int) -> bool:
    """Whether to fill the hand now, which costs all three actions unless it is free."""
    table, count = context.table, len(context.table.hand)
    if not (table.deck or table.discard):
        return False
    if free:
        return count < FILL_UP_TO
    if table.rounds_left == 1 and count <= FILL_UP_TO and useful < LAST_ROUND_CARDS:
        return True
    return count <= context.skill.draw


def _choose_reserve(context: BotContext, gains: dict[Card, float]) -> tuple[Card, ...]:
    """The high cards to keep for the end."""
    before_last = context.table.rounds_left == 1
    least = 1 if before_last and context.skill.patient else context.skill.high
    high = [card for card in gains if uses(card) >= least]
    most = LAST_ROUND_CARDS if before_last else context.skill.reserve
    return tuple(sorted(high, key=uses, reverse=True)[:most])


def _choose_last_action(
    context: BotContext, gains: dict[Card, float], rolls: Cards, free: bool, royals: Cards
) -> SharesMove:
    """In the last round, plays every card that gains points, the best ones last if others can still act."""
    table = context.table
    actions = table.actions[table.seat]
    good = sorted((card for card in gains if gains[card] > 0), key=gains.__getitem__)
    if free:
        return Play(good[-1]) if good else Decline()
    waits = context.skill.patient and not table.is_last
    if waits and table.spent:
        return EndTurn()
    useless = [card for card in table.hand if card not in good and card not in rolls]
    if len(good) < actions:
        spare = [card for card in royals if card in useless]
        if spare:
            return OpenMarket(spare[0])
        if rolls:
            return Play(max(rolls, key=rate_card))
        if good and waits and useless:
            return Discard((min(useless, key=rate_card),))
    best = good[-actions:]
    return Play(best[0] if waits else best[-1]) if best else EndTurn()


# --- the effect of a card ---


def choose_floor(
    context: BotContext, suit: str, leaning: Sequence[float], barred: Collection[str] = ()
) -> SharesMove:
    """The next floor to add or remove; of several that are about equally good, the one it leans to.

    It touches a barred tower only in the last turn of the game, even if others gain less.
    """
    valuation, count = context.valuation, context.table.uses
    points, towers = valuation.plan_floors(suit, count, context.is_final)
    if not towers:
        return Done()
    plans = [(points, towers[0])]
    if COMPANIES[towers[0]] in barred and not context.is_final:
        plans = [
            (gained, company)
            for company in INDICES
            if COMPANIES[company] not in barred and (gained := valuation.plan_from(suit, count, company)) > 0
        ]
        if not plans:
            return Done()
    elif any(leaning) and not context.is_final:
        plans.extend(
            (gained, company)
            for company in INDICES
            if company != towers[0]
            and COMPANIES[company] not in barred
            and (gained := valuation.plan_from(suit, count, company)) > points - CLOSE
        )
    _, best = max(plans, key=lambda plan: (leaning[plan[1]], plan[0]))
    return _change_tower(suit, COMPANIES[best])


def choose_peek(context: BotContext, peeks: Mapping[int, int]) -> SharesMove:
    """Peeks at the tracker that it has seen least often in this round and, of these, the apparent leader's.

    `peeks` has the number of its peeks at each seat's tracker.
    """
    seats = context.dice.shuffle("peek", context.table.others)
    rated = {seat: (-peeks.get(seat, 0), round(context.valuation.value_holdings(seat))) for seat in seats}
    return Spy(max(seats, key=rated.__getitem__), "tracker")


def choose_draw(context: BotContext, choices: frozenset[str]) -> SharesMove:
    """The best useful card in the Discard Pile, unless the deck is expected to hold a better one.

    A careless bot takes none that it may have thrown away, as long as the deck lasts.
    """
    table = context.table
    if "fromDeck" not in choices:
        return FromDiscard(max(table.discard, key=rate_card))
    gains = rate_plays(context, table.discard)
    careless = context.skill.careless > 0
    useful = [
        card for card in table.discard if gains.get(card, 1) > 0 and (_is_precious(card) or not careless)
    ]
    best = max(useful, key=rate_card, default=None)
    return FromDeck() if best is None or rate_card(best) < _rate_unseen(table) else FromDiscard(best)


def _rate_unseen(table: Table) -> float:
    """The average value of the cards whose location is unknown."""
    seen = {*table.hand, *table.discard}
    rest = [rate_card(card) for card in CARDS if card not in seen]
    return sum(rest) / max(1, len(rest))


# --- Chance ---


def choose_adjustment(context: BotContext, by: Sequence[int], rolled: int) -> SharesMove:
    return Adjust(max(by, key=lambda more: (rate_chance(context, rolled + more), -abs(more))))


def rate_chance(context: BotContext, number: int) -> float:
    """The approximate value of a number on the Chance chart, in floors."""
    table = context.table
    usual = _rate_unseen(table)
    match number:
        case 1:
            return 1.8 * usual if any(table.hand_sizes[seat] for seat in table.others) else 0.0
        case 2:
            return max(
                0.0, max(_rate_swap(table, seats, usual) for seats in combinations(range(table.seats), 2))
            )
        case 3:
            return 2.0 * usual
        case 4:
            return _rate_free_action(context)
        case 6:
            return -0.3
        case _:
            return 0.0


def _rate_free_action(context: BotContext) -> float:
    """The approximate value in floors of what the seat would do for free; negative if it would decline."""
    match choose_action(context, True, (), False):
        case Play(card):
            return FREE + rate_card(card)
        case Discard():
            return FREE_DISCARD
        case _:
            return DECLINED


def choose_swap(context: BotContext) -> SharesMove:
    """The two hands whose swap gains most or loses least."""
    usual = _rate_unseen(context.table)
    pairs = [*combinations(range(context.table.seats), 2)]
    gains = {pair: _rate_swap(context.table, pair, usual) for pair in pairs}
    best = [pair for pair in pairs if gains[pair] >= max(gains.values()) - 1e-9]
    return Swap(best[context.dice.below("swap", len(best))])


def _rate_swap(table: Table, seats: Sequence[int], usual: float) -> float:
    """The gain in floors when these two seats swap hands."""
    if table.seat not in seats:
        return 0.0
    (other,) = (seat for seat in seats if seat != table.seat)
    return table.hand_sizes[other] * usual - sum(map(rate_card, table.hand))


def choose_victim(context: BotContext, seats: Sequence[int]) -> SharesMove:
    """Chance 1: a seat with the fullest hand."""
    hand_sizes = context.table.hand_sizes
    most = max(hand_sizes[seat] for seat in seats)
    fullest = [seat for seat in seats if hand_sizes[seat] == most]
    return Target(fullest[context.dice.below("rob", len(fullest))])


def choose_card(context: BotContext, hand: Sequence[Card]) -> SharesMove:
    """Chance 1: the best card in the victim's hand."""
    gains = rate_plays(context, hand)
    return Take(
        max(range(len(hand)), key=lambda index: (rate_card(hand[index]), gains.get(hand[index], 0.0)))
    )


def choose_recipient(context: BotContext) -> SharesMove:
    """Chance 6: the seat that would benefit least, because it has few shares and cards."""
    valuation, table = context.valuation, context.table
    return Target(
        min(
            table.others,
            key=lambda seat: (round(valuation.value_holdings(seat)), table.hand_sizes[seat], seat),
        )
    )
