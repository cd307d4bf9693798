"""Plays one game between bots, from its seed to one row: pure and reproducible.

In a turn, all seats with prompts decide one after another, in random order, and then those that were spoken
to. Each decides from its current observation (`random_play.observation`) but answers only prompts that were
open when the turn began. If no seat moves or speaks, time passes until the next window ends (GEN-7). Thinking
takes no time, so the table's clock advances only when windows run out; but a bot that takes long over a move
lets the others move in one turn before. A second clock measures how long the game would have been
if every window had run to its end.

As in the hub, a bot that waits is asked again when its observation changes, hears what the others say, and
may not speak all the time (games/kit/remarks.py). For that, each turn takes a moment (`talk.TICK_MS`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
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
    Observation,
    OneOf,
    Outcome,
    PerSeat,
    PromptId,
    Range,
    Registration,
    Running,
    Seat,
    SeenLine,
    Spoken,
    Step,
    Struct,
    Subset,
    Window,
    WindowId,
    open_prompts,
)
from games.dice import Dice, bot_dice
from games.kit import time_control as time_control
from games.kit.characters import cast_levels
from games.simulate.plan import Match
from games.simulate.talk import Talk
from games.testing import random_play
from games.testing.random_play import AnyGame

START: Final = Millis(0)
TALKS_FROM: Final = 1 << 32
"""The first random stream for bots that are asked only because they were spoken to."""

_PLAIN: Final = msgspec.msgpack.Encoder(order="deterministic")


class Broke(Exception):
    """The rules or the bot raised an exception; the message is one sentence with the game and the error."""


class Row(Struct, frozen=True):
    """The result of one game, the source of the columns in the CSV (`table.py`)."""

    number: int
    side: int
    variant: int
    levels: tuple[str, ...]
    end: Literal["outcome", "limit", "stuck"]
    """`limit`: abandoned after too many events; `stuck`: all bots waited, and no window was running."""
    winners: tuple[int, ...]
    scores: tuple[float, ...]
    """By seat; empty if there was no outcome."""
    turns: int
    """Steps in which at least one seat moved."""
    ran: Millis
    """Table time, given that bots take no time to think."""
    most: Millis
    """Table time if every window had run to its end."""
    repeats: int
    """Moves that led back to an earlier state."""
    refused: int
    """The bots' decisions that the rules refused."""
    untimed: int
    """Moves made while no window was open; `ran` and `most` do not count such waits."""
    move_counts: Mapping[str, int]
    """Moves, by tag."""
    forced: Mapping[str, int]
    """Forced moves, by tag."""
    ran_out: Mapping[str, int]
    """Windows that ran out, by kind."""
    values: Mapping[str, Mapping[int | str, int]]
    """How often each value of a move's field was chosen, by `tag.field`."""
    characters: tuple[str, ...] = ()
    """The key of the character in each seat; empty for a bot without one."""
    remarks: tuple[int, ...] = ()
    """What each seat said."""
    exchanges: int = 0
    """Proposals that another seat answered."""
    repeated_lines: int = 0
    """Lines that their seat had said before in the same game."""
    promises: Mapping[str, int] = {}
    """How many promises were made, and became what; empty if there were none (`Talk.count_promises`)."""

    @property
    def moves(self) -> int:
        return sum(self.move_counts.values())

    @property
    def events(self) -> int:
        """Moves and windows that ran out."""
        return self.moves + sum(self.ran_out.values())


def play(entry: Registration, match: Match, limit: int) -> Row:
    """The row for one game. Raises Broke if the rules or the bot raise an exception."""
    try:
        return _Play(entry, match).play_to_end(limit)
    except Exception as fault:
        place = fault.__traceback__
        while place is not None and place.tb_next is not None:
            place = place.tb_next
        location = "" if place is None else f" in {place.tb_frame.f_code.co_filename}, line {place.tb_lineno}"
        error = f"{type(fault).__name__}: {fault}".rstrip(": ")
        raise Broke(f"Game {match.number} broke off with {error}{location}.") from fault


LONG_MS: Final = 10_000
"""A bot that takes so long over a move (`Decision.after`) lets the others move first, in one turn."""


