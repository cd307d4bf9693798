"""Share and Share Alike with racing commands: the verdict on each if they are processed one after the other.

The reference version of the rules (tests/games/shares/reference.py), which shares no code with `games`, keeps
the state. This module adds the prompts (GEN-4), the windows, and the code and rule of each refusal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from tests.games.shares.reference import expire, feed
from tests.games.shares.reference_table import Game, Offer, holdings

Refused: TypeAlias = tuple[str, str]
"""The refusal's code and rule."""

COMPANIES: Final = "ABCDE"
WINDOW: Final = 30_000
"""The length of a peek and of a market."""
EACH: Final = 2
"""The number of offers a seat may have open to one other seat."""
STALE: Final[Refused] = ("STALE_PROMPT", "GEN-4")
LACKING: Final[Refused] = ("NOT_YOUR_SHARES", "SSA-32")
KINDS: Final = {"select": "select", "action": "turn", "clubs": "clubs", "spy": "peek", "market": "market"}
"""The prompt's kind, by the reference game's phase."""


def counts(lot: Sequence[str]) -> list[int]:
    return [list(lot).count(company) for company in COMPANIES]


def lot(shares: Sequence[int]) -> list[str]:
    return [company for company, number in zip(COMPANIES, shares, strict=True) for _ in range(number)]


