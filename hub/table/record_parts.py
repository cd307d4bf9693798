"""The parts of a recorded game that several versions of its rules played, one after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.api import Outcome
from hub.table.replay import (
    Crossing,
    LogEntry,
    Registry,
    Replay,
    ReplayConfig,
    ReplayedEntry,
    ReplayError,
    find_rules,
)
from hub.wire.messages import Count


class RecordedCrossing(Struct, frozen=True, forbid_unknown_fields=True):
    """Newer rules, of `version`, went on after entry `after` and this many draws of the dice.

    `state` is the game's state there as the older rules stored it, in hexadecimal. If nobody has it, it is
    empty, and `draws` is not known either.
    """

    after: Count
    version: int
    draws: Count
    state: str


class CrossingMismatch(ReplayError):
    """A crossing does not follow from what was played before it."""


class Parts:
    """Plays a game of which several versions of its rules played a part each.

    It replays what the registry's version played; the rest cannot be replayed.
    """

    def __init__(
        self, config: ReplayConfig, crossings: Sequence[RecordedCrossing], registry: Registry
    ) -> None:
        self._config = config
        self._rules = rules = find_rules(config.game, registry)
        self.crossings = tuple(crossings)
        self._left = deque(crossings)
        self._entries = 0
        self.version = config.version
        """The version of the rules that plays the next entry."""
        begins_here = config.version == rules.version or not crossings
        self.replay = Replay(config, rules) if begins_here else None
        """What replays the present part; None if these rules did not play it."""
        self.options: Any = config.options if self.replay is None else self.replay.options

    def play(self, entry: LogEntry) -> ReplayedEntry | None:
        """The result of an entry; None if these rules did not play it. Raises ReplayError."""
        while self._left and self._left[0].after == self._entries:
            self._cross(self._left.popleft())
        self._entries += 1
        return None if self.replay is None else self.replay.play(entry)

    def end(self) -> Outcome | None:
        """The outcome, after the last entry; None if there is none, or if these rules cannot tell."""
        try:
            while self._left:
                self._cross(self._left.popleft())
        except CrossingMismatch:
            raise
        except ReplayError:  # the rules that came last could not go on
            self.replay = None
        return None if self.replay is None else self.replay.outcome

    def _cross(self, recorded: RecordedCrossing) -> None:
        state = bytes.fromhex(recorded.state)
        crossing = Crossing(self.version, recorded.after, recorded.draws, state)
        self.version = recorded.version
        replay, self.replay = self.replay, None
        if replay is not None and state:
            if replay.digest != sha256(state).digest():
                raise CrossingMismatch(
                    "the state at a crossing is not the one to which the entries before it lead"
                )
            if replay.draws != recorded.draws:
                raise CrossingMismatch(
                    "the number of draws before a crossing is not the one that follows from the entries"
                )
        if recorded.version == self._rules.version:
            config = replace(self._config, version=recorded.version)
            self.replay = Replay(config, self._rules, crossing)
