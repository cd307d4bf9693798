"""A game replayed from its log: same rules, same dice, and a check that each entry was possible.

The hub replays a finished game to write its record; `parley verify` does so to check a record (records.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, TypeAlias, assert_never

import msgspec
from msgspec import Struct

from games import api
from games.dice import Dice, Draw, game_seed
from games.kit import promises
from games.kit.moves import convert_move

EntryKind: TypeAlias = Literal["setup", "move", "extend", "expire", "promise"]


class LogEntry(Struct, frozen=True, array_like=True):
    """One event of a game, with everything needed to replay it.

    Besides `kind` and `at`, each kind has these fields:

    setup   the game was set up (always the first entry, and no other): none
    move    a seat, or its bot, moved: seat, prompt, move
    extend  at a window's end `Game.extension` moved for an absent seat (GEN-6): seat, prompt, move, window
    expire  a window ran out (GEN-7): window
    promise a seat made a promise (R30), which leaves the state as it is: seat, move

    `move` is the move as a map of builtins, with its tag; for a promise, it is a `NewPromise`. `at` is table
    time in milliseconds. `substitutes`: the seats of people with open promises whose part in it is a bot's
    (R30; `list_substitutes` and `list_excused` in hub/table/room.py). Promises are judged by that, also by
    other versions.
    """

    kind: EntryKind
    seat: int | None
    prompt: str | None
    move: Mapping[str, Any] | None
    window: str | None
    at: int
    substitutes: tuple[int, ...] = ()


class ReplayConfig(Struct, frozen=True):
    """The setup of a game, including the room's seed (32 bytes) and the salt that each seat added to it.

    `restarts`: how often the exchange of salts had to begin again (hub/table/salt_exchange.py).
    """

    game: str
    version: int
    seats: int
    options: Mapping[str, Any]
    seed: bytes
    salts: tuple[str, ...]
    restarts: int = 0


class Crossing(Struct, frozen=True, array_like=True):
    """Where a game went on under newer rules: after this many entries of its log, and draws of its dice.

    `state` is the game's state there as the rules of `version`, which played until then, stored it, in
    msgpack. If nobody has stored it, it is empty, and `draws` is 0, because nobody knows that either.
    """

    version: int
    entries: int
    draws: int
    state: bytes


class ReplayedEntry(Struct, frozen=True):
    """The result of replaying an entry: its canonical form, its draws, and the SHA-256 of the state."""

    entry: LogEntry
    draws: tuple[Draw, ...]
    digest: bytes


class ReplayError(Exception):
    """The rules do not allow this; the message is a one-sentence reason, without the entry's number."""


