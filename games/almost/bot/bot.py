"""The players of Almost that are not people (section 4g): three levels, from what their seat sees alone.

Talk first: with no plan on the table a bot may propose the usual one (one seat bids the most, the others
meet on a low number); it stands behind plans that serve it, a partner, or nobody it has to fear.
Then the bid: it follows a plan that pays it, or a partner while its own turn can still come, or any plan
once it has won; left out for good, it tries to take the round. Without a plan it draws from a mix.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from games.almost.bot.mixes import Weights, chances, hope, mix, settled
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
from games.api import Bot, Decision, Dice, Observation, Seat
from games.kit.observations import part

Level = Literal["easy", "normal", "hard"]
LEVELS: Final[tuple[Level, ...]] = ("easy", "normal", "hard")


class Temper(NamedTuple):
    """What makes a level: out of 100, how often it does each thing."""

    propose: int
    agree: int
    loyal: int
    """Follows a plan that pays a partner."""
    defect: int
    """Breaks a plan that leaves it out for good."""
    thinks: bool
    """Weighs its chances instead of drawing from the mix."""


TEMPERS: Final[dict[str, Temper]] = {
    "easy": Temper(0, 60, 80, 30, False),
    "normal": Temper(35, 75, 75, 60, False),
    "hard": Temper(60, 85, 60, 90, True),
}

SHARPNESS: Final = 6
"""The mix is bent by what each bid is worth to this power: towards the best, never quite predictable."""
WATCHED: Final = 4
"""So many rounds seen weigh as much as the theory."""


class Table(NamedTuple):
    """The observation, unpacked."""

    me: Seat
    seats: int
    stage: Stage
    score: Score
    plans: tuple[Plan, ...]
    done: tuple[bool, ...]
    most: int
    """The highest number worth a thought."""

    @property
    def left(self) -> int:
        """Rounds after this one."""
        return self.stage.rounds - self.stage.round

    @property
    def won(self) -> bool:
        """Whether this seat has already won, in Almost."""
        return self.stage.target is not None and not self.score.needs[self.me]


def _table(observation: Observation) -> Table:
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


def _kept(rows: Sequence[Row], seat: Seat) -> tuple[int, int]:
    """How many promises the seat has kept, of how many."""
    promises = [(row.promised[seat], row.bids[seat]) for row in rows if row.promised[seat] is not None]
    return sum(said == done for said, done in promises), len(promises)


def _trust(table: Table, plan: Plan) -> float:
    """The chance that all the others follow the plan: by the word they gave, and how they kept it before."""
    chance = 1.0
    for seat in range(table.seats):
        if seat == table.me:
            continue
        kept, given = _kept(table.score.rows, Seat(seat))
        honest = (kept + 3) / (given + 4)
        chance *= honest if seat in plan.behind else honest / 4
    return chance


def _partner(table: Table, seat: Seat) -> bool:
    """A seat that has broken no promise, or has kept one that paid this seat."""
    kept, given = _kept(table.score.rows, seat)
    helped = any(row.winner == table.me and row.promised[seat] == row.bids[seat] for row in table.score.rows)
    return helped or kept == given


def _turn_can_come(table: Table) -> bool:
    """Whether this seat could still win if this round pays another."""
    if table.stage.target is None:
        return table.left > 0
    return table.score.needs[table.me] <= table.left * table.stage.most


def _serves(table: Table, plan: Plan) -> bool:
    """Whether following the plan is in this seat's interest."""
    winner = lowest_unique(plan.bids)
    if winner == table.me or table.won:
        return True
    if winner is None:
        return False
    return _partner(table, winner) and _turn_can_come(table)


def _mood(table: Table, plan: Plan) -> int:
    """0..99: one and the same for a plan however often it is asked, so a bot does not waver."""
    mixed = (table.stage.round * 31 + table.me * 17 + plan.number * 43 + sum(plan.bids) * 7) * 2654435761
    return (mixed >> 7) % 100


def _joins(table: Table, temper: Temper, plan: Plan) -> bool:
    """What pays this seat it always joins; the rest as it is in the mood for."""
    return lowest_unique(plan.bids) == table.me or _mood(table, plan) < temper.agree


# --- talking ---


def _proposal(table: Table) -> tuple[int, ...] | None:
    """The usual plan: one seat bids the most, all others meet on 1. This seat is the one while in need."""
    in_need = [seat for seat in range(table.seats) if table.score.needs[seat] and table.score.can[seat]]
    if table.stage.target is None or not in_need:
        return None
    winner = table.me if table.me in in_need else in_need[0]
    return tuple(table.stage.most if seat == winner else 1 for seat in range(table.seats))


def _discuss(table: Table, temper: Temper, dice: Dice) -> tuple[str, AlmostMove, str | None] | None:
    behind = any(table.me in plan.behind for plan in table.plans)
    if not behind:
        good = [plan for plan in table.plans if _serves(table, plan) and _joins(table, temper, plan)]
        if good:
            best = max(good, key=lambda plan: (lowest_unique(plan.bids) == table.me, len(plan.behind)))
            return "plan", Agree(best.number), "agreed"
    if table.done[table.me]:
        return None
    if not table.plans and dice.below("propose", 100) < temper.propose:
        bids = _proposal(table)
        if bids is not None:
            return "plan", Propose(bids), "followPlan" if dice.below("say", 2) else "trustMe"
    late = table.stage.round > 1 and dice.below("say", 8) == 0
    return "ready", Ready(), "hurry" if late else None


# --- bidding ---


def _agreed_plan(table: Table) -> Plan | None:
    """The plan to reckon with: the one most seats stand behind, if it is more than one."""
    best = max(table.plans, key=lambda plan: (len(plan.behind), -plan.number), default=None)
    return None if best is None or len(best.behind) < 2 else best


