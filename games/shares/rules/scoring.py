"""Standings, the value of a share, and the winners, in whole numbers and exact fractions (1d)."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from games.api import Outcome, Seat
from games.kit.memo import memoize
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import (
    COMPANIES,
    FLOORS,
    PIPS,
    PRIZES,
    SIZES,
    Cards,
    Company,
    Shares,
    Size,
    Tower,
)
from games.shares.rules.values import (
    CompanyResult,
    DecisiveFloor,
    Reckoning,
    SeatResult,
    Shown,
    Standing,
    Towers,
    Tracker,
)

# --- towers ---


def supply(towers: tuple[Tower, ...]) -> tuple[int, ...]:
    """The number of floors of each size in the supply, largest first."""
    return tuple(FLOORS - sum(tower.count(size) for tower in towers) for size in SIZES)


def next_floor(towers: tuple[Tower, ...]) -> Size | None:
    """The largest floor left, which is always the next to be added."""
    return next((size for size, left in zip(SIZES, supply(towers), strict=True) if left), None)


@memoize
def standings(towers: tuple[Tower, ...], options: SharesOptions) -> Towers:
    """Every company's place, and its prize if the game ended now (SSA-1, SSA-2)."""
    pips = options.company_metric == "pips"
    sizes = [sum(PIPS[floor] for floor in tower) if pips else len(tower) for tower in towers]
    companies = []
    for tower, size in zip(towers, sizes, strict=True):
        above, tied = sum(other > size for other in sizes), sizes.count(size)
        prizes = PRIZES[above : above + tied]
        companies.append(Standing(tower, size, above + 1, tied, _share_prizes(prizes, options.company_tie)))
    return Towers(tuple(companies), supply(towers), next_floor(towers))


def _share_prizes(prizes: tuple[int, ...], tie: str) -> int:
    """The prize for each of the companies that share these places."""
    match tie:
        case "high":
            return prizes[0]
        case "low":
            return prizes[-1]
        case _:
            return sum(prizes) // len(prizes)  # always whole: prizes are evenly spaced, and even


# --- shares ---


@memoize
def tracker(marks: tuple[Company, ...], traded: Shares) -> Tracker:
    holdings = tuple(marks.count(company) + more for company, more in zip(COMPANIES, traded, strict=True))
    return Tracker(marks, traded, holdings)


def tracker_after(shown: Shown | None, marks: tuple[Company, ...], traded: Shares) -> Tracker:
    """A tracker with these marks and trades added to the ones already shown."""
    if shown is None:
        return tracker(marks, traded)
    before = shown.tracker
    return tracker(
        (*before.marks, *marks), tuple(net + more for net, more in zip(before.traded, traded, strict=True))
    )


def share_value(prize: int, claimed: int, rounding: str) -> Fraction | None:
    """The value of one share; None if nobody has one, in which case the prize is lost (SSA-4, SSA-5)."""
    if not claimed:
        return None
    exact = Fraction(prize, claimed)
    match rounding:
        case "nearest":
            return Fraction(round(exact))  # halves to even
        case "floor":
            return Fraction(prize // claimed)
        case _:
            return exact


def reckoning(
    towers: tuple[Tower, ...], trackers: tuple[Tracker, ...], hands: tuple[Cards, ...], options: SharesOptions
) -> Reckoning:
    """Count all trackers and compare exact scores; share values are rounded if the option says so."""
    companies = []
    values = []
    for company, standing in enumerate(standings(towers, options).companies):
        claimed = sum(tracker.holdings[company] for tracker in trackers)
        value = share_value(standing.prize, claimed, options.rounding)
        values.append(value or Fraction(0))
        pair = None if value is None else (value.numerator, value.denominator)
        companies.append(
            CompanyResult(standing.size, standing.place, standing.tied, standing.prize, claimed, pair)
        )
    over = lcm(*(value.denominator for value in values))
    seats = []
    for tracker, hand in zip(trackers, hands, strict=True):
        points = tuple(int(held * value * over) for held, value in zip(tracker.holdings, values, strict=True))
        seats.append(SeatResult(tracker, hand, points, sum(points)))
    return Reckoning(tuple(companies), tuple(seats), over)


@memoize
def outcome(result: Reckoning) -> Outcome:
    """The highest score wins; tied seats win together (GEN-10)."""
    scores = tuple(seat.score for seat in result.seats)
    winners = tuple(Seat(seat) for seat, score in enumerate(scores) if score == max(scores))
    return Outcome(winners, scores, result.over)


@memoize
def find_decisive_floor(
    towers: tuple[Tower, ...], result: Reckoning, options: SharesOptions
) -> DecisiveFloor:
    """The floor that would have changed who won; preferably one that would have made another seat the only
    winner."""
    trackers, hands = zip(*((seat.tracker, seat.hand) for seat in result.seats), strict=True)
    winners, more = outcome(result).winners, next_floor(towers)
    candidates = []
    for company, name in enumerate(COMPANIES):
        for change, tower in ((-1, towers[company][:-1]), (1, (*towers[company], *(more or ())))):
            after = (*towers[:company], tower, *towers[company + 1 :])
            won = outcome(reckoning(after, trackers, hands, options)).winners
            if set(won) != set(winners):
                candidates.append(DecisiveFloor(name, change, won))
    best = min(
        candidates, key=lambda one: (not {*one.winners}.isdisjoint(winners), len(one.winners)), default=None
    )
    return DecisiveFloor(None, 0, ()) if best is None else best
