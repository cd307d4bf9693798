"""One game of bots against bots, from its seed to one row: pure, and the same wherever it is played.

A turn: every seat that is asked something decides, one after the other in an order drawn for this turn, each
from what its seat then sees (`trials.observation`), and answers only what was asked as the turn began. When
no seat does anything, time passes until the next window ends (GEN-7). Thinking takes no time: the clock of
the rules moves by windows that run out. A second clock tells how long the game would have been if every
window that closed early had run to its end.

A bot that waits is asked again once it is shown something else, as at the hub.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b, sha256
from typing import Any, Final, Literal

import msgspec

from games.api import (
    Bot,
    Choices,
    Decision,
    Domain,
    Held,
    Millis,
    Multiset,
    OneOf,
    Outcome,
    PerSeat,
    PromptId,
    Range,
    Registration,
    Running,
    Seat,
    Struct,
    Subset,
    Window,
    WindowId,
    open_prompts,
)
from games.dice import Dice, bot_dice
from games.kit import time_control as time_control
from games.simulate.plan import Match
from games.testing import random_play
from games.testing.random_play import AnyGame

START: Final = Millis(0)

_PLAIN: Final = msgspec.msgpack.Encoder(order="deterministic")


class Broke(Exception):
    """A game whose rules or bot raised an exception: one sentence that says which game, and what."""


class Row(Struct, frozen=True):
    """One game as it was played; the columns of the CSV are made of it (`table.py`)."""

    number: int
    side: int
    variant: int
    levels: tuple[str, ...]
    end: Literal["outcome", "limit", "stuck"]
    """`limit`: given up after so many events; `stuck`: all bots waited and no window ran."""
    winners: tuple[int, ...]
    scores: tuple[float, ...]
    """By seat; empty where there was no outcome."""
    turns: int
    """Times at which at least one seat moved."""
    ran: Millis
    """Table time, with bots that take no time to think."""
    most: Millis
    """Table time, had every window run to its end."""
    repeats: int
    """Moves after which the table stood exactly as it had before."""
    refused: int
    """Decisions of bots that the rules refused."""
    untimed: int
    """Moves made while no window was open: such waits count nothing in `ran` and `most`."""
    made: Mapping[str, int]
    """Moves, by tag."""
    forced: Mapping[str, int]
    """Those of them that were the only thing to do."""
    ran_out: Mapping[str, int]
    """Windows that ran out, by kind."""
    values: Mapping[str, Mapping[int | str, int]]
    """What moves said: for `tag.field`, how often each value."""

    @property
    def moves(self) -> int:
        return sum(self.made.values())

    @property
    def events(self) -> int:
        """Moves and windows that ran out."""
        return self.moves + sum(self.ran_out.values())


def play(entry: Registration, match: Match, limit: int) -> Row:
    """The row of one game. Raises Broke where rules or bot raise an exception."""
    try:
        return _Play(entry, match).to_end(limit)
    except Exception as fault:
        place = fault.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        where = "" if place is None else f" in {place.tb_frame.f_code.co_filename}, line {place.tb_lineno}"
        what = f"{type(fault).__name__}: {fault}".rstrip(": ")
        raise Broke(f"Game {match.number} broke off with {what}{where}.") from fault


class _Play:
    """A game under way, and what is counted of it."""

    def __init__(self, entry: Registration, match: Match) -> None:
        self._game: AnyGame = entry.game
        self._bot: Bot[Any] = entry.bot
        self._match = match
        self._seats = [Seat(seat) for seat in range(match.setting.seats)]
        self._dice = Dice(match.seed)
        self._order = Dice(sha256(match.seed + b"order").digest())
        self._at = START
        self._slow = _SlowClock()
        options = msgspec.convert(match.setting.options, self._game.Options)
        self._state = self._game.setup(len(self._seats), options, START, self._dice).state
        self._waiting: dict[Seat, Mapping[str, msgspec.Struct]] = {}
        self._decisions = 0
        self._turns = self._repeats = self._refused = self._untimed = 0
        self._made: Counter[str] = Counter()
        self._forced: Counter[str] = Counter()
        self._ran_out: Counter[str] = Counter()
        self._values: dict[str, Counter[int | str]] = {}
        self._before: set[bytes] = set()
        self._arrive()

    def to_end(self, limit: int) -> Row:
        game = self._game
        while not isinstance(found := game.prompts(self._state), Outcome):
            if self._made.total() + self._ran_out.total() >= limit:
                return self._row("limit", None)
            if self._turn(limit):
                self._turns += 1
            elif not self._expire():
                return self._row("stuck", None)
        return self._row("outcome", found)

    # what happens

    def _turn(self, limit: int) -> bool:
        """Lets every seat that is asked decide once; whether any of them moved."""
        prompts = self._game.prompts(self._state)
        asked = {seat: {prompt.id for prompt in open_prompts(prompts, seat)} for seat in self._seats}
        order = [seat for seat in self._seats if asked[seat]]
        moved = False
        for seat in self._order.shuffle("seat", order):
            if self._made.total() + self._ran_out.total() >= limit:
                break
            still = {prompt.id for prompt in open_prompts(self._game.prompts(self._state), seat)}
            if still & asked[seat]:
                moved = self._act(seat, frozenset(still & asked[seat])) or moved
        return moved

    def _act(self, seat: Seat, asked: frozenset[PromptId]) -> bool:
        """The seat's bot decides; whether it moved."""
        game, state = self._game, self._state
        observation = random_play.observation(game, state, seat, len(self._seats))
        if self._waiting.get(seat) == observation.sections:
            return False
        self._decisions += 1
        stream = bot_dice(self._match.seed, seat, self._decisions)
        decision = self._bot.decide(observation, self._match.levels[seat], stream)
        if decision is None:
            self._waiting[seat] = observation.sections
            return False
        if decision.prompt not in asked:
            known = any(prompt.id == decision.prompt for prompt in open_prompts(game.prompts(state), seat))
            self._refused += not known  # what was asked in this turn is answered in the next
            return False
        if game.check(state, seat, decision.prompt, decision.move, self._at) is not None:
            self._refused += 1
            return False
        self._waiting.pop(seat, None)
        self._count(seat, decision, observation.choices)
        self._untimed += not game.windows(state)
        self._state = game.apply(state, seat, decision.prompt, decision.move, self._at, self._dice).state
        self._arrive()
        return True

    def _expire(self) -> bool:
        """Time passes until the next window ends; False: none runs."""
        due = random_play.first_due(self._game.windows(self._state))
        if due is None:
            return False
        window, end = due
        self._at = Millis(max(self._at, end))
        self._ran_out[window.kind] += 1
        self._state = self._game.expire(self._state, window.id, self._at, self._dice).state
        self._waiting.clear()
        self._arrive()
        return True

    def _arrive(self) -> None:
        """Counts the position: whether it has been there before, and how late it could have been."""
        self._slow.see(self._game.windows(self._state), self._at)
        here = blake2b(_PLAIN.encode(self._state), digest_size=16).digest()
        self._repeats += here in self._before
        self._before.add(here)

    # what is counted

    def _count(self, seat: Seat, decision: Decision[Any], choices: Choices) -> None:
        raw: dict[str, Any] = msgspec.to_builtins(decision.move)
        tag = str(raw.pop("move"))
        self._made[tag] += 1
        prompts = open_prompts(self._game.prompts(self._state), seat)
        timing = {prompt.id for prompt in prompts if prompt.kind in time_control.PROMPTS}
        if decision.prompt not in timing:
            left = [choice for prompt, found in choices.items() if prompt not in timing for choice in found]
            if len(left) == 1 and all(single(domain) for domain in left[0].fields.values()):
                self._forced[tag] += 1
        for name, value in raw.items():
            found = self._values.setdefault(f"{tag}.{name}", Counter())
            found.update(one for one in _several(value) if isinstance(one, int | str))

    def _row(self, end: Literal["outcome", "limit", "stuck"], outcome: Outcome | None) -> Row:
        match = self._match
        return Row(
            match.number,
            match.side,
            match.variant,
            match.levels,
            end,
            () if outcome is None else tuple(int(seat) for seat in outcome.winners),
            () if outcome is None else tuple(score / outcome.over for score in outcome.scores),
            self._turns,
            Millis(self._at - START),
            self._slow.now,
            self._repeats,
            self._refused,
            self._untimed,
            dict(self._made),
            dict(self._forced),
            dict(self._ran_out),
            {name: dict(found) for name, found in self._values.items() if found},
        )


