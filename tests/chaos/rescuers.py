"""Random players of So Long Sucker whose commands race for the same prisoners."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tests.chaos.reference_rescues import PRISONERS, Rescues
from tests.chaos.soak_table import Command, Plan
from tests.games.sucker.reference_table import Game, chips_of, holder, living, prisoners, unanswered


@dataclass(frozen=True)
class Racing(Command):
    """One side of a race: `part` is the side, `race` the number of the race, `name` its kind."""

    race: int = 0
    name: str = ""
    part: str = ""


Scene: TypeAlias = Callable[[], "list[Command]"]
Move: TypeAlias = Mapping[str, Any]

SCENES: Final = (1, 1, 2, 3)
"""The possible numbers of scenes (groups of related commands) at a table in one tick."""
TWICE: Final = 0.05
"""The share of commands outside races that are sent twice."""


class Rescuers:
    """The seats of one table. They can read the reference version of the round."""

    def __init__(self, play: Rescues, fate: random.Random) -> None:
        self._play = play
        self._fate = fate
        self._races = itertools.count()

    @property
    def _game(self) -> Game:
        return self._play.game

    def plan(self, at: int, span: int) -> Plan:
        """A plan for this tick, which begins at table time `at` and ends `span` ms later."""
        plan = Plan()
        if self._game.phase == "over":  # it ended between ticks
            return Plan(self._race("over", (0, "refuse", self._play.main, {"move": "refuse"})))
        rescue = self._game.phase == "rescue"
        if rescue and at < self._play.end <= at + span:
            self._into(plan, self._runs_out())
            return plan
        scenes: list[tuple[float, Scene]] = [(0.6, self._killed), (0.3, self._given_away)]
        if rescue:
            scenes += [(3.5, self._both), (1.0, self._last_refusal), (1.0, self._tribute), (6.0, self._wait)]
        else:
            scenes += [(8.0, self._onward), (1.0, self._card)]
        weights = [weight for weight, _ in scenes]
        for _, scene in self._fate.choices(scenes, weights, k=self._fate.choice(SCENES)):
            self._into(plan, scene())
        self._fate.shuffle(plan.early)
        self._fate.shuffle(plan.late)
        return plan

    def _into(self, plan: Plan, commands: list[Command]) -> None:
        """Add some of the commands before the span, and the others after it."""
        cut = self._fate.choice((0, len(commands), self._fate.randint(0, len(commands))))
        plan.early += commands[:cut]
        plan.late += commands[cut:]

    def _race(self, name: str, *sides: tuple[int, str, str, Move]) -> list[Command]:
        """A race between sides, each a seat, part, prompt and move, in random order."""
        race = next(self._races)
        commands: list[Command] = [
            Racing(seat, prompt, move, race=race, name=name, part=part) for seat, part, prompt, move in sides
        ]
        return self._fate.sample(commands, len(commands))

    # --- prisoners ---

    def _some(self, seat: int) -> tuple[int, int] | None:
        """A colour in which this seat holds prisoners, and their number."""
        colours = prisoners(self._game, seat)
        return self._fate.choice(sorted(colours.items())) if colours else None

    def _gift(self, seat: int, most: int = 9) -> tuple[int, str, str, Move] | None:
        """A gift to the seat in need: as an answer to the rescue, or under the right to give at any time."""
        prisoner = self._some(seat)
        if prisoner is None:
            return None
        colour, held = prisoner
        count = self._fate.randint(1, min(held, most))
        if self._fate.random() < 0.6:
            move: Move = {"move": "rescue", "colour": colour, "count": count}
            return seat, "rescue", self._play.main, move
        gift = {"move": "transfer", "colour": colour, "count": count, "to": holder(self._game)}
        return seat, "transfer", PRISONERS, gift

    def _holders(self) -> list[int]:
        holders = self._play.holders
        return self._fate.sample(holders, len(holders))

    def _gifts(self, most: int) -> list[tuple[int, str, str, Move]]:
        gifts = (self._gift(seat) for seat in self._holders()[:most])
        return [one for one in gifts if one is not None]

    # --- races ---

    def _runs_out(self) -> list[Command]:
        """A transfer arrives as the rescue runs out: in time, too late, or both."""
        return self._race("runs out", *self._gifts(self._fate.choice((1, 1, 2))))

    def _both(self) -> list[Command]:
        """Two holders try to rescue at once."""
        gifts = self._gifts(2)
        return self._race("two holders", *gifts) if len(gifts) == 2 else []

    def _killed(self) -> list[Command]:
        """Chips are killed and given away at the same time, more in total than there are."""
        holders = self._holders()
        prisoner = self._some(holders[0]) if holders else None
        if prisoner is None:
            return []
        seat, (colour, held) = holders[0], prisoner
        dying = self._fate.randint(1, held)
        count = self._fate.randint(held - dying + 1, held)
        kill = {"move": "killPrisoners", "colour": colour, "count": dying}
        return self._race("killed", (seat, "kill", PRISONERS, kill), self._taking(seat, colour, count))

    def _taking(self, seat: int, colour: int, count: int) -> tuple[int, str, str, Move]:
        """Give this many chips of a colour to somebody, preferably to the seat in need."""
        if self._game.phase == "rescue" and self._fate.random() < 0.7:
            return seat, "rescue", self._play.main, {"move": "rescue", "colour": colour, "count": count}
        to = self._fate.choice([other for other in living(self._game) if other != seat])
        transfer = {"move": "transfer", "colour": colour, "count": count, "to": to}
        return seat, "transfer", PRISONERS, transfer

    def _card(self) -> list[Command]:
        """A return card, which kills a chip, or a tribute card is played as those chips are given away."""
        game = self._game
        seat = holder(game)
        plays = []
        for card in game.cards:
            if game.phase != "move" or card.owner != seat or card.kind == "capture":
                continue
            if card.kind == "return":
                others = [one for one in living(game) if card.token in prisoners(game, one)]
                plays += [(card, one, card.token) for one in others]
            else:
                plays += [(card, card.token, colour) for colour in prisoners(game, card.token)]
        if not plays:
            return []
        card, giver, colour = self._fate.choice(plays)
        named = {} if card.kind == "return" else {"colour": colour}
        play = {"move": "playCard", "card": card.number, **named}
        transfer = self._taking(giver, colour, game.chips[giver][colour])
        return self._race(card.kind, (seat, card.kind, self._play.main, play), transfer)

    def _tribute(self) -> list[Command]:
        """The seat in need helps itself while the chips it is about to get are given away or killed."""
        game = self._game
        cards = [card for card in game.cards if card.owner == holder(game)]
        if not cards:
            return []
        card = self._fate.choice(cards)
        prisoner = self._some(card.token)
        colour, count = prisoner or (self._fate.randrange(game.seats), 1)
        play = {"move": "playCard", "card": card.number, "colour": colour}
        sides = [(holder(game), "tribute", self._play.main, play)]
        if prisoner:
            kill = {"move": "killPrisoners", "colour": colour, "count": count}
            sides.append((card.token, "kill", PRISONERS, kill))
        return self._race("in need", *sides)

    def _last_refusal(self) -> list[Command]:
        """All seats refuse, and one changes its mind."""
        silent = unanswered(self._game)
        refusals = [(seat, "refuse", self._play.main, {"move": "refuse"}) for seat in silent]
        seat = self._fate.choice(silent)
        thought = self._fate.choice(
            [self._gift(seat), (seat, "relent", self._play.main, {"move": "relent"}), refusals[0]]
        )
        return self._race("refused", *refusals, *([thought] if thought else []))

    # --- outside races ---

    def _command(self, seat: int, prompt: str, move: Move) -> list[Command]:
        return [Command(seat, prompt, move, twice=self._fate.random() < TWICE)]

    def _wait(self) -> list[Command]:
        return []

    def _given_away(self) -> list[Command]:
        """Prisoners change hands, at any time."""
        holders = self._holders()
        prisoner = self._some(holders[0]) if holders else None
        if prisoner is None:
            return []
        to = self._fate.choice([seat for seat in range(self._game.seats) if seat != holders[0]])
        move = {"move": "transfer", "colour": prisoner[0], "count": 1, "to": to}
        return self._command(holders[0], PRISONERS, move)

    def _onward(self) -> list[Command]:
        """The move that the table is waiting for; the turn usually goes to somebody who has no chips."""
        game, play, fate = self._game, self._play, self._fate
        match game.phase:
            case "move":
                seat = holder(game)
                colour = fate.choice([one for one in range(game.seats) if game.chips[seat][one]])
                target = {"pile": fate.choice(play.piles)} if play.piles and fate.random() < 0.6 else {}
                return self._command(seat, play.main, {"move": "place", "colour": colour, **target})
            case "choose":
                poor = [seat for seat in game.eligible if not chips_of(game, seat)]
                to = fate.choice(poor if poor and fate.random() < 0.9 else game.eligible)
                return self._command(holder(game), play.main, {"move": "giveMove", "to": to})
            case phase:
                assert phase == "kill"
                colour = fate.choice(game.piles[game.captured])
                return self._command(game.captor, play.main, {"move": "kill", "colour": colour})


def outcome(sides: Sequence[tuple[str, str]]) -> str:
    """The outcome of a race: each side's part, and "done" or code and rule."""
    return ", ".join(f"{part} {verdict}" for part, verdict in sides)
