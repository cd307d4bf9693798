"""Rows as CSV: one line per game, in numerical order; docs/SIMULATE.md explains the columns.

The bytes depend only on the plan: they contain no date, duration or path.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

from games.api import Registration
from games.simulate.plan import SIDES, Plan, format_option, match
from games.simulate.playing import Row
from games.testing.positions import moves_of

FIXED: Final = (
    "number",
    "seed",
    "side",
    "seats",
    "levels",
    "end",
    "winners",
    "scores",
    "characters",
    "remarks",
    "exchanges",
    "repeated_lines",
    "turns",
    "moves",
    "events",
    "ran_ms",
    "most_ms",
    "forced",
    "ran_out",
    "repeats",
    "refused",
    "untimed",
)
"""The columns for every game; those for its options follow `levels`, and those for its moves come last."""


def columns(plan: Plan, entry: Registration) -> list[str]:
    cut = FIXED.index("end")
    options = [f"option_{name}" for name in _option_names(plan)]
    moves = [f"move_{tag}" for tag in sorted(moves_of(entry.game))]
    windows = [f"ran_out_{kind}" for kind in sorted(entry.game.texts.windows)]
    return [*FIXED[:cut], *options, *FIXED[cut:], *moves, *windows]


def text(plan: Plan, entry: Registration, rows: Iterable[Row]) -> str:
    """The whole CSV file."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns(plan, entry))
    for row in rows:
        writer.writerow(_cells(plan, entry, row))
    return out.getvalue()


def _option_names(plan: Plan) -> list[str]:
    return sorted({name for side in plan.sides for setting in side.settings for name in setting.options})


def _cells(plan: Plan, entry: Registration, row: Row) -> list[str | int]:
    game = match(plan, row.number)
    options = game.setting.options
    return [
        row.number,
        game.seed.hex(),
        SIDES[row.side],
        len(row.levels),
        _join(row.levels),
        *(format_option(options[name]) if name in options else "" for name in _option_names(plan)),
        row.end,
        _join(row.winners),
        _join([f"{score:.10g}" for score in row.scores]),
        _join([key or "-" for key in row.characters]),
        _join(row.remarks),
        row.exchanges,
        row.repeated_lines,
        row.turns,
        row.moves,
        row.events,
        row.ran,
        row.most,
        sum(row.forced.values()),
        sum(row.ran_out.values()),
        row.repeats,
        row.refused,
        row.untimed,
        *(row.move_counts.get(tag, 0) for tag in sorted(moves_of(entry.game))),
        *(row.ran_out.get(kind, 0) for kind in sorted(entry.game.texts.windows)),
    ]


def _join(values: Sequence[object]) -> str:
    return " ".join(str(value) for value in values)
