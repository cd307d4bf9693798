"""Decides who may come in at a table, from the people that its host has barred or admitted.

Identities are free, so barring a person's id alone keeps nobody out. After a removal the host therefore
admits newcomers one by one (`Table.admission`), until the host switches that off.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from games.api import Refusal
from hub.table.room import Table

MAX_BARRED: Final = 200
MAX_ADMITTED: Final = 200
"""The number of people a table remembers as barred, and as admitted; the oldest is forgotten first."""


def refuse_entry(table: Table, person: str, *, invited: bool) -> Refusal | None:
    """The reason to refuse this person a seat and a watcher's place; None if they may come in.

    `invited`: they know the room's id, rather than only its code, which can be guessed.
    """
    if is_at_table(table, person):
        return None
    if person in table.barred:
        return Refusal("REMOVED", "GEN-13")
    if person in table.admitted:
        return None
    if table.admission or not (invited or table.open):
        return Refusal("ASK_TO_COME_IN", "GEN-13")
    return None


def is_seated(table: Table, person: str) -> bool:
    return any(seat.person == person for seat in table.seats)


def is_at_table(table: Table, person: str) -> bool:
    """Whether this person is seated, or hosts the table without a seat: they see its present."""
    return is_seated(table, person) or is_unseated_host(table, person)


def is_unseated_host(table: Table, person: str) -> bool:
    return table.host_name is not None and table.host == person


def admit(table: Table, person: str) -> Table:
    """The table with this person admitted."""
    return replace(table, admitted=_remember(table.admitted, person, MAX_ADMITTED))


def bar(table: Table, person: str) -> Table:
    """The table with this person barred."""
    admitted = tuple(other for other in table.admitted if other != person)
    return replace(table, admitted=admitted, barred=_remember(table.barred, person, MAX_BARRED))


def _remember(people: tuple[str, ...], person: str, most: int) -> tuple[str, ...]:
    return (*(other for other in people if other != person), person)[-most:]
