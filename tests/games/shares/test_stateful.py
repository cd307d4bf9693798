"""Share and Share Alike in any order, with any seats and options: invariants of every position.

Plays offered moves, illegal moves and time-outs at random, and keeps separate records: where every card,
floor and share is, who is peeking at what, and which windows there have been.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from games.api import Held, LogLine, Millis, Outcome, PromptId, Running, Seat, WindowId, open_prompts
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit import timed_game
from games.kit.moves import convert_move
from games.shares.rules import prompts as prompts_of
from games.shares.rules import turn_flow
from games.shares.rules.game import SHARES
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import CARDS, PRIZES
from games.shares.rules.values import SharesState
from games.testing import random_play
from games.testing.positions import encode_everything, lines_to, moves_of
from tests.games.examples import examples

FIELDS = {
    tag: [field.encode_name for field in msgspec.structs.fields(kind)]
    for tag, kind in moves_of(SHARES).items()
}
OPTIONS = st.fixed_dictionaries(
    {name: st.sampled_from(values) for name, values in random_play.domains(SHARES).items()}
).map(lambda chosen: msgspec.convert(chosen, SharesOptions))
FIXED = {"peek": 30_000, "take": 20_000, "market": 30_000}
"""Windows whose length the rules fix, whatever the `timers` option (GEN-6)."""
DEALS = ("propose", "counter", "decline", "cancel")


class Playing:
    """One game, with separate records."""

    def __init__(self, seats: int, options: SharesOptions, seed: int) -> None:
        self.seats, self.options = seats, options
        self.seed = b"%d" % seed
        self.dice, self.fate = Dice(self.seed), Dice(b"fate %d" % seed)
        self.at = Millis(0)
        self.lines: list[LogLine] = []
        self.windows: set[WindowId] = set()
        self.closed: set[WindowId] = set()
        self.events: list[random_play.Event] = [random_play.Event("setup", self.at)]
        self.follow(SHARES.setup(seats, options, self.at, self.dice))

    def follow(self, step: Any) -> None:
        self.state: SharesState = step.state
        self.lines.extend(step.lines)
        now = {window.id for window in SHARES.windows(self.state)}
        assert not now & self.closed  # no window reopens
        self.closed |= self.windows - now
        self.windows = now
        self.hold()

    # events

    def move(self) -> None:
        """Makes a legal move for a random seat, after trying some illegal ones."""
        order = self.fate.shuffle("seat", range(self.seats))
        for seat in map(Seat, order):
            self.illegal(seat)
            found = kit_choices.sample_raw_move(SHARES.choices(self.state, seat), self.seats, self.fate)
            if found is not None:
                self.make(seat, *found)
                return

    def make(self, seat: Seat, prompt: PromptId, raw: kit_choices.RawMove) -> None:
        move = convert_move(raw, SHARES.Move)
        assert SHARES.check(self.state, seat, prompt, move, self.at) is None
        before, told = self.state, len(self.lines)
        seen = {
            viewer: encode_everything(SHARES, before, viewer)
            for viewer in (None, *map(Seat, range(self.seats)))
            if viewer != seat
        }
        holdings = [turn_flow.tracker_of(before, each).holdings for each in range(self.seats)]
        self.events.append(random_play.Event("move", self.at, seat, prompt, msgspec.to_builtins(move)))
        self.follow(SHARES.apply(before, seat, prompt, move, self.at, self.dice))
        tag = str(raw["move"])
        if tag in SHARES.silent:
            for viewer, was in seen.items():
                assert encode_everything(SHARES, self.state, viewer) == was
        if tag in DEALS and prompt.partition(":")[0] != "chance4":
            self.dealt(before, seen, self.lines[told:])
        if tag == "accept":
            self.traded(before, prompt, holdings)
        if tag == "spy":
            assert self.state.peek is not None
            assert seen.keys() == {None, *map(Seat, range(self.seats))} - {seat}

    def dealt(self, before: SharesState, seen: Any, lines: list[LogLine]) -> None:
        """Checks that both seats in an offer see the same lines about a change to it, and others see none."""
        (pair, *others) = [{one.by, one.to} for one in {*before.offers.open} ^ {*self.state.offers.open}]
        assert all(other == pair for other in others)
        assert before.scene.seat in pair
        for viewer, was in seen.items():
            if viewer not in pair:
                assert encode_everything(SHARES, self.state, viewer) == was
                assert lines_to(lines, viewer) == lines_to((), viewer)
        one, other = sorted(pair)
        assert lines_to(lines, one) == lines_to(lines, other) != lines_to((), None)

    def traded(self, before: SharesState, prompt: str, holdings: list[tuple[int, ...]]) -> None:
        """Checks that exactly these shares changed hands, and that no marks changed (SSA-32)."""
        (offer,) = [one for one in before.offers.open if one.id == prompt]
        for seat in range(self.seats):
            now = turn_flow.tracker_of(self.state, seat)
            came = offer.wish if seat == offer.by else offer.give if seat == offer.to else ()
            went = offer.give if seat == offer.by else offer.wish if seat == offer.to else ()
            expected = [
                held + came.count(company) - went.count(company)
                for held, company in zip(holdings[seat], "ABCDE", strict=True)
            ]
            assert list(now.holdings) == expected
            assert now.marks == turn_flow.tracker_of(before, seat).marks

    def illegal(self, seat: Seat) -> None:
        """Checks that moves that are not offered are refused, and change nothing."""
        prompts = open_prompts(SHARES.prompts(self.state), seat)
        if not prompts:
            return
        prompt = prompts[self.fate.below("prompt", len(prompts))]
        mine = SHARES.choices(self.state, seat).get(prompt.id, ())
        kinds = sorted(FIELDS)
        packed = msgspec.msgpack.encode(self.state)
        for _ in range(2):
            tag = kinds[self.fate.below("tag", len(kinds))]
            for raw in kit_choices.attempts({tag: FIELDS[tag]}, mine, self.seats, self.fate):
                try:
                    move = convert_move(raw, SHARES.Move)
                except msgspec.ValidationError:
                    continue
                refused = SHARES.check(self.state, seat, prompt.id, move, self.at)
                assert (refused is None) == kit_choices.allows(mine, raw, self.seats)
        assert msgspec.msgpack.encode(self.state) == packed

    def wait(self) -> bool:
        """Lets time pass until the next window ends, and returns whether there was one."""
        due = random_play.first_due(SHARES.windows(self.state))
        if due is None:
            return False
        window, end = due
        before, done = SHARES.prompts(self.state), prompts_of.done(self.state)
        self.at = Millis(max(self.at, end))
        self.events.append(random_play.Event("expire", self.at, window=window.id))
        self.follow(SHARES.expire(self.state, window.id, self.at, self.dice))
        assert window.id not in self.windows
        if SHARES.prompts(self.state) == before:  # one of several choosing seats is done
            assert window.kind == "away"
            assert sum(prompts_of.done(self.state)) == sum(done) + 1
        return True

    @property
    def over(self) -> bool:
        return isinstance(SHARES.prompts(self.state), Outcome)

    # invariants

    def hold(self) -> None:
        state = self.state
        prompts = SHARES.prompts(state)
        if isinstance(prompts, Outcome):
            self.reckoned(prompts)
            return
        middle = [one.card for one in state.scene.played]
        held = [card for pile in (*state.hands, state.deck, state.discard) for card in pile]
        assert sorted([*held, *middle]) == sorted(CARDS)
        self.built()
        trackers = [turn_flow.tracker_of(state, seat) for seat in range(self.seats)]
        marked = state.stage.round - (state.stage.phase == "select")
        assert all(len(one.marks) == marked and min(one.holdings) >= 0 for one in trackers)
        assert sum(sum(one.holdings) for one in trackers) == marked * self.seats
        assert (state.peek is not None) == (state.scene.kind in ("peek", "take"))
        assert not state.offers.open or state.scene.kind == "market"
        assert (state.held is not None) == (state.scene.kind not in ("select", "lowball", "turn"))
        self.peeked()
        self.timed()
        running = any(isinstance(one.clock, Running) for one in SHARES.windows(state))
        assert running or any(prompt.seats for prompt in prompts)
        if state.stage.phase == "action":
            seat = turn_flow.active_of(state)
            assert state.turns.actions[seat] >= 0
            assert not state.turns.out[seat]

    def built(self) -> None:
        """Checks that there are twenty floors of each size, and that the largest one left comes next."""
        towers: Any = SHARES.public(self.state)["towers"].data
        built = [sum(tower.count(size) for tower in self.state.towers) for size in "LMS"]
        assert [left + used for left, used in zip(towers.supply, built, strict=True)] == [20, 20, 20]
        assert min(towers.supply) >= 0
        assert towers.next == next((size for size, used in zip("LMS", built, strict=True) if used < 20), None)

    def timed(self) -> None:
        """Checks that only the current decision's clock is running, and its turn's is paused (SSA-39)."""
        kind, windows = self.state.scene.kind, SHARES.windows(self.state)
        untimed = self.options.timers == "off" and kind not in FIXED
        main = [one for one in windows if isinstance(one.clock, Running) and one.kind != "away"]
        assert [one.kind for one in main] == [kind] or (untimed and main == [])
        for one in main:
            assert isinstance(one.clock, Running)
            assert self.at <= one.clock.end <= self.at + one.span
            assert one.span == FIXED.get(kind, one.span)
            assert one.extend is None or kind not in FIXED
        held = [one for one in windows if isinstance(one.clock, Held)]
        assert [one.kind for one in held] == ["turn"] * (
            self.state.held is not None and self.state.held.clock is not None
        )
        waiting = {
            seat for seat in timed_game.timer_of(self.state).concerns if not prompts_of.done(self.state)[seat]
        }
        away = [one for one in windows if one.kind == "away"]
        assert all(one.concerns <= waiting for one in away)
        assert len(windows) == len(main) + len(held) + len(away)

    def peeked(self) -> None:
        """Checks that a peek's content is only in the peeking seat's view, and bound to its window."""
        state = self.state
        for seat in map(Seat, range(self.seats)):
            peek_content = SHARES.private(state, seat).get("peek_content")
            peeks = state.peek is not None and state.peek.seat == seat
            assert (peek_content is not None) == peeks
            talk_policy = SHARES.talk_policy(state, seat)
            assert talk_policy.notes_locked == peeks
            if peek_content is not None:
                (window,) = [one for one in SHARES.windows(state) if one.id == peek_content.peek]
                assert isinstance(window.clock, Running)

    def reckoned(self, outcome: Outcome) -> None:
        found = self.state.reckoning
        assert found is not None
        assert SHARES.windows(self.state) == ()
        assert self.state.offers.open == ()
        assert self.state.peek is None
        self.built()
        cards = [card for pile in (self.state.discard, *(seat.hand for seat in found.seats)) for card in pile]
        assert len(set(cards)) == len(cards)
        claimed = sum(one.claimed for one in found.companies)
        assert claimed == self.seats * self.state.stage.rounds
        total = sum(Fraction(score, outcome.over) for score in outcome.scores)
        paid = sum(one.prize for one in found.companies if one.claimed)
        if self.options.rounding == "exact":
            assert total == paid
        if self.options.company_tie == "average":
            assert sum(one.prize for one in found.companies) == sum(PRIZES)
        best = max(outcome.scores)
        assert outcome.winners == tuple(seat for seat, score in enumerate(outcome.scores) if score == best)

    def replays(self) -> None:
        again = list(random_play.replay(SHARES, self.seats, self.options, self.seed, self.events))
        assert again[-1].state == self.state


@examples(8, 40, st.integers(3, 6), OPTIONS, st.integers(0, 10**6), st.integers(0, 9))
def test_shares_keeps_its_invariants_in_random_games(
    seats: int, options: SharesOptions, seed: int, idle: int
) -> None:
    """Out of every ten events, `idle` are time-outs, and the rest are moves."""
    game = Playing(seats, options, seed)
    for _ in range(90):
        if game.over:
            break
        waited = game.fate.below("wait", 10) < idle and game.wait()
        if not waited:
            game.at = Millis(game.at + game.fate.below("time", 50))
            game.move()
    game.replays()


@settings(max_examples=25, deadline=None)
@given(st.integers(3, 6), OPTIONS, st.integers(0, 10**6))
def test_every_game_ends_by_timeouts_alone(seats: int, options: SharesOptions, seed: int) -> None:
    """Time-outs alone end every game; with timers off, somebody makes a last call in each wait."""
    game = Playing(seats, options, seed)
    for _ in range(600):
        if game.over:
            return
        if not game.wait():
            (call,) = [
                one for one in open_prompts(SHARES.prompts(game.state), Seat(0)) if one.kind == "lastCall"
            ]
            game.make(Seat(0), call.id, {"move": "lastCall"})
    raise AssertionError("the game did not end")


@examples(8, 40, st.integers(3, 6), OPTIONS, st.integers(0, 10**6))
def test_the_action_phase_in_any_order(seats: int, options: SharesOptions, seed: int) -> None:
    """The deciding seats make legal moves, with turns, offers and peeks, until a short game ends."""
    game = Playing(seats, msgspec.structs.replace(options, rounds="5", timers="fast"), seed)
    for _ in range(700):
        if game.over:
            break
        game.at = Millis(game.at + game.fate.below("time", 20))
        prompts = SHARES.prompts(game.state)
        assert not isinstance(prompts, Outcome)
        main = prompts[0]
        awaited = sorted(main.seats - {seat for seat in main.seats if prompts_of.done(game.state)[seat]})
        seat = Seat(awaited[game.fate.below("who", len(awaited))])
        mine = SHARES.choices(game.state, seat)
        wanted = {
            prompt: found for prompt, found in mine.items() if prompt == main.id or prompt.startswith("offer")
        }
        found = kit_choices.sample_raw_move(wanted, seats, game.fate)
        if found is None or (main.kind == "market" and not game.fate.below("close", 12)):
            game.wait()
        else:
            game.make(seat, *found)
    assert game.over
    game.replays()
