"""The end of a round and of a match: winners, points, log lines, and the chips for the next round (2d)."""

from __future__ import annotations

from games.api import EVERYONE, LogLine, Outcome, Seat
from games.kit.memo import memoize
from games.sucker.rules.values import BASE, Colour, Counts, Match, Result, SuckerOptions, SuckerState

Row = tuple[Colour, ...]
"""A seat's row of colours: enemy first, ally last; empty without blind allies."""


def winners(rows: tuple[Row, ...], survivor: Seat, last: Seat) -> tuple[Seat, ...]:
    """The survivor, unless its enemy is the last one out; and the last one out, if its ally survives."""
    if not rows[survivor]:
        return (survivor,)
    survivor_wins = rows[survivor][0] != last
    last_wins = rows[last][-1] == survivor
    return tuple(sorted([*([survivor] if survivor_wins else []), *([last] if last_wins else [])]))


def change(rows: tuple[Row, ...], options: SuckerOptions) -> tuple[int, ...]:
    """How many more times each seat was an enemy than an ally; 0 without adjustment (seed 7, SLS-30)."""
    seats = range(len(rows))
    if options.chip_adjust == "off":
        return (0,) * len(rows)
    enemies = [row[0] for row in rows if row]
    allies = [row[-1] for row in rows if row]
    return tuple(enemies.count(seat) - allies.count(seat) for seat in seats)


def next_chips(options: SuckerOptions, result: Result) -> Counts:
    """The number of chips with which each seat begins the next round: at least one (SLS-30)."""
    base = (BASE[len(result.chips)],) * len(result.chips)
    start = result.chips if options.chip_adjust == "cumulative" else base
    return tuple(max(1, count + more) for count, more in zip(start, result.change, strict=True))


def result(state: SuckerState) -> Result:
    """The result of a round in which one seat is left."""
    stage, rows = state.stage, state.rows
    survivor = Seat(stage.alive.index(True))
    return Result(
        stage.first,
        state.match.chips,
        survivor,
        stage.out,
        winners(rows, survivor, stage.out[-1]),
        rows,
        state.deck,
        change(rows, state.options),
    )


def add_result(match: Match, last_round: Result) -> Match:
    """Adds a round to the match: each of its winners scores a point (SLS-31)."""
    points = tuple(count + (seat in last_round.winners) for seat, count in enumerate(match.points))
    return Match(match.rounds, points, match.chips, (*match.results, last_round))


@memoize
def outcome(points: tuple[int, ...]) -> Outcome:
    """The seats with the most points win together; a seat without points does not win (SLS-31)."""
    best = max(points)
    return Outcome(
        tuple(Seat(seat) for seat, count in enumerate(points) if count == best and count > 0), points
    )


def list_lines(last_round: Result, match: Match) -> tuple[LogLine, ...]:
    """The log lines at the end of a round, which reveal all its secrets (GEN-9)."""
    last = last_round.out[-1]
    lines = [LogLine("sucker.survived", {"seat": last_round.survivor}, EVERYONE)]
    lines.extend(
        LogLine("sucker.loyalty", {"seat": seat, "enemy": row[0], "ally": row[-1]}, EVERYONE)
        for seat, row in enumerate(last_round.rows)
        if row
    )
    if last_round.survivor not in last_round.winners:
        lines.append(LogLine("sucker.roundLost", {"seat": last_round.survivor, "other": last}, EVERYONE))
    if last_round.winners and match.rounds > 1:
        seats = [int(seat) for seat in last_round.winners]
        lines.append(LogLine("sucker.roundWon", {"seats": seats}, EVERYONE))
    if len(match.results) == match.rounds:
        seats = [int(seat) for seat in outcome(match.points).winners]
        lines.append(LogLine("sucker.won", {"seats": seats}, EVERYONE) if seats else NOBODY_WON)
    return tuple(lines)


NOBODY_WON = LogLine("sucker.nobodyWon", {}, EVERYONE)
