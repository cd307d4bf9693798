"""What the bot says in the last round about who can still win: one bot at a table does, and says it once."""

from __future__ import annotations

from typing import Final

from games.almost.bot.observation import Table
from games.almost.bot.remarks import BotContext, is_of_round
from games.kit.wordings import Meaning, read_intent

STANDINGS: Final = frozenset(
    {
        *("lastMine", "lastTwo", "lastMany", "lastOnly", "lastSeats"),
        *("pitchLast", "pitchStop", "pitchOnly", "warn"),
    }
)
"""Intents that say in the last round who needs points."""


def list_last_standings(table: Table) -> list[Meaning]:
    """Who can still win by the last round; nothing before it, or if it can make nobody win."""
    if table.rounds_left or table.stage.target is None:
        return []
    others = [seat for seat in table.in_need if seat != table.seat]
    if table.seat in table.in_need:
        match others:
            case []:
                return [Meaning("lastMine", {"number": table.need})]
            case [other]:
                return [Meaning("lastTwo", {"seat": other})]
            case _:
                return [Meaning("lastMany", {"count": len(others) + 1})]
    match others:
        case []:
            return []
        case [other]:
            return [Meaning("lastOnly", {"seat": other})]
        case _:
            return [Meaning("lastSeats", {"seats": tuple(others)})]


def list_due_standings(context: BotContext) -> list[Meaning]:
    """The same, unless somebody has said it in this round. A substitute leaves it to the others."""
    if context.character.is_substitute:
        return []
    messages = context.observation.messages
    if any(read_intent(said.key) in STANDINGS and is_of_round(context, said) for said in messages):
        return []
    return list_last_standings(context.table)
