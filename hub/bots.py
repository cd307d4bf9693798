"""Bots at a table: a view in, a command out.

A bot sees what the socket of its seat would be sent and draws from a stream of its own. How long it takes is
drawn without looking at anything hidden. Its commands go the way of everybody's.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec
import structlog

from games.api import AskId, Decision, Outcome, Refusal, Seat, Sight
from games.dice import bot_dice
from hub.core import messages as m
from hub.core import room, table
from hub.core.room import Change, Room

if TYPE_CHECKING:
    from games.api import Millis
    from hub.actor import Actor
    from hub.ports import Handle, Timers

PACE = (700, 2200)
"""Milliseconds a bot takes for a decision, at least and at most."""

_log = structlog.get_logger("bots")


class Thinker:
    """The bots of one room, each with at most one decision under way."""

    def __init__(self, actor: Actor, timers: Timers, pace: random.Random) -> None:
        self._actor = actor
        self._timers = timers
        self._pace = pace
        self._secret = secrets.token_bytes(32)
        self._moments = 0
        self._thinking: dict[Seat, tuple[frozenset[AskId], Handle]] = {}
        """What all know it was asked, and the timer. Asked anew, it thinks anew: that it was about to do
        something in secret must not show in how soon it answers (G4)."""
        self._waiting: dict[Seat, dict[str, Any]] = {}
        """What a bot was shown when it chose to wait. Until it is shown something else it waits on: what
        others do in secret must not set its pace (G4)."""

    def stop(self) -> None:
        for _, handle in self._thinking.values():
            handle.cancel()
        self._thinking.clear()

    def consider(self) -> None:
        """Lets every bot that is asked for something begin to think."""
        here = self._actor.room.position
        if here is None or isinstance(here.asks, Outcome) or not self._actor.live:
            self.stop()
            return
        asked = {seat for ask in here.asks for seat in ask.seats}
        for i, state in enumerate(self._actor.room.table.seats):
            seat = Seat(i)
            if (state.bot is None and not state.keeper) or seat not in asked:
                continue
            known = frozenset(ask.id for ask in here.asks if ask.to is None and seat in ask.seats)
            if seat in self._thinking:
                before, handle = self._thinking[seat]
                if known <= before:
                    continue
                handle.cancel()
            elif seat in self._waiting and self._waiting[seat] == self._actor.sight(seat):
                continue
            handle = self._timers.later(self._pace.randint(*PACE), self._decider(seat))
            self._thinking[seat] = known, handle

    def _decider(self, seat: Seat) -> Callable[[], None]:
        def decide() -> None:
            self._thinking.pop(seat, None)
            self._decide(seat)

        return decide

    def _decide(self, seat: Seat) -> None:
        actor = self._actor
        here = actor.room.position
        state = actor.room.table.seats[seat]
        if actor.stopped or here is None or isinstance(here.asks, Outcome) or not actor.live:
            return
        if state.bot is None and not state.keeper:
            return
        levels = tuple(actor.bot.levels)
        self._moments += 1
        sections = actor.sight(seat)
        decision = actor.bot.decide(
            Sight(
                seat=seat,
                seats=len(actor.room.table.seats),
                asks=tuple(ask for ask in here.asks if ask.to is None or seat in ask.to),
                choices=actor.rules.choices(here.state, seat),
                sections=sections,
                manners=table.manners(actor.rules, actor.room, seat),
            ),
            state.bot or levels[len(levels) // 2],
            bot_dice(self._secret, seat, self._moments),
        )
        if decision is None:
            self._waiting[seat] = sections
            return
        self._waiting.pop(seat, None)
        actor.deed(_deed(actor, seat, decision))
        if decision.phrase is not None:
            actor.deed(_phrase(actor, seat, decision.phrase))


def _deed(actor: Actor, seat: Seat, decision: Decision[Any]) -> Callable[[Room, Millis], Change | Refusal]:
    move: dict[str, Any] = msgspec.to_builtins(decision.move)

    def do(now: Room, at: Millis) -> Change | Refusal:
        state = now.table.seats[seat]
        if now.table.status != "running" or (state.bot is None and not state.keeper):
            return Refusal("NOT_NOW", "GEN-7")
        result = room.move(actor.rules, now, seat, decision.ask, move, at)
        if isinstance(result, Refusal) and result.code != "STALE_ASK":
            _log.error("a bot's move was refused", room=now.table.room, code=result.code, rule=result.rule)
        return result

    return do


def _phrase(actor: Actor, seat: Seat, phrase: str) -> Callable[[Room, Millis], Change | Refusal]:
    def say(now: Room, at: Millis) -> Change | Refusal:
        said = m.Say(attach=0, n=0, channel="table", phrase=phrase)
        return table.say(actor.rules, now, seat, said, at)

    return say
