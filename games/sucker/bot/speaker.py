"""What a bot's character can say and promise at one moment.

No line is said twice in a game, whoever said it. Everything follows from the bot's observation and its dice;
temper decides how much it says, and whether it lies. Whom its cards bind it to is secret (SLS-2) and changes
no word: a refusal that only an enemy gets would be proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import cached_property
from typing import Final, NamedTuple, TypeAlias
from zlib import crc32

from games.api import (
    MAX_MESSAGES_SEEN,
    Argument,
    Character,
    Dice,
    Millis,
    NewPromise,
    Observation,
    Remark,
    Seat,
)
from games.kit.observations import part
from games.kit.promises import list_open, may_add
from games.kit.remarks import find_silence
from games.kit.wordings import read_intent
from games.sucker.bot import memory
from games.sucker.bot.deals import Deal
from games.sucker.bot.remarks import COMPLAINTS, FOR_TURN, FRIENDLY, MUTUAL, PROPOSALS, WORDINGS
from games.sucker.rules.promises import SuckerPromises
from games.sucker.rules.values import Match, Stage
from games.sucker.texts import TEXTS

Shown: TypeAlias = tuple[tuple[str, Argument], ...]
"""The arguments that a text shows."""
RULES: Final = SuckerPromises()
TALK_PER_ROUND: Final = 60
"""After this many messages a round is talked out: bots say little more, so that there is still news."""
RECENT: Final = 20
"""How many of the last messages are still in everybody's ears."""
JUST: Final = 6
"""How many of them still hang in the air."""
LEAST_LIVELY: Final = 0.2
"""How gladly they talk then."""
WRONGED: Final = -0.25
"""The favour of a seat from which a bot wants nothing more."""


GRUDGES: Final[Mapping[str, str]] = {
    "broke": "grudgeBroke",
    "reneged": "grudgeDeal",
    "killed": "grudgeKill",
    "refused": "grudgeRefuse",
    "starved": "grudgeStarve",
}
"""By what was done to a bot, how it says that it has not forgotten it."""
COOL: Final = 6
"""The number of placements for which a bot says nothing friendly to a seat that let it down."""
BETRAYALS: Final = frozenset({"broke", "reneged"})
"""Deeds that make a bot cool to a seat even if it has not complained."""
AMENDS: Final = frozenset({"chip", "kept"})
"""Deeds that make it friendly again."""


class Moment(NamedTuple):
    """When something happened: the later, the smaller."""

    age: int
    """The number of chips placed since."""
    time: int
    """Table time, negative; it decides between what happened between the same two chips."""


NEVER: Final = Moment(1_000_000, 0)


class Speech(NamedTuple):
    """A remark, and what is promised with it."""

    remark: Remark
    promise: NewPromise | None = None


