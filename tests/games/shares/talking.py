"""Whole games of bots that hear each other and make promises, with everything that was said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from games.api import Observation, Outcome, Promise, Registration, Remark, Seat, Step, open_prompts
from games.dice import Dice
from games.kit.characters import cast_levels
from games.shares.bot.bot import BOT
from games.shares.bot.sayings import PROPOSALS, read_intent
from games.shares.rules.game import SHARES
from games.shares.rules.values import SharesState
from games.simulate.talk import Talk
from games.testing import random_play


class Saying(NamedTuple):
    """A remark, who made it, and what that seat saw before."""

    seat: Seat
    remark: Remark
    observation: Observation


class TalkingTable:
    """A game between bots, with the talk and the promises that the hub would deliver."""

    def __init__(self, levels: Sequence[str], name: str, options: Mapping[str, Any] = {}) -> None:
        seed = sha256(name.encode()).digest()
        self.seats = [Seat(seat) for seat in range(len(levels))]
        self.characters = cast_levels(levels, seed)
        self.dice, self.order, self.streams = Dice(seed), Dice(seed + b"order"), Dice(seed + b"bots")
        self.talk = Talk(Registration(SHARES, BOT), len(levels))
        self.sayings: list[Saying] = []
        chosen = msgspec.convert(options, SHARES.Options)
        first = SHARES.setup(len(levels), chosen, self.talk.at, self.dice)
        self.state: SharesState = first.state
        self.talk.read(first.lines)

    def observe(self, seat: Seat) -> Observation:
        return self.talk.observe(random_play.observation(SHARES, self.state, seat, len(self.seats)))

    @property
    def promises(self) -> tuple[Promise, ...]:
        return self.talk.promises

    def play(self, limit: int = 6_000) -> None:
        for _ in range(limit):
            if self.is_over:
                return
            self.talk.pass_time(self.talk.at)
            moved = False
            for seat in self.order.shuffle("seat", self.seats):
                prompts = SHARES.prompts(self.state)
                if open_prompts(prompts, seat) or self.is_spoken_to(seat):
                    moved = self.decide(seat) or moved
            if not moved:
                self.expire()
        raise AssertionError("the game does not end")

    @property
    def is_over(self) -> bool:
        return isinstance(SHARES.prompts(self.state), Outcome)

    def is_spoken_to(self, seat: Seat) -> bool:
        return self.talk.find_unanswered(seat) is not None and self.talk.may_speak(seat)

    def decide(self, seat: Seat) -> bool:
        if self.is_over:
            return False
        observation = self.observe(seat)
        stream = Dice(b"%d" % self.streams.below("stream", 1 << 62))
        decision = BOT.decide(observation, self.characters[seat], stream)
        if decision is None:
            return False
        if decision.promise is not None:
            assert self.talk.promise(SHARES, self.state, seat, decision.promise), decision.promise
        policy = SHARES.talk_policy(self.state, seat)
        if decision.answer is not None:
            prompt, move = decision.answer
            refusal = SHARES.check(self.state, seat, prompt, move, self.talk.at)
            assert refusal is None, (refusal, move)
            self.follow(SHARES.apply(self.state, seat, prompt, move, self.talk.at, self.dice))
        if decision.remark is not None:
            assert observation.may_speak
            if decision.answer is not None:
                policy = SHARES.talk_policy(self.state, seat)
            before = self.talk.remarks[seat]
            assert self.talk.say(policy, seat, decision.remark), decision.remark
            if self.talk.remarks[seat] > before:
                self.sayings.append(Saying(seat, decision.remark, observation))
        return decision.answer is not None or decision.remark is not None

    def follow(self, step: Step[SharesState]) -> None:
        before, self.state = self.state, step.state
        self.talk.read(step.lines)
        self.talk.judge(SHARES, before, step)

    def expire(self) -> None:
        due = random_play.first_due(SHARES.windows(self.state))
        assert due is not None
        self.talk.pass_time(due[1])
        self.follow(SHARES.expire(self.state, due[0].id, self.talk.at, self.dice))

    def list_exchanges(self) -> Iterator[tuple[Saying, Saying]]:
        """Proposals to a seat that answered them next."""
        for index, one in enumerate(self.sayings):
            if read_intent(one.remark.key) not in PROPOSALS:
                continue
            to = one.remark.args["to"]
            for other in self.sayings[index + 1 :]:
                if other.seat == to:
                    if other.remark.args.get("to") == one.seat:
                        yield one, other
                    break
