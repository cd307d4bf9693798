"""What makes each of the bot's remarks true: a second, slow reading of what its seat saw when it said it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.almost.rules.values import Agree, Plan, Propose, Row
from games.api import Promise
from tests.games.almost.talking import Saying


class Facts:
    """A remark and the position it was made in, as seen by the seat that made it."""

    def __init__(self, saying: Saying) -> None:
        seen, self.decision = saying.observation, saying.decision
        sections: Any = seen.sections
        self.me: Any = int(saying.spoken.seat)
        self.stage, self.score = sections["stage"], sections["score"]
        self.plans: tuple[Plan, ...] = sections["plans"].plans
        self.promises, self.messages = seen.promises, seen.messages
        self.args: dict[str, Any] = dict(saying.spoken.args)

    def __getattr__(self, name: str) -> Any:
        return self.args[name]

    # --- plans ---

    @property
    def left(self) -> int:
        return int(self.stage.rounds - self.stage.round)

    @property
    def own(self) -> tuple[int, ...]:
        """The plan it proposes with this remark."""
        move = self.decision.move
        return move.bids if isinstance(move, Propose) else ()

    @property
    def joined(self) -> Plan:
        """The plan it supports with this remark."""
        move = self.decision.move
        assert isinstance(move, Agree)
        return next(plan for plan in self.plans if plan.number == move.plan)

    @property
    def refused(self) -> Plan:
        return next(plan for plan in self.plans if plan.number == self.args["plan"])

    @property
    def backed(self) -> Plan | None:
        return next((plan for plan in self.plans if self.me in plan.behind), None)

    def gains(self, bids: tuple[int, ...], seat: int) -> set[int]:
        """What the seat may score by bidding something else."""
        numbers = {*range(1, 20), *bids, *(bid - 1 for bid in bids if bid > 1)}
        tried = ((*bids[:seat], number, *bids[seat + 1 :]) for number in sorted(numbers))
        return {mine[seat] for mine in tried if mine != bids and scorer(mine) == seat}

    def is_steady(self, bids: tuple[int, ...]) -> bool:
        winner = scorer(bids)
        return winner is not None and not any(
            self.gains(bids, seat) for seat in range(len(bids)) if seat != winner
        )

    # --- seats and rounds ---

    def is_done(self, seat: int) -> bool:
        return self.stage.target is not None and not self.score.needs[seat]

    def row(self, number: int) -> Row:
        row: Row = self.score.rows[number - 1]
        return row

    def kept(self, number: int, seat: int) -> bool:
        row = self.row(number)
        return row.promised[seat] is not None and row.promised[seat] == row.bids[seat]

    def broke(self, number: int, seat: int) -> bool:
        row = self.row(number)
        return row.promised[seat] is not None and row.promised[seat] != row.bids[seat]

    def broke_promise(self, number: int, seat: int) -> bool:
        return any(
            one.by == seat and one.judgement == "broken" and one.terms["round"] == number
            for one in self.promises
        )

    def points_before(self, number: int) -> int:
        rows = self.score.rows[: number - 1]
        return sum(row.bids[self.me] for row in rows if row.winner == self.me)

    def has_heard(self, *keys: str) -> bool:
        """Whether the one it speaks to has said one of these."""
        return any(
            said.seat == self.args["to"] and any(f".{key}" in said.key for key in keys)
            for said in self.messages
        )

    def is_open(self, kind: str) -> bool:
        """Whether the one it speaks to has promised this."""
        return any(
            one.by == self.args["to"]
            and one.kind == kind
            and one.judgement is None
            and one.terms == {"number": self.args["number"], "round": self.args["round"]}
            for one in self.promises
        )

    @property
    def given(self) -> list[Promise]:
        """Its own open promises for the round it speaks of."""
        return [
            one
            for one in self.promises
            if one.by == self.me and one.judgement is None and one.terms["round"] == self.args["round"]
        ]

    def gives(self, kind: str) -> bool:
        new = self.decision.promise
        terms = {"number": self.args["number"], "round": self.args["round"]}
        return new is not None and (new.kind, new.terms, new.to) == (kind, terms, (self.args["to"],))


def scorer(bids: tuple[int, ...]) -> int | None:
    """Slow: the only seat with the lowest number that is on one hand only."""
    lone = [number for number in bids if len([other for other in bids if other == number]) == 1]
    return bids.index(min(lone)) if lone else None


def _takes(f: Facts) -> bool:
    """It proposes a plan that pays it, and says with which number."""
    return bool(scorer(f.own) == f.me and f.own[f.me] == f.number and f.round == f.stage.round)


def _gives(f: Facts) -> bool:
    return bool(scorer(f.own) == f.to and f.own[f.to] == f.number and f.round == f.stage.round)


def _joins(f: Facts) -> bool:
    return bool(f.joined.by == f.to and f.round == f.stage.round)


def _bids(f: Facts) -> bool:
    return bool(_joins(f) and f.joined.bids[f.me] == f.number)


def _refuses(f: Facts) -> bool:
    return bool(f.refused.by == f.to and f.round == f.stage.round and f.me not in f.refused.behind)


def _counters(f: Facts) -> bool:
    return bool(_takes(f) and any(plan.by == f.to for plan in f.plans))


def _only(f: Facts) -> bool:
    needs, can = f.score.needs, f.score.can
    return [seat for seat in range(len(needs)) if needs[seat] and can[seat]] == [f.to]


def _excuses(f: Facts) -> bool:
    return f.broke(f.round, f.me) or f.broke_promise(f.round, f.me)


TRUE: Final[dict[str, Callable[[Facts], bool]]] = {
    "pitchMine": _takes,
    "pitchSteady": lambda f: _takes(f) and f.is_steady(f.own),
    "pitchEnough": lambda f: _takes(f) and f.score.needs[f.me] == f.number,
    "pitchLast": lambda f: _takes(f) and f.left == 0 and not f.is_done(f.me),
    "pitchTurns": lambda f: _takes(f) and f.left > 0,
    "pitchWord": lambda f: (
        _takes(f)
        and f.decision.promise is not None
        and f.decision.promise.terms == {"number": f.low, "round": f.next}
        and f.next == f.round + 1
    ),
    "pitchOther": _gives,
    "pitchDebt": lambda f: _gives(f) and f.row(f.earlier).winner == f.me and f.kept(f.earlier, f.to),
    "pitchOnly": lambda f: _gives(f) and _only(f),
    "yesMine": lambda f: _bids(f) and scorer(f.joined.bids) == f.me,
    "yesDone": lambda f: _bids(f) and f.is_done(f.me),
    "yesSteady": lambda f: _joins(f) and f.joined.number == f.plan and f.is_steady(f.joined.bids),
    "yesTurn": lambda f: _bids(f) and f.left > 0 and not f.is_done(f.me),
    "yesSwitch": lambda f: (
        _joins(f)
        and f.backed is not None
        and f.backed.by == f.me
        and len(f.joined.behind) > len(f.backed.behind)
    ),
    "yesThanks": lambda f: (
        _joins(f)
        and scorer(f.joined.bids) == f.to
        and f.row(f.earlier).winner == f.me
        and f.kept(f.earlier, f.to)
    ),
    "askTurn": lambda f: (
        scorer(f.joined.bids) == f.to
        and f.joined.bids[f.me] == f.number
        and f.round + 1 == f.next <= f.stage.rounds
    ),
    "grant": lambda f: f.gives("bid") and f.has_heard("askTurn"),
    "half": lambda f: f.gives("avoid") and f.has_heard("askTurn"),
    "deny": lambda f: not f.given and f.decision.promise is None and f.has_heard("askTurn"),
    "denyGiven": lambda f: any(f.other in one.to for one in f.given) and f.has_heard("askTurn"),
    "noShut": lambda f: (
        _refuses(f) and scorer(f.refused.bids) != f.me and f.score.needs[f.me] > f.left * f.stage.most
    ),
    "noNobody": lambda f: _refuses(f) and scorer(f.refused.bids) is None,
    "noWord": lambda f: _refuses(f) and f.broke(f.earlier, f.to),
    "noTempted": lambda f: (
        _refuses(f)
        and not f.is_done(f.other)
        and max(f.gains(f.refused.bids, f.other)) >= f.score.needs[f.other]
    ),
    "noMine": lambda f: (
        _refuses(f) and f.backed is not None and f.backed.by == f.me and scorer(f.backed.bids) == f.me
    ),
    "noWaste": lambda f: _refuses(f) and scorer(f.refused.bids) == f.seat and f.is_done(f.seat),
    "noFew": lambda f: _refuses(f) and f.backed is not None and len(f.backed.behind) > len(f.refused.behind),
    "noDoubt": lambda f: _refuses(f) and scorer(f.refused.bids) != f.me,
    "threat": lambda f: (
        f.to != f.me and any(scorer(plan.bids) == f.to and plan.bids[f.to] == f.number for plan in f.plans)
    ),
    "noFear": lambda f: f.has_heard("threat"),
    "counter": _counters,
    "counterFirst": lambda f: (
        _counters(f)
        and any(plan.by == f.to and scorer(plan.bids) == f.to for plan in f.plans)
        and not f.is_done(f.to)
    ),
    "counterDebt": lambda f: _counters(f) and f.row(f.earlier).winner == f.to and f.kept(f.earlier, f.me),
    "heardBid": lambda f: f.is_open("bid"),
    "heardAvoid": lambda f: f.is_open("avoid"),
    "heardDoubt": lambda f: (f.is_open("bid") or f.is_open("avoid")) and f.broke(f.earlier, f.to),
    "thanks": lambda f: (
        f.row(f.round).winner == f.me and f.kept(f.round, f.to) and f.row(f.round).bids[f.to] == f.number
    ),
    "thanksWord": lambda f: any(
        one.by == f.to and f.me in one.to and one.judgement == "kept" and one.terms["round"] == f.round
        for one in f.promises
    ),
    "welcome": lambda f: f.has_heard("thanks"),
    "reproach": lambda f: (
        f.broke(f.round, f.to)
        and f.row(f.round).promised[f.to] == f.number
        and f.row(f.round).bids[f.to] == f.bid
    ),
    "reproachPromise": lambda f: f.broke_promise(f.round, f.to),
    "excuseNeed": lambda f: (
        _excuses(f)
        and f.row(f.round).winner == f.me
        and (f.stage.target is None or f.points_before(f.round) < f.stage.target)
    ),
    "excuseDone": lambda f: _excuses(f) and f.points_before(f.round) >= f.stage.target,
    "excuseVain": lambda f: _excuses(f) and f.row(f.round).winner != f.me,
    "excuseClock": lambda f: _excuses(f) and f.me in f.row(f.round).missed,
    "praise": lambda f: f.row(f.round).winner == f.to and f.row(f.round).bids[f.to] == f.number,
    "nobody": lambda f: f.row(f.round).winner is None,
    "clash": lambda f: f.row(f.round).bids[f.to] == f.row(f.round).bids[f.me] == f.number,
    "home": lambda f: f.score.points[f.me] == f.number >= f.stage.target > f.points_before(f.round),
    "askPlan": lambda f: f.has_heard("myTurn", "takeOne", "noDeal"),
    "remember": lambda f: f.has_heard("yourTurnNext") and f.round == f.stage.round + 1 <= f.stage.rounds,
    "trust": lambda f: not any(f.broke(n, f.to) for n in range(1, len(f.score.rows) + 1)),
    "trustNot": lambda f: f.broke(f.earlier, f.to),
    "confirm": lambda f: f.backed is not None and f.backed.number == f.plan,
    "liar": lambda f: f.broke(f.round, f.other),
    "nobodyLied": lambda f: not any(f.broke(f.round, seat) for seat in range(len(f.score.needs))),
    "hurried": lambda f: f.has_heard("hurry") and f.stage.phase == "discuss",
    "modest": lambda f: f.row(f.round).winner == f.me and f.has_heard("wellPlayed"),
    "console": lambda f: f.has_heard("oops") and f.round <= len(f.score.rows),
}
"""By intent, whether a remark is true of what its seat saw."""
MAY_BE_A_LIE: Final = frozenset({"sorry"})
"""Remarks about what somebody feels: nobody can tell whether they are true."""
