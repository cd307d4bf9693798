"""Random games: all options, several styles of play, random moves and windows that run out.

The conformance suite and many tests take their positions from here. All randomness comes from a seed.
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
from games.kit.moves import convert_move

AnyGame: TypeAlias = Game[Any, Any, Any]


class Style(Struct, frozen=True):
    """A style of random play: `moves` out of 100 events are moves; in the others, a window runs out."""

    name: str
    moves: int
    absent: frozenset[int] = frozenset()
    """Seats that never move; their extensions are used for them."""


STYLES = (
    Style("lively", 85),
    Style("slow", 50),
    Style("idle", 0),
    Style("absent", 70, frozenset({0, 2})),
)


class Event(Struct, frozen=True):
    """The event that led to a position. `extend` is a move for a disconnected seat when a window ends."""

    kind: Literal["setup", "move", "extend", "expire"]
    at: Millis
    seat: Seat | None = None
    prompt: PromptId | None = None
    move: Mapping[str, Any] | None = None
    window: WindowId | None = None


class Position(Struct, frozen=True):
    """A state with the event that led to it, its log lines, and the dice counter before the event."""

    state: Any
    event: Event
    lines: tuple[LogLine, ...]
    counter: int


# --- options ---


def values(kind: Any) -> tuple[Any, ...]:
    """The values of an option's type that are worth trying: every literal, both ends of a range."""
    if get_origin(kind) is Annotated:
        base, *metas = get_args(kind)
        samples = values(base)
        for meta in metas:
            if isinstance(meta, msgspec.Meta) and base is int:
                samples = tuple(end for end in (meta.ge, meta.le) if end is not None)
        return samples
    if get_origin(kind) is Literal:
        return get_args(kind)
    if kind is bool:
        return (False, True)
    if kind is NoneType:
        return (None,)
    if get_args(kind):
        return tuple(value for part in get_args(kind) for value in values(part))
    return ()


Assignment: TypeAlias = Mapping[str, Any]
"""A value for each factor, by the factor's name."""


class Table(NamedTuple):
    """A number of seats, and options as clients send them."""

    seats: int
    options: Assignment


def domains(game: AnyGame) -> dict[str, tuple[Any, ...]]:
    """The values worth trying for every option with more than one, by the option's name on the wire."""
    hints = typing.get_type_hints(game.Options, include_extras=True)
    fields = msgspec.structs.fields(game.Options)
    samples = {field.encode_name: values(hints[field.name]) for field in fields}
    return {name: of for name, of in samples.items() if len(of) > 1}


def pairwise(game: AnyGame) -> Iterator[Assignment]:
    """Sets of options, as clients send them, that cover every pair of values of two options."""
    yield {}
    yield from _cover(domains(game), lambda options: True)


def tables(
    game: AnyGame, fill: Callable[[int, Assignment], Assignment] = lambda seats, options: {}
) -> Iterator[Table]:
    """Tables that cover every pair of values of two options, and every value with every number of seats.

    Pairs that `refuse_options` refuses at every table are omitted. `fill` returns the values of free-text
    options for a table.
    """

    def make_table(assignment: Assignment) -> Table:
        options = {name: value for name, value in assignment.items() if name != _SEATS}
        seats: int = assignment[_SEATS]
        return Table(seats, {**options, **fill(seats, options)})

    def is_playable(assignment: Assignment) -> bool:
        seats, options = make_table(assignment)
        return game.refuse_options(seats, msgspec.convert(options, game.Options)) is None

    for assignment in _cover({_SEATS: tuple(game.seats), **domains(game)}, is_playable):
        yield make_table(assignment)


_SEATS: Final = "seats"
_Pair: TypeAlias = tuple[str, int, str, int]
"""Two factors, each followed by the index of one of its values."""


def _cover(
    factors: Mapping[str, tuple[Any, ...]], is_playable: Callable[[Assignment], bool]
) -> Iterator[Assignment]:
    """Playable assignments that cover every pair of values of two factors that can be covered."""

    def look_up(indices: Mapping[str, int]) -> Assignment:
        return {name: factors[name][index] for name, index in indices.items()}

    uncovered: list[_Pair] = sorted(
        (a, i, b, j)
        for a, b in combinations(factors, 2)
        for i in range(len(factors[a]))
        for j in range(len(factors[b]))
    )
    while uncovered:
        a, i, b, j = uncovered[0]
        completions = _complete(factors, uncovered, {a: i, b: j})
        indices = next((full for full in completions if is_playable(look_up(full))), None)
        if indices is None:
            uncovered = uncovered[1:]
            continue
        uncovered = [pair for pair in uncovered if not _covers(indices, pair)]
        yield look_up(indices)


