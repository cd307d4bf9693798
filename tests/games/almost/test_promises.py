"""Promises in Almost (R30): random ones against a second judge, and each kind by hand."""

from __future__ import annotations

import os
from collections.abc import Sequence

from games.almost.rules.game import ALMOST
from games.almost.rules.values import Score
from games.api import Judgement, Promise
from games.kit.promises import section
from games.testing.promises import Moment, check_promises

GAMES = int(os.environ.get("PARLEY_PROMISE_GAMES", "60"))


def judge_slowly(promise: Promise, moments: Sequence[Moment]) -> Judgement:
    """Looks the number up in the rows at the end of the game, where all of them are."""
    rows = section(moments[-1].view, "score", Score).rows
    wanted = int(promise.terms["round"])
    for number, row in enumerate(rows, start=1):
        if number == wanted:
            is_same = row.bids[promise.by] == promise.terms["number"]
            if promise.kind == "bid":
                return "kept" if is_same else "broken"
            return "broken" if is_same else "kept"
    return "lapsed"


def test_random_promises_are_judged_as_by_a_second_judge() -> None:
    counts = check_promises(ALMOST, judge_slowly, GAMES)
    assert {"bid kept", "bid broken", "avoid kept", "avoid broken"} <= counts.keys()
