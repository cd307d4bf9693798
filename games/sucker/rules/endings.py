"""The end of a round and of a match: who won, what everybody was, what they begin with next (2d)."""

from __future__ import annotations

from games.api import EVERYONE, LogLine, Outcome, Seat
from games.kit.memo import memoize
from games.sucker.rules.values import BASE, Colour, Counts, Match, Result, SuckerOptions, SuckerState

Row = tuple[Colour, ...]
"""Enemy first, ally last; empty without blind allies."""


def winners(rows: tuple[Row, ...], survivor: Seat, last: Seat) -> tuple[Seat, ...]:
    """The survivor, unless its enemy was the last one out; and that one, if the survivor was its ally."""
    if not rows[survivor]:
        return (survivor,)
    lost = rows[survivor][0] == last
    second = rows[last][-1] == survivor
    won = [*([] if lost else [survivor]), *([last] if second else [])]
    return tuple(sorted(won))


def change(rows: tuple[Row, ...], options: SuckerOptions) -> tuple[int, ...]:
    """By seat, whose enemy it was less whose ally it was; nothing without adjustment (seed 7, SLS-30)."""
    seats = range(len(rows))
    if options.chip_adjust == "off":
        return (0,) * len(rows)
    enemies = [row[0] for row in rows if row]
    allies = [row[-1] for row in rows if row]
    return tuple(enemies.count(seat) - allies.count(seat) for seat in seats)


def next_chips(options: SuckerOptions, result: Result) -> Counts:
    """What everybody begins the round after this one with: at least one chip (SLS-30)."""
    base = (BASE[len(result.chips)],) * len(result.chips)
    start = result.chips if options.chip_adjust == "cumulative" else base
    return tuple(max(1, count + more) for count, more in zip(start, result.change, strict=True))


def result(state: SuckerState) -> Result:
    """Of a round in which one seat is left."""
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


def counted(match: Match, over: Result) -> Match:
    """The match with a round more: a point for each of its winners (SLS-31)."""
    points = tuple(count + (seat in over.winners) for seat, count in enumerate(match.points))
    return Match(match.rounds, points, match.chips, (*match.results, over))


@memoize
def outcome(points: tuple[int, ...]) -> Outcome:
    """The most points win together; who has none has won nothing (SLS-31)."""
    most = max(points)
    return Outcome(
        tuple(Seat(seat) for seat, count in enumerate(points) if count == most and count > 0), points
    )


def told(over: Result, match: Match) -> tuple[LogLine, ...]:
    """What the log tells of it: all is shown now (GEN-9)."""
    last = over.out[-1]
    lines = [LogLine("sucker.survived", {"seat": over.survivor}, EVERYONE)]
    lines.extend(
        LogLine("sucker.loyalty", {"seat": seat, "enemy": row[0], "ally": row[-1]}, EVERYONE)
        for seat, row in enumerate(over.rows)
        if row
    )
    if over.survivor not in over.winners:
        lines.append(LogLine("sucker.roundLost", {"seat": over.survivor, "other": last}, EVERYONE))
    ends = len(match.results) == match.rounds
    if over.winners and match.rounds > 1:
        lines.append(LogLine("sucker.roundWon", {"seats": [int(seat) for seat in over.winners]}, EVERYONE))
    if ends:
        won = [int(seat) for seat in outcome(match.points).winners]
        lines.append(LogLine("sucker.won", {"seats": won}, EVERYONE) if won else _NOBODY)
    return tuple(lines)


_NOBODY = LogLine("sucker.nobodyWon", {}, EVERYONE)
