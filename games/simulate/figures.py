"""Computes figures from rows: each with its interval, in groups, and the differences between two sides.

A measure is the contribution of one game to a figure. Figures for length, winning and score count only games
that reached an outcome; the others count all games. A win shared by k seats counts 1/k for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from games.api import Registration
from games.kit import time_control as time_control
from games.kit.characters import CHARACTERS
from games.simulate import estimates
from games.simulate.estimates import Interval, Sample
from games.simulate.plan import Plan, Setting, list_varied_options, side_title
from games.simulate.playing import Row
from games.testing.positions import moves_of

Group: TypeAlias = Literal["Length", "Winning", "Score", "Dead ends", "Talk", "Characters", "Moves"]
Kind: TypeAlias = Literal["share", "part", "number", "minutes"]
"""A proportion of games or seats (Wilson), or a mean of fractions (0 to 1), numbers or minutes (normal)."""

GROUPS: Final[tuple[Group, ...]] = (
    "Length",
    "Winning",
    "Score",
    "Dead ends",
    "Talk",
    "Characters",
    "Moves",
)
MINUTE: Final = 60_000


class Measure(NamedTuple):
    """The contribution of one game to a figure: a sum and a count, or None if it contributes nothing."""

    key: str
    label: str
    group: Group
    kind: Kind
    of: Callable[[Row], tuple[float, int] | None]


class Figure(NamedTuple):
    """One figure with its interval."""

    key: str
    label: str
    group: Group
    kind: Kind
    interval: Interval
    sample: Sample


class Difference(NamedTuple):
    """A figure on both sides, and its difference B - A."""

    a: Figure
    b: Figure
    interval: Interval

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0."""
        return self.interval.low > 0 or self.interval.high < 0


class Effect(NamedTuple):
    """One option: the games and figures for each value, and the share of their variance it explains."""

    option: str
    values: tuple[Any, ...]
    games: tuple[int, ...]
    figures: tuple[tuple[Figure | None, ...], ...]
    """By measure and value."""
    explained: tuple[float, ...]
    """By measure, from 0 to 1."""


class Spread(NamedTuple):
    """All values of a quantity in ascending order."""

    values: tuple[float, ...]

    def quantile(self, q: float) -> float:
        return estimates.quantile(self.values, q)


class SideReport(NamedTuple):
    """All figures for one side."""

    title: str
    seats: int
    levels: tuple[str, ...]
    settings: tuple[Setting, ...]
    rows: tuple[Row, ...]
    ended: tuple[Row, ...]
    figures: Mapping[str, Figure]
    effects: tuple[Effect, ...]
    even: float
    """The win rate of each seat if all were equal: below 1/seats if some games have no winner."""

    def spread(self, of: Callable[[Row], float]) -> Spread | None:
        """The distribution over games that reached an outcome; None if no game did."""
        return Spread(tuple(sorted(of(row) for row in self.ended))) if self.ended else None

    @property
    def scores(self) -> Spread | None:
        scores = sorted(score for row in self.ended for score in row.scores)
        return Spread(tuple(scores)) if scores else None


class Report(NamedTuple):
    """Everything that is printed or drawn."""

    plan: Plan
    entry: Registration
    sides: tuple[SideReport, ...]
    differences: tuple[Difference, ...]

    @property
    def games(self) -> int:
        return sum(len(side.rows) for side in self.sides)


# --- the contribution of one game ---


def minutes(row: Row) -> float:
    """The table time in minutes if every window had run to its end."""
    return row.most / MINUTE


def turns(row: Row) -> float:
    return float(row.turns)


def share_of(row: Row, seat: int) -> float:
    """The seat's share of the win."""
    return 1 / len(row.winners) if seat in row.winners else 0.0


def margin(row: Row) -> float:
    """The lead of the best score over the second; 0 for a single seat."""
    best = sorted(row.scores, reverse=True)
    return best[0] - best[1] if len(best) > 1 else 0.0


def counts(row: Row, name: str) -> int:
    return row.move_counts.get(name, 0)


def timing(tag: str) -> bool:
    """Returns whether a move only affects the clock (GEN-6)."""
    return tag in time_control.MOVES


def _game_measure(of: Callable[[Row], float]) -> Callable[[Row], tuple[float, int] | None]:
    return lambda row: (of(row), 1)


def _outcome_measure(of: Callable[[Row], float]) -> Callable[[Row], tuple[float, int] | None]:
    return lambda row: (of(row), 1) if row.end == "outcome" else None


def _seat_measure(seat: int) -> Callable[[Row], tuple[float, int] | None]:
    return _outcome_measure(lambda row: share_of(row, seat))


def _level_measure(level: str) -> Callable[[Row], tuple[float, int] | None]:
    def measure(row: Row) -> tuple[float, int] | None:
        seats = [seat for seat, seat_level in enumerate(row.levels) if seat_level == level]
        if row.end != "outcome" or not seats:
            return None
        return sum(share_of(row, seat) for seat in seats), len(seats)

    return measure


