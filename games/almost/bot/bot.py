"""The Almost bot (section 4g): three skill levels, each playing only from its own seat's observation.

During the discussion a bot may propose the usual plan: one seat bids the highest number and the others all
bid a low one. It agrees to plans that pay it or a partner, or that cannot hurt it.
When bidding, it follows a plan that pays it. It also follows a plan that pays a partner as long as it could
still win later, and any plan once it has won. If a plan shuts it out for good, it tries to take the round.
Without a plan, it samples its bid from a mixed strategy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from games.almost.bot.mixes import Weights, compute_win_chances, estimate_success, find_equilibrium, get_mix
from games.almost.rules.rounds import lowest_unique
from games.almost.rules.values import (
    Agree,
    AlmostMove,
    Continue,
    Lock,
    Plan,
    Plans,
    Propose,
    Readiness,
    Ready,
    Row,
    Score,
    Stage,
)
from games.api import Bot, Character, Decision, Dice, Observation, Remark, Seat
from games.kit.observations import has_said, part

Level = Literal["easy", "normal", "hard"]
LEVELS: Final[tuple[Level, ...]] = ("easy", "normal", "hard")


class SkillLevel(NamedTuple):
    """The parameters of a level. The first four are percentages."""

    propose: int
    agree: int
    loyal: int
    """How often it follows a plan that pays a partner."""
    defect: int
    """How often it breaks a plan that shuts it out for good."""
    evaluates: bool
    """Whether it computes what each bid is worth instead of drawing from the fixed mix."""


SKILL_LEVELS: Final[dict[str, SkillLevel]] = {
    "easy": SkillLevel(0, 60, 80, 30, False),
    "normal": SkillLevel(35, 75, 75, 60, False),
    "hard": SkillLevel(60, 85, 60, 90, True),
}

SHARPNESS: Final = 6
"""Exponent applied to the value of each bid: a higher one favours the best bid more."""
PRIOR_ROUNDS: Final = 4
"""The theoretical mix counts as much as this many observed rounds."""


class Table(NamedTuple):
    """The unpacked observation."""

    seat: Seat
    seats: int
    stage: Stage
    score: Score
    plans: tuple[Plan, ...]
    done: tuple[bool, ...]
    most: int
    """The highest number worth considering."""

    @property
    def rounds_left(self) -> int:
        """The number of rounds after this one."""
        return self.stage.rounds - self.stage.round

    @property
    def has_won(self) -> bool:
        """Whether this seat has already won (Almost only)."""
        return self.stage.target is not None and not self.score.needs[self.seat]


def _read_table(observation: Observation) -> Table:
    stage = part(observation, "stage", Stage)
    if stage.target is not None:
        most = stage.most
    elif stage.scoring == "sumOfEntries":
        most = 20
    else:
        most = observation.seats + 2
    return Table(
        observation.seat,
        observation.seats,
        stage,
        part(observation, "score", Score),
        part(observation, "plans", Plans).plans,
        part(observation, "readiness", Readiness).done,
        most,
    )


# --- trust ---


def _count_kept_promises(rows: Sequence[Row], seat: Seat) -> tuple[int, int]:
    """Returns how many promises the seat has kept, and how many it has made."""
    promises = [(row.promised[seat], row.bids[seat]) for row in rows if row.promised[seat] is not None]
    return sum(promised == bid for promised, bid in promises), len(promises)


def _estimate_trust(table: Table, plan: Plan) -> float:
    """The chance that all other seats follow the plan, given their promises and their record so far."""
    chance = 1.0
    for seat in range(table.seats):
        if seat == table.seat:
            continue
        kept, total = _count_kept_promises(table.score.rows, Seat(seat))
        honest = (kept + 3) / (total + 4)
        chance *= honest if seat in plan.behind else honest / 4
    return chance


def _is_partner(table: Table, seat: Seat) -> bool:
    """Returns whether the seat has broken no promise, or has kept one that paid this seat."""
    kept, total = _count_kept_promises(table.score.rows, seat)
    helped = any(
        row.winner == table.seat and row.promised[seat] == row.bids[seat] for row in table.score.rows
    )
    return helped or kept == total


def _can_win_later(table: Table) -> bool:
    """Returns whether this seat could still win if another seat takes this round."""
    if table.stage.target is None:
        return table.rounds_left > 0
    return table.score.needs[table.seat] <= table.rounds_left * table.stage.most


def _benefits(table: Table, plan: Plan) -> bool:
    """Returns whether following the plan is in this seat's interest."""
    winner = lowest_unique(plan.bids)
    if winner == table.seat or table.has_won:
        return True
    if winner is None:
        return False
    return _is_partner(table, winner) and _can_win_later(table)