Registry: TypeAlias = Mapping[str, api.Registration]

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class Replay:
    """A game being replayed: call `play` for each entry, then read `outcome`.

    Raises ReplayError for a configuration that no game could have started with, and in `play` for an entry
    that was not possible at that point. After a `crossing`, it begins with the state there, converted.
    """

    def __init__(
        self, config: ReplayConfig, rules: api.Game[Any, Any, Any], crossing: Crossing | None = None
    ) -> None:
        self._rules = rules
        if config.version != rules.version:
            raise ReplayError(refuse_versions(rules, (config.version,)))
        if config.seats not in rules.seats:
            raise ReplayError(f"{rules.title} cannot be played by {config.seats} players")
        if len(config.salts) != config.seats:
            raise ReplayError("there must be one salt for each seat")
        try:
            self._options: Struct = msgspec.convert(config.options, rules.Options)
        except msgspec.ValidationError as error:
            raise ReplayError(f"the options are not those of {rules.title}: {error}") from None
        if rules.refuse_options(config.seats, self._options) is not None:
            raise ReplayError(f"{rules.title} cannot be played with these options and seats")
        self._seats = config.seats
        self._dice = Dice(game_seed(config.seed, config.salts), 0 if crossing is None else crossing.draws)
        self._state: Any = None if crossing is None else convert_state(rules, crossing)
        self._at = 0

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the state."""
        return sha256(_encode(self._state)).digest()

    @property
    def draws(self) -> int:
        """How often the dice were drawn, the game before a crossing included."""
        return self._dice.counter

    @property
    def options(self) -> Any:
        """The options in full, as builtins."""
        return msgspec.to_builtins(self._options, order="deterministic")

    @property
    def outcome(self) -> api.Outcome | None:
        """The outcome of the game; None until it has ended."""
        if self._state is None:
            return None
        prompts = self._rules.prompts(self._state)
        return prompts if isinstance(prompts, api.Outcome) else None

    def play(self, entry: LogEntry) -> ReplayedEntry:
        if entry.at < self._at:
            raise ReplayError("it is earlier than the entry before it")
        if self.outcome is not None:
            raise ReplayError("the game was over before it")
        if (entry.kind == "setup") != (self._state is None):
            raise ReplayError("the setup comes first and only once")
        match entry.kind:
            case "setup":
                step, entry = self._setup(entry)
            case "move":
                step, entry = self._move(entry)
            case "extend":
                step, entry = self._extend(entry)
            case "expire":
                step, entry = self._expire(entry)
            case "promise":
                step, entry = self._promise(entry)
            case _:
                assert_never(entry.kind)
        self._state = step.state
        self._at = entry.at
        draws = tuple(self._dice.draws)
        self._dice.draws.clear()
        return ReplayedEntry(entry, draws, self.digest)

    def _setup(self, entry: LogEntry) -> tuple[api.Step[Any], LogEntry]:
        _require(entry, ())
        return self._rules.setup(self._seats, self._options, api.Millis(entry.at), self._dice), entry

    def _move(self, entry: LogEntry) -> tuple[api.Step[Any], LogEntry]:
        _require(entry, ("seat", "prompt", "move"))
        due = self._due()
        if due is not None and due[0] <= entry.at:
            raise ReplayError(f"the window {due[1].id!r} had run out at {due[0]} and was not closed")
        return self._apply(entry)

    def _extend(self, entry: LogEntry) -> tuple[api.Step[Any], LogEntry]:
        _require(entry, ("seat", "prompt", "move", "window"))
        window = self._ending(entry)
        if entry.seat not in window.concerns or entry.prompt != window.extend:
            raise ReplayError(
                f"seat {entry.seat} cannot extend the window {window.id!r} with {entry.prompt!r}"
            )
        longer = self._rules.extension(self._state, api.Seat(entry.seat), window.id)
        if longer is None or longer != self._parse_move(entry):
            raise ReplayError(f"that is not how seat {entry.seat} extends the window {window.id!r}")
        return self._apply(entry)

    def _expire(self, entry: LogEntry) -> tuple[api.Step[Any], LogEntry]:
        _require(entry, ("window",))
        window = self._ending(entry)
        return self._rules.expire(self._state, window.id, api.Millis(entry.at), self._dice), entry

    def _promise(self, entry: LogEntry) -> tuple[api.Step[Any], LogEntry]:
        """A promise changes nothing in the game. A record may lack earlier ones, so they are not counted."""
        _require(entry, ("seat", "move"))
        rules = self._rules.promises
        if rules is None:
            raise ReplayError("this game has no promises")
        if entry.seat is None or entry.seat >= self._seats:
            raise ReplayError("there is no such seat")
        try:
            new_promise = msgspec.convert(entry.move, api.NewPromise)
        except msgspec.ValidationError as error:
            raise ReplayError(f"that is not a promise: {error}") from None
        promise = new_promise.promise("", api.Seat(entry.seat), api.Millis(entry.at), 0)
        view = promises.view_public(self._rules, self._state)
        refusal = promises.refuse(rules, (), view, promise, self._seats)
        if refusal is not None:
            raise ReplayError(f"seat {entry.seat} could not promise this ({refusal.code}, {refusal.rule})")
        canonical = msgspec.to_builtins(new_promise, order="deterministic")
        return api.Step(self._state), LogEntry("promise", entry.seat, None, canonical, None, entry.at)

    def _apply(self, entry: LogEntry) -> tuple[api.Step[Any], LogEntry]:
        seat, prompt, at = api.Seat(entry.seat or 0), api.PromptId(entry.prompt or ""), api.Millis(entry.at)
        open_prompts = api.open_prompts(self._rules.prompts(self._state), seat)
        if all(candidate.id != prompt for candidate in open_prompts):
            raise ReplayError(f"the prompt {prompt!r} was not open to seat {seat}")
        move = self._parse_move(entry)
        refusal = self._rules.check(self._state, seat, prompt, move, at)
        if refusal is not None:
            raise ReplayError(f"the rules refuse this move by seat {seat} ({refusal.code}, {refusal.rule})")
        canonical = msgspec.to_builtins(move, order="deterministic")
        step = self._rules.apply(self._state, seat, prompt, move, at, self._dice)
        return step, LogEntry(entry.kind, entry.seat, entry.prompt, canonical, entry.window, entry.at)

    def _parse_move(self, entry: LogEntry) -> Any:
        try:
            return convert_move(entry.move, self._rules.Move)
        except msgspec.ValidationError as error:
            raise ReplayError(f"that is not a move of {self._rules.title}: {error}") from None

    def _due(self) -> tuple[int, api.Window] | None:
        """The window that ends first, by (end, position among the windows), with its end (G5)."""
        first: tuple[int, api.Window] | None = None
        for window in self._rules.windows(self._state):
            if isinstance(window.clock, api.Running) and (first is None or window.clock.end < first[0]):
                first = window.clock.end, window
        return first

    def _ending(self, entry: LogEntry) -> api.Window:
        due = self._due()
        if due is None or due[1].id != entry.window or due[0] != entry.at:
            raise ReplayError(f"the window {entry.window!r} did not end there")
        return due[1]


def find_rules(game: str, registry: Registry) -> api.Game[Any, Any, Any]:
    """The rules of a game. Raises ReplayError if the registry has none."""
    if game not in registry:
        raise ReplayError(f"this Parley has no game called {game!r}")
    return registry[game].game


def refuse_versions(rules: api.Game[Any, Any, Any], versions: Sequence[int]) -> str:
    """Why a game that only these other versions of its rules have played cannot be replayed."""
    *earlier, last = map(str, versions)
    numbers = f"versions {', '.join(earlier)} and {last}" if earlier else f"version {last}"
    return (
        f"it was played with {numbers} of the rules of {rules.title}, "
        f"but this Parley has version {rules.version}"
    )


def convert_state(rules: api.Game[Any, Any, Any], crossing: Crossing) -> Any:
    """The state at a crossing in the form of these rules, which are newer. Raises ReplayError."""
    if crossing.version >= rules.version:
        raise ReplayError(f"this Parley has older rules of {rules.title} than version {crossing.version}")
    try:
        state = rules.upgrade(crossing.version, msgspec.msgpack.decode(crossing.state))
    except Exception as error:
        raise ReplayError(f"a game of {rules.title} cannot be converted") from error
    if state is None:
        raise ReplayError(
            f"version {rules.version} of the rules of {rules.title} cannot go on with a game of version "
            f"{crossing.version}"
        )
    return state


def _require(entry: LogEntry, fields: tuple[str, ...]) -> None:
    for name in ("seat", "prompt", "move", "window"):
        if (getattr(entry, name) is not None) != (name in fields):
            raise ReplayError(f"a {entry.kind!r} entry {'needs' if name in fields else 'has no'} {name!r}")
