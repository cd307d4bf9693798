"""So Long Sucker with any number of seats, any options and any order of moves: invariants of every position.

The games consist of random legal moves, illegal moves and time-outs. The tests keep their own
records of every chip, of who was asked in a rescue, and of who has which card.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
from hypothesis import strategies as st

from games.api import LogLine, Millis, Outcome, PromptId, Running, Seat, open_prompts
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit.moves import convert_move
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import KINDS, SuckerOptions, SuckerState
from games.testing import random_play
from games.testing.positions import moves_of
from tests.games.examples import examples

FIELDS = {
    tag: [field.encode_name for field in msgspec.structs.fields(kind)]
    for tag, kind in moves_of(SUCKER).items()
}
OPTIONS = st.builds(
    SuckerOptions,
    blind_ally=st.booleans(),
    blackmail=st.sampled_from([True, True, False]),
    rounds=st.integers(1, 3),
    chip_adjust=st.sampled_from(["fromBase", "cumulative", "off"]),
    first_player=st.sampled_from(["random", "lastOut", "rotate"]),
    blackmail_faces=st.sampled_from(["private", "public"]),
    self_blackmail=st.booleans(),
    dead_cards=st.sampled_from(["void", "keepCapture"]),
    timers=st.sampled_from(["normal", "relaxed", "fast", "off"]),
)


class Playing:
    """One game, and the test's own records of it."""

    def __init__(self, seats: int, options: SuckerOptions, seed: int) -> None:
        self.seats, self.options, self.seed = seats, options, b"%d" % seed
        self.dice, self.fate = Dice(self.seed), Dice(b"fate %d" % seed)
        self.at = Millis(0)
        self.events: list[random_play.Event] = [random_play.Event("setup", self.at)]
        self.seen: Counter[str] = Counter()
        self.windows: set[str] = set()
        self.state: SuckerState
        self.follow(SUCKER.setup(seats, options, self.at, self.dice))

    def follow(self, step: Any) -> None:
        self.state = step.state
        self.seen.update(line.key for line in step.lines)
        self.hold(step.lines)

    # events

    def move(self, eager: int) -> None:
        """Makes a legal move after some illegal ones: `eager` times in 10, one the table is waiting for."""
        for seat in map(Seat, self.fate.shuffle("seat", range(self.seats))):
            self.illegal(seat)
            choices = SUCKER.choices(self.state, seat)
            asides = [prompt for prompt in choices if prompt.partition(":")[0] in ("prisoners", "extend")]
            own_choices = {prompt: moves for prompt, moves in choices.items() if prompt not in asides}
            move = None
            if self.fate.below("eager", 10) < eager:
                move = kit_choices.sample_raw_move(own_choices, self.seats, self.fate)
            if move is not None and move[1]["move"] == "place" and "pile" not in move[1]:
                move = kit_choices.sample_raw_move(
                    own_choices, self.seats, self.fate
                )  # an existing pile is preferred
            if move is None and own_choices and eager > 5:
                continue
            move = move or kit_choices.sample_raw_move(choices, self.seats, self.fate)
            if move is not None:
                self.make(seat, *move)
                return

    def make(self, seat: Seat, prompt: PromptId, raw: kit_choices.RawMove) -> None:
        move = convert_move(raw, SUCKER.Move)
        assert SUCKER.check(self.state, seat, prompt, move, self.at) is None
        before = self.state
        self.events.append(random_play.Event("move", self.at, seat, prompt, raw))
        shown = SUCKER.preview(before, seat, move)
        self.follow(SUCKER.apply(before, seat, prompt, move, self.at, self.dice))
        if shown is not None:
            self.as_previewed(before, shown.data)

    def as_previewed(self, before: SuckerState, shown: Any) -> None:
        after = self.state
        assert shown.ends == (after.stage.mover is None)
        assert shown.falls == after.stage.out[len(before.stage.out) :]
        for seat, colour, count in ((one.seat, one.colour, one.count) for one in shown.gains):
            assert after.hands.chips[seat][colour] == before.hands.chips[seat][colour] + count
        if after.stage.mover is not None:
            assert shown.next == (after.stage.next or (after.stage.mover,))
        assert (shown.needy is not None) == (after.stage.phase == "rescue")

    def illegal(self, seat: Seat) -> None:
        """Checks that moves that are not offered are refused and change nothing."""
        prompts = open_prompts(SUCKER.prompts(self.state), seat)
        if not prompts:
            return
        prompt = prompts[self.fate.below("ask", len(prompts))]
        choices = SUCKER.choices(self.state, seat).get(prompt.id, ())
        kinds = sorted(FIELDS)
        tag = kinds[self.fate.below("tag", len(kinds))]
        packed = msgspec.msgpack.encode(self.state)
        for raw in kit_choices.attempts({tag: FIELDS[tag]}, choices, self.seats, self.fate):
            try:
                move = convert_move(raw, SUCKER.Move)
            except msgspec.ValidationError:
                continue
            refused = SUCKER.check(self.state, seat, prompt.id, move, self.at)
            assert (refused is None) == kit_choices.allows(choices, raw, self.seats)
        assert msgspec.msgpack.encode(self.state) == packed

    def wait(self) -> bool:
        """Lets the next window run out for good; returns whether there was one."""
        due = random_play.first_due(SUCKER.windows(self.state))
        if due is None:
            return False
        window, end = due
        before = self.state
        self.at = Millis(max(self.at, end))
        self.events.append(random_play.Event("expire", self.at, window=window.id))
        self.follow(SUCKER.expire(before, window.id, self.at, self.dice))
        assert window.id not in {one.id for one in SUCKER.windows(self.state)}
        assert window.id not in self.windows
        self.windows.add(window.id)
        if window.kind != "away":  # the default of every phase ends it
            assert self.state.stage.number > before.stage.number
        return True

    @property
    def over(self) -> bool:
        return isinstance(SUCKER.prompts(self.state), Outcome)

    def same_again(self) -> None:
        """Checks that replaying the events gives the same game."""
        again = list(random_play.replay(SUCKER, self.seats, self.options, self.seed, self.events))
        assert msgspec.msgpack.encode(again[-1].state) == msgspec.msgpack.encode(self.state)

    # invariants

    def hold(self, lines: tuple[LogLine, ...]) -> None:
        self.conserved()
        self.the_move()
        self.cards()
        state, stage = self.state, self.state.stage
        assert stage.alive.count(False) == len(stage.out) == len(set(stage.out))
        awarded = [line for line in lines if line.key == "sucker.tookCard"]
        if awarded:  # the seat it names has the move, and a chip (SLS-21)
            assert stage.mover is not None
            assert [line.args["other"] for line in awarded] == [stage.mover]
            assert any(state.hands.chips[stage.mover])
        prompts = SUCKER.prompts(state)
        if isinstance(prompts, Outcome):
            assert SUCKER.windows(state) == ()
            assert len(state.match.results) == self.options.rounds
            self.scored()
            return
        running = any(isinstance(one.clock, Running) for one in SUCKER.windows(state))
        assert running or any(prompt.seats for prompt in prompts)

    def conserved(self) -> None:
        """Checks that hands, piles and dead chips add up to the chips at the start, colour by colour."""
        state = self.state
        piled = Counter(colour for pile in state.piles for colour in pile.chips)
        for colour, start in enumerate(state.match.chips):
            held = sum(chips[colour] for chips in state.hands.chips)
            assert held + piled[colour] + state.hands.dead[colour] == start
        assert all(pile.chips for pile in state.piles)
        assert all(count >= 0 for chips in state.hands.chips for count in chips)
        for seat in state.stage.out:
            assert not any(state.hands.chips[seat])  # SLS-12

    def the_move(self) -> None:
        state, stage = self.state, self.state.stage
        mover = stage.mover
        if mover is None:
            assert sum(stage.alive) == 1
            over = state.match.results[-1]
            assert stage.alive[over.survivor]
            assert over.out == stage.out
            assert set(over.winners) <= {over.survivor, over.out[-1]}
            return
        assert sum(stage.alive) > 1
        assert stage.alive[mover]
        assert state.trail[-1] == mover
        held = sum(state.hands.chips[mover])
        assert (state.need is not None) == (stage.phase == "rescue")
        match stage.phase:
            case "turn":
                assert held > 0
            case "rescue":
                assert held == 0
                self.rescue()
            case "choose":
                assert len(stage.next) > 1
                assert all(stage.alive[seat] for seat in stage.next)
            case "kill":
                assert any(pile.id == stage.pile for pile in state.piles)
            case "review" | "end":
                raise AssertionError("a seat has the move")

    def rescue(self) -> None:
        """Checks that every seat with prisoners is asked, and that some seat has not answered."""
        state, stage = self.state, self.state.stage
        prompts = SUCKER.prompts(state)
        assert not isinstance(prompts, Outcome)
        (prompt,) = [one for one in prompts if one.kind == "rescue"]
        holders = {
            seat
            for seat, chips in enumerate(state.hands.chips)
            if stage.alive[seat] and sum(chips) > chips[seat]
        }
        assert holders <= prompt.seats <= holders | {stage.mover}
        assert state.need is not None
        assert any(not state.need.refused[seat] for seat in prompt.seats)
        assert {seat for seat, no in enumerate(state.need.refused) if no} <= prompt.seats

    def cards(self) -> None:
        state = self.state
        if state.stage.mover is None:
            assert (state.deck, state.rows) == ((), ())
            return
        assert sorted(state.deck) == (sorted(KINDS) if self.options.blackmail else [])
        for card in state.taken:
            if card.status == "held":
                assert state.stage.alive[card.owner]
                assert state.stage.alive[card.token] or self.options.dead_cards == "keepCapture"
            assert card.owner != card.token or self.options.self_blackmail

    def scored(self) -> None:
        outcome = SUCKER.prompts(self.state)
        assert isinstance(outcome, Outcome)
        won = Counter(seat for over in self.state.match.results for seat in over.winners)
        assert outcome.scores == tuple(won[Seat(seat)] for seat in range(self.seats))
        best = max(outcome.scores)
        assert outcome.winners == tuple(
            Seat(seat) for seat, score in enumerate(outcome.scores) if score == best and best
        )