class Speaker:
    """A bot's seat at one moment."""

    def __init__(self, observation: Observation, character: Character, dice: Dice) -> None:
        self.observation = observation
        self.seat = observation.seat
        self.temper = character.temper
        self.is_substitute = character.is_substitute
        self.dice = dice
        self.deals = tuple(deal for deal in memory.list_standing(observation) if self._can_keep(deal))
        self.deeds = memory.list_deeds(observation, self.deals)
        self.favour = memory.weigh_deeds(self.deeds, observation.seats, character.temper)
        self.may_speak = observation.may_speak and observation.talk_policy.mode != "closed"
        self.liveliness = _measure_liveliness(observation)

    @cached_property
    def _earlier(self) -> Set[tuple[str, Shown]]:
        """What has been said."""
        return {(said.key, list_shown(said.key, said.args)) for said in self.observation.messages}

    @cached_property
    def _last_use(self) -> Mapping[str, int]:
        """By key, the number of the message that it was last said in."""
        return {said.key: number for number, said in enumerate(self.observation.messages)}

    def say(self, intent: str, *, promise: NewPromise | None = None, **args: Argument) -> Iterator[Speech]:
        """A remark of this intent that nobody has made yet, if any is left.

        It prefers what has not been said at all, and then what suits its temper. Of the arguments, `to` is
        kept even if the text does not name that seat.
        """
        to = args.get("to")
        if not self.may_speak or (intent in FRIENDLY and isinstance(to, int) and self.is_cool_to(to)):
            return
        keys = WORDINGS[intent]
        start = self.dice.below("variant", len(keys))
        for key in sorted(keys[start:] + keys[:start], key=self._rank):
            if (key, list_shown(key, args)) not in self._earlier:
                named = {*TEXTS.remarks[key], "to"}
                shown = {name: value for name, value in args.items() if name in named}
                yield Speech(Remark(key, shown), promise)
                return

    def _rank(self, key: str) -> tuple[int, bool]:
        style = crc32(repr((key, self.temper)).encode()) % 2
        return self._last_use.get(key, -1), bool(style)

    def resent(self, seat: int) -> Iterator[Speech]:
        """That it has not forgotten what this seat did to it, and what that was."""
        wrong = memory.find_wrong(self.deeds, seat, self.temper)
        if wrong is not None:
            yield from self.say(GRUDGES[wrong.act], to=seat)

    def promise(self, kind: str, to: int, **terms: int) -> NewPromise | None:
        """A promise to one seat, if the bot may make it. It promises its next choice to one at a time."""
        if kind == "pass_move" and self.find_spoken_for() is not None:
            return None
        new = NewPromise(kind, terms, (Seat(to),), bot=True)
        seen = self.observation
        is_allowed = may_add(RULES, seen.promises, seen.sections, self.seat, new, seen.seats)
        return new if is_allowed and not self.is_substitute else None

    def may_bind_itself(self, kind: str, to: int, **terms: int) -> bool:
        """Whether it may make such a promise; whoever cannot must neither propose a deal nor agree to one."""
        return self.promise(kind, to, **terms) is not None

    def _can_keep(self, deal: Deal) -> bool:
        """Whether it has promised its part of a pact that somebody has agreed to in words, or still may."""
        kind = MUTUAL.get(deal.intent)
        if kind is None or not deal.in_words:
            return True
        has_done_so = any(
            (promise.by, promise.kind) == (self.seat, kind) and deal.by in promise.to
            for promise in self.observation.promises
            if promise.at >= deal.since or promise.judgement is None
        )
        return has_done_so or self.may_bind_itself(kind, deal.by)

    def has_promised(self, kind: str, to: int, **terms: int) -> bool:
        """Whether such a promise of its own to this seat is open."""
        return self._is_open(self.seat, to, kind, terms)

    def is_promised(self, kind: str, by: int, **terms: int) -> bool:
        """Whether such a promise of this seat to the bot is open: nothing needs to be paid for it again."""
        return self._is_open(by, self.seat, kind, terms)

    def _is_open(self, by: int, to: int, kind: str, terms: Mapping[str, int]) -> bool:
        return any(
            promise.kind == kind
            and (to in promise.to or not promise.to)
            and terms.items() <= promise.terms.items()
            for promise in list_open(self.observation.promises, Seat(by))
        )

    def wants_turn(self) -> bool:
        """Whether it has just asked for the turn."""
        return any(
            message.seat == self.seat and read_intent(message.key) in FOR_TURN
            for message in self.observation.messages[-JUST:]
        )

    def find_spoken_for(self) -> int | None:
        """The seat to which it has promised its next choice, as long as that is open."""
        promises = list_open(self.observation.promises, self.seat)
        return next((promise.to[0] for promise in promises if promise.kind == "pass_move"), None)

    def happens(self, percentage: float) -> bool:
        return self.dice.below("talk", 100) < percentage

    def lies(self) -> bool:
        """Whether it promises what it does not mean to keep."""
        return not self.is_substitute and self.dice.below("lie", 100) >= self.temper.honesty

    def is_in_mood(self, percentage: int, *occasion: object) -> bool:
        """Like `happens`, but with the same answer for the same occasion, however often it is asked."""
        return crc32(repr((self.seat, occasion)).encode()) % 100 < percentage

    def has_anybody_said(self, intent: str, **args: Argument) -> bool:
        """Whether anybody has said something with this intent and these arguments."""
        return any(
            read_intent(message.key) == intent and args.items() <= message.args.items()
            for message in self.observation.messages
        )

    def is_wronged_by(self, seat: int) -> bool:
        return self.favour[seat] <= WRONGED or self.is_cool_to(seat)

    def is_cool_to(self, seat: int) -> bool:
        """Whether it is not yet friendly again with a seat that has let it down or that it has complained
        about; a rescue or a kept promise makes up for it."""
        amends = self._find_latest(seat, AMENDS)
        betrayal, complaint = self._find_latest(seat, BETRAYALS), self._find_complaint(seat)
        is_amended = betrayal >= amends and complaint > amends
        return not is_amended and min(betrayal, complaint).age < COOL

    def is_reliable(self, seat: int) -> bool:
        """Whether a seat has kept a promise that the bot may know of, and broken none, nor a deal."""
        has_failed = memory.has_broken(self.observation, seat) or any(
            deed.seat == seat and deed.act in BETRAYALS for deed in self.deeds
        )
        return memory.has_kept(self.observation, seat) and not has_failed

    def _find_latest(self, seat: int, acts: Set[str]) -> Moment:
        """When a seat last did one of these."""
        moments = (
            Moment(deed.age, -deed.at) for deed in self.deeds if deed.seat == seat and deed.act in acts
        )
        return next(moments, NEVER)

    def _find_complaint(self, seat: int) -> Moment:
        """When it last complained about this seat."""
        for message in reversed(self.observation.messages):
            is_about = message.seat == self.seat and message.addressee == seat
            if is_about and read_intent(message.key) in COMPLAINTS:
                lines = self.observation.lines
                age = sum(line.key in memory.PLACEMENTS and line.at > message.at for line in lines)
                return Moment(age, -message.at)
        return NEVER

    def has_said(self, intent: str, to: int, times: int) -> bool:
        """Whether it has said something with this intent to a seat at least this often."""
        return times <= sum(
            message.seat == self.seat and message.addressee == to and read_intent(message.key) == intent
            for message in self.observation.messages
        )

    def may_answer(self, seat: Argument) -> bool:
        """Whether a seat has been silent for long enough to speak again, if it is a bot."""
        lines, messages = self.observation.lines, self.observation.messages
        at = max(lines[-1].at if lines else Millis(0), messages[-1].at if messages else Millis(0))
        return isinstance(seat, int) and not find_silence(messages, Seat(seat), at)

    def count_recent(self, intent: str) -> int:
        """How often anybody has lately said something with this intent."""
        return sum(read_intent(message.key) == intent for message in self.observation.messages[-RECENT:])

    def count_proposals(self) -> int:
        """The number of proposals that it has made."""
        return sum(
            message.seat == self.seat and read_intent(message.key) in PROPOSALS
            for message in self.observation.messages
        )

    def has_pact(self, seat: int, kind: str = "save") -> bool:
        """Whether one of the two has promised something to the other."""
        pair = {(seat, self.seat), (self.seat, seat)}
        return any(
            promise.kind == kind and promise.judgement is None and (promise.by, promise.to[0]) in pair
            for promise in self.observation.promises
        )


def list_shown(key: str, args: Mapping[str, Argument]) -> Shown:
    """The arguments that the text of a remark shows."""
    names = TEXTS.remarks.get(key) or ()
    return tuple(sorted((name, value) for name, value in args.items() if name in names))


def _measure_liveliness(observation: Observation) -> float:
    """How gladly bots talk: from 1 at the start of a round down to 0 once they could repeat themselves."""
    message_count = sum(message.seat == observation.seat for message in observation.messages)
    round_number = part(observation, "stage", Stage).round
    if message_count >= MAX_MESSAGES_SEEN * round_number / part(observation, "match", Match).rounds:
        return 0.0
    return max(LEAST_LIVELY, 1 - len(observation.messages) / round_number / TALK_PER_ROUND)
