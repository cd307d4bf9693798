"""What the Almost bot knows: its observation unpacked, and what it remembers of the others' words and deeds.

Everything is computed from the observation, so a bot that starts again remembers the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.almost.rules.rounds import lowest_unique
from games.almost.rules.values import Plan, Plans, Readiness, Row, Score, Stage
from games.api import Millis, Observation, Promise, Seat, Temper
from games.kit.observations import optional, part
from games.kit.promises import list_open
from games.kit.time_control import TimeControl

OWN_PLANS: Final = 2
"""The number of plans in a round that a bot makes at most."""
LITTLE: Final = 2
"""Whoever needs no more points than this is close to winning."""


class Table(NamedTuple):
    """The unpacked observation."""

    seat: Seat
    seats: int
    stage: Stage
    score: Score
    plans: tuple[Plan, ...]
    next_plan: int
    """The number of the next plan: one more than were proposed in this round."""
    backings: tuple[int, ...]
    """As in `Plans`."""
    done: tuple[bool, ...]
    promises: tuple[Promise, ...]
    most: int
    """The highest number worth considering."""
    is_fast: bool
    """Whether the timers are fast."""

    @property
    def rounds_left(self) -> int:
        """The number of rounds after this one."""
        return self.stage.rounds - self.stage.round

    @property
    def need(self) -> int:
        return self.score.needs[self.seat]

    @property
    def has_won(self) -> bool:
        """Whether this seat has already won (Almost only)."""
        return self.stage.target is not None and not self.need

    @property
    def in_need(self) -> tuple[Seat, ...]:
        """The seats that have not won, but still can (Almost only)."""
        score = self.score
        return tuple(Seat(seat) for seat in range(self.seats) if score.needs[seat] and score.can[seat])

    @property
    def least(self) -> int:
        """The lowest number that leaves this seat a chance to win; 1 if it has none anyway."""
        least = self.need - self.rounds_left * self.most
        return least if self.stage.target is not None and 1 <= least <= self.most else 1

    @property
    def close(self) -> Seat | None:
        """Another seat to keep an eye on: it needs few points, or it alone can win by this round."""
        needs = self.score.needs
        able = [seat for seat in self.in_need if needs[seat] <= self.stage.most]
        close = [seat for seat in able if needs[seat] <= LITTLE] or (able if len(able) == 1 else [])
        others = [seat for seat in close if seat != self.seat]
        return min(others, key=lambda seat: (needs[seat], self.count_on(seat)), default=None)

    @property
    def is_crowded(self) -> bool:
        """Whether the rounds cannot suffice for all who still can win, this round included (Almost only)."""
        if self.stage.target is None:
            return False
        wanted = sum(-(-self.score.needs[seat] // self.stage.most) for seat in self.in_need)
        return wanted > self.rounds_left + 1

    def count_on(self, seat: int) -> int:
        """How far away a seat is, clockwise. Ties are decided by it, so that no seat has an edge."""
        return (seat - self.seat) % self.seats

    @property
    def backed(self) -> Plan | None:
        """The plan that this seat supports."""
        return next((plan for plan in self.plans if self.seat in plan.behind), None)


def read_table(observation: Observation) -> Table:
    stage = part(observation, "stage", Stage)
    if stage.target is not None:
        most = stage.most
    elif stage.scoring == "sumOfEntries":
        most = 20
    else:
        most = observation.seats + 2
    plans = part(observation, "plans", Plans)
    control = optional(observation, "time_control", TimeControl)
    return Table(
        observation.seat,
        observation.seats,
        stage,
        part(observation, "score", Score),
        plans.plans,
        plans.next,
        plans.backings,
        part(observation, "readiness", Readiness).done,
        observation.promises,
        most,
        control is not None and control.timers == "fast",
    )


class History(NamedTuple):
    """What the log says about this round's plans."""

    begun: Millis
    """When the round began; 0 if the log no longer says."""
    shown: Millis
    """When the newest numbers were shown; 0 if the log no longer says."""
    opened: Millis | None
    """When the first plan was made; None if none was."""
    newest: Millis | None
    """When the last plan was made or backed; None if none was."""
    proposed: tuple[tuple[int, ...], ...]
    """The plans that this seat has made."""
    agreed: frozenset[int]
    """The numbers of others' plans that this seat has backed, even if it has left them since."""
    planners: frozenset[Seat]
    """The seats that have made or backed a plan."""


