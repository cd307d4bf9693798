"""Takeover with any number of seats, any options and any order of moves: invariants of every position.

Moves are chosen at random, with illegal moves and windows that run out. Separate records show who has
which coin, and which lines each seat was sent about an offer.
"""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from games.api import LogLine, Millis, Outcome, PromptId, Running, Seat, open_prompts
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit.moves import convert_move
from games.takeover.rules import counting
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import NAMES, TakeoverOptions, TakeoverState, offers_each
from games.testing import random_play
from games.testing.positions import encode_everything, lines_to, moves_of
from tests.games.examples import examples

FIELDS = {
    tag: [field.encode_name for field in msgspec.structs.fields(kind)]
    for tag, kind in moves_of(TAKEOVER).items()
}
OPTIONS = st.builds(
    TakeoverOptions,
    draft_suits=st.sampled_from(["hidden", "shown"]),
    holdings=st.sampled_from(["concealed", "faces", "open"]),
    trading=st.sampled_from(["anytime", "anytime", "ownTurnOnly", "off"]),
    trade_log=st.sampled_from(["private", "public"]),
    voluntary_cash_out=st.booleans(),
    exact_pay=st.booleans(),
    timers=st.sampled_from(["normal", "relaxed", "fast", "off"]),
)


class Playing:
    """One game, with separate records."""

    def __init__(self, seats: int, options: TakeoverOptions, seed: int) -> None:
        self.seats, self.options = seats, options
        self.dice, self.fate = Dice(b"%d" % seed), Dice(b"fate %d" % seed)
        self.at = Millis(0)
        self.lines: list[LogLine] = []
        self.accepted: set[str] = set()
        self.closed: set[str] = set()
        self.windows: set[str] = set()
        self.follow(TAKEOVER.setup(seats, options, self.at, self.dice))

    def follow(self, step: Any) -> None:
        before: TakeoverState | None = getattr(self, "state", None)
        self.state: TakeoverState = step.state
        self.lines.extend(step.lines)
        if before is not None:
            gone = {one.id for one in before.offers.open} - {one.id for one in self.state.offers.open}
            assert not gone & self.closed
            self.closed |= gone
        self.hold()

    # events

    def move(self, eager: int) -> None:
        """Makes a legal move after illegal ones; `eager` times out of 10, a seat takes its turn if it can."""
        order = self.fate.shuffle("seat", range(self.seats))
        for seat in map(Seat, order):
            choices = TAKEOVER.choices(self.state, seat)
            self.illegal(seat)
            found = kit_choices.sample_raw_move(choices, self.seats, self.fate)
            mine = [prompt for prompt in choices if prompt.partition(":")[0] in ("draft", "flip", "turn")]
            if mine and self.fate.below("eager", 10) < eager:
                found = kit_choices.sample_raw_move({mine[0]: choices[mine[0]]}, self.seats, self.fate)
            if found is not None:
                self.make(seat, *found)
                return

    def make(self, seat: Seat, prompt: PromptId, raw: kit_choices.RawMove) -> None:
        move = convert_move(raw, TAKEOVER.Move)
        assert TAKEOVER.check(self.state, seat, prompt, move, self.at) is None
        before = self.state
        told = len(self.lines)
        others = [one for one in (None, *range(self.seats)) if one != seat]
        seen = {viewer: encode_everything(TAKEOVER, before, viewer) for viewer in others}
        self.follow(TAKEOVER.apply(before, seat, prompt, move, self.at, self.dice))
        tag = raw["move"]
        if tag in ("propose", "counter", "decline", "cancel"):
            self.dealt(before, seat, prompt, seen, self.lines[told:])
        if tag == "accept":
            assert prompt not in self.accepted
            self.accepted.add(prompt)
            self.swapped(before, prompt, raw)

    def dealt(self, before: TakeoverState, seat: Seat, prompt: str, seen: Any, lines: list[LogLine]) -> None:
        """Checks that both seats in an offer were sent the same lines, and that nobody else sees a change."""
        pairs = [{one.by, one.to} for one in {*before.offers.open} ^ {*self.state.offers.open}]
        pair = pairs[0]
        assert all(one == pair for one in pairs)
        assert seat in pair
        for viewer, was in seen.items():
            if viewer not in pair:
                assert encode_everything(TAKEOVER, self.state, viewer) == was
                assert lines_to(lines, viewer) == lines_to((), viewer)
        one, other = sorted(pair)
        assert lines_to(lines, one) == lines_to(lines, other) != lines_to((), None)

    def swapped(self, before: TakeoverState, prompt: str, raw: kit_choices.RawMove) -> None:
        """Checks that exactly the coins offered and given changed hands, with the same side up."""
        (offer,) = [one for one in before.offers.open if one.id == prompt]
        coins = raw["coins"]
        assert not isinstance(coins, int | str)
        after = self.state.hands
        for seat, hand in enumerate(before.hands):
            away = set(offer.give) if seat == offer.by else set()
            came = {one for one in before.hands[offer.to] if one.name in coins} if seat == offer.by else set()
            if seat == offer.to:
                away = {one for one in hand if one.name in coins}
                came = set(offer.give)
            assert set(after[seat]) == (set(hand) - away) | came

    def illegal(self, seat: Seat) -> None:
        """Checks that moves that are not offered are refused and change nothing."""
        prompts = open_prompts(TAKEOVER.prompts(self.state), seat)
        if not prompts:
            return
        prompt = prompts[self.fate.below("prompt", len(prompts))]
        mine = TAKEOVER.choices(self.state, seat).get(prompt.id, ())
        kinds = sorted(FIELDS)
        tag = kinds[self.fate.below("tag", len(kinds))]
        packed = msgspec.msgpack.encode(self.state)
        for raw in kit_choices.attempts({tag: FIELDS[tag]}, mine, self.seats, self.fate):
            try:
                move = convert_move(raw, TAKEOVER.Move)
            except msgspec.ValidationError:
                continue
            refused = TAKEOVER.check(self.state, seat, prompt.id, move, self.at)
            assert (refused is None) == kit_choices.allows(mine, raw, self.seats)
        assert msgspec.msgpack.encode(self.state) == packed

    def wait(self) -> bool:
        """Lets time pass until the next window ends, if any, and checks that it never comes back."""
        due = random_play.first_due(TAKEOVER.windows(self.state))
        if due is None:
            return False
        window, end = due
        self.at = Millis(max(self.at, end))
        self.follow(TAKEOVER.expire(self.state, window.id, self.at, self.dice))
        assert window.id not in {one.id for one in TAKEOVER.windows(self.state)}
        assert window.id not in self.windows
        self.windows.add(window.id)
        return True

    @property
    def over(self) -> bool:
        return isinstance(TAKEOVER.prompts(self.state), Outcome)

    # invariants

    def hold(self) -> None:
        state = self.state
        stacks = [stack for stack in state.grid if stack]
        assert sorted(tile for stack in stacks for tile in stack) == sorted(NAMES)
        prompts = TAKEOVER.prompts(state)
        if isinstance(prompts, Outcome):
            self.reckoned(prompts)
            return
        held = [coin.name for hand in state.hands for coin in hand]
        on_table = 24 - len(state.draft.picks)
        assert len(held) + len(state.spent) + on_table == 24
        assert len({*held, *state.spent}) == 24 - on_table
        tops = {stack[-1] for stack in stacks}
        assert all(coin.name in tops for hand in state.hands for coin in hand if coin.stock)
        if state.stage.phase == "play" and len(stacks) == 24:
            assert sum(counting.total(state.grid, hand) for hand in state.hands) == 60
        for offer in state.offers.open:
            assert set(offer.give) <= set(state.hands[offer.by])
            same = [one for one in state.offers.open if (one.by, one.to) == (offer.by, offer.to)]
            assert len(same) <= offers_each(self.seats)
        running = any(isinstance(one.clock, Running) for one in TAKEOVER.windows(state))
        assert running or any(prompt.seats for prompt in prompts)

    def reckoned(self, outcome: Outcome) -> None:
        reckoning = self.state.reckoning
        assert reckoning is not None
        assert TAKEOVER.windows(self.state) == ()
        assert self.state.offers.open == ()
        shown = sorted([*reckoning.spent, *(one.name for hand in reckoning.hands for one in hand)])
        assert shown == sorted(NAMES)
        assert outcome.scores == tuple(sum(one.worth for one in hand) for hand in reckoning.hands)
        best = max(outcome.scores)
        assert outcome.winners == tuple(seat for seat, score in enumerate(outcome.scores) if score == best)