def play(game: Playing, idle: int, eager: int, most: int) -> None:
    """Plays up to `most` events: `idle` in ten are time-outs, more in a rescue, and the rest are moves."""
    for _ in range(most):
        if game.over:
            break
        often = idle + 2 * (game.state.stage.phase == "rescue")
        waited = game.fate.below("wait", 10) < often and game.wait()
        if not waited:
            game.at = Millis(game.at + game.fate.below("time", 50))
            game.move(eager)
    game.same_again()


@examples(12, 70, st.integers(4, 6), OPTIONS, st.integers(0, 10**6), st.integers(0, 4), st.integers(4, 10))
def test_sucker_keeps_its_invariants_in_random_games(
    seats: int, options: SuckerOptions, seed: int, idle: int, eager: int
) -> None:
    play(Playing(seats, options, seed), idle, eager, 120)


@examples(4, 25, st.integers(4, 6), OPTIONS, st.integers(0, 10**6))
def test_every_game_ends(seats: int, options: SuckerOptions, seed: int) -> None:
    """Each placement costs a chip, and each capture kills one (SLS-34)."""
    game = Playing(seats, options, seed)
    play(game, 1, 9, 6_000)
    assert game.over


@examples(15, 40, st.integers(4, 6), OPTIONS, st.integers(0, 10**6))
def test_every_game_ends_by_timeouts_alone(seats: int, options: SuckerOptions, seed: int) -> None:
    """Time alone ends every game; where timers are off, somebody calls the last minute of each wait."""
    game = Playing(seats, options, seed)
    for _ in range(2_000):
        if game.over:
            return
        if not game.wait():
            (call,) = [
                one for one in open_prompts(SUCKER.prompts(game.state), Seat(0)) if one.kind == "lastCall"
            ]
            game.make(Seat(0), call.id, {"move": "lastCall"})
    raise AssertionError("no end")


def test_random_games_produce_every_log_line() -> None:
    """Games like the ones above produce every kind of log line."""
    lines = {key for key in SUCKER.texts.lines if not key.startswith("promise.")}
    expected = lines - {"timeControl.lastCall"}
    seen: Counter[str] = Counter()
    for seed in range(80):
        options = SuckerOptions(
            blackmail_faces="public" if seed % 3 else "private",
            self_blackmail=bool(seed % 2),
            dead_cards="keepCapture" if seed % 5 else "void",
            rounds=2 if seed % 10 == 0 else 1,
        )
        game = Playing(4 + seed % 3, options, seed)
        play(game, seed % 3, 8, 300)
        seen.update(game.seen)
        if expected <= seen.keys():
            return
    raise AssertionError(f"no game wrote {sorted(expected - seen.keys())}")
