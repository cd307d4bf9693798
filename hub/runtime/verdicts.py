"""The verdicts on commands that people give over HTTP, and the advice for each refusal of a place."""

from __future__ import annotations

import asyncio
from typing import Final

from games.api import Refusal
from hub.clock import Clock
from hub.runtime.actor import Actor
from hub.runtime.placement import RefusedPlace, Unavailable
from hub.runtime.store_calls import STORE_TROUBLE
from hub.table.commands import InternalCommand

VERDICT_SECONDS: Final = 5.0
"""How long a request waits for a verdict. A commit is repeated until the store answers, however long that
takes."""

ADVICE: Final = {
    "SEAT_TAKEN": "somebody else is sitting there: choose another seat",
    "NO_SUCH_SEAT": "this table has no such seat: choose another",
    "NOT_NOW": "this seat cannot be taken any more: watch the table",
    "TABLE_LOCKED": "the host has locked this table: watch it, or ask the host to unlock it",
    "ASK_TO_COME_IN": "the host decides who comes in: ask with POST /api/rooms/{room}/ask",
    "NO_LATECOMERS": "the host lets nobody join a game under way: watch, or ask the host to allow it",
    "ALREADY_SEATED": "you already have a seat at this table: play there",
    "HELD_ANOTHER_SEAT": "you have played another seat of this game: watch the table",
    "HOSTED_LIVE": "you have hosted this game and seen it before its watchers do: watch the table",
    "REMOVED": "the host does not let you in at this table: join or create another",
}


def refuse_place(refusal: Refusal) -> RefusedPlace:
    """A refusal with advice for the person."""
    return RefusedPlace(refusal.code, ADVICE.get(refusal.code, "this seat cannot be taken"))


async def perform(actor: Actor, command: InternalCommand, clock: Clock) -> Refusal | None:
    """Waits until the command is committed or refused.

    Raises Unavailable if the room is lost, or if there is no verdict in time.
    """
    verdict = _Verdict()
    return await verdict.wait(actor.perform(command, verdict), clock)


async def confirm_ownership(actor: Actor, clock: Clock) -> None:
    """Waits until the store has confirmed that this hub owns the room. Raises Unavailable like `perform`."""
    verdict = _Verdict()
    await verdict.wait(actor.confirm_ownership(verdict), clock)


class _Verdict:
    """Awaits the verdict on an internal command."""

    def __init__(self) -> None:
        self.refusal: asyncio.Future[Refusal | None] = asyncio.get_running_loop().create_future()

    async def wait(self, is_accepted: bool, clock: Clock) -> Refusal | None:
        """The verdict. Raises Unavailable if there is none in time, or if too many wait for theirs."""
        if not is_accepted:
            raise Unavailable("too many commands are waiting at this table: try again")
        timer = clock.call_later(VERDICT_SECONDS, self.give_up)
        try:
            return await self.refusal
        finally:
            timer.cancel()

    def answer(self, n: int, refusal: Refusal | None) -> None:
        if not self.refusal.done():
            self.refusal.set_result(refusal)

    def abandoned(self) -> None:
        self._fail("this table has just moved to another hub: try again")

    def give_up(self) -> None:
        self._fail(STORE_TROUBLE)

    def _fail(self, advice: str) -> None:
        if not self.refusal.done():
            self.refusal.set_exception(Unavailable(advice))
