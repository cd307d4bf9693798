"""Bots at a table: a view in, a command out.

A bot sees what the socket of its seat would be sent and draws from a stream of its own. How long it takes is
drawn without looking at anything hidden. Its commands go the way of everybody's.

One that thinks long begins some time before, and anew when it is shown something else: what it decided is
done when its time has come, so that neither its thoughts nor what it was shown in secret set its pace.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
import structlog

from games.api import Bot, Decision, Observation, Outcome, PromptId, Refusal, Seat
from games.dice import bot_dice
from hub.table import actions, room
from hub.table.room import Change, Room
from hub.wire import messages as m
from hub.worker.bot_executor import OnLoop, Thought

if TYPE_CHECKING:
    from games.api import Millis
    from hub.runtime.actor import Actor
    from hub.runtime.ports import Handle, Minds, Timers

PACE = (700, 2200)
"""Milliseconds a bot takes for a decision, at least and at most."""
LONGEST_PAUSE: Final = 20_000
"""Milliseconds a bot may take at most where it chooses its pace itself (`Decision.after`)."""
HEAD_START: Final = 300
"""Milliseconds before its time is over that a bot begins which thinks long."""
ANEW: Final = 3
"""Times that a bot thinks elsewhere when its time is over. Then here, lest somebody keep it thinking anew,
and at a quick level, lest everybody else waits for it."""
HERE: Final = OnLoop()

_log = structlog.get_logger("bots")


class Moment:
    """A decision under way at a seat."""

    def __init__(self, number: int, known: frozenset[PromptId]) -> None:
        self.number = number
        """Of the stream it draws from: the same, however often it thinks anew."""
        self.known = known
        """What all know it was asked. Asked anew, it takes its time anew: that it was about to do something
        in secret must not show in how soon it answers (G4)."""
        self.time_control: Handle | None = None
        self.begun = self.due = False
        """Its time is nearly over; it is over."""
        self.spent = 0
        """Milliseconds it has taken when that is over."""
        self.observation: Observation | None = None
        """What it decides by."""
        self.late = 0
        """Times it began to think when that was over."""
        self.thought: Thought | None = None
        self.decided = False
        self.decision: Decision[Any] | None = None

    def cancel(self) -> None:
        for handle in (self.time_control, self.thought):
            if handle is not None:
                handle.cancel()


class Thinker:
    """The bots of one room, each with at most one decision under way."""

    def __init__(self, actor: Actor, timers: Timers, minds: Minds, control: random.Random) -> None:
        self._actor = actor
        self._timers = timers
        self._minds = minds
        self._pace = control
        self._secret = secrets.token_bytes(32)
        self._begun = 0
        self._moments: dict[Seat, Moment] = {}
        self._waiting: dict[Seat, Mapping[str, Any]] = {}
        """What a bot was shown when it chose to wait. Until it is shown something else it waits on: what
        others do in secret must not set its pace (G4)."""

    def stop(self) -> None:
        for moment in self._moments.values():
            moment.cancel()
        self._moments.clear()

    def consider(self) -> None:
        """Lets every bot that is asked for something begin to think, or think anew."""
        here = self._actor.room.position
        if here is None or isinstance(here.prompts, Outcome) or not self._actor.live:
            self.stop()
            return
        asked = {seat for prompt in here.prompts for seat in prompt.seats}
        for i, state in enumerate(self._actor.room.table.seats):
            seat = Seat(i)
            if (state.bot is None and not state.substitute) or seat not in asked:
                continue
            known = frozenset(
                prompt.id for prompt in here.prompts if prompt.to is None and seat in prompt.seats
            )
            moment = self._moments.get(seat)
            if moment is not None:
                if known <= moment.known:
                    self._go_on(seat, moment)
                    continue
                moment.cancel()
            elif seat in self._waiting and self._waiting[seat] == self._actor.observation(seat):
                continue
            self._begun += 1
            self._moments[seat] = moment = Moment(self._begun, known)
            moment.spent = control = self._pace.randint(*PACE)
            last = min(control, HEAD_START)
            moment.time_control = self._timers.later(control - last, partial(self._begin, seat, moment, last))

    def _begin(self, seat: Seat, moment: Moment, last: int) -> None:
        moment.begun = True
        moment.time_control = self._timers.later(last, partial(self._due, seat, moment))
        self._go_on(seat, moment)

    def _due(self, seat: Seat, moment: Moment) -> None:
        moment.due = True
        self._go_on(seat, moment)

    def _heard(self, seat: Seat, moment: Moment, decision: Decision[Any] | None) -> None:
        moment.decided, moment.decision = True, decision
        self._go_on(seat, moment)

    def _go_on(self, seat: Seat, moment: Moment) -> None:
        """Lets the bot think by what it is shown now, unless it has; does what it decided, if it is time."""
        bot, level = self._actor.bot, self._level(seat)
        if level is None:
            if moment.due:
                moment.cancel()
                del self._moments[seat]
            return
        slow = level in bot.slow
        if not (moment.due or (slow and moment.begun)):
            return
        observation = self._observation(seat)
        if observation != moment.observation:
            if moment.thought is not None:
                moment.thought.cancel()
            moment.observation, moment.decided = observation, False
            dice = bot_dice(self._secret, seat, moment.number)
            minds = self._minds if slow else HERE
            if slow and moment.late >= ANEW:
                level, minds = _quick(bot, level), HERE
            moment.late += moment.due
            moment.thought = Thought(bot, observation, level, dice, partial(self._heard, seat, moment))
            minds.prompt(moment.thought)
        elif moment.due and moment.decided:
            wait = _pause(moment.decision) - moment.spent
            if wait > 0:
                moment.spent, moment.due = moment.spent + wait, False
                moment.time_control = self._timers.later(wait, partial(self._due, seat, moment))
                return
            del self._moments[seat]
            self._do(seat, observation, moment.decision)

    def _do(self, seat: Seat, observation: Observation, decision: Decision[Any] | None) -> None:
        if decision is None:
            self._waiting[seat] = observation.sections
            return
        self._waiting.pop(seat, None)
        self._actor.deed(_deed(self._actor, seat, decision))
        if decision.phrase is not None:
            self._actor.deed(_phrase(self._actor, seat, decision.phrase))

    def _level(self, seat: Seat) -> str | None:
        """Of the bot that plays this seat now; None where none does, or the game stands still."""
        actor = self._actor
        here, state = actor.room.position, actor.room.table.seats[seat]
        if actor.stopped or here is None or isinstance(here.prompts, Outcome) or not actor.live:
            return None
        if state.bot is None and not state.substitute:
            return None
        return state.bot or actor.bot.levels[len(actor.bot.levels) // 2]

    def _observation(self, seat: Seat) -> Observation:
        """What the seat is shown now, in a game under way."""
        actor = self._actor
        here = actor.room.position
        assert here is not None
        assert not isinstance(here.prompts, Outcome)
        return Observation(
            seat=seat,
            seats=len(actor.room.table.seats),
            prompts=tuple(prompt for prompt in here.prompts if prompt.to is None or seat in prompt.to),
            choices=actor.rules.choices(here.state, seat),
            sections=actor.observation(seat),
            talk_policy=actions.talk_policy(actor.rules, actor.room, seat),
        )


def _pause(decision: Decision[Any] | None) -> int:
    """Milliseconds the bot wants to have taken, within bounds. It depends on what everybody sees (G4)."""
    return 0 if decision is None or decision.after is None else min(decision.after, LONGEST_PAUSE)


def _quick(bot: Bot[Any], level: str) -> str:
    """The best level that does not think long; this one where all do."""
    return next((each for each in reversed(bot.levels) if each not in bot.slow), level)


def _deed(actor: Actor, seat: Seat, decision: Decision[Any]) -> Callable[[Room, Millis], Change | Refusal]:
    move: dict[str, Any] = msgspec.to_builtins(decision.move)

    def do(now: Room, at: Millis) -> Change | Refusal:
        state = now.table.seats[seat]
        if now.table.status != "running" or (state.bot is None and not state.substitute):
            return Refusal("NOT_NOW", "GEN-7")
        result = room.move(actor.rules, now, seat, decision.prompt, move, at)
        if isinstance(result, Refusal) and result.code != "STALE_PROMPT":
            _log.error("a bot's move was refused", room=now.table.room, code=result.code, rule=result.rule)
        return result

    return do


def _phrase(actor: Actor, seat: Seat, phrase: str) -> Callable[[Room, Millis], Change | Refusal]:
    def say(now: Room, at: Millis) -> Change | Refusal:
        said = m.Say(session=0, n=0, channel="table", phrase=phrase)
        return actions.say(actor.rules, now, seat, said, at)

    return say