def _get_mood(table: Table, plan: Plan) -> int:
    """A pseudo-random number from 0 to 99, fixed per plan so that repeated decisions agree."""
    mixed = (table.stage.round * 31 + table.seat * 17 + plan.number * 43 + sum(plan.bids) * 7) * 2654435761
    return (mixed >> 7) % 100


def _joins(table: Table, skill: SkillLevel, plan: Plan) -> bool:
    """Returns whether this seat joins the plan: always if the plan pays it, else depending on its mood."""
    return lowest_unique(plan.bids) == table.seat or _get_mood(table, plan) < skill.agree


# --- discussion ---


def _make_plan(table: Table) -> tuple[int, ...] | None:
    """The usual plan: one seat bids the highest number, all others bid 1. This seat wins if it needs to."""
    in_need = [seat for seat in range(table.seats) if table.score.needs[seat] and table.score.can[seat]]
    if table.stage.target is None or not in_need:
        return None
    winner = table.seat if table.seat in in_need else in_need[0]
    return tuple(table.stage.most if seat == winner else 1 for seat in range(table.seats))


def _discuss(table: Table, skill: SkillLevel, dice: Dice) -> tuple[str, AlmostMove, str | None] | None:
    committed = any(table.seat in plan.behind for plan in table.plans)
    if not committed:
        good = [plan for plan in table.plans if _benefits(table, plan) and _joins(table, skill, plan)]
        if good:
            best = max(good, key=lambda plan: (lowest_unique(plan.bids) == table.seat, len(plan.behind)))
            return "plan", Agree(best.number), "agreed"
    if table.done[table.seat]:
        return None
    if not table.plans and dice.below("propose", 100) < skill.propose:
        bids = _make_plan(table)
        if bids is not None:
            return "plan", Propose(bids), "followPlan" if dice.below("say", 2) else "trustMe"
    late = table.stage.round > 1 and dice.below("say", 8) == 0
    return "ready", Ready(), "hurry" if late else None


# --- bidding ---


def _find_agreed_plan(table: Table) -> Plan | None:
    """The plan with the most support, if at least two seats support it."""
    best = max(table.plans, key=lambda plan: (len(plan.behind), -plan.number), default=None)
    return None if best is None or len(best.behind) < 2 else best


def _value_wins(table: Table) -> tuple[float, ...]:
    """The value to this seat of winning the round with each number."""
    numbers = range(1, table.most + 1)
    if table.stage.target is None:
        return tuple(float(n) if table.stage.scoring == "sumOfEntries" else 1.0 for n in numbers)
    need = table.score.needs[table.seat]
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


