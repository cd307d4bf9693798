"""Bids: by the plan that is agreed, against it where that pays, or from a mixed strategy without one.

A promise to bid a number is kept where that costs little: a character's temper decides only there.
"""

from __future__ import annotations

from typing import Final

from games.almost.bot.levels import SkillLevel
from games.almost.bot.mixes import Weights, compute_win_chances, estimate_success, find_equilibrium, get_mix
from games.almost.bot.observation import (
    Table,
    estimate_trust,
    find_pledged_bid,
    list_avoided,
    pays,
    weigh_favour,
)
from games.almost.bot.planning import benefits, estimate_later, may_finish, needs_after
from games.almost.rules.rounds import lowest_unique
from games.almost.rules.values import Plan
from games.api import Dice, Temper

SHARPNESS: Final = 6
"""Exponent applied to the value of each bid: a higher one favours the best bid more."""
PRIOR_ROUNDS: Final = 4
"""The theoretical mix counts as much as this many observed rounds."""
CHEAP: Final = 0.02
"""A promise whose keeping costs less than this chance to win is a matter of temper, not of strength."""
SPOILING: Final = 50
"""How often, in percent, a seat that can no longer win stands in the way of another."""
FICKLE: Final = 35
"""How often, in percent, a character of no honesty at all breaks its word once it has won, if nobody loses a
round by that."""
HEEDLESS: Final = 10
"""The same if every other number would cost somebody the round: seldom, since whoever keeps others from
sharing the win gains by it."""


def find_agreed_plan(table: Table) -> Plan | None:
    """The plan with the most support, if at least two seats support it."""
    best = max(table.plans, key=lambda plan: (len(plan.behind), -plan.number), default=None)
    return None if best is None or len(best.behind) < 2 else best


def _value_wins(table: Table) -> tuple[float, ...]:
    """The value to this seat of winning the round with each number."""
    numbers = range(1, table.most + 1)
    if table.stage.target is None:
        return tuple(float(n) if table.stage.scoring == "sumOfEntries" else 1.0 for n in numbers)
    need = table.need
    stay = estimate_success(need, table.rounds_left, table.seats, table.most)
    return tuple(
        estimate_success(need - n, table.rounds_left, table.seats, table.most) - stay for n in numbers
    )


def _choose_base(table: Table, skill: SkillLevel) -> Weights:
    """The mix to start from: an equilibrium for the stakes if the level evaluates bids, else a fixed mix."""
    if table.stage.target is None:
        return get_mix(table.seats, table.most, table.stage.scoring == "sumOfEntries")
    if skill.evaluates:
        return find_equilibrium(_value_wins(table), table.seats)
    return get_mix(table.seats, table.most, True)


def _estimate_chances(table: Table, base: Weights) -> tuple[float, ...]:
    """Each number's chance of winning if the others follow the mix, adjusted for their bids so far."""
    counts = [0] * table.most
    for row in table.score.rows:
        for seat, bid in enumerate(row.bids):
            if seat != table.seat and bid <= table.most:
                counts[bid - 1] += 1
    base_sum, step = sum(base), PRIOR_ROUNDS * (table.seats - 1)
    adjusted = tuple(weight * step + count * base_sum for weight, count in zip(base, counts, strict=True))
    return compute_win_chances(adjusted, table.seats - 1)


def _draw_number(weights: Weights, dice: Dice) -> int:
    """A random number, counted from 1, with probability in proportion to its weight."""
    point = dice.below("mix", sum(weights))
    for number, weight in enumerate(weights, 1):
        point -= weight
        if point < 0:
            return number
    raise AssertionError("weights do not add up")


def _list_useful(table: Table, weights: Weights) -> Weights:
    """The mix without the numbers that would end this seat's chance to win, even if they scored."""
    return tuple(weight + 1 if n >= table.least else 0 for n, weight in enumerate(weights, 1))