class _Play:
    """A running game and its counters."""

    def __init__(self, entry: Registration, match: Match) -> None:
        self._game: AnyGame = entry.game
        self._bot: Bot[Any] = entry.bot
        self._match = match
        self._characters = cast_levels(match.levels, match.seed)
        self._talk = Talk(entry, match.setting.seats)
        self._heard: dict[Seat, Spoken] = {}
        self._noticed: dict[Seat, SeenLine | None] = {}
        self._asked = 0
        self._seats = [Seat(seat) for seat in range(match.setting.seats)]
        self._dice = Dice(match.seed)
        self._order = Dice(sha256(match.seed + b"order").digest())
        self._at = START
        self._slow = _SlowClock()
        options = msgspec.convert(match.setting.options, self._game.Options)
        self._state = self._follow(self._game.setup(len(self._seats), options, START, self._dice))
        self._waiting: dict[Seat, Mapping[str, msgspec.Struct]] = {}
        self._patient: list[Callable[[], bool]] = []
        """What bots do in this turn if no other seat moves or speaks."""
        self._has_deferred: set[Seat] = set()
        """The seats that have waited for that since their last move."""
        self._decisions = 0
        self._turns = self._repeats = self._refused = self._untimed = 0
        self._move_counts: Counter[str] = Counter()
        self._forced: Counter[str] = Counter()
        self._ran_out: Counter[str] = Counter()
        self._values: dict[str, Counter[int | str]] = {}
        self._earlier: set[bytes] = set()
        self._arrive()

    def play_to_end(self, limit: int) -> Row:
        game = self._game
        while not isinstance(prompts := game.prompts(self._state), Outcome):
            if self._move_counts.total() + self._ran_out.total() >= limit:
                return self._row("limit", None)
            self._talk.pass_time(self._at)
            if not self._turn(limit) and not self._expire():
                return self._row("stuck", None)
        return self._row("outcome", prompts)

    # playing

    def _turn(self, limit: int) -> bool:
        """Lets every seat with a prompt decide once, and those that were spoken to; returns whether any of
        them moved or spoke."""
        prompts = self._game.prompts(self._state)
        open_ids = {seat: {prompt.id for prompt in open_prompts(prompts, seat)} for seat in self._seats}
        order = [seat for seat in self._seats if open_ids[seat]]
        moved, said = False, self._talk.count_said()
        self._patient.clear()
        for seat in self._order.shuffle("seat", order):
            if self._move_counts.total() + self._ran_out.total() >= limit:
                break
            still_open = open_ids[seat] & {
                prompt.id for prompt in open_prompts(self._game.prompts(self._state), seat)
            }
            if still_open:
                moved = self._act(seat, frozenset(still_open)) or moved
        for seat in self._seats:
            if not isinstance(self._game.prompts(self._state), Outcome) and self._is_spoken_to(seat):
                moved = self._act(seat, frozenset(open_ids[seat]), spoken_to=True) or moved
        if not moved and self._talk.count_said() == said:
            moved = any(carry_out() for carry_out in self._patient)  # until the first of them moves
        self._turns += moved
        return moved or self._talk.count_said() > said

    def _is_spoken_to(self, seat: Seat) -> bool:
        """Whether this seat may answer something that was said or has happened, as in hub/runtime/bots.py."""
        talk = self._talk
        spoken, event = talk.find_unanswered(seat), talk.find_event(seat)
        has_heard = spoken is None or spoken == self._heard.get(seat)
        if (has_heard and (event is None or event == self._noticed.get(seat))) or not talk.may_speak(seat):
            return False
        return self._game.talk_policy(self._state, seat).mode != "closed"

    def _follow(self, step: Step[Any], before: Any = None) -> Any:
        """The state after a step; its lines are read by those whom they are for."""
        self._talk.read(step.lines)
        if before is not None:
            self._talk.judge(self._game, before, step)
        return step.state

    def _act(self, seat: Seat, answerable: frozenset[PromptId], *, spoken_to: bool = False) -> bool:
        """Lets the seat's bot decide on these prompts; returns whether it moved."""
        game, talk = self._game, self._talk
        observation = random_play.observation(game, self._state, seat, len(self._seats))
        if not spoken_to and self._waiting.get(seat) == observation.sections:
            return False
        observation = talk.observe(observation)
        spoken = talk.find_unanswered(seat)
        if spoken is not None and observation.may_speak:
            self._heard[seat] = spoken
        if observation.may_speak:
            self._noticed[seat] = talk.find_event(seat)
        if spoken_to:
            self._asked += 1
            number = TALKS_FROM + self._asked
        else:
            self._decisions += 1
            number = self._decisions
        stream = bot_dice(self._match.seed, seat, number)
        decision = self._bot.decide(observation, self._characters[seat], stream)
        if decision is None:
            self._waiting[seat] = observation.sections
            return False
        if decision.answer is not None and decision.answer[0] not in answerable:
            is_open = any(
                prompt.id == decision.answer[0] for prompt in open_prompts(game.prompts(self._state), seat)
            )
            self._refused += not is_open  # a prompt that opened during this turn is answered in the next
            return False
        carry_out = partial(self._carry_out, seat, observation, decision)
        is_long = decision.answer is not None and (decision.after or 0) >= LONG_MS
        if is_long and seat not in self._has_deferred:
            self._has_deferred.add(seat)
            self._patient.append(carry_out)
            return False
        return carry_out()

    def _carry_out(self, seat: Seat, observation: Observation, decision: Decision[Any]) -> bool:
        """Lets the seat do what its bot has decided; returns whether it moved."""
        game, state, talk = self._game, self._state, self._talk
        if decision.promise is not None and not talk.promise(game, state, seat, decision.promise):
            self._refused += 1
            decision = msgspec.structs.replace(decision, remark=None)
        if decision.answer is None:
            if decision.remark is not None:
                self._refused += not talk.say(game.talk_policy(state, seat), seat, decision.remark)
            elif decision.promise is None:
                self._waiting[seat] = observation.sections
                return False
            self._waiting.pop(seat, None)  # it has not waited but spoken, and may still have a move to make
            return False
        prompt_id, move = decision.answer
        if game.check(state, seat, prompt_id, move, self._at) is not None:
            self._refused += 1
            return False
        self._waiting.pop(seat, None)
        self._has_deferred.discard(seat)
        self._count(seat, decision, observation.choices)
        self._untimed += not game.windows(state)
        self._state = self._follow(game.apply(state, seat, prompt_id, move, self._at, self._dice), state)
        talk.note_move(seat, move)
        if decision.remark is not None:  # a move may end the talk: then the remark is lost, as in the hub
            talk.say(game.talk_policy(self._state, seat), seat, decision.remark)
        self._arrive()
        return True

    def _expire(self) -> bool:
        """Lets time pass until the next window ends; returns False if none is running."""
        due = random_play.first_due(self._game.windows(self._state))
        if due is None:
            return False
        window, end = due
        self._at = Millis(max(self._at, end))
        self._ran_out[window.kind] += 1
        self._state = self._follow(
            self._game.expire(self._state, window.id, self._at, self._dice), self._state
        )
        self._waiting.clear()
        self._arrive()
        return True

    def _arrive(self) -> None:
        """Updates the slow clock and the repeat counter for a new position."""
        self._slow.see(self._game.windows(self._state), self._at)
        digest = blake2b(_PLAIN.encode(self._state), digest_size=16).digest()
        self._repeats += digest in self._earlier
        self._earlier.add(digest)

    # counting

    def _count(self, seat: Seat, decision: Decision[Any], choices: Choices) -> None:
        raw: dict[str, Any] = msgspec.to_builtins(decision.move)
        tag = str(raw.pop("move"))
        self._move_counts[tag] += 1
        prompts = open_prompts(self._game.prompts(self._state), seat)
        timing = {prompt.id for prompt in prompts if prompt.kind in time_control.PROMPTS}
        if decision.prompt not in timing:
            options = [
                choice for prompt, offered in choices.items() if prompt not in timing for choice in offered
            ]
            if len(options) == 1 and all(single(domain) for domain in options[0].fields.values()):
                self._forced[tag] += 1
        for name, value in raw.items():
            counts = self._values.setdefault(f"{tag}.{name}", Counter())
            counts.update(part for part in _list_values(value) if isinstance(part, int | str))

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
            self._slow.elapsed,
            self._repeats,
            self._refused,
            self._untimed,
            dict(self._move_counts),
            dict(self._forced),
            dict(self._ran_out),
            {name: dict(counts) for name, counts in self._values.items() if counts},
            tuple(character.key for character in self._characters),
            tuple(self._talk.remarks[seat] for seat in self._seats),
            self._talk.exchanges,
            self._talk.repeated,
            self._talk.count_promises(),
        )


