"""Almost and Banbury in lockstep: others' drafts and locked numbers differ between the tables."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from games.api import Seat
from games.dice import Dice
from hub.table.room import next_end
from hub.wire import messages as m
from tests.secrecy.lockstep import Lockstep


class AlmostLockstep(Lockstep):
    """A game of Almost at both tables; the numbers are made the same before a round reveals them."""

    def differences(self) -> Iterable[str]:
        return ("numbers",) if self.differing() else ()

    def differing(self) -> list[int]:
        """Seats whose numbers differ between the tables."""
        one, other = self.pair.states
        return [
            i for i, pair in enumerate(zip(one.bids.draft, other.bids.draft, strict=True)) if len({*pair}) > 1
        ]

    async def secretly(self, seat: int) -> None:
        """Drafts a number for a seat, and a different one or none at the other table; it may be refused."""
        pair, chance = self.pair, self.chance
        state = pair.state
        if state is None or state.stage.phase != "bid":
            return
        prompt, most = f"bid:{state.stage.round}", min(state.stage.most, 120)
        one, other = (
            m.Do(0, 0, prompt, {"move": "bid", "number": chance.choice((1, most, chance.randint(1, most)))})
            for _ in range(2)
        )
        pair.hide(seat, one, chance.choice((other, None)))
        await self.step(f"{seat} drafts")

    async def alike(self) -> None:
        """Makes the numbers of all other seats the same, by moves that look the same at both tables."""
        pair = self.pair
        state = pair.state
        if state is None or state.stage.phase != "bid" or not self.running:
            return
        prompt, numbers = f"bid:{state.stage.round}", range(1, min(state.stage.most, 20) + 1)
        missing = [seat for seat, draft in enumerate(state.bids.draft) if draft is None and self.salted]
        for seat in {*self.differing(), *missing}:
            number = self.chance.choice(numbers)
            if state.bids.locked[seat]:
                pair.do(seat, m.Do, prompt=prompt, move={"move": "unlock"})
                pair.do(seat, m.Do, prompt=prompt, move={"move": "lock", "number": number})
            else:
                pair.do(seat, m.Do, prompt=prompt, move={"move": "bid", "number": number})
            await self.step(f"{seat} changes its mind")
        if self.salted:
            return
        assert not self.differing()

    def last_to_lock(self) -> bool:
        state = self.pair.state
        return bool(state.stage.phase == "bid" and state.bids.locked.count(False) == 1)

    async def prepare(self, message: m.ToHub) -> bool:
        if self.last_to_lock():
            await self.alike()
        return True

    async def something(self) -> None:
        if self.running and self.last_to_lock():
            await self.alike()
        await super().something()

    async def hurry(self) -> None:
        pair = self.pair
        phase, number = pair.state.stage.phase, pair.state.stage.round
        for seat in range(len(pair.clients)):
            state = pair.state
            if (state.stage.phase, state.stage.round) != (phase, number):
                return
            if phase == "bid" and not state.bids.locked[seat]:
                if self.last_to_lock():
                    await self.alike()
                await self.lock(seat)
            elif phase != "bid" and not state.done[seat]:
                tag = {"discuss": "ready", "reveal": "continue"}[phase]
                pair.do(seat, m.Do, prompt=f"{tag}:{number}", move={"move": tag})
                await self.step(f"{seat}: {tag}")

    async def lock(self, seat: int) -> None:
        """Locks a number, and a different one at the other table unless this lock reveals them all."""
        pair, chance = self.pair, self.chance
        prompt, most = f"bid:{pair.state.stage.round}", min(pair.state.stage.most, 12)
        one, other = ({"move": "lock", "number": chance.randint(1, most)} for _ in range(2))
        if self.last_to_lock() or seat == pair.viewer:
            pair.do(seat, m.Do, prompt=prompt, move=one)
        else:
            pair.hide(seat, m.Do(0, 0, prompt, one), m.Do(0, 0, prompt, other))
        await self.step(f"{seat} locks")

    async def move(self, seat: int) -> None:
        pair, chance = self.pair, self.chance
        game, state = pair.game, pair.state
        if state.stage.phase == "bid" and seat != pair.viewer and not state.bids.locked[seat]:
            await self.lock(seat)
            return
        sampled = game.sample(state, Seat(seat), Dice(chance.randbytes(8)))
        if sampled is not None:
            move = msgspec.to_builtins(sampled[1])
            pair.do(seat, m.Do, prompt=sampled[0], move={k: v for k, v in move.items() if v is not None})
            await self.step(f"{seat}: {move}")

    async def time_passes(self) -> None:
        pair, chance = self.pair, self.chance
        if chance.random() < 0.6:
            await self.alike()
            span = chance.choice((31_000, 10_001, 8_001))
            if self.salted:  # in the next bidding, the numbers drawn for seats that are away differ
                span = min(span, max(0, next_end(pair.room) - pair.hubs[0].actor.table_time()) + 1)
            pair.advance(span)
        else:
            end = next_end(pair.room)
            left = end - pair.hubs[0].actor.table_time()
            if left > 1:
                pair.advance(chance.randrange(1, min(left, 900)))
        await self.step("time passes")
