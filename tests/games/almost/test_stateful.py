"""Almost against a simple model: the two agree for any moves in any order."""

from __future__ import annotations

from typing import Any, Final

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.almost.rules.game import ALMOST
from games.almost.rules.values import AlmostOptions
from games.api import Millis, Outcome, Seat
from games.dice import Dice
from games.kit.moves import convert_move
from games.testing import random_play
from games.testing.positions import encode_everything


class Playing(RuleBasedStateMachine):
    """A game with its own record of who has bid what, who is ready, and how the rounds went."""

    @initialize(
        seats=st.integers(3, 5),
        mode=st.sampled_from(["almost", "banbury"]),
        scoring=st.sampled_from(["roundsWon", "sumOfEntries"]),
        discussion=st.sampled_from(["timed", "none", "untilReady"]),
        timers=st.sampled_from(["off", "normal", "fast"]),
    )
    def sit_down(self, seats: int, mode: Any, scoring: Any, discussion: Any, timers: Any) -> None:
        self.options = AlmostOptions(
            mode=mode, scoring=scoring, banbury_rounds=3, discussion=discussion, timers=timers
        )
        self.seats = seats
        self.dice = Dice(b"stateful")
        self.at = Millis(0)
        self.bids: dict[int, int] = {}
        self.locks: set[int] = set()
        self.done: set[int] = set()
        self.past: list[tuple[int, ...]] = []
        self.most = 10 if mode == "almost" else 1_000_000_000
        self.rounds = seats - 1 if mode == "almost" else 3
        self.phase = "bid" if discussion == "none" else "discuss"
        self._take(ALMOST.setup(seats, self.options, self.at, self.dice))

    def _take(self, step: Any) -> None:
        self.state = step.state
        for line in step.lines:
            if line.key == "almost.revealed":
                self.past.append(tuple(line.args["bids"]))

    def _move(self, seat: int, kind: str, tag: str, **fields: Any) -> bool:
        """Makes the move if the rules allow it, and returns whether they do."""
        prompts = ALMOST.prompts(self.state)
        assert not isinstance(prompts, Outcome)
        (prompt,) = [one for one in prompts if one.kind == kind]
        move = convert_move({"move": tag, **fields}, ALMOST.Move)
        if ALMOST.check(self.state, Seat(seat), prompt.id, move, self.at) is not None:
            return False
        self._take(ALMOST.apply(self.state, Seat(seat), prompt.id, move, self.at, self.dice))
        return True

    def _next_round(self) -> None:
        self.done.clear()
        if len(self.past) == self.rounds:
            self.phase = "end"
        else:
            self.phase = "bid" if self.options.discussion == "none" else "discuss"

    def _close(self) -> None:
        """Ends the bidding: all seats have locked, or time is up."""
        self.bids.clear()
        self.locks.clear()
        self.phase = "reveal"

    @precondition(lambda self: self.phase == "bid")
    @rule(
        seat=st.integers(0, 4),
        number=st.integers(1, 12) | st.just(10**9),
        tag=st.sampled_from(["bid", "lock"]),
    )
    def bid(self, seat: int, number: int, tag: str) -> None:
        seat %= self.seats
        others = dict(self.bids)
        passed = self._move(seat, "bid", tag, number=number)
        assert passed == (seat not in self.locks and number <= self.most)
        if not passed:
            return
        self.bids[seat] = number
        if tag == "lock":
            self.locks.add(seat)
        if len(self.locks) == self.seats:
            assert self.past[-1] == tuple({**others, seat: number}[one] for one in range(self.seats))
            self._close()

    @precondition(lambda self: self.phase == "bid")
    @rule(seat=st.integers(0, 4))
    def lock(self, seat: int) -> None:
        seat %= self.seats
        drafts = dict(self.bids)
        passed = self._move(seat, "bid", "lock")
        assert passed == (seat not in self.locks and seat in drafts)
        if passed:
            self.locks.add(seat)
        if len(self.locks) == self.seats:
            assert self.past[-1] == tuple(drafts[one] for one in range(self.seats))
            self._close()

    @precondition(lambda self: self.phase == "bid")
    @rule(seat=st.integers(0, 4))
    def unlock(self, seat: int) -> None:
        seat %= self.seats
        assert self._move(seat, "bid", "unlock") == (seat in self.locks)
        self.locks.discard(seat)

    @precondition(lambda self: self.phase in ("discuss", "reveal"))
    @rule(seat=st.integers(0, 4))
    def ready(self, seat: int) -> None:
        seat %= self.seats
        kind = "ready" if self.phase == "discuss" else "continue"
        assert self._move(seat, kind, kind) == (seat not in self.done)
        self.done.add(seat)
        if len(self.done) == self.seats:
            self.done.clear()
            if self.phase == "discuss":
                self.phase = "bid"
            else:
                self._next_round()

    @precondition(lambda self: self.phase == "discuss")
    @rule(seat=st.integers(0, 4), bids=st.lists(st.integers(1, 11), min_size=3, max_size=6))
    def propose(self, seat: int, bids: list[int]) -> None:
        fits = len(bids) == self.seats and max(bids) <= self.most
        assert self._move(seat % self.seats, "plan", "propose", bids=bids) == fits

    @precondition(lambda self: self.phase == "discuss")
    @rule(seat=st.integers(0, 4), number=st.integers(1, 4))
    def agree(self, seat: int, number: int) -> None:
        seat %= self.seats
        known = [plan for plan in self.state.plans.plans if plan.number == number]
        fits = bool(known) and seat not in known[0].behind
        assert self._move(seat, "plan", "agree", plan=number) == fits

    @precondition(lambda self: self.phase != "end" and bool(ALMOST.windows(self.state)))
    @rule()
    def wait(self) -> None:
        """Lets time pass until the next window ends."""
        due = random_play.first_due(ALMOST.windows(self.state))
        assert due is not None
        window, self.at = due
        drafts, locks = dict(self.bids), set(self.locks)
        self._take(ALMOST.expire(self.state, window.id, self.at, self.dice))
        alone = int(window.id.rpartition(":")[2]) if ":away:" in window.id else None
        everybody = range(self.seats)
        if self.phase == "bid":
            closed = alone is None or locks | {alone} == set(everybody)
            if closed:
                bids = self.past[-1]
                assert all(bids[seat] == number for seat, number in drafts.items())
                assert all(1 <= number <= self.most for number in bids)
                self._close()
            elif alone is not None:
                self.locks.add(alone)
                section = ALMOST.private(self.state, Seat(alone))["mine"].data
                assert drafts.get(alone, section.bid) == section.bid  # type: ignore[attr-defined]
                self.bids[alone] = section.bid  # type: ignore[attr-defined]
            return
        if alone is not None:
            self.done.add(alone)
        if alone is None or len(self.done) == self.seats:
            self.done.clear()
            if self.phase == "discuss":
                self.phase = "bid"
            else:
                self._next_round()

    @precondition(lambda self: self.phase != "end" and self.state.timer.clock is None)
    @rule(seat=st.integers(0, 4))
    def call(self, seat: int) -> None:
        assert self._move(seat % self.seats, "lastCall", "lastCall")
        assert random_play.first_due(ALMOST.windows(self.state)) is not None

    @precondition(lambda self: self.phase == "end")
    @rule()
    def rest(self) -> None:
        """Checks that nothing is offered or timed once the game is over."""
        assert ALMOST.windows(self.state) == ()
        assert not any(ALMOST.choices(self.state, Seat(seat)) for seat in range(self.seats))

    @invariant()
    def the_books_agree(self) -> None:
        state = self.state
        assert state.stage.phase == self.phase
        assert len(state.score.rows) == len(self.past)
        points, wins = [0] * self.seats, [0] * self.seats
        for bids in self.past:
            alone = sorted(bid for bid in bids if bids.count(bid) == 1)
            if alone:
                points[bids.index(alone[0])] += alone[0]
                wins[bids.index(alone[0])] += 1
        assert state.score.points == tuple(points)
        assert state.score.wins == tuple(wins)
        readiness = ALMOST.public(state)["readiness"].data.done  # type: ignore[attr-defined]
        if self.phase != "end":
            lit = self.locks if self.phase == "bid" else self.done
            assert readiness == tuple(seat in lit for seat in range(self.seats))
        else:
            own_points = tuple(
                wins if (self.options.mode, self.options.scoring) == ("banbury", "roundsWon") else points
            )
            bar = 10 if self.options.mode == "almost" else max(own_points)
            winners = tuple(Seat(seat) for seat in range(self.seats) if own_points[seat] >= bar)
            assert ALMOST.prompts(state) == Outcome(winners, own_points)

    @invariant()
    def others_see_nothing_of_a_draft(self) -> None:
        """Checks that no viewer can tell whether other seats have drafts."""
        empty = msgspec.structs.replace(
            self.state.bids, draft=tuple(1 if locked else None for locked in self.state.bids.locked)
        )
        blank = msgspec.structs.replace(self.state, bids=empty)
        assert encode_everything(ALMOST, blank, None) == encode_everything(ALMOST, self.state, None)
        for seat in range(self.seats):
            drafts = list(empty.draft)
            drafts[seat] = self.state.bids.draft[seat]
            redrafted = msgspec.structs.replace(
                blank, bids=msgspec.structs.replace(empty, draft=tuple(drafts))
            )
            assert encode_everything(ALMOST, redrafted, Seat(seat)) == encode_everything(
                ALMOST, self.state, Seat(seat)
            )


SOME: Final = settings(max_examples=25, stateful_step_count=60, deadline=None)
Playing.TestCase.settings = SOME
TestPlaying = Playing.TestCase


class PlayingAtLength(Playing):
    """The same with more examples."""


PlayingAtLength.TestCase.settings = settings(SOME, max_examples=150)
TestPlayingAtLength = pytest.mark.at_length(PlayingAtLength.TestCase)