@dataclass
class Races:
    """A table in play. `prompt` is the id of the current prompt; None until it has been sent."""

    game: Game
    prompt: str | None
    end: int | None = None
    """The end of the peek or the market."""
    ids: dict[str, int] = field(default_factory=dict)
    """The numbers of the open offers that their two seats have been shown."""
    gone: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Why each offer ended, and in which tick."""
    closed: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Why each prompt closed, and in which tick."""
    tick: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    """Windows that timed out, by the reference game's phase."""

    def __post_init__(self) -> None:
        self.lines: list[Counter[str]] = [Counter() for _ in range(self.game.seats + 1)]
        """For each seat, and last for the watcher, the number of times each line should have been sent."""

    # --- state ---

    @property
    def over(self) -> bool:
        return self.game.phase == "over"

    def owned(self, seat: int) -> list[int]:
        return holdings(self.game, seat)

    def has(self, seat: int, wanted: Sequence[int]) -> bool:
        return all(held >= number for held, number in zip(self.owned(seat), wanted, strict=True))

    def offer(self, prompt: str) -> Offer | None:
        """The open offer with this id."""
        return next((one for one in self.game.offers if one.number == self.ids.get(prompt)), None)

    def known(self, seat: int) -> list[Offer]:
        return [one for one in self.game.offers if seat in (one.by, one.to)]

    def between(self, by: int, to: int) -> int:
        return sum((one.by, one.to) == (by, to) for one in self.game.offers)

    def responders(self) -> list[int]:
        """The seats that may answer the current prompt."""
        if self.game.phase in ("select", "market"):
            return list(range(self.game.seats))
        return [] if self.game.decider is None else [self.game.decider]

    # --- events ---

    def next_end(self) -> int | None:
        return self.end

    def pass_time(self, at: int) -> None:
        """End a peek or a market on time, to the millisecond (G5.2)."""
        if self.end is not None and self.end <= at:
            self.ended[self.game.phase] += 1
            self._become(expire(self.game), "lapsed", self.end)

    def do(self, seat: int, prompt: str, move: Mapping[str, Any], at: int) -> Refused | None:
        self.pass_time(at)
        if self.over:
            return "NOT_NOW", "GEN-6"
        if prompt.startswith("offer:"):
            return self._answer(seat, prompt, move, at)
        if prompt != self.prompt or seat not in self.responders():
            return STALE
        match move["move"]:
            case "select":
                if self.game.locked[seat]:
                    return "LOCKED", "GEN-5"
                self._feed(at, "select", seat, COMPANIES.index(move["company"]))
            case "lock":
                if self.game.locked[seat]:
                    return "LOCKED", "GEN-5"
                if "company" in move:
                    self._feed(at, "select", seat, COMPANIES.index(move["company"]))
                elif self.game.drafts[seat] is None:
                    return "NO_DRAFT", "GEN-5"
                self._feed(at, "lock", seat)
            case "unlock":
                if not self.game.locked[seat]:
                    return "NOT_LOCKED", "GEN-5"
                self._feed(at, "unlock", seat)
            case "play" | "openMarket" as kind:
                self._feed(at, "play" if kind == "play" else "open_market", seat, move["card"])
            case "spy":
                self._feed(at, "spy", seat, move["seat"], move["what"])
            case "stopPeeking":
                self._feed(at, "stop_peeking", seat, why="stopped")
            case "endTurn":
                self._feed(at, "end_turn", seat)
            case "closeMarket":
                if seat != self.game.active:
                    return "NOT_YOUR_MARKET", "SSA-34"
                self._feed(at, "close_market", seat, why="closed")
            case kind:
                assert kind == "propose"
                return self._propose(seat, move["to"], move, at)
        return None

    def _answer(self, seat: int, prompt: str, move: Mapping[str, Any], at: int) -> Refused | None:
        """SSA-33: whether the acceptor has the shares the offer asks for is not checked until now."""
        offer, kind = self.offer(prompt), move["move"]
        if offer is None or seat not in (offer.by, offer.to):
            return STALE
        if seat != (offer.by if kind == "cancel" else offer.to):
            return "NOT_YOURS", "SSA-34"
        match kind:
            case "accept":
                if not self.has(seat, offer.take):
                    return LACKING
                self._feed(at, "accept", seat, offer.number, why="traded", closing=(prompt, "accepted"))
                self._tell("shares.exchanged", offer.by, offer.to)
                self._tell("shares.traded")
            case "counter":
                refused = self._refused(seat, offer.by, move)
                if refused is not None:
                    return refused
                self._feed(at, "decline_offer", seat, offer.number, closing=(prompt, "countered"))
                return self._propose(seat, offer.by, move, at, "shares.countered")
            case "decline":
                self._feed(at, "decline_offer", seat, offer.number, closing=(prompt, "declined"))
            case _:
                assert kind == "cancel"
                self._feed(at, "cancel_offer", seat, offer.number, closing=(prompt, "cancelled"))
        return None

    def _refused(self, by: int, to: int, move: Mapping[str, Any]) -> Refused | None:
        if self.between(by, to) >= EACH:
            return "TOO_MANY", "SSA-34"
        if self.game.active not in (by, to):
            return "NOT_WITH_BROKER", "SSA-34"
        if not move["give"] and not move["wish"]:
            return "NOTHING", "SSA-32"
        return None if self.has(by, counts(move["give"])) else LACKING

    def _propose(
        self, by: int, to: int, move: Mapping[str, Any], at: int, key: str = "shares.offered"
    ) -> Refused | None:
        refused = self._refused(by, to, move)
        if refused is None:
            self._feed(at, "propose", by, to, counts(move["give"]), counts(move["wish"]))
            self._tell(key, by, to)
        return refused

    def _feed(
        self, at: int, name: str, *arguments: object, why: str = "done", closing: tuple[str, str] = ("", "")
    ) -> None:
        self._become(feed(self.game, name, *arguments), why, at, closing)

    def _become(self, after: Game | str, why: str, at: int, closing: tuple[str, str] = ("", "")) -> None:
        """Go to the next state. `why`: why the prompt and offers end; `closing`: an offer with its reason."""
        assert isinstance(after, Game), after
        before, self.game = self.game, after
        prompt, reason = closing
        if prompt:
            self.gone[prompt] = reason, self.tick
            del self.ids[prompt]
        left = {one.number for one in after.offers}
        for name in [name for name, number in self.ids.items() if number not in left]:
            self.gone[name] = why, self.tick
            del self.ids[name]
        if before.phase == after.phase and before.phase in ("select", "market"):
            return
        if before.phase == "spy":
            self._tell("peek.ended")
        if self.prompt is not None:
            self.closed[self.prompt] = why, self.tick
        self.prompt = None
        self.end = at + WINDOW if after.phase in ("spy", "market") else None
        if after.phase == "spy":
            self._tell("peek.began")

    def begins(self, seat: int) -> None:
        """Give the first turn to the seat that was chosen at random."""
        after = feed(self.game, "begin", seat)
        assert isinstance(after, Game), after
        self.game = after

    def _tell(self, key: str, *to: int) -> None:
        for viewer in to or range(self.game.seats + 1):
            self.lines[viewer][key] += 1
