"""A Share and Share Alike table that a test drives move by move, from the start or from a given position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from games.api import Millis, Seat, WindowId
from games.dice import Dice
from games.kit import time_control as time_control
from games.shares.rules import turn_flow
from games.shares.rules.game import SHARES
from games.shares.rules.options import SharesOptions
from games.shares.rules.pieces import CARDS, COMPANIES, TURN_TIME, Cards
from games.shares.rules.values import Scene, SharesState, Stage, Turns
from games.testing import random_play
from tests.games.hand_table import START, HandTable

T = TypeVar("T")


class Loaded:
    """Dice that show the results set for a label, in order, and then roll at random."""

    def __init__(self, **shown: Sequence[int]) -> None:
        self.dice = Dice(b"loaded")
        self.shown = {label: [*values] for label, values in shown.items()}

    def below(self, label: str, sides: int) -> int:
        if self.shown.get(label):
            value = self.shown[label].pop(0)
            assert 0 <= value < sides
            return value
        return self.dice.below(label, sides)

    def shuffle(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        return self.dice.shuffle(label, items)

    def roll(self, *faces: int) -> None:
        """Sets the faces that come up next."""
        self.shown.setdefault("die", []).extend(face - 1 for face in faces)


def cards(text: str) -> Cards:
    return turn_flow.sort_cards(msgspec.convert(text.split(), list[Any]))


def towers(*built: str) -> tuple[Any, ...]:
    """Five towers, bottom first: "LLM", "", ..."""
    return tuple(tuple(tower) for tower in (*built, *[""] * (5 - len(built))))


def position(
    *hands: str,
    built: Sequence[str] = (),
    discard: str = "",
    actions: Sequence[int] = (),
    marks: Mapping[int, str] | None = None,
    turn: int = 0,
    round: int = 2,
    **options: Any,
) -> SharesState:
    """A turn in the action phase; cards that are not named form the Draw Deck, in the order of `CARDS`."""
    taken = msgspec.convert(options, SharesOptions)
    state = SHARES.setup(len(hands), taken, START, Dice(b"position")).state
    seats, seat = len(hands), Seat(turn)
    held = tuple(map(cards, hands))
    laid = tuple(msgspec.convert(discard.split(), list[Any]))
    gone = {*laid, *(card for hand in held for card in hand)}
    return replace(
        state,
        stage=Stage("action", round, state.stage.rounds, seat, seat, state.stage.official),
        scene=Scene("turn", seat, 0, (), None),
        serial=1,
        turns=Turns(tuple(actions) or (3,) * seats, (False,) * seats, 0),
        towers=towers(*built),
        deck=tuple(card for card in CARDS if card not in gone),
        discard=laid,
        hands=held,
        marks=tuple(tuple((marks or {}).get(each, "A" * round)) for each in range(seats)),
        timer=time_control.timer(state.time_control, WindowId("turn:1"), "turn", (seat,), TURN_TIME, START),
    )


class Table(HandTable[SharesState]):
    dice: Loaded

    def __init__(self, seats: int = 0, state: SharesState | None = None, **options: Any) -> None:
        super().__init__(SHARES, seats, options, Loaded(), state=state)
        self.seats = len(self.state.hands)

    def open(self, kind: str, seat: int) -> bool:
        return any(kind in (one.kind, one.id) and seat in one.seats for one in self.prompts)

    def wait(self, span: int) -> None:
        """Lets this much time pass; no window may end in that time."""
        due = random_play.first_due(SHARES.windows(self.state))
        assert due is None or self.at + span < due[1]
        self.at = Millis(self.at + span)

    # common moves

    def select(self, *companies: str) -> None:
        """Locks every seat's share."""
        for seat, company in enumerate(companies):
            self.do(seat, "select", "lock", company=company)

    def bid(self, *found: str) -> None:
        """Locks every seat's Lowball card."""
        for seat, card in enumerate(found):
            self.do(seat, "lowball", "lock", card=card)

    def play(self, seat: int, card: str, kind: str = "turn") -> None:
        self.do(seat, kind, "play", card=card)

    def end(self, *seats: int) -> None:
        for seat in seats:
            self.do(seat, "turn", "endTurn")

    def offer(self, by: int, to: int, give: str = "", wish: str = "") -> str:
        """Makes an offer, and returns its id."""
        self.do(by, "market", "propose", to=to, give=list(give), wish=list(wish))
        return self.state.offers.open[-1].id

    # views

    def hand(self, seat: int) -> str:
        return " ".join(self.state.hands[seat])

    def tower(self, company: str) -> str:
        return "".join(self.state.towers[COMPANIES.index(msgspec.convert(company, Any))])

    @property
    def supply(self) -> tuple[int, ...]:
        found: tuple[int, ...] = self.public("towers").supply
        return found

    @property
    def active(self) -> Seat | None:
        return self.state.stage.active

    @property
    def actions(self) -> tuple[int, ...]:
        return self.state.turns.actions

    def sees(self, seat: int, name: str) -> bool:
        return name in SHARES.private(self.state, Seat(seat))

    def holdings(self, seat: int) -> tuple[int, ...]:
        found: tuple[int, ...] = self.private(seat, "tracker").holdings
        return found


def rolled(state: SharesState, *faces: int, card: str = "2D") -> Table:
    """A table at which seat 0 has played this card and the die shows these faces."""
    table = Table(state=state)
    table.dice.roll(*faces)
    table.play(0, card)
    return table