class _SlowClock:
    """Table time if every window ran to its end; a window starts when the slow clock reaches its opening."""

    def __init__(self) -> None:
        self.elapsed = Millis(0)
        self._ends: dict[WindowId, tuple[Running | Held, Millis]] = {}
        """Each window's clock when last seen, and its end on this clock."""

    def see(self, windows: tuple[Window, ...], at: Millis) -> None:
        """Records the windows of a position reached at table time `at`."""
        still_open = {window.id for window in windows}
        for closed in [window for window in self._ends if window not in still_open]:
            clock, end = self._ends.pop(closed)
            if isinstance(clock, Running):
                self.elapsed = max(self.elapsed, end)
        for window in windows:
            clock = window.clock
            last = self._ends.get(window.id)
            if last is not None and last[0] == clock:
                continue
            if last is not None and isinstance(last[0], Running) and isinstance(clock, Running):
                end = Millis(last[1] + clock.end - last[0].end)  # extended or shortened
            else:
                remaining = clock.end - at if isinstance(clock, Running) else clock.left
                end = Millis(self.elapsed + remaining)
            self._ends[window.id] = (clock, end)


def single(domain: Domain) -> bool:
    """Returns whether the domain has a single value; for a multiset, only if its bounds show it directly."""
    match domain:
        case Range(least=least, most=most) | PerSeat(least=least, most=most):
            return least == most
        case OneOf(of=of):
            return len(of) == 1
        case Subset(of=of, least=least, most=most):
            return most == 0 or least == len(of)
        case Multiset(of=of, times=times, bounds=bounds):
            total = len(of) if times is None else sum(times)
            sizes = [bound for bound in bounds if bound.worth is None]
            return any(bound.most == 0 or bound.least == total for bound in sizes)


def _list_values(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return ("yes" if value else "no",)
    return tuple(value) if isinstance(value, list | tuple) else (value,)