def _worth(table: Table) -> tuple[float, ...]:
    """What winning the round with each number is worth to this seat."""
    numbers = range(1, table.most + 1)
    if table.stage.target is None:
        return tuple(float(n) if table.stage.scoring == "sumOfEntries" else 1.0 for n in numbers)
    need = table.score.needs[table.me]
    stay = hope(need, table.left, table.seats, table.most)
    return tuple(hope(need - n, table.left, table.seats, table.most) - stay for n in numbers)


def _base(table: Table, temper: Temper) -> Weights:
    """The mix to start from: that of one round, or for who thinks ahead, of what a round is worth now."""
    if table.stage.target is None:
        return mix(table.seats, table.most, table.stage.scoring == "sumOfEntries")
    return settled(_worth(table), table.seats) if temper.thinks else mix(table.seats, table.most, True)


def _expected(table: Table, base: Weights) -> tuple[float, ...]:
    """The chance of each number to win: the others bid by the mix, bent by what they bid so far."""
    seen = [0] * table.most
    for row in table.score.rows:
        for seat, bid in enumerate(row.bids):
            if seat != table.me and bid <= table.most:
                seen[bid - 1] += 1
    whole, step = sum(base), WATCHED * (table.seats - 1)
    bent = tuple(weight * step + count * whole for weight, count in zip(base, seen, strict=True))
    return chances(bent, table.seats - 1)


def _draw(weights: Weights, dice: Dice) -> int:
    """A number 1.. drawn by its weight."""
    point = dice.below("mix", sum(weights))
    for number, weight in enumerate(weights, 1):
        point -= weight
        if point < 0:
            return number
    raise AssertionError("weights do not add up")


def _without_plan(table: Table, temper: Temper, level: str, dice: Dice) -> int:
    base = _base(table, temper)
    if level == "easy":
        return _draw(tuple(weight + sum(base) // (2 * len(base)) for weight in base), dice)
    if not temper.thinks or table.won:
        return _draw(base, dice)
    value = [worth * chance for worth, chance in zip(_worth(table), _expected(table, base), strict=True)]
    best = max(value)
    if best <= 0:
        return _draw(base, dice)
    bent = tuple(
        int(1000 * (weight + 1) * (max(0.0, one) / best) ** SHARPNESS)
        for weight, one in zip(base, value, strict=True)
    )
    return _draw(bent, dice)


def _against(table: Table, temper: Temper, plan: Plan) -> int:
    """The best number against a plan that the others follow, as far as they are to be trusted."""
    trust = _trust(table, plan)
    worth, chance = _worth(table), _expected(table, _base(table, temper))

    def value(number: int) -> float:
        bids = (*plan.bids[: table.me], number, *plan.bids[table.me + 1 :])
        taken = worth[number - 1] if lowest_unique(bids) == table.me else 0.0
        return trust * taken + (1 - trust) * chance[number - 1] * worth[number - 1]

    return max(range(1, table.most + 1), key=value)


def _number(table: Table, temper: Temper, level: str, dice: Dice) -> int:
    plan = _agreed_plan(table)
    if plan is None:
        return _without_plan(table, temper, level, dice)
    winner = lowest_unique(plan.bids)
    own = plan.bids[table.me]
    roll = dice.below("follow", 100)
    if winner == table.me:
        if temper.thinks:
            return _against(table, temper, plan)  # its own number, unless the others are not to be trusted
        meant = 2 * len(plan.behind) >= table.seats
        return own if meant else _without_plan(table, temper, level, dice)
    if table.won:
        return own
    if _serves(table, plan):
        return own if roll < temper.loyal else _against(table, temper, plan)
    if roll < temper.defect:
        return _against(table, temper, plan)
    return own if table.me in plan.behind else _without_plan(table, temper, level, dice)


# --- after the reveal ---


def _remark(table: Table, dice: Dice) -> str | None:
    row = table.score.rows[-1]
    if dice.below("say", 4):
        return None
    lied = any(
        said is not None and said != row.bids[seat]
        for seat, said in enumerate(row.promised)
        if seat != table.me
    )
    if row.winner == table.me:
        return "thanks"
    if lied:
        return "somebodyLied"
    return "oops" if row.winner is None else "wellPlayed"


def _next(table: Table, temper: Temper, level: str, dice: Dice) -> tuple[str, AlmostMove, str | None] | None:
    """The kind of prompt to answer, the move, and what to say; None to wait."""
    waits = not table.done[table.me]
    match table.stage.phase:
        case "discuss":
            return _discuss(table, temper, dice)
        case "bid":
            return ("bid", Lock(_number(table, temper, level, dice)), None) if waits else None
        case "reveal":
            return ("continue", Continue(), _remark(table, dice)) if waits else None
        case "end":
            return None


class AlmostBot(Bot[AlmostMove]):
    """The bot of both modes."""

    levels = LEVELS
    slow = frozenset({"hard"})

    def decide(self, observation: Observation, level: str, dice: Dice) -> Decision[AlmostMove] | None:
        """Raises KeyError for a level it does not have."""
        temper = TEMPERS[level]
        table = _table(observation)
        prompts = {
            prompt.kind: prompt.id for prompt in observation.prompts if observation.choices.get(prompt.id)
        }
        found = _next(table, temper, level, dice)
        if found is None:
            return None
        kind, move, phrase = found
        return Decision(prompts[kind], move, self._spoken(observation, phrase))

    def _spoken(self, observation: Observation, phrase: str | None) -> str | None:
        """The phrase's key, where it may be said now."""
        key = f"almost.say.{phrase}"
        return key if phrase is not None and key in observation.talk_policy.phrases else None


BOT: Final = AlmostBot()