def read_history(observation: Observation) -> History:
    begun, shown = Millis(0), Millis(0)
    opened: Millis | None = None
    newest: Millis | None = None
    proposed: list[tuple[int, ...]] = []
    agreed: set[int] = set()
    planners: set[Seat] = set()
    for line in observation.lines:
        if line.key == "almost.round":
            begun, opened, newest = line.at, None, None
            proposed, agreed, planners = [], set(), set()
        elif line.key == "almost.revealed":
            shown = line.at
        elif line.key in ("almost.proposed", "almost.agreed"):
            opened, newest = line.at if opened is None else opened, line.at
            bids, number, seat = line.args.get("bids"), line.args["plan"], line.args["seat"]
            if isinstance(seat, int):
                planners.add(Seat(seat))
            if seat != observation.seat:
                continue
            if isinstance(bids, Sequence):
                proposed.append(tuple(bid for bid in bids if isinstance(bid, int)))
            elif isinstance(number, int):
                agreed.add(number)
    return History(begun, shown, opened, newest, tuple(proposed), frozenset(agreed), frozenset(planners))


# --- words kept and broken ---


def _count_kept_promises(rows: Sequence[Row], seat: Seat) -> tuple[int, int]:
    """Returns how many promises the seat has kept, and how many it has made, by supporting plans."""
    promises = [(row.promised[seat], row.bids[seat]) for row in rows if row.promised[seat] is not None]
    return sum(promised == bid for promised, bid in promises), len(promises)


def estimate_honesty(table: Table, seat: Seat) -> float:
    """The chance that the seat does as it says, from its plans and promises so far."""
    kept, total = _count_kept_promises(table.score.rows, seat)
    for promise in table.promises:
        if promise.by == seat and not promise.excused and promise.judgement in ("kept", "broken"):
            kept, total = kept + (promise.judgement == "kept"), total + 1
    return (kept + 3) / (total + 3.5)


def estimate_trust(table: Table, plan: Plan) -> float:
    """The chance that all other seats follow the plan, given their promises and their record so far."""
    chance = 1.0
    for seat in range(table.seats):
        if seat != table.seat:
            honest = estimate_honesty(table, Seat(seat))
            chance *= honest if seat in plan.behind else honest / 4
    return chance


def find_wrong(table: Table, seat: Seat, since: int = 1) -> int | None:
    """The last round, from round `since`, in which the seat broke a plan that it supported; None if none.

    Whoever kept a promise by that has done no wrong.
    """
    rows = table.score.rows
    return next(
        (
            n
            for n in range(len(rows), since - 1, -1)
            if rows[n - 1].promised[seat] not in (None, _bid(rows, n, seat))
            and not _has_kept_promise(table, seat, n)
        ),
        None,
    )


def _has_kept_promise(table: Table, seat: Seat, in_round: int) -> bool:
    """Returns whether the seat bid in this round what it had promised to."""
    return any(
        promise.by == seat
        and promise.kind == "bid"
        and promise.judgement == "kept"
        and promise.terms["round"] == in_round
        for promise in table.promises
    )


def list_broken_promises(table: Table, seat: Seat, in_round: int) -> list[Promise]:
    """The promises that the seat itself broke in this round."""
    return [
        promise
        for promise in table.promises
        if promise.by == seat
        and promise.judgement == "broken"
        and not promise.excused
        and promise.terms["round"] == in_round
    ]


def _bid(rows: Sequence[Row], number: int, seat: Seat) -> int:
    return rows[number - 1].bids[seat]