def _character_measure(key: str) -> Callable[[Row], tuple[float, int] | None]:
    def measure(row: Row) -> tuple[float, int] | None:
        if row.end != "outcome" or key not in row.characters:
            return None
        return share_of(row, row.characters.index(key)), 1

    return measure


def _remark_measure(key: str) -> Callable[[Row], tuple[float, int] | None]:
    def measure(row: Row) -> tuple[float, int] | None:
        if key not in row.characters:
            return None
        return float(row.remarks[row.characters.index(key)]), 1

    return measure


def _list_character_measures(rows: Iterable[Row]) -> list[Measure]:
    """How often each character at these tables wins, and how much it says."""
    seated = {key for row in rows for key in row.characters}
    measures: list[Measure] = []
    for character in CHARACTERS:
        if character.key in seated:
            label, key = f"{character.name} ({character.level})", character.key
            measures += [
                Measure(f"character:{key}", f"{label} wins", "Characters", "share", _character_measure(key)),
                Measure(f"said:{key}", f"{label} remarks", "Characters", "number", _remark_measure(key)),
            ]
    return measures


def _move_measure(tag: str) -> Callable[[Row], tuple[float, int] | None]:
    return _game_measure(lambda row: float(counts(row, tag)))


def _measure_forced(row: Row) -> tuple[float, int] | None:
    return (sum(row.forced.values()) / row.moves, 1) if row.moves else None


LENGTH: Final = (
    Measure("turns", "turns", "Length", "number", _outcome_measure(turns)),
    Measure("moves", "moves", "Length", "number", _outcome_measure(lambda row: float(row.moves))),
    Measure("events", "events", "Length", "number", _outcome_measure(lambda row: float(row.events))),
    Measure("minutes", "minutes at full length", "Length", "minutes", _outcome_measure(minutes)),
    Measure(
        "ran", "minutes that ran out", "Length", "minutes", _outcome_measure(lambda row: row.ran / MINUTE)
    ),
)
SCORES: Final = (
    Measure(
        "score",
        "score per seat",
        "Score",
        "number",
        _outcome_measure(lambda row: sum(row.scores) / len(row.scores)),
    ),
    Measure("best", "best score", "Score", "number", _outcome_measure(lambda row: max(row.scores))),
    Measure("margin", "winning margin", "Score", "number", _outcome_measure(margin)),
)
TIED: Final = Measure(
    "tied", "shared wins", "Winning", "share", _outcome_measure(lambda row: float(len(row.winners) > 1))
)
NOBODY: Final = Measure(
    "nobody", "nobody wins", "Winning", "share", _outcome_measure(lambda row: float(not row.winners))
)
DEAD_ENDS: Final = (
    Measure(
        "limit",
        "abandoned at the limit",
        "Dead ends",
        "share",
        _game_measure(lambda row: float(row.end == "limit")),
    ),
    Measure(
        "stuck",
        "stuck: no seat moves",
        "Dead ends",
        "share",
        _game_measure(lambda row: float(row.end == "stuck")),
    ),
    Measure("forced", "forced moves", "Dead ends", "part", _measure_forced),
    Measure(
        "ran_out",
        "windows that ran out",
        "Dead ends",
        "number",
        _game_measure(lambda row: float(sum(row.ran_out.values()))),
    ),
    Measure(
        "repeats", "repeated positions", "Dead ends", "number", _game_measure(lambda row: float(row.repeats))
    ),
    Measure(
        "refused", "refused decisions", "Dead ends", "number", _game_measure(lambda row: float(row.refused))
    ),
)


def _promises(name: str) -> Measure:
    """How many promises of a game were made, or became this."""
    measure = _game_measure(lambda row: float(row.promises.get(name, 0)))
    return Measure(f"promises_{name}", f"promises {name}", "Talk", "number", measure)


TALK: Final = (
    Measure("exchanges", "exchanges", "Talk", "number", _game_measure(lambda row: float(row.exchanges))),
    *(_promises(name) for name in ("made", "kept", "broken", "lapsed")),
    Measure("remarks", "remarks", "Talk", "number", _game_measure(lambda row: float(sum(row.remarks)))),
    Measure(
        "repeated_lines",
        "repeated lines",
        "Talk",
        "number",
        _game_measure(lambda row: float(row.repeated_lines)),
    ),
)
BY_OPTION: Final = (LENGTH[0], LENGTH[3], TIED, NOBODY, *SCORES)
"""The figures that are compared across the values of an option."""


def measures(
    entry: Registration, seats: int, levels: Iterable[str], rows: Iterable[Row] = ()
) -> list[Measure]:
    """The measures for every figure on one side of this game."""
    moves = sorted(moves_of(entry.game))
    return [
        *LENGTH,
        *(Measure(f"seat:{i}", f"seat {i} wins", "Winning", "share", _seat_measure(i)) for i in range(seats)),
        *(
            Measure(f"level:{level}", f"{level} wins", "Winning", "share", _level_measure(level))
            for level in dict.fromkeys(levels)
        ),
        TIED,
        NOBODY,
        *SCORES,
        *DEAD_ENDS,
        *TALK,
        *_list_character_measures(rows),
        *(Measure(f"move:{tag}", tag, "Moves", "number", _move_measure(tag)) for tag in moves),
    ]