def _complete(
    factors: Mapping[str, tuple[Any, ...]], uncovered: list[_Pair], indices: dict[str, int]
) -> Iterator[dict[str, int]]:
    """Every completion of these indices, depth first; values that cover more pairs come first."""
    name = next((name for name in factors if name not in indices), None)
    if name is None:
        yield indices
        return

    counts = [0] * len(factors[name])  # the pairs that each value would cover with those chosen so far
    for a, i, b, j in uncovered:
        if a == name and indices.get(b) == j:
            counts[i] += 1
        elif b == name and indices.get(a) == i:
            counts[j] += 1
    for index in sorted(range(len(counts)), key=counts.__getitem__, reverse=True):
        yield from _complete(factors, uncovered, {**indices, name: index})


def _covers(indices: Mapping[str, int], pair: _Pair) -> bool:
    a, i, b, j = pair
    return indices.get(a) == i and indices.get(b) == j


# --- playing ---

START: Final = Millis(5_000)


def play(
    game: AnyGame, seats: int, options: Any, seed: bytes, style: Style, limit: int
) -> Iterator[Position]:
    """Plays a game and yields each position, until the game ends or `limit` events have happened.

    Raises RuntimeError if nothing can happen any more and there is no outcome.
    """
    dice, fate = Dice(seed), Dice(seed + style.name.encode())
    at = Millis(fate.below("start", 100_000))
    step = game.setup(seats, options, at, dice)
    yield Position(step.state, Event("setup", at), step.lines, 0)
    for _ in range(limit):
        state = step.state
        if isinstance(game.prompts(state), Outcome):
            return
        event = _next_event(game, seats, state, at, style, fate)
        at, counter = event.at, dice.counter
        step = happen(game, state, event, dice)
        yield Position(step.state, event, step.lines, counter)


def happen(game: AnyGame, state: Any, event: Event, dice: Dice) -> Any:
    """Applies an event to a state. Raises ValueError if the event lacks a seat or prompt."""
    if event.kind == "expire" and event.window is not None:
        return game.expire(state, event.window, event.at, dice)
    if event.seat is None or event.prompt is None:
        raise ValueError("a move names its seat and prompt")
    move = convert_move(event.move, game.Move)
    return game.apply(state, event.seat, event.prompt, move, event.at, dice)


def first_due(windows: tuple[Window, ...]) -> tuple[Window, Millis] | None:
    """The window that ends first (on a tie, the first listed) and its end; None if no window is running."""
    running = [(window, window.clock.end) for window in windows if isinstance(window.clock, Running)]
    return min(running, key=lambda pair: pair[1], default=None)


def _next_event(game: AnyGame, seats: int, state: Any, at: Millis, style: Style, fate: Dice) -> Event:
    due = first_due(game.windows(state))
    if due is None or (due[1] > at and fate.below("event", 100) < style.moves):
        latest = at + 8_000 if due is None else min(at + 8_000, due[1] - 1)
        move_time = Millis(at + fate.below("time", max(1, latest - at + 1)))
        order = fate.shuffle("seat", range(seats))
        awake = [seat for seat in order if due is None or seat not in style.absent]
        for seat in map(Seat, awake):
            sample = game.sample(state, seat, fate)
            if sample is not None:
                prompt, move = sample
                return Event("move", move_time, seat, prompt, msgspec.to_builtins(move))
    if due is None:
        raise RuntimeError("nobody can move, no window is running, and there is no outcome")
    window, end = due
    for seat in sorted(window.concerns & style.absent):
        move = game.extension(state, Seat(seat), window.id)
        if move is not None:
            return Event("extend", end, Seat(seat), window.extend, msgspec.to_builtins(move))
    return Event("expire", end, window=window.id)


def replay(game: AnyGame, seats: int, options: Any, seed: bytes, events: list[Event]) -> Iterator[Position]:
    """Replays a game from its events."""
    dice = Dice(seed)
    step = game.setup(seats, options, events[0].at, dice)
    yield Position(step.state, events[0], step.lines, 0)
    for event in events[1:]:
        counter = dice.counter
        step = happen(game, step.state, event, dice)
        yield Position(step.state, event, step.lines, counter)


# --- what one viewer sees ---


def may_know(to: Audience, viewer: Seat | None) -> bool:
    """Returns whether the viewer (None: a spectator) belongs to the audience."""
    return to is None or viewer in to


def observation(game: AnyGame, state: Any, seat: Seat, seats: int) -> Observation:
    """The observation of a bot in this seat, with a section bound to a peek only while that peek runs."""
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