def find_help(table: Table, helper: Seat, helped: Seat) -> int | None:
    """The last round in which `helped` scored and `helper` hid below it, as planned; None if none."""
    rows = table.score.rows
    return next(
        (
            number
            for number in range(len(rows), 0, -1)
            if rows[number - 1].winner == helped
            and rows[number - 1].promised[helper] == _bid(rows, number, helper) < _bid(rows, number, helped)
        ),
        None,
    )


def find_cover(table: Table, helper: Seat, helped: Seat) -> int | None:
    """The last round in which `helper` hid as planned, so that `helped` scored as planned; None if none.

    A plan gives whoever is to score a number above all others, mostly; this takes no other for help.
    """
    rows = table.score.rows
    return next(
        (number for number in range(len(rows), 0, -1) if _covers(rows[number - 1], helper, helped)), None
    )


def _covers(row: Row, helper: Seat, helped: Seat) -> bool:
    planned = row.promised[helped]
    if row.winner != helped or planned != row.bids[helped] or row.promised[helper] != row.bids[helper]:
        return False
    return all(number < planned for seat, number in enumerate(row.promised) if number and seat != helped)


def has_broken_word(table: Table, seat: Seat, in_round: int) -> bool:
    """Returns whether the seat broke a plan or a promise in this round."""
    row = table.score.rows[in_round - 1]
    return row.promised[seat] not in (None, row.bids[seat]) or bool(
        list_broken_promises(table, seat, in_round)
    )


def find_spoiled(table: Table, spoiler: Seat, seat: Seat) -> int | None:
    """The number with which this seat would have scored last round, had the other kept to its plan."""
    row = table.score.rows[-1]
    planned = row.promised[spoiler]
    if planned is None or row.winner == seat or row.promised[seat] != row.bids[seat]:
        return None
    bids = (*row.bids[:spoiler], planned, *row.bids[spoiler + 1 :])
    return row.bids[seat] if lowest_unique(bids) == seat else None


def is_partner(table: Table, seat: Seat) -> bool:
    """Returns whether the seat has broken no plan, or has kept one that paid this seat."""
    kept, total = _count_kept_promises(table.score.rows, seat)
    return kept == total or find_help(table, seat, table.seat) is not None


def weigh_favour(table: Table, temper: Temper, seat: Seat) -> int:
    """How much a character of this temper likes to see the seat win, where it is all the same to it."""
    since = max(1, table.stage.round - temper.grudge * table.stage.rounds // 100)
    favour = 0
    if find_help(table, seat, table.seat) is not None:
        favour += 1 + temper.warmth
    if find_wrong(table, seat, since) is not None:
        favour -= 1 + temper.grudge
    if any(seat in promise.to for promise in find_pledges(table, table.seat)):
        favour += 1 + temper.honesty
    return favour


def list_others(table: Table, seat: Seat) -> list[Seat]:
    """All seats but this one."""
    return [other for other in map(Seat, range(table.seats)) if other != seat]


# --- promises for this round ---


def find_pledges(table: Table, seat: Seat) -> tuple[Promise, ...]:
    """The open promises of a seat about this round."""
    open_promises = list_open(table.promises, seat)
    return tuple(promise for promise in open_promises if promise.terms["round"] == table.stage.round)


def find_pledged_bid(table: Table, seat: Seat) -> int | None:
    """The number that the seat has promised to bid in this round, if it has."""
    bids = [promise.terms["number"] for promise in find_pledges(table, seat) if promise.kind == "bid"]
    return next((number for number in bids if isinstance(number, int)), None)


def list_avoided(table: Table, seat: Seat) -> tuple[int, ...]:
    """The numbers that the seat has promised not to bid in this round."""
    numbers = [promise.terms["number"] for promise in find_pledges(table, seat) if promise.kind == "avoid"]
    return tuple(number for number in numbers if isinstance(number, int))


def pays(plan: Plan) -> Seat | None:
    """The seat that scores if everybody follows the plan."""
    return lowest_unique(plan.bids)
