"""Whole games played with random legal moves, in the form of a room's log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games import api
from games.api import Millis, Outcome, Running, Seat
from games.dice import Dice, game_seed
from hub.table import records
from hub.table.replay import LogEntry, ReplayConfig

LONGEST = 20_000
"""The number of entries after which a game is considered endless."""


def play(
    entry: api.Registration, seats: int, options: msgspec.Struct, seed: bytes
) -> tuple[ReplayConfig, tuple[LogEntry, ...], Outcome]:
    """A whole game from its setup to its end; the same seed gives the same game.

    Now and then nobody moves until a window ends, and sometimes the window is then extended.
    """
    game = entry.game
    salts = tuple(f"{seat:064x}" if seat % 2 else "" for seat in range(seats))
    config = ReplayConfig(game.key, game.version, seats, msgspec.to_builtins(options), seed, salts)
    dice, chance = Dice(game_seed(seed, salts)), Dice(seed + b"players")
    at = 0
    state = game.setup(seats, options, Millis(at), dice).state
    log = [LogEntry("setup", None, None, None, None, at)]
    while len(log) < LONGEST:
        prompts = game.prompts(state)
        if isinstance(prompts, Outcome):
            return config, tuple(log), prompts
        due = _due(game, state)
        at += chance.below("think", 3000)
        move = _move(game, state, seats, at, chance)
        if due is not None and (due[0] <= at or move is None or chance.below("sleep", 10) == 0):
            at, window = due
            state = _end(game, state, window, at, dice, chance, log)
        elif move is not None:
            seat, prompt, wanted = move
            log.append(LogEntry("move", seat, prompt, msgspec.to_builtins(wanted), None, at))
            state = game.apply(state, seat, prompt, wanted, Millis(at), dice).state
    raise AssertionError(f"no end of {game.key} after {LONGEST} entries")


def record_of(
    config: ReplayConfig,
    log: Iterable[LogEntry],
    registry: Mapping[str, api.Registration],
    key: Ed25519PrivateKey,
    names: Sequence[str] = (),
) -> bytes:
    """The record of a game of people with these names (default: Seat 0, Seat 1 and so on)."""
    names = names or [f"Seat {seat}" for seat in range(config.seats)]
    keys = [sha256(name.encode()).digest()[: records.NAME_KEY] for name in names]
    hashes = [records.hash_name(key, name) for key, name in zip(keys, names, strict=True)]
    read_names = [records.Name(name, key.hex()) for key, name in zip(keys, names, strict=True)]
    return records.build(config, hashes, read_names, log, registry, key)


def _move(game: Any, state: Any, seats: int, at: int, chance: Dice) -> tuple[Seat, api.PromptId, Any] | None:
    for seat in chance.shuffle("who", [Seat(i) for i in range(seats)]):
        sample = game.sample(state, seat, chance)
        if sample is not None and game.check(state, seat, *sample, at) is None:
            return seat, *sample
    return None


def _due(game: Any, state: Any) -> tuple[int, api.Window] | None:
    ends = [
        (window.clock.end, i, window)
        for i, window in enumerate(game.windows(state))
        if isinstance(window.clock, Running)
    ]
    if not ends:
        return None
    end, _, window = min(ends, key=lambda entry: entry[:2])
    return end, window


def _end(
    game: Any, state: Any, window: api.Window, at: int, dice: Dice, chance: Dice, log: list[LogEntry]
) -> Any:
    for seat in sorted(window.concerns) if window.extend and chance.below("longer", 2) else ():
        longer = game.extension(state, seat, window.id)
        if longer is not None:
            log.append(LogEntry("extend", seat, window.extend, msgspec.to_builtins(longer), window.id, at))
            return game.apply(state, seat, window.extend, longer, Millis(at), dice).state
    log.append(LogEntry("expire", None, None, None, window.id, at))
    return game.expire(state, window.id, Millis(at), dice).state
