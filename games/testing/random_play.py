"""Games played by nobody: every option, every pace, random moves and time running out.

For the conformance suite, and for whoever wants many positions of a game. All randomness comes from a seed.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations
from types import NoneType
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias, get_args, get_origin

import msgspec

from games.api import (
    Audience,
    Game,
    LogLine,
    Millis,
    Observation,
    Outcome,
    PromptId,
    Running,
    Seat,
    Struct,
    Window,
    WindowId,
)
from games.dice import Dice

AnyGame: TypeAlias = Game[Any, Any, Any]


class Style(Struct, frozen=True):
    """How a trial is played: of 100 events so many are moves, the rest is time running out."""

    name: str
    moves: int
    absent: frozenset[int] = frozenset()
    """Seats that never move by themselves; their extensions are spent for them."""


STYLES = (
    Style("lively", 85),
    Style("slow", 50),
    Style("idle", 0),
    Style("absent", 70, frozenset({0, 2})),
)


class Event(Struct, frozen=True):
    """What led to a position; `extend` is a move made for a disconnected seat at a window's end."""

    kind: Literal["setup", "move", "extend", "expire"]
    at: Millis
    seat: Seat | None = None
    prompt: PromptId | None = None
    move: Mapping[str, Any] | None = None
    window: WindowId | None = None


class Position(Struct, frozen=True):
    """A state, how it came about, what the log told, and how far the dice were before."""

    state: Any
    event: Event
    lines: tuple[LogLine, ...]
    counter: int


# --- options ---


def values(kind: Any) -> tuple[Any, ...]:
    """Telling values of an option's type: every literal, both ends of a range."""
    if get_origin(kind) is Annotated:
        base, *metas = get_args(kind)
        found = values(base)
        for meta in metas:
            if isinstance(meta, msgspec.Meta) and base is int:
                found = tuple(end for end in (meta.ge, meta.le) if end is not None)
        return found
    if get_origin(kind) is Literal:
        return get_args(kind)
    if kind is bool:
        return (False, True)
    if kind is NoneType:
        return (None,)
    if get_args(kind):
        return tuple(value for part in get_args(kind) for value in values(part))
    return ()


Chosen: TypeAlias = Mapping[str, Any]
"""A value for each factor, by its name."""


class Table(NamedTuple):
    """Seats and options, as clients send them."""

    seats: int
    options: Chosen


def domains(game: AnyGame) -> dict[str, tuple[Any, ...]]:
    """Telling values of every option that has more than one, by its name as clients send it."""
    hints = typing.get_type_hints(game.Options, include_extras=True)
    fields = msgspec.structs.fields(game.Options)
    found = {field.encode_name: values(hints[field.name]) for field in fields}
    return {name: telling for name, telling in found.items() if len(telling) > 1}


def pairwise(game: AnyGame) -> Iterator[Chosen]:
    """Sets of options, as clients send them, in which every two values of two options meet."""
    yield {}
    yield from _covering(domains(game), lambda chosen: True)


def tables(
    game: AnyGame, fill: Callable[[int, Chosen], Chosen] = lambda seats, chosen: {}
) -> Iterator[Table]:
    """Tables that cover every pair: two values of two options, or a value and a number of seats.

    A pair that `refuse_options` lets meet at no table at all is left out. `fill` gives, for a table, what
    options of free text are to hold there.
    """

    def made(chosen: Chosen) -> Table:
        seats, options = chosen[_SEATS], {name: value for name, value in chosen.items() if name != _SEATS}
        return Table(seats, {**options, **fill(seats, options)})

    def playable(chosen: Chosen) -> bool:
        seats, options = made(chosen)
        return game.refuse_options(seats, msgspec.convert(options, game.Options)) is None

    for chosen in _covering({_SEATS: tuple(game.seats), **domains(game)}, playable):
        yield made(chosen)


_SEATS: Final = "seats"
_Pair: TypeAlias = tuple[str, int, str, int]
"""Two factors, each with the place of a value of it."""


def _covering(factors: Mapping[str, tuple[Any, ...]], playable: Callable[[Chosen], bool]) -> Iterator[Chosen]:
    """Choices in which every two values of two factors meet, as far as any that is playable has both."""

    def taken(chosen: Mapping[str, int]) -> Chosen:
        return {name: factors[name][index] for name, index in chosen.items()}

    left: list[_Pair] = sorted(
        (one, a, two, b)
        for one, two in combinations(factors, 2)
        for a in range(len(factors[one]))
        for b in range(len(factors[two]))
    )
    while left:
        one, a, two, b = left[0]
        found = next((full for full in _full(factors, left, {one: a, two: b}) if playable(taken(full))), None)
        if found is None:
            left = left[1:]
            continue
        left = [pair for pair in left if not _meets(pair, found)]
        yield taken(found)