@examples(15, 100, st.integers(2, 6), OPTIONS, st.integers(0, 10**6), st.integers(0, 9), st.integers(1, 10))
def test_takeover_keeps_its_invariants_in_random_games(
    seats: int, options: TakeoverOptions, seed: int, idle: int, eager: int
) -> None:
    """Out of ten events, `idle` are windows running out, and the rest are moves."""
    game = Playing(seats, options, seed)
    for _ in range(110):
        if game.over:
            return
        waited = game.fate.below("wait", 10) < idle and game.wait()
        if not waited:
            game.at = Millis(game.at + game.fate.below("time", 50))
            game.move(eager)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 6), OPTIONS, st.integers(0, 10**6))
def test_every_game_ends_by_timeouts_alone(seats: int, options: TakeoverOptions, seed: int) -> None:
    """Time alone ends every game; where timers are off, somebody calls the last minute of each wait."""
    game = Playing(seats, options, seed)
    for _ in range(200):
        if game.over:
            return
        if not game.wait():
            (call,) = [
                one for one in open_prompts(TAKEOVER.prompts(game.state), Seat(0)) if one.kind == "lastCall"
            ]
            game.make(Seat(0), call.id, {"move": "lastCall"})
    raise AssertionError("no end")


@examples(8, 80, st.integers(3, 6), st.sampled_from(["concealed", "faces"]), st.integers(0, 10**6))
def test_trades_and_mergers_in_any_order(seats: int, holdings: Any, seed: int) -> None:
    """Goes straight to the play phase, in which nearly every event is an offer, an answer or a merger."""
    game = Playing(seats, TakeoverOptions(holdings=holdings), seed)
    while game.state.stage.phase == "draft":
        game.wait()
    for seat, hand in enumerate(game.state.hands):
        some = [coin.name for coin in hand if game.fate.below("stock", 2)]
        game.make(Seat(seat), PromptId("flip"), {"move": "lock", "coins": some})
    for _ in range(90):
        if game.over:
            return
        if game.fate.below("wait", 12) or not game.wait():
            game.at = Millis(game.at + game.fate.below("time", 500))
            game.move(3)
