"""What makes each of the bot's remarks true: a second, slow reading of what its seat saw when it said it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from games.almost.rules.values import Agree, Plan, Propose, Row
from games.api import Promise
from games.kit.wordings import read_intent
from tests.games.talking_table import Saying


class Facts:
    """A remark and the position it was made in, as seen by the seat that made it."""

    def __init__(self, saying: Saying) -> None:
        seen, self.decision = saying.observation, saying.decision
        sections: Any = seen.sections
        self.me: Any = int(saying.spoken.seat)
        self.stage, self.score = sections["stage"], sections["score"]
        self.readiness = sections["readiness"]
        self.plans: tuple[Plan, ...] = sections["plans"].plans
        self.promises, self.messages, self.lines = seen.promises, seen.messages, seen.lines
        self.args: dict[str, Any] = dict(saying.spoken.args)

    def __getattr__(self, name: str) -> Any:
        return self.args[name]

    @property
    def round(self) -> int:
        """The round that is going on, or whose numbers are shown."""
        return int(self.stage.round)

    @property
    def last(self) -> int:
        """The last round whose numbers are known."""
        return len(self.score.rows)

    @property
    def begun(self) -> int:
        """When the round began."""
        return max((line.at for line in self.lines if line.key == "almost.round"), default=0)

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
        """The plan that it refuses; if it names none, the newest one of whoever it speaks to."""
        by_it = [plan for plan in self.plans if plan.by == self.args["to"]]
        number = self.args.get("plan", max((plan.number for plan in by_it), default=0))
        return next(plan for plan in self.plans if plan.number == number)

    @property
    def backed(self) -> Plan | None:
        return next((plan for plan in self.plans if self.me in plan.behind), None)

    def gains(self, bids: tuple[int, ...], seat: int) -> set[int]:
        """What the seat may score by picking something else."""
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

    def has_failed(self, seat: int, to: int) -> bool:
        """Whether the seat has lately broken a promise to another, or a plan that both have backed."""
        if seat == to or not self.last:
            return False
        broken = [
            one
            for one in self.promises
            if one.by == seat and one.judgement == "broken" and one.terms["round"] == self.last
        ]
        shared = self.stage.phase != "reveal" or any({seat, to} <= {*plan.behind} for plan in self.plans)
        return (
            any(to in (one.to or (to,)) for one in broken if not one.excused)
            or (self.stage.phase != "reveal" and bool(broken))
            or (self.broke(self.last, seat) and shared)
        )

    def has_kept(self, seat: int) -> bool:
        """Whether the seat has broken neither a plan nor a promise."""
        rounds = range(1, self.last + 1)
        return not any(self.broke(number, seat) or self.broke_promise(number, seat) for number in rounds)

    def helped(self, number: int, helper: int, helped: int) -> bool:
        """Whether one of them scored as planned, with the highest planned number, and the other hid."""
        row = self.row(number)
        planned = [bid for bid in row.promised if bid is not None]
        return (
            helper != helped
            and self.kept(number, helper)
            and self.kept(number, helped)
            and row.winner == helped
            and row.bids[helped] == max(planned)
            and planned.count(max(planned)) == 1
        )

    def list_able(self) -> list[int]:
        """The seats that have not won and still can."""
        needs, can = self.score.needs, self.score.can
        return [seat for seat in range(len(needs)) if needs[seat] and can[seat]]

    def would_score(self, left_out: int) -> bool:
        """Whether this seat would have scored with a seat less, whose number was no higher."""
        bids = self.row(self.last).bids
        others = tuple(1_000 + seat if seat == left_out else bid for seat, bid in enumerate(bids))
        return bool(bids[left_out] <= bids[self.me] and scorer(others) == self.me)

    def is_claimed(self, seat: int) -> bool:
        """Whether the seat backs a plan by which it was to score with what it bid."""
        bid = self.row(self.last).bids[seat]
        return any(
            seat in plan.behind and scorer(plan.bids) == seat and plan.bids[seat] == bid
            for plan in self.plans
        )

    def was_agreed(self, winner: int) -> bool:
        """Whether the seat scored by a plan that several backed."""
        bid = self.row(self.last).bids[winner]
        return any(
            len(plan.behind) > 1 and scorer(plan.bids) == winner and plan.bids[winner] == bid
            for plan in self.plans
        )

    def points_before(self, number: int, seat: int | None = None) -> int:
        who = self.me if seat is None else seat
        return sum(row.bids[who] for row in self.score.rows[: number - 1] if row.winner == who)

    def reached_now(self, seat: int) -> bool:
        """Whether the seat has won the game with the newest numbers."""
        target, before = self.stage.target, self.points_before(self.last, seat)
        return target is not None and before < target <= self.score.points[seat]

    @property
    def is_ready(self) -> bool:
        return bool(self.readiness.done[self.me])

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
            and one.terms["number"] == self.args["number"]
            for one in self.promises
        )

    def list_pledged(self, by: int, to: tuple[int, ...], is_private: bool = False) -> list[int]:
        """The numbers that a seat has promised to bid in this round, to these or to all: aloud or not."""
        return [
            int(one.terms["number"])
            for one in self.promises
            if one.by == by
            and one.kind == "bid"
            and one.judgement is None
            and (is_private or not one.private)
            and one.terms["round"] == self.round
            and (by in to or not one.to or any(seat in one.to for seat in to))
        ]

    def bends(self, by: int, to: int, bids: tuple[int, ...]) -> bool:
        """Whether a seat breaks an open promise to another, or to all, if it bids as this plan says."""
        return any(
            (bids[by] == one.terms["number"]) == (one.kind == "avoid")
            for one in self.promises
            if one.by == by
            and one.judgement is None
            and one.terms["round"] == self.round
            and (not one.to or to in one.to)
        )

    @property
    def given(self) -> list[Promise]:
        """Its own open promises for the next round."""
        return [
            one
            for one in self.promises
            if one.by == self.me and one.judgement is None and one.terms["round"] == self.round + 1
        ]

    def gives(self, kind: str) -> bool:
        new = self.decision.promise
        terms = {"number": self.args["number"], "round": self.round + 1}
        return new is not None and (new.kind, new.terms, new.to) == (kind, terms, (self.args["to"],))


def is_about(promise: Promise, number: int, round: int) -> bool:
    """Whether a promise is about this number in this round, whenever it was made."""
    return (promise.terms["number"], promise.terms["round"]) == (number, round)


def scorer(bids: tuple[int, ...]) -> int | None:
    """Slow: the only seat with the lowest number that is on one hand only."""
    lone = [number for number in bids if len([other for other in bids if other == number]) == 1]
    return bids.index(min(lone)) if lone else None


def _takes(f: Facts) -> bool:
    """It proposes a plan that pays it, and says with which number."""
    return bool(scorer(f.own) == f.me and f.own[f.me] == f.number)


def _gives(f: Facts) -> bool:
    return bool(scorer(f.own) == f.to and f.own[f.to] == f.number)


def _joins(f: Facts) -> bool:
    return bool(f.joined.by == f.to)


def _yields(f: Facts) -> bool:
    """It has made a plan in this round, and leaves it, or has left it, for one of whoever it speaks to."""
    has_proposed = any(
        line.key == "almost.proposed" and line.args["seat"] == f.me and line.at >= f.begun for line in f.lines
    )
    if isinstance(f.decision.move, Agree):
        return bool(_joins(f) and f.backed is not None and f.backed.by == f.me)
    return bool(has_proposed and f.backed is not None and f.backed.by == f.to)


def _bids(f: Facts) -> bool:
    return bool(_joins(f) and f.joined.bids[f.me] == f.number)


def _covers(f: Facts) -> bool:
    """It backs a plan by which whoever it speaks to scores, and says what it bids for that."""
    return bool(scorer(f.joined.bids) == f.to and f.joined.bids[f.me] == f.number)


def _refuses(f: Facts) -> bool:
    return bool(f.refused.by == f.to and f.round == f.stage.round and f.me not in f.refused.behind)


def _counters(f: Facts) -> bool:
    return bool(_takes(f) and any(plan.by == f.to for plan in f.plans))


def _excuses(f: Facts) -> bool:
    return f.broke(f.last, f.me) or f.broke_promise(f.last, f.me)


def _asks(f: Facts) -> bool:
    return f.has_heard("askTurn", "pitchTrade", "whatFor", "promiseMe", "threat")


def _cites(f: Facts, by: int, kind: str) -> bool:
    """It refuses a plan by which a seat breaks a promise of this kind about this number."""
    number = f.refused.bids[by]
    is_broken = number == f.number if kind == "avoid" else number != f.number
    return bool(
        _refuses(f)
        and is_broken
        and any(
            (one.by, one.kind, one.judgement, one.private) == (by, kind, None, False)
            and is_about(one, f.number, f.round)
            and f.me in (one.to or (f.me,))
            for one in f.promises
        )
    )


def _has_stolen(f: Facts) -> bool:
    """Whoever it speaks to has scored by breaking its word, which it has kept itself."""
    row = f.row(f.last)
    is_liar = f.broke(f.last, f.to) or f.broke_promise(f.last, f.to)
    is_clean = not f.broke(f.last, f.me) and not f.broke_promise(f.last, f.me)
    return bool(
        row.winner == f.to and row.bids[f.to] == f.args.get("bid", row.bids[f.to]) and is_liar and is_clean
    )


def _shares(f: Facts) -> bool:
    """Whoever it speaks to has bid the same number as it has, and nobody else."""
    bids = f.row(f.last).bids
    return bool(bids[f.to] == bids[f.me] and bids.count(bids[f.me]) == 2)


def _spoils(f: Facts) -> bool:
    """Whoever it speaks to has left a plan by which it would have scored."""
    row = f.row(f.last)
    planned = row.promised[f.to]
    bids = tuple(planned if seat == f.to else bid for seat, bid in enumerate(row.bids))
    return f.broke(f.last, f.to) and f.kept(f.last, f.me) and scorer(bids) == f.me


TRUE: Final[dict[str, Callable[[Facts], bool]]] = {
    "pitchMine": _takes,
    "pitchSteady": lambda f: _takes(f) and f.is_steady(f.own),
    "pitchEnough": lambda f: _takes(f) and f.last > 0 and f.left > 0 and f.score.needs[f.me] == f.number,
    "pitchLast": lambda f: _takes(f) and f.left == 0 and not f.is_done(f.me),
    "pitchTurns": lambda f: _takes(f) and f.left > 0 and all(row.winner is None for row in f.score.rows),
    "pitchNext": lambda f: (
        _takes(f)
        and f.left > 0
        and f.seat != f.me
        and [row.winner for row in f.score.rows if row.winner is not None][-1] == f.seat
    ),
    "pitchWord": lambda f: (
        _takes(f)
        and f.decision.promise is not None
        and f.decision.promise.terms == {"number": f.low, "round": f.round + 1}
    ),
    "pitchBreak": lambda f: (
        _takes(f) and f.low in f.list_pledged(f.me, (f.me,)) and f.low != f.own[f.me] == f.number
    ),
    "pitchBreakAvoid": lambda f: (
        _takes(f)
        and any(
            (one.by, one.kind, one.judgement) == (f.me, "avoid", None) and is_about(one, f.number, f.round)
            for one in f.promises
        )
    ),
    "pitchAmends": lambda f: _gives(f) and f.earlier == f.last and f.broke(f.last, f.me),
    "pitchStop": lambda f: (
        _takes(f)
        and f.seat != f.me
        and f.score.needs[f.seat] == f.count <= 2
        and f.score.can[f.seat]
        and not f.gains(f.own, f.seat)
    ),
    "pitchOther": _gives,
    "pitchTrade": lambda f: _gives(f) and f.left > 0 and not f.is_done(f.me) and f.score.can[f.me],
    "pitchDebt": lambda f: _gives(f) and f.helped(f.earlier, f.to, f.me),
    "pitchOnly": lambda f: _gives(f) and f.list_able() == [f.to],
    "yesMine": lambda f: _bids(f) and scorer(f.joined.bids) == f.me,
    "yesWin": lambda f: (
        _bids(f)
        and f.joined.number == f.plan
        and scorer(f.joined.bids) == f.me
        and f.number >= f.score.needs[f.me] > 0
        and f.last > 0
        and len({*f.joined.behind, f.me}) < len(f.score.needs)
    ),
    "yesDone": lambda f: _covers(f) and f.is_done(f.me),
    "yesPlain": lambda f: _joins(f) and f.joined.number == f.plan,
    "yesSteady": lambda f: _joins(f) and f.joined.number == f.plan and f.is_steady(f.joined.bids),
    "yesTurn": lambda f: _covers(f) and f.left > 0 and not f.is_done(f.me),
    "yesSwitch": lambda f: (
        _joins(f)
        and f.joined.number == f.plan
        and f.backed is not None
        and f.backed.by == f.me
        and len(f.joined.behind) > len(f.backed.behind)
    ),
    "yesYield": _yields,
    "yesThanks": lambda f: _joins(f) and scorer(f.joined.bids) == f.to and f.helped(f.earlier, f.to, f.me),
    "yesWary": lambda f: (
        _joins(f)
        and f.joined.number == f.plan
        and f.earlier == f.last
        and f.broke(f.last, f.to)
        and not f.broke(f.last, f.me)
    ),
    "askTurn": lambda f: _covers(f) and f.left > 0,
    "grant": lambda f: f.gives("bid") and _asks(f),
    "half": lambda f: f.gives("avoid") and _asks(f),
    "deny": lambda f: f.decision.promise is None and _asks(f),
    "denyGiven": lambda f: any(f.other in one.to for one in f.given) and _asks(f),
    "already": lambda f: (
        _asks(f)
        and any(
            one.kind == "bid" and one.terms["number"] == f.number and f.to in (one.to or (f.to,))
            for one in f.given
        )
    ),
    "noLater": lambda f: f.left == 0 and _asks(f),
    "noRound": lambda f: f.left == 0 and _asks(f),
    "noPlanYet": lambda f: not f.plans and _asks(f),
    "youScore": lambda f: scorer(f.refused.bids) == f.to and f.refused.bids[f.to] == f.number and _asks(f),
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
    "noLeave": lambda f: _refuses(f) and f.backed is not None and f.backed.by == f.other != f.me,
    "noDoubt": lambda f: _refuses(f) and scorer(f.refused.bids) != f.me,
    "noPledge": lambda f: (
        _refuses(f) and f.refused.bids[f.me] != f.number and f.number in f.list_pledged(f.me, (f.me,))
    ),
    "noPromise": lambda f: _cites(f, f.to, "bid"),
    "noPromiseAvoid": lambda f: _cites(f, f.to, "avoid"),
    "noPromiseOf": lambda f: f.other != f.to and _cites(f, f.other, "bid"),
    "noPromiseOfAvoid": lambda f: f.other != f.to and _cites(f, f.other, "avoid"),
    "threat": lambda f: (
        f.to != f.me and any(scorer(plan.bids) == f.to and plan.bids[f.to] == f.number for plan in f.plans)
    ),
    "noFear": lambda f: f.has_heard("threat"),
    "warn": lambda f: f.seat != f.me and 0 < f.score.needs[f.seat] == f.count <= 2 and f.score.can[f.seat],
    "lastMine": lambda f: f.left == 0 and f.list_able() == [f.me] and f.score.needs[f.me] == f.number,
    "lastTwo": lambda f: f.left == 0 and f.seat != f.me and f.list_able() == sorted([f.me, f.seat]),
    "lastMany": lambda f: f.left == 0 and f.me in f.list_able() and len(f.list_able()) == f.count > 2,
    "lastOnly": lambda f: f.left == 0 and f.list_able() == [f.seat] != [f.me],
    "lastSeats": lambda f: (
        f.left == 0 and f.me not in f.list_able() and f.list_able() == list(f.seats) and len(f.seats) > 1
    ),
    "counter": _counters,
    "counterFirst": lambda f: (
        _counters(f)
        and any(plan.by == f.to and scorer(plan.bids) == f.to for plan in f.plans)
        and not f.is_done(f.to)
        and f.left > 0
    ),
    "counterDebt": lambda f: _counters(f) and f.helped(f.earlier, f.me, f.to),
    "heardBid": lambda f: f.is_open("bid") and f.args["round"] in (f.stage.round, f.stage.round + 1),
    "heardNow": lambda f: (
        f.stage.phase == "discuss" and f.is_open("bid") and f.number in f.list_pledged(f.to, (f.me,), True)
    ),
    "heardAvoid": lambda f: f.is_open("avoid") and f.args["round"] in (f.stage.round, f.stage.round + 1),
    "heardClash": lambda f: (
        f.backed is not None
        and f.to in f.backed.behind
        and f.backed.bids[f.to] == f.planned != f.number
        and any(
            (one.by, one.kind, one.judgement) == (f.to, "bid", None) and is_about(one, f.number, f.round)
            for one in f.promises
        )
    ),
    "deal": lambda f: (
        any(said.seat == f.me and ".askTurn." in said.key and said.args["to"] == f.to for said in f.messages)
        and any(
            (one.by, one.kind, one.judgement) == (f.to, "bid", None)
            and is_about(one, 1, f.round + 1)
            and f.me in (one.to or (f.me,))
            for one in f.promises
        )
    ),
    "heardDoubt": lambda f: (f.is_open("bid") or f.is_open("avoid")) and f.broke(f.earlier, f.to),
    "thanks": lambda f: f.helped(f.last, f.to, f.me) and f.row(f.last).bids[f.to] == f.number,
    "thanksWord": lambda f: any(
        one.by == f.to and f.me in one.to and one.judgement == "kept" and one.terms["round"] == f.last
        for one in f.promises
    ),
    "thanksAll": lambda f: sum(f.helped(f.last, seat, f.me) for seat in range(len(f.score.needs))) > 1,
    "thanksPlan": lambda f: (
        f.helped(f.last, f.to, f.me)
        and any(
            plan.by == f.to and scorer(plan.bids) == f.me and {f.me, f.to} <= {*plan.behind}
            for plan in f.plans
        )
    ),
    "welcome": lambda f: f.has_heard("thanks") and (f.stage.phase == "reveal" or not f.plans),
    "noThanks": lambda f: (
        f.has_heard("thanks")
        and f.row(f.last).winner == f.to
        and not f.is_done(f.me)
        and not f.helped(f.last, f.me, f.to)
    ),
    "reproach": lambda f: (
        f.broke(f.last, f.to)
        and f.row(f.last).promised[f.to] == f.number
        and f.row(f.last).bids[f.to] == f.bid
        and f.kept(f.last, f.me)
    ),
    "stole": lambda f: _has_stolen(f) and not f.reached_now(f.to),
    "stoleWin": lambda f: _has_stolen(f) and f.reached_now(f.to),
    "reproachPromise": lambda f: f.broke_promise(f.last, f.to),
    "reproachAvoid": lambda f: f.broke_promise(f.last, f.to) and f.row(f.last).bids[f.to] == f.number,
    "reproachFor": lambda f: any(
        one.by == f.to and f.other in one.to and is_about(one, f.number, f.last)
        for one in f.promises
        if one.judgement == "broken" and not one.private
    ),
    "spoiled": lambda f: (
        f.row(f.last).winner == f.to
        and (f.row(f.last).bids[f.me], f.row(f.last).bids[f.to]) == (f.number, f.bid)
        and f.backed is not None
        and scorer(f.backed.bids) == f.me
        and scorer(tuple(f.backed.bids[s] if s == f.to else bid for s, bid in enumerate(f.row(f.last).bids)))
        == f.me
    ),
    "ruined": lambda f: (
        f.backed is not None
        and len(f.backed.behind) > 1
        and f.to not in f.backed.behind
        and scorer(f.backed.bids) == f.me != f.row(f.last).winner
        and f.backed.bids[f.me] == f.number
        and f.row(f.last).winner != f.to
        and [seat for seat, bid in enumerate(f.row(f.last).bids) if bid != f.backed.bids[seat]] == [f.to]
    ),
    "fellThrough": lambda f: (
        f.backed is not None
        and len(f.backed.behind) > 1
        and scorer(f.backed.bids) == f.me != f.row(f.last).winner
        and f.row(f.last).bids[f.me] == f.backed.bids[f.me] == f.number
    ),
    "windfall": lambda f: (
        f.row(f.last).winner == f.me
        and any(
            plan.bids[f.me] == f.row(f.last).bids[f.me] == f.number
            and (f.me in plan.behind or len(plan.behind) > 1)
            and f.points_before(f.last) < f.stage.target
            and scorer(plan.bids) not in (None, f.me)
            for plan in f.plans
        )
    ),
    "toldYou": lambda f: (
        f.row(f.last).bids[f.to] == f.row(f.last).bids[f.me]
        and any(
            said.seat == f.me
            and ".threat." in said.key
            and (said.args["to"], said.args["number"]) == (f.to, f.row(f.last).bids[f.me])
            for said in f.messages
        )
    ),
    "blocked": lambda f: _shares(f) and f.would_score(f.to) and f.is_claimed(f.me) and not f.is_claimed(f.to),
    "standoff": lambda f: _shares(f) and f.would_score(f.to) and f.is_claimed(f.me) and f.is_claimed(f.to),
    "excuseNeed": lambda f: (
        _excuses(f)
        and f.row(f.last).winner == f.me
        and (f.stage.target is None or (f.points_before(f.last) < f.stage.target and f.score.can[f.me]))
    ),
    "excuseShut": lambda f: (
        _excuses(f)
        and f.points_before(f.last) + f.stage.most * (f.stage.rounds - f.last) < f.stage.target
        and f.broke(f.last, f.me)
    ),
    "excuseDone": lambda f: _excuses(f) and f.points_before(f.last) >= f.stage.target,
    "excuseVain": lambda f: _excuses(f) and f.row(f.last).winner != f.me,
    "excuseClock": lambda f: _excuses(f) and f.me in f.row(f.last).missed,
    "praise": lambda f: (
        f.row(f.last).winner == f.to
        and f.row(f.last).bids[f.to] == f.number
        and not f.broke(f.last, f.to)
        and not f.broke_promise(f.last, f.to)
        and not f.was_agreed(f.to)
        and not f.is_done(f.to)
    ),
    "spare": lambda f: (
        f.row(f.last).winner == f.to and f.is_done(f.to) and not f.reached_now(f.to) and not f.is_done(f.me)
    ),
    "tooLate": lambda f: (
        f.reached_now(f.to)
        and f.row(f.last).bids[f.to] == f.number
        and not f.is_done(f.me)
        and (f.backed is None or scorer(f.backed.bids) != f.to)
    ),
    "nowMe": lambda f: (
        f.reached_now(f.to)
        and f.backed is not None
        and scorer(f.backed.bids) == f.to
        and f.left > 0
        and f.me in f.list_able()
    ),
    "remind": lambda f: (
        f.reached_now(f.to)
        and any(
            (one.by, one.kind, one.judgement) == (f.to, "bid", None)
            and is_about(one, f.number, f.round + 1)
            and f.me in (one.to or (f.me,))
            for one in f.promises
        )
    ),
    "outbid": lambda f: (
        f.row(f.last).winner == f.to
        and f.row(f.last).bids[f.me] == f.number == f.row(f.last).bids[f.to] + 1
        and f.would_score(f.to)
    ),
    "nobody": lambda f: f.row(f.last).winner is None and f.stage.rounds > f.last,
    "nobodyLast": lambda f: f.row(f.last).winner is None and f.stage.rounds == f.last,
    "clash": lambda f: _shares(f) and f.row(f.last).bids[f.me] == f.number and f.would_score(f.to),
    "home": lambda f: f.score.points[f.me] == f.number and f.reached_now(f.me) and f.left > 0,
    "endWon": lambda f: f.left == 0 and f.score.points[f.me] == f.number and f.reached_now(f.me),
    "endShort": lambda f: f.left == 0 and f.score.points[f.me] + f.count == f.stage.target,
    "endLost": lambda f: (
        f.last == f.stage.rounds and f.score.points[f.me] == f.number and not f.is_done(f.me)
    ),
    "askPlan": lambda f: f.has_heard("myTurn", "takeOne"),
    "haveYours": lambda f: f.has_heard("myTurn") and f.is_done(f.to),
    "admit": lambda f: (
        f.has_heard("youPromised") and f.backed is not None and f.bends(f.me, f.to, f.backed.bids)
    ),
    "noPromiseThen": lambda f: (
        f.has_heard("noDeal")
        and any(
            read_intent(said.key) in ("askTurn", "pitchTrade")
            and (said.seat, said.args["to"]) == (f.me, f.to)
            and said.at >= f.begun
            for said in f.messages
        )
    ),
    "onOne": lambda f: f.has_heard("takeOne") and f.backed is not None and f.backed.bids[f.me] == 1,
    "yourWish": lambda f: (
        f.has_heard("noDeal")
        and f.stage.phase == "discuss"
        and f.backed is not None
        and scorer(f.backed.bids) != f.to
    ),
    "remember": lambda f: f.has_heard("yourTurnNext") and f.left > 0,
    "trust": lambda f: f.has_kept(f.to),
    "trustNot": lambda f: f.broke(f.earlier, f.to) or f.broke_promise(f.earlier, f.to),
    "confirm": lambda f: f.backed is not None and f.backed.number == f.plan,
    "notThat": lambda f: (
        f.backed is not None
        and f.backed.number == f.number != f.plan
        and any(f.to in plan.behind and plan.number == f.plan for plan in f.plans)
    ),
    "liar": lambda f: f.broke(f.last, f.other) or f.broke_promise(f.last, f.other),
    "youDid": lambda f: f.broke(f.last, f.to) or f.broke_promise(f.last, f.to),
    "youToo": lambda f: (
        f.other != f.to
        and all(f.broke(f.last, seat) or f.broke_promise(f.last, seat) for seat in (f.to, f.other))
    ),
    "nobodyLied": lambda f: (
        not any(f.broke(f.last, seat) or f.broke_promise(f.last, seat) for seat in range(len(f.score.needs)))
    ),
    "whoPromised": lambda f: (
        f.has_heard("youPromised") and not any(f.has_failed(seat, f.to) for seat in range(len(f.score.needs)))
    ),
    "whichPlan": lambda f: (
        f.has_heard("followPlan", "agreed")
        and len(f.plans) > 1
        and not any(f.to in plan.behind for plan in f.plans)
    ),
    "makeIt": lambda f: (
        f.has_heard("agreed")
        and any(
            (said.seat, said.args.get("to")) == (f.me, f.to) and said.at >= f.begun
            for said in f.messages
            if read_intent(said.key) in ("askTurn", "pitchTrade")
        )
        and not any(
            one.by == f.to
            and one.judgement is None
            and one.terms["round"] == f.round + 1
            and f.me in (one.to or (f.me,))
            for one in f.promises
        )
    ),
    "hurried": lambda f: f.has_heard("hurry") and f.stage.phase == "discuss" and f.is_ready,
    "notYet": lambda f: f.has_heard("hurry") and f.stage.phase == "discuss" and not f.is_ready,
    "modest": lambda f: f.row(f.last).winner == f.me and f.has_heard("wellPlayed"),
    "console": lambda f: f.has_heard("oops") and not f.broke(f.last, f.to) and f.row(f.last).winner != f.to,
    "notSorry": lambda f: f.has_heard("oops") and _spoils(f) and f.row(f.last).bids[f.me] == f.number,
    "amends": lambda f: (
        f.has_heard("oops")
        and f.has_failed(f.to, f.me)
        and f.stage.rounds > f.stage.round
        and not f.is_done(f.me)
    ),
}
"""By intent, whether a remark is true of what its seat saw."""
MAY_BE_A_LIE: Final = frozenset({"sorry"})
"""Remarks about what somebody feels: nobody can tell whether they are true."""