def _full(
    factors: Mapping[str, tuple[Any, ...]], left: list[_Pair], chosen: dict[str, int]
) -> Iterator[dict[str, int]]:
    """Every choice that has these values: first that which takes most pairs, then those ever less like it."""
    name = next((name for name in factors if name not in chosen), None)
    if name is None:
        yield chosen
        return
    indices = sorted(range(len(factors[name])), key=lambda i: -_met(left, {**chosen, name: i}))
    for index in indices:
        yield from _full(factors, left, {**chosen, name: index})


def _meets(pair: _Pair, chosen: Mapping[str, int]) -> bool:
    one, a, two, b = pair
    return chosen.get(one) == a and chosen.get(two) == b


def _met(pairs: list[_Pair], chosen: Mapping[str, int]) -> int:
    return sum(_meets(pair, chosen) for pair in pairs)


# --- playing ---

START: Final = Millis(5_000)


def play(
    game: AnyGame, seats: int, options: Any, seed: bytes, style: Style, limit: int
) -> Iterator[Position]:
    """A game, position by position, until it ends or after `limit` events.

    Raises RuntimeError where nothing can happen any more and there is no outcome.
    """
    dice, fate = Dice(seed), Dice(seed + style.name.encode())
    at = Millis(fate.below("start", 100_000))
    step = game.setup(seats, options, at, dice)
    yield Position(step.state, Event("setup", at), step.lines, 0)
    for _ in range(limit):
        state = step.state
        if isinstance(game.prompts(state), Outcome):
            return
        event = _next(game, seats, state, at, style, fate)
        at, counter = event.at, dice.counter
        step = happen(game, state, event, dice)
        yield Position(step.state, event, step.lines, counter)


def happen(game: AnyGame, state: Any, event: Event, dice: Dice) -> Any:
    """The step an event leads to."""
    if event.kind == "expire" and event.window is not None:
        return game.expire(state, event.window, event.at, dice)
    if event.seat is None or event.prompt is None:
        raise ValueError("a move names its seat and prompt")
    move = msgspec.convert(event.move, game.Move)
    return game.apply(state, event.seat, event.prompt, move, event.at, dice)


def first_due(windows: tuple[Window, ...]) -> tuple[Window, Millis] | None:
    """The window that runs out first; of equals, the one `windows` names first."""
    running = [(window, window.clock.end) for window in windows if isinstance(window.clock, Running)]
    return min(running, key=lambda pair: pair[1], default=None)


def _next(game: AnyGame, seats: int, state: Any, at: Millis, style: Style, fate: Dice) -> Event:
    due = first_due(game.windows(state))
    if due is None or (due[1] > at and fate.below("event", 100) < style.moves):
        latest = at + 8_000 if due is None else min(at + 8_000, due[1] - 1)
        now = Millis(at + fate.below("time", max(1, latest - at + 1)))
        order = fate.shuffle("seat", range(seats))
        awake = [seat for seat in order if due is None or seat not in style.absent]
        for seat in map(Seat, awake):
            found = game.sample(state, seat, fate)
            if found is not None:
                prompt, move = found
                return Event("move", now, seat, prompt, msgspec.to_builtins(move))
    if due is None:
        raise RuntimeError("nobody can move, no window runs, and there is no outcome")
    window, end = due
    for seat in sorted(window.concerns & style.absent):
        move = game.extension(state, Seat(seat), window.id)
        if move is not None:
            return Event("extend", end, Seat(seat), window.extend, msgspec.to_builtins(move))
    return Event("expire", end, window=window.id)


def replay(game: AnyGame, seats: int, options: Any, seed: bytes, events: list[Event]) -> Iterator[Position]:
    """The same game from its log."""
    dice = Dice(seed)
    step = game.setup(seats, options, events[0].at, dice)
    yield Position(step.state, events[0], step.lines, 0)
    for event in events[1:]:
        counter = dice.counter
        step = happen(game, step.state, event, dice)
        yield Position(step.state, event, step.lines, counter)


# --- what one viewer has ---


def may_know(to: Audience, viewer: Seat | None) -> bool:
    return to is None or viewer in to


def observation(game: AnyGame, state: Any, seat: Seat, seats: int) -> Observation:
    """What a bot on this seat is shown; a section bound to a peek only while that peek runs."""
    prompts = game.prompts(state)
    running = {window.id for window in game.windows(state) if isinstance(window.clock, Running)}
    sections = {**game.public(state), **game.private(state, seat)}
    return Observation(
        seat,
        seats,
        ()
        if isinstance(prompts, Outcome)
        else tuple(prompt for prompt in prompts if may_know(prompt.to, seat)),
        game.choices(state, seat),
        {
            name: section.data
            for name, section in sections.items()
            if section.peek is None or section.peek in running
        },
        game.talk_policy(state, seat),
    )
