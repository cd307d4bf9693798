"""Plans: which of them a seat gains by, which tempt somebody to leave them, and which to propose.

Only one seat scores in a round, so the others must hide behind one another's low numbers. Whoever leaves a
group of three on one number may take the round with any number below the planned one; whoever leaves a group
of two only makes the other's number unique. A plan of pairs therefore keeps itself (section 4g).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from games.almost.bot.mixes import estimate_success
from games.almost.bot.observation import (
    Table,
    estimate_honesty,
    find_pledged_bid,
    find_wrong,
    is_partner,
    list_avoided,
    pays,
    weigh_favour,
)
from games.almost.rules.rounds import lowest_unique
from games.almost.rules.values import Plan
from games.api import Seat, Temper

COOPERATION: Final = 0.8
"""The chance that the seats at a table agree on a round, and do as they agreed."""


def estimate_later(table: Table, needs: Sequence[int]) -> float:
    """This seat's chance to win after this round, given the points that the seats will then need."""
    need, rounds = needs[table.seat], table.rounds_left
    alone = estimate_success(need, rounds, table.seats, table.most)
    if need <= 0 or rounds <= 0 or need > rounds * table.most:
        return alone
    turns = -(-need // table.most)
    wanted = sum(-(-other // table.most) for other in needs if 0 < other <= rounds * table.most)
    return max(alone, COOPERATION**turns * min(1.0, rounds / wanted))


def needs_after(table: Table, winner: Seat | None, number: int) -> tuple[int, ...]:
    """By seat, the points needed once this seat has won the round with this number."""
    return tuple(
        max(0, need - number) if seat == winner else need for seat, need in enumerate(table.score.needs)
    )


def value_plan(table: Table, plan: Plan) -> float:
    """The chance of this seat to win the game if everybody follows the plan."""
    winner = pays(plan)
    return estimate_later(table, needs_after(table, winner, 0 if winner is None else plan.bids[winner]))


def shuts_out(table: Table, plan: Plan) -> bool:
    """Returns whether this seat cannot win the game any more if everybody follows the plan."""
    winner = pays(plan)
    if table.stage.target is None or winner == table.seat or table.has_won:
        return False
    return table.need > table.rounds_left * table.stage.most


def benefits(table: Table, plan: Plan) -> bool:
    """Returns whether following the plan is in this seat's interest."""
    winner = pays(plan)
    if winner == table.seat or (table.has_won and winner is not None):
        return True
    if winner is None or shuts_out(table, plan):
        return False
    if table.stage.target is None:
        return is_partner(table, winner) and table.rounds_left > 0
    if not table.score.needs[winner]:
        return False  # the round is wasted
    alone = estimate_success(table.need, table.rounds_left + 1, table.seats, table.most)
    return is_partner(table, winner) and value_plan(table, plan) >= alone


def wins_by(table: Table, plan: Plan) -> bool:
    """Returns whether this seat reaches the target if everybody follows the plan."""
    needs_points = table.stage.target is not None and table.need > 0
    return needs_points and pays(plan) == table.seat and plan.bids[table.seat] >= table.need


def is_jumped(table: Table, plan: Plan) -> bool:
    """Returns whether a seat that needs more points than this one wins by the plan, while not all can."""
    winner = pays(plan)
    if winner in (None, table.seat) or table.seat not in table.in_need or not table.is_crowded:
        return False
    needs = table.score.needs
    return table.need < needs[winner] <= plan.bids[winner]


def may_finish(table: Table, plan: Plan) -> bool:
    """Returns whether this seat wins by leaving a plan that makes another win, while not all can."""
    winner = pays(plan)
    if winner in (None, table.seat) or table.seat not in table.in_need or not table.is_crowded:
        return False
    makes_win = 0 < table.score.needs[winner] <= plan.bids[winner]
    return makes_win and find_gain(plan.bids, table.seat) >= table.need


def find_gain(bids: Sequence[int], seat: int) -> int:
    """The most points that a seat scores if it leaves these bids on its own; 0 if it cannot score."""
    others = [bid for other, bid in enumerate(bids) if other != seat]
    lowest = min((bid for bid in others if others.count(bid) == 1), default=max(bids) + 1)
    number = lowest - 1
    while number in others:
        number -= 1
    return number


def list_tempted(table: Table, bids: tuple[int, ...]) -> tuple[Seat, ...]:
    """The seats that would win the game now if they left these bids on their own, instead of another."""
    winner = lowest_unique(bids)
    needs = table.score.needs
    return tuple(seat for seat in table.in_need if seat != winner and find_gain(bids, seat) >= needs[seat])


def tempts_nobody(bids: tuple[int, ...]) -> bool:
    """Returns whether no seat but the one that scores would score if it left these bids on its own."""
    winner = lowest_unique(bids)
    return not any(find_gain(bids, seat) for seat in range(len(bids)) if seat != winner)


def measure_temptation(table: Table, bids: tuple[int, ...]) -> float:
    """How much the seats that still need points gain by leaving these bids, in shares of what they need."""
    winner = lowest_unique(bids)
    needs = table.score.needs
    return sum(min(1.0, find_gain(bids, seat) / needs[seat]) for seat in table.in_need if seat != winner)


# --- proposing ---


def _arrange(table: Table, winner: Seat, number: int, groups: Sequence[Sequence[Seat]]) -> tuple[int, ...]:
    bids = [0] * table.seats
    bids[winner] = number
    for low, group in enumerate(groups, start=1):
        for seat in group:
            bids[seat] = low
    return tuple(bids)


def list_shapes(table: Table, winner: Seat) -> Iterator[tuple[int, ...]]:
    """Plans of different shapes that pay this seat, the plainest first: all others on 1, or in groups.

    Seats that nobody needs to tempt share a number in threes, the others in pairs; those that have promised
    a number share the lowest, as that is mostly what they promised.
    """
    most = table.stage.most
    need = min(most, max(1, table.score.needs[winner]))
    others = [Seat(seat) for seat in range(table.seats) if seat != winner]
    steadiest = sorted(
        others,
        key=lambda seat: (
            find_pledged_bid(table, seat) is None,
            table.score.needs[seat] > 0,
            -estimate_honesty(table, seat),
            (seat - winner) % table.seats,
        ),
    )
    numbers = dict.fromkeys((most, max(need, 2)))
    for number in numbers:
        yield _arrange(table, winner, number, [others])
    pairs = _split(steadiest, most)
    if len(pairs) > 1:
        for number in numbers:
            if number > len(pairs):
                yield _arrange(table, winner, number, pairs)
                yield _arrange(table, winner, number, pairs[::-1])
    for low in (2, 3):
        for number in numbers:
            if number > low:
                yield tuple(number if seat == winner else low for seat in range(table.seats))


def _split(seats: Sequence[Seat], most: int) -> list[list[Seat]]:
    """The seats in pairs, with the first three together if their number is odd."""
    first = 3 if len(seats) % 2 else 2
    groups = [list(seats[:first])]
    groups += [list(seats[start : start + 2]) for start in range(first, len(seats), 2)]
    return groups if len(groups) < most else [list(seats)]


def suits_pledges(table: Table, winner: Seat, bids: Sequence[int]) -> bool:
    """Returns whether the plan gives all but its winner the number that they have promised to bid, if any."""
    return all(
        seat == winner or find_pledged_bid(table, Seat(seat)) in (None, bid) for seat, bid in enumerate(bids)
    )


def choose_shape(table: Table, winner: Seat, level: str, roll: int) -> tuple[int, ...]:
    """The plan to propose for a winner: easy bots take any shape, others one that tempts the fewest."""
    shapes = list(dict.fromkeys(list_shapes(table, winner)))
    suitable = [bids for bids in shapes if suits_pledges(table, winner, bids)] or shapes
    if level == "easy":
        return suitable[roll % len(suitable)]
    temptations = [measure_temptation(table, bids) for bids in suitable]
    least = min(temptations) + 0.05
    steady = [bids for bids, tempts in zip(suitable, temptations, strict=True) if tempts <= least]
    return steady[roll % len(steady)]


def choose_winner(table: Table, temper: Temper, selfish: bool, bound: bool = False) -> Seat | None:
    """The seat that this seat would see win the round; None if no plan can help anybody.

    `bound`: this seat has promised a number for this round and means to bid it, so it cannot score.
    """
    in_need = table.in_need
    if table.stage.target is None or not in_need:
        return None
    if table.seat in in_need and not bound and (selfish or not table.rounds_left):
        return table.seat
    # Whoever has won can afford to help; whoever still can wants something back, and later.
    least = 0 if table.has_won or table.seat in in_need else 1
    others = [
        seat
        for seat in in_need
        if seat != table.seat
        and weigh_favour(table, temper, seat) >= least
        and (find_wrong(table, seat) is None or table.has_won)
        and (table.seat not in in_need or benefits(table, _imagine(table, seat)))
    ]
    if not others:
        return table.seat if table.seat in in_need and not bound else None
    others = [seat for seat in others if not _has_sworn_off(table, seat)] or others
    owed = [seat for seat in others if find_pledged_bid(table, table.seat) is not None]
    return max(
        others,
        key=lambda seat: (
            seat in owed and weigh_favour(table, temper, seat) > temper.honesty,
            weigh_favour(table, temper, seat),
            table.score.needs[seat],
            -table.count_on(seat),
        ),
    )


def _has_sworn_off(table: Table, seat: Seat) -> bool:
    """Whether the seat breaks a promise if it bids the highest number."""
    most = table.stage.most
    return find_pledged_bid(table, seat) not in (None, most) or most in list_avoided(table, seat)


def _imagine(table: Table, winner: Seat) -> Plan:
    """The plainest plan in which this seat scores."""
    return Plan(0, table.seat, next(list_shapes(table, winner)), ())
