"""The names of the keys in the store, all of them behind one prefix.

A cluster hashes the part in braces, so it must be the same in all keys of one script.
"""

from __future__ import annotations


class Keys:
    """The keys behind one prefix."""

    __slots__ = ("_prefix",)

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix

    def key(self, name: str) -> str:
        """The key of any other name."""
        return self._prefix + name

    # --- of a room ---

    def room(self, room: str) -> list[str]:
        """A room's head (hash), log (stream), talk (hash) and notes (hash)."""
        base = f"{self._prefix}{{room:{room}}}:"
        return [base + "head", base + "log", base + "talk", base + "notes"]

    def code(self, code: str) -> str:
        """The id of the room with a code."""
        return f"{self._prefix}code:{code}"

    def record(self, room: str) -> str:
        """The record of a room's finished game."""
        return f"{self._prefix}record:{room}"

    def places(self, person: str) -> str:
        """The rooms where a person sits or sat, each with their name there (set)."""
        return f"{self._prefix}person:{person}"

    def subscriptions(self, person: str) -> list[str]:
        """A person's push subscriptions (hash) and when each was renewed (sorted set)."""
        base = f"{self._prefix}{{push:{person}}}"
        return [base, base + ":times"]

    def lobby(self) -> list[str]:
        """The lobby's summaries, when each was written, and the removals."""
        base = self._prefix + "{lobby}"
        return [base, base + ":listed", base + ":gone"]

    def fleet(self) -> list[str]:
        """When each hub registered last (sorted set), and what each says of itself (hash)."""
        base = self._prefix + "{hubs}"
        return [base, base + ":descriptions"]

    # --- of a hub, by its incarnation ---

    def hub(self, incarnation: str) -> str:
        """A hub's last live clock (hash)."""
        return f"{self._prefix}{{hub:{incarnation}}}"

    def alive(self, incarnation: str) -> str:
        """The URL at which other hubs reach this one, while it is alive."""
        return f"{self._prefix}{{hub:{incarnation}}}:alive"

    def hub_rooms(self, incarnation: str) -> str:
        """The rooms listed under a hub (set)."""
        return f"{self._prefix}{{hub:{incarnation}}}:rooms"

    def handovers(self, incarnation: str) -> str:
        """The rooms that other hubs have released for a hub to take (set)."""
        return f"{self._prefix}{{hub:{incarnation}}}:handovers"

    def claims(self, incarnation: str) -> str:
        """The tokens of the rooms that others have taken from a hub, or are about to take (set)."""
        return f"{self._prefix}{{hub:{incarnation}}}:claims"