def _bid_without_plan(table: Table, skill: SkillLevel, level: str, dice: Dice) -> int:
    base = _choose_base(table, skill)
    if level == "easy":
        return _draw_number(tuple(weight + sum(base) // (2 * len(base)) for weight in base), dice)
    if not skill.evaluates or table.has_won:
        return _draw_number(base, dice)
    values = [
        worth * chance
        for worth, chance in zip(_value_wins(table), _estimate_chances(table, base), strict=True)
    ]
    best = max(values)
    if best <= 0:
        return _draw_number(base, dice)
    weights = tuple(
        int(1000 * (weight + 1) * (max(0.0, value) / best) ** SHARPNESS)
        for weight, value in zip(base, values, strict=True)
    )
    return _draw_number(weights, dice)


def _bid_against(table: Table, skill: SkillLevel, plan: Plan) -> int:
    """The best number against the plan, weighted by the chance that the others follow it."""
    trust = _estimate_trust(table, plan)
    worth, chance = _value_wins(table), _estimate_chances(table, _choose_base(table, skill))

    def value(number: int) -> float:
        bids = (*plan.bids[: table.seat], number, *plan.bids[table.seat + 1 :])
        if_followed = worth[number - 1] if lowest_unique(bids) == table.seat else 0.0
        return trust * if_followed + (1 - trust) * chance[number - 1] * worth[number - 1]

    return max(range(1, table.most + 1), key=value)


def _choose_bid(table: Table, skill: SkillLevel, level: str, dice: Dice) -> int:
    plan = _find_agreed_plan(table)
    if plan is None:
        return _bid_without_plan(table, skill, level, dice)
    winner = lowest_unique(plan.bids)
    planned_bid = plan.bids[table.seat]
    roll = dice.below("follow", 100)
    if winner == table.seat:
        if skill.evaluates:
            return _bid_against(table, skill, plan)  # the planned bid, unless the others seem untrustworthy
        supported = 2 * len(plan.behind) >= table.seats
        return planned_bid if supported else _bid_without_plan(table, skill, level, dice)
    if table.has_won:
        return planned_bid
    if _benefits(table, plan):
        return planned_bid if roll < skill.loyal else _bid_against(table, skill, plan)
    if roll < skill.defect:
        return _bid_against(table, skill, plan)
    return planned_bid if table.seat in plan.behind else _bid_without_plan(table, skill, level, dice)


# --- after the reveal ---


def _choose_remark(table: Table, dice: Dice) -> str | None:
    row = table.score.rows[-1]
    if dice.below("say", 4):
        return None
    other_lied = any(
        promised is not None and promised != row.bids[seat]
        for seat, promised in enumerate(row.promised)
        if seat != table.seat
    )
    if row.winner == table.seat:
        return "thanks"
    if other_lied:
        return "somebodyLied"
    return "oops" if row.winner is None else "wellPlayed"


def _choose_move(
    table: Table, skill: SkillLevel, level: str, dice: Dice
) -> tuple[str, AlmostMove, str | None] | None:
    """The kind of prompt to answer, the move, and the phrase to say; None to wait."""
    pending = not table.done[table.seat]
    match table.stage.phase:
        case "discuss":
            return _discuss(table, skill, dice)
        case "bid":
            return ("bid", Lock(_choose_bid(table, skill, level, dice)), None) if pending else None
        case "reveal":
            return ("continue", Continue(), _choose_remark(table, dice)) if pending else None
        case "end":
            return None


class AlmostBot(Bot[AlmostMove]):
    """A bot that plays both modes."""

    levels = LEVELS
    slow = frozenset({"hard"})
    proposals = frozenset({"propose"})
    answers = frozenset({"agree"})

    def decide(
        self, observation: Observation, character: Character, dice: Dice
    ) -> Decision[AlmostMove] | None:
        """The bot's next move, or None to wait. Raises KeyError for an unknown level."""
        level = character.level
        skill = SKILL_LEVELS[level]
        table = _read_table(observation)
        prompts = {
            prompt.kind: prompt.id for prompt in observation.prompts if observation.choices.get(prompt.id)
        }
        choice = _choose_move(table, skill, level, dice)
        if choice is None:
            return None
        kind, move, phrase = choice
        if kind not in prompts:
            return None
        return Decision(prompts[kind], move, self._check_phrase(observation, phrase))

    def _check_phrase(self, observation: Observation, phrase: str | None) -> Remark | None:
        """The phrase, if the bot may say it and has not yet."""
        remark = Remark(f"almost.say.{phrase}")
        offered = phrase is not None and remark.key in observation.talk_policy.phrases
        return remark if offered and observation.may_speak and not has_said(observation, remark) else None


BOT: Final = AlmostBot()
