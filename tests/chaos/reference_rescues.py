"""A second implementation of So Long Sucker with its clocks: it gives the result of each racing command.

The reference version of the game (`tests.games.sucker.reference`) makes the moves. This module adds, from the
rulings, the prompts (GEN-4), the ends of windows (GEN-6, GEN-7), and the code and the rule of each refusal.
Commands are processed one after the other, each at its table time, after every window that ends by then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.dice import Dice
from tests.chaos.soak_table import Refused
from tests.games.sucker import reference
from tests.games.sucker.reference import Event
from tests.games.sucker.reference_table import Card, Game, asked, chips_of, holder, living, prisoners

NAMES: Final = {"move": "turn", "choose": "choose", "kill": "kill", "rescue": "rescue"}
"""The name of each phase in prompts and windows."""
SPANS: Final = {"move": 75_000, "choose": 45_000, "kill": 25_000, "rescue": 45_000}
SCALE: Final = {"fast": 0.5, "normal": 1.0, "relaxed": 2.0}
SHORT: Final = 10_000
"""The time that an absent seat gets."""
MISSES_BEFORE_AWAY: Final = 2
PRISONERS: Final = "prisoners:1"

Move = Mapping[str, Any]


class Due(NamedTuple):
    """A window: its end and its seats; `alone` means the short window of a seat that is away."""

    end: int
    seats: Sequence[int]
    alone: bool


class Rescues:
    """A round in play. `piles` are the ids of the piles on the table, `number` is the phase's number."""

    def __init__(
        self, game: Game, timers: str, dice: Dice, began: int, number: int, piles: Sequence[int], laid: int
    ) -> None:
        self.game = game
        self.dice = dice
        self.number = number
        self.piles = list(piles)
        self.laid = laid
        self.missed_in_a_row = [0] * game.seats
        self.expired = 0
        """The number of windows that ended."""
        self.changes = 0
        """The number of applied commands and ended windows."""
        self._scale = SCALE[timers]
        self._begin(began)

    # --- prompts ---

    @property
    def over(self) -> bool:
        return self.game.phase == "over"

    @property
    def main(self) -> str:
        """The prompt of this phase; after the end, the last prompt."""
        return f"{NAMES.get(self.game.phase, 'rescue')}:{self.number}"

    @property
    def holders(self) -> list[int]:
        """The seats that may give away and kill prisoners."""
        return [seat for seat in living(self.game) if prisoners(self.game, seat)]

    def prompts(self) -> dict[str, list[int]]:
        prompts = {self.main: self.concerns}
        return prompts | {PRISONERS: self.holders} if self.holders else prompts

    # --- time ---

    def _begin(self, at: int) -> None:
        """Begin a phase and its windows."""
        if self.over:
            return
        game = self.game
        mover = game.captor if game.phase == "kill" else holder(game)
        self.concerns = asked(game) if game.phase == "rescue" else [mover]
        self.end = at + int(SPANS[game.phase] * self._scale)
        self.short = at + SHORT

    def windows(self) -> list[Due]:
        """The windows of seats that are away first, then the phase's own."""
        if self.over:
            return []
        away = [
            seat
            for seat in self.concerns
            if self.missed_in_a_row[seat] >= MISSES_BEFORE_AWAY and seat not in self.game.refused
        ]
        return [*(Due(self.short, [seat], True) for seat in away), Due(self.end, self.concerns, False)]

    def next_end(self) -> int | None:
        return min((window.end for window in self.windows()), default=None)

    def pass_time(self, at: int) -> None:
        """End every window that ends by `at`, in order (GEN-7)."""
        while (end := self.next_end()) is not None and end <= at:
            self.expired += 1
            self._expire(next(window for window in self.windows() if window.end == end))

    def _expire(self, window: Due) -> None:
        game = self.game
        silent = [seat for seat in window.seats if seat not in game.refused]
        for seat in silent:
            self.missed_in_a_row[seat] += 1
        if game.phase == "rescue":
            self._follow([("refuse", (seat,)) for seat in silent], window.end)
            return
        events = sorted(reference.defaults(game), key=str)
        which = self.dice.below("auto", len(events)) if len(events) > 1 else 0
        self._follow([events[which]], window.end)

    # --- commands ---

    def do(self, seat: int, prompt: str, move: Move, at: int) -> Refused | None:
        """The result of a move: None if it is applied, otherwise the refusal that only its seat receives."""
        self.pass_time(at)
        if self.over:
            return "NOT_NOW", "GEN-6"
        if seat not in self.prompts().get(prompt, ()):
            return "STALE_PROMPT", "GEN-4"
        event = self._event(seat, move)
        refused = self._why_not(seat, prompt, move)
        may = isinstance(reference.feed(self.game, event[0], *event[1]), Game)
        assert may is (refused is None), (event, refused)
        if refused is None:
            self.missed_in_a_row[seat] = 0
            self._follow([event], at)
        return refused

    def _event(self, seat: int, move: Move) -> Event:
        place = {number: index for index, number in enumerate(self.piles)}
        match move["move"]:
            case "place":
                pile = None if "pile" not in move else place.get(move["pile"], len(self.piles))
                return "place", (seat, move["colour"], pile, None)
            case "giveMove":
                return "give_move", (seat, move["to"])
            case "kill":
                return "kill", (seat, move["colour"])
            case "refuse":
                return "refuse", (seat,)
            case "relent":
                return "unrefuse", (seat,)
            case "rescue":
                return "transfer", (seat, move["colour"], move["count"], holder(self.game))
            case "transfer":
                return "transfer", (seat, move["colour"], move["count"], move["to"])
            case "killPrisoners":
                return "kill_prisoner", (seat, move["colour"], move["count"])
            case kind:
                assert kind == "playCard"
                return "play_card", (seat, move["card"], move.get("colour"))

    def _follow(self, events: Sequence[Event], at: int) -> None:
        """Apply events to the game and its clock: a new phase restarts it, a continued rescue keeps it."""
        before = self.game
        for name, arguments in events:
            self._fed(name, *arguments)
        while self.game.phase == "kill" and len(set(self.game.piles[self.game.captured])) == 1:
            self._fed("kill", self.game.captor, self.game.piles[self.game.captured][0])  # nothing to choose
        self.changes += 1
        game = self.game
        moved = events[0][0] in ("place", "give_move", "kill")
        if moved or (game.phase, game.eliminated) != (before.phase, before.eliminated):
            self.number += 1
            self._begin(at)
        elif game.phase == "rescue":
            if not set(asked(game)) <= set(self.concerns):
                self.short = at + SHORT  # a seat prompted only now gets its full time (GEN-7)
            self.concerns = asked(game)

    def _fed(self, name: str, *arguments: int | None) -> None:
        pile = arguments[2] if name == "place" else self.game.captured
        after = reference.feed(self.game, name, *arguments)
        assert isinstance(after, Game), (name, arguments, after)
        if name == "place" and pile is None:
            self.piles.append(self.laid)
            self.laid += 1
        if len(after.piles) < len(self.piles):
            assert pile is not None
            del self.piles[pile]
        self.game = after

    # --- refusals: the code and the rule of the first reason ---

    def _why_not(self, seat: int, prompt: str, move: Move) -> Refused | None:
        game, kind = self.game, move["move"]
        if kind == "playCard":
            return self._why_not_play(seat, prompt, move)
        if kind == "place":
            if not game.chips[seat][move["colour"]]:
                return "NO_CHIP", "GEN-3"
            return ("NO_PILE", "SLS-29") if move.get("pile", None) not in (None, *self.piles) else None
        if kind == "giveMove":
            return None if move["to"] in game.eligible else ("NOT_NEXT", "SLS-4")
        if kind == "kill":
            return None if move["colour"] in game.piles[game.captured] else ("NOT_IN_PILE", "SLS-9")
        if kind == "refuse":
            return ("ALREADY_REFUSED", "SLS-15") if seat in game.refused else None
        if kind == "relent":
            return None if seat in game.refused else ("NOT_REFUSED", "SLS-15")
        if kind == "rescue" and seat == holder(game):
            return "TO_YOURSELF", "SLS-10"
        if kind == "transfer" and not game.alive[move["to"]]:
            return "DEFEATED", "SLS-12"
        if move["colour"] == seat:
            return "OWN_COLOUR", "SLS-13"
        if game.chips[seat][move["colour"]] < move["count"]:
            return "NO_CHIP", "GEN-3"
        return self._keeps(seat, move["count"])

    def _keeps(self, seat: int, less: int) -> Refused | None:
        """A rescued seat must keep a chip to place (2b RESCUE)."""
        game = self.game
        last = seat == holder(game) and game.bound and chips_of(game, seat) == less
        return ("MUST_PLACE", "SLS-36") if last else None

    def _why_not_play(self, seat: int, prompt: str, move: Move) -> Refused | None:
        game, named = self.game, move.get("colour")
        rescue = prompt.startswith("rescue")
        if rescue and seat != holder(game):
            return "OTHER_PROMPT", "GEN-4"
        card = next((one for one in game.cards if one.number == move["card"] and one.owner == seat), None)
        if card is None:
            return "NOT_YOUR_CARD", "GEN-3"
        if card.kind == "capture" or (rescue and card.kind == "return"):
            return "OTHER_CARD", "SLS-22"
        if (named is None) is not (card.kind == "return"):
            return "NAME_A_COLOUR", "SLS-23"
        if not self._moves_any(seat, card, named):
            return "NO_EFFECT", "SLS-24"
        if card.kind == "return" and card.token != seat:
            return self._keeps(seat, game.chips[seat][card.token])
        return None

    def _moves_any(self, seat: int, card: Card, colour: int | None) -> bool:
        game = self.game
        if not game.alive[card.token]:
            return False
        if card.kind == "tribute":
            return card.token != seat and colour in prisoners(game, card.token)
        return any(card.token in prisoners(game, other) for other in range(game.seats))