class _SlowClock:
    """Table time, had every window run to its end: each starts when it opened, late as that may have been."""

    def __init__(self) -> None:
        self.now = Millis(0)
        self._ends: dict[WindowId, tuple[Running | Held, Millis]] = {}
        """By window: its clock as last seen, and its end on this clock."""

    def see(self, windows: tuple[Window, ...], at: Millis) -> None:
        """The windows of a position that came about at table time `at`."""
        open_now = {window.id for window in windows}
        for gone in [one for one in self._ends if one not in open_now]:
            clock, end = self._ends.pop(gone)
            if isinstance(clock, Running):
                self.now = max(self.now, end)
        for window in windows:
            clock = window.clock
            known = self._ends.get(window.id)
            if known is not None and known[0] == clock:
                continue
            if known is not None and isinstance(known[0], Running) and isinstance(clock, Running):
                end = Millis(known[1] + clock.end - known[0].end)  # lengthened, or shortened
            else:
                left = clock.end - at if isinstance(clock, Running) else clock.left
                end = Millis(self.now + left)
            self._ends[window.id] = (clock, end)


def single(domain: Domain) -> bool:
    """Whether there is only one value to give; of a bag, as far as its bounds say so plainly."""
    match domain:
        case Range(least=least, most=most) | PerSeat(least=least, most=most):
            return least == most
        case OneOf(of=of):
            return len(of) == 1
        case Subset(of=of, least=least, most=most):
            return most == 0 or least == len(of)
        case Multiset(of=of, times=times, bounds=bounds):
            whole = len(of) if times is None else sum(times)
            sizes = [bound for bound in bounds if bound.worth is None]
            return any(bound.most == 0 or bound.least == whole for bound in sizes)


def _several(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    return tuple(value) if isinstance(value, list | tuple) else (value,)