def _bid_without_plan(table: Table, skill: SkillLevel, dice: Dice) -> int:
    base = _choose_base(table, skill)
    if not skill.sharp:
        blunt = tuple(weight + sum(base) // (2 * len(base)) for weight in base)
        return _draw_number(_list_useful(table, blunt), dice)
    if not skill.evaluates or table.has_won:
        return _draw_number(_list_useful(table, base), dice)
    values = [
        worth * chance
        for worth, chance in zip(_value_wins(table), _estimate_chances(table, base), strict=True)
    ]
    best = max(values)
    if best <= 0:
        return _draw_number(_list_useful(table, base), dice)
    weights = tuple(
        int(1000 * (weight + 1) * (max(0.0, value) / best) ** SHARPNESS)
        for weight, value in zip(base, values, strict=True)
    )
    return _draw_number(weights, dice)


def _value_bids(table: Table, skill: SkillLevel, plan: Plan) -> tuple[float, ...]:
    """What each number adds to this seat's chance to win the game, as far as the others are trusted."""
    trust = estimate_trust(table, plan)
    if table.stage.target is None:
        worth = _value_wins(table)
        later = [0.0] * len(worth)
        stay = 0.0
    else:
        stay = estimate_later(table, table.score.needs)
        later = [estimate_later(table, needs_after(table, table.seat, n)) for n in range(1, table.most + 1)]
        worth = tuple(value - stay for value in later)
    chance = _estimate_chances(table, _choose_base(table, skill))

    def value(number: int) -> float:
        bids = (*plan.bids[: table.seat], number, *plan.bids[table.seat + 1 :])
        winner = lowest_unique(bids)
        if winner == table.seat:
            followed = worth[number - 1]
        elif table.stage.target is None or winner is None:
            followed = 0.0
        else:
            followed = estimate_later(table, needs_after(table, winner, bids[winner])) - stay
        return trust * followed + (1 - trust) * chance[number - 1] * worth[number - 1]

    return tuple(value(number) for number in range(1, table.most + 1))


def _bid_best(table: Table, skill: SkillLevel, plan: Plan) -> int:
    """The best number against the plan; the planned one if no other is clearly better."""
    values = _value_bids(table, skill, plan)
    planned = plan.bids[table.seat]
    best = max(values)
    if planned <= len(values) and values[planned - 1] >= best - 1e-9:
        return planned
    return 1 + values.index(best)


def _bid_by_plan(table: Table, skill: SkillLevel, plan: Plan, dice: Dice) -> int:
    winner = pays(plan)
    planned = plan.bids[table.seat]
    roll = dice.below("follow", 100)
    if winner == table.seat:
        if skill.evaluates:
            return _bid_best(table, skill, plan)  # the planned bid, unless the others seem untrustworthy
        supported = 2 * len(plan.behind) >= table.seats
        return planned if supported else _bid_without_plan(table, skill, dice)
    if table.has_won:
        return planned
    if benefits(table, plan):
        loyal = skill.loyal if not may_finish(table, plan) else min(skill.loyal, 100 - skill.defect)
        if skill.evaluates or roll >= loyal:
            return _bid_best(table, skill, plan)
        return planned
    if roll < skill.defect:
        return _bid_best(table, skill, plan)
    return planned if table.seat in plan.behind else _bid_without_plan(table, skill, dice)


def choose_bid(table: Table, skill: SkillLevel, temper: Temper, dice: Dice) -> int:
    plan = find_agreed_plan(table)
    number = _bid_without_plan(table, skill, dice) if plan is None else _bid_by_plan(table, skill, plan, dice)
    word = _find_word(table, plan)
    spoiling = _spoil(table, temper, plan, dice)
    if spoiling is not None and word is None:
        return spoiling
    fickle = _break_word(table, temper, plan, dice) if table.has_won else None
    return _keep_word(table, skill, plan, number, word) if fickle is None else fickle


def _break_word(table: Table, temper: Temper, plan: Plan | None, dice: Dice) -> int | None:
    """A number that is not the planned one, by whim, once this seat has won; None to do as it has said.

    The less honest somebody is, the more often it breaks its word. It must gain nothing by that: whoever
    prevents a win has one less to share with.
    """
    roll, numbers = dice.below("honest", 100), range(1, table.most + 1)
    harmless = [number for number in numbers if plan is None or _is_harmless(table, plan, number)]
    if harmless and roll < (100 - temper.honesty) * FICKLE // 100:
        return harmless[dice.below("fickle", len(harmless))]
    if roll < (100 - temper.honesty) * HEEDLESS // 100:
        others = [number for number in numbers if plan is None or number != plan.bids[table.seat]]
        return others[dice.below("fickle", len(others))]
    return None


def _is_harmless(table: Table, plan: Plan, number: int) -> bool:
    """Returns whether this number leaves the plan, and the plan pays the same seat all the same."""
    bids = (*plan.bids[: table.seat], number, *plan.bids[table.seat + 1 :])
    return number != plan.bids[table.seat] and lowest_unique(bids) == pays(plan)


def _spoil(table: Table, temper: Temper, plan: Plan | None, dice: Dice) -> int | None:
    """In the last round, with nothing left to win: the number of somebody who is about to, unless it helped.

    Whoever has won spoils only the number of somebody who has broken its word.
    """
    rivals = [seat for seat in table.in_need if weigh_favour(table, temper, seat) < int(not table.has_won)]
    if table.rounds_left or table.seat in table.in_need or not rivals or dice.below("spoil", 100) >= SPOILING:
        return None
    winner = None if plan is None else pays(plan)
    if plan is not None and winner in rivals:
        return plan.bids[winner]
    return min(table.score.needs[seat] for seat in rivals)


def _find_word(table: Table, plan: Plan | None) -> int | None:
    """The number that this seat has said it would bid, by a promise or else by supporting the plan."""
    pledged = find_pledged_bid(table, table.seat)
    if pledged is not None:
        return pledged if pledged <= table.most else None
    return plan.bids[table.seat] if plan is not None and table.seat in plan.behind else None


def _keep_word(table: Table, skill: SkillLevel, plan: Plan | None, number: int, word: int | None) -> int:
    """The number that keeps this seat's promises, if that costs it little."""
    if find_pledged_bid(table, table.seat) is not None:
        cheap = word is not None and _costs(table, skill, plan, number, word) < CHEAP
        return word if cheap and word is not None else number
    avoided = list_avoided(table, table.seat)
    if number not in avoided:
        return number
    free = [n for n in range(1, table.most + 1) if n not in avoided]
    nearest = min(free, key=lambda n: abs(n - number), default=number)
    return nearest if _costs(table, skill, plan, number, nearest) < CHEAP else number


def _costs(table: Table, skill: SkillLevel, plan: Plan | None, number: int, other: int) -> float:
    """How much less the second number is worth to this seat than the first."""
    if table.has_won or number == other:
        return 0.0
    if plan is not None:
        values = _value_bids(table, skill, plan)
    else:
        chances = _estimate_chances(table, _choose_base(table, skill))
        values = tuple(c * worth for c, worth in zip(chances, _value_wins(table), strict=True))
    return values[min(number, len(values)) - 1] - values[other - 1]
