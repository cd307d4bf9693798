"""Plans of small simulations, with the rows and reports that result from them."""

from __future__ import annotations

from typing import Any

from games import GAMES
from games.api import Registration
from games.simulate import figures, pool
from games.simulate import plan as planning
from games.simulate.plan import Plan
from games.simulate.playing import Row

ALMOST = GAMES["almost"]
MODES = (
    "mode=almost",
    "mode=almost,discussion=none",
    "mode=banbury,banburyRounds=3",
    "mode=banbury,scoring=sumOfEntries,banburyRounds=3",
    "discussion=untilReady,timers=off",
)


def plan_of(
    options: str = "",
    games: int = 12,
    seats: int | None = 4,
    levels: str | None = None,
    compare: str | None = None,
    name: str = "almost",
    bot: str | None = None,
    seed: int = 7,
    limit: int = 5_000,
) -> Plan:
    return planning.plan(
        name,
        bot,
        games=games,
        seats=seats,
        levels=levels,
        options=[options] if options else [],
        compare=compare,
        seed=seed,
        limit=limit,
    )


def played(plan: Plan, entry: Registration = ALMOST) -> tuple[Row, ...]:
    return pool.play_all(plan, entry, 1, lambda count: None).rows


def reported(plan: Plan, entry: Registration = ALMOST) -> figures.Report:
    return figures.report(plan, entry, played(plan, entry))


def row(number: int = 0, **fields: Any) -> Row:
    usual: dict[str, Any] = {
        "number": number,
        "side": 0,
        "variant": 0,
        "levels": ("hard", "normal", "hard", "normal"),
        "end": "outcome",
        "winners": (0,),
        "scores": (4.0, 1.0, 0.0, 0.0),
        "turns": 6,
        "ran": 0,
        "most": 60_000,
        "repeats": 0,
        "refused": 0,
        "untimed": 0,
        "move_counts": {"lock": 8, "continue": 2},
        "forced": {"continue": 2},
        "ran_out": {},
        "values": {"lock.number": {1: 6, 10: 2}},
    }
    return Row(**{**usual, **fields})