# --- from rows to figures ---


def figure(measure: Measure, rows: Iterable[Row]) -> Figure | None:
    """The figure for these rows; None if no game contributes."""
    pairs = [pair for row in rows if (pair := measure.of(row)) is not None]
    if not pairs:
        return None
    if measure.kind == "share":
        n = sum(weight for _, weight in pairs)
        interval = estimates.proportion(sum(part for part, _ in pairs), n)
        value = interval.value
        return Figure(*measure[:4], interval, Sample(n, value, value * (1 - value)))
    sample = estimates.sample([part / weight for part, weight in pairs])
    return Figure(*measure[:4], estimates.mean(sample), sample)


def difference(a: Figure, b: Figure) -> Difference:
    """The difference b - a of two figures of the same kind."""
    if a.kind == "share":
        return Difference(a, b, estimates.difference_of_proportions(a.interval, b.interval))
    return Difference(a, b, estimates.difference_of_means(a.sample, b.sample))


def effect(option: str, values: tuple[Any, ...], settings: Sequence[Setting], rows: Iterable[Row]) -> Effect:
    """The effect of an option over all games, for all values of the other options."""
    groups: list[list[Row]] = [[] for _ in values]
    places = [values.index(setting.options[option]) for setting in settings]
    for row in rows:
        groups[places[row.variant]].append(row)
    return Effect(
        option,
        values,
        tuple(len(group) for group in groups),
        tuple(tuple(figure(measure, group) for group in groups) for measure in BY_OPTION),
        tuple(
            estimates.epsilon_squared(
                [
                    [pair[0] / pair[1] for row in group if (pair := measure.of(row)) is not None]
                    for group in groups
                ]
            )
            for measure in BY_OPTION
        ),
    )


def report(plan: Plan, entry: Registration, rows: Sequence[Row]) -> Report:
    """All figures for these rows; sides without rows are omitted."""
    sides = []
    for index, side in enumerate(plan.sides):
        side_rows = tuple(row for row in rows if row.side == index)
        if not side_rows:
            continue
        ended = tuple(row for row in side_rows if row.end == "outcome")
        side_figures = [
            figure(measure, side_rows) for measure in measures(entry, side.seats, side.levels, side_rows)
        ]
        decided = sum(1 for row in ended if row.winners)
        sides.append(
            SideReport(
                side_title(plan, index) if len(plan.sides) > 1 else "",
                side.seats,
                side.levels,
                side.settings,
                side_rows,
                ended,
                {side_figure.key: side_figure for side_figure in side_figures if side_figure is not None},
                tuple(
                    effect(option, values, side.settings, side_rows)
                    for option, values in list_varied_options(side).items()
                ),
                decided / (len(ended) * side.seats) if ended else 0.0,
            )
        )
    differences: tuple[Difference, ...] = ()
    if len(sides) == 2:
        a, b = sides
        differences = tuple(
            difference(figure_a, b.figures[key]) for key, figure_a in a.figures.items() if key in b.figures
        )
    return Report(plan, entry, tuple(sides), differences)


# --- the values in moves ---


class ValueCounts(NamedTuple):
    """How many times each value of a move's field was chosen."""

    field: str
    counts: Mapping[int | str, int]


def count_values(rows: Iterable[Row]) -> list[ValueCounts]:
    """The counts by `tag.field` in alphabetical order, with their values sorted."""
    counts: dict[str, dict[int | str, int]] = {}
    for row in rows:
        for field, values in row.values.items():
            field_counts = counts.setdefault(field, {})
            for value, count in values.items():
                field_counts[value] = field_counts.get(value, 0) + count
    return [
        ValueCounts(field, dict(sorted(values.items(), key=lambda pair: (isinstance(pair[0], str), pair[0]))))
        for field, values in sorted(counts.items())
    ]


# --- figures in words ---


def format_value(kind: Kind, value: float, *, sign: bool = False) -> str:
    """A formatted value: shares and parts as percentages, their differences in percentage points."""
    plus = "+" if sign else ""
    if kind in ("share", "part"):
        text = f"{100 * value:{plus}.1f}{' pp' if sign else '%'}"
    elif abs(value) >= 1000:
        text = f"{value:{plus},.0f}"
    else:
        text = f"{value:{plus}.1f}" if abs(value) >= 10 else f"{value:{plus}.2f}"
    return text.replace("-", "−")


def format_interval(kind: Kind, low: float, high: float, *, sign: bool = False) -> str:
    """An interval, formatted."""
    low_text, high_text = format_value(kind, low, sign=sign), format_value(kind, high, sign=sign)
    return f"{low_text.removesuffix('%').removesuffix(' pp')} to {high_text}"
