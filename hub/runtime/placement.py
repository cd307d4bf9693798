"""The rooms' interface to the outside: the port between the HTTP API and the room actors."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, Protocol

from msgspec import Meta, Struct

from games.api import Refusal
from hub.store.hubs import HubIdentity
from hub.store.reports import MAX_REPORT_TEXT, Report, ReportReason
from hub.wire.messages import Grace, WatchDelay
from hub.wire.tickets import Person

CODE_ALPHABET: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""Letters for a table's code: nothing that looks like a digit, and no vowels, so no (rude) words."""
OPEN_CODE_LENGTH: Final = 6
"""The length of the code of an open table, which the lobby shows."""
PRIVATE_CODE_LENGTH: Final = 8
"""The length of the code of a private table: too long to be guessed."""
LOBBY_PAGE: Final = 50
"""The number of rooms on a page of the lobby."""


class Placed(Struct, frozen=True):
    """A person's place at a table. A ticket with an older `seat_generation` is void.

    `hosting`: they host the table without a seat.
    """

    room: str
    code: str
    seat: int | None
    seat_generation: int
    hosting: bool = False


class RefusedPlace(Struct, frozen=True):
    """The reason for refusing a place.

    One of SEAT_TAKEN, NO_SUCH_SEAT, NOT_NOW, TABLE_LOCKED, WATCHING_CLOSED, ASK_TO_COME_IN, REMOVED,
    NOT_AT_TABLE, NO_LATECOMERS, ALREADY_SEATED, HELD_ANOTHER_SEAT, HOSTED_LIVE, NOT_SEATED.
    """

    code: str
    advice: str


class NextTable(Struct, frozen=True):
    """Where people play again: the next table's id and code."""

    room: str
    code: str


class RematchWish(Struct, frozen=True, forbid_unknown_fields=True):
    """The next game as the first person to press wants it.

    `game`: another game's key, played with its default options; None for the same game with the same options.
    `rotated`: everybody moves up one seat.
    """

    game: Annotated[str, Meta(max_length=64)] | None = None
    rotated: bool = False


class LobbyPage(Struct, frozen=True):
    """One page of the open rooms whose game is not over, and the total number of those rooms."""

    rooms: Sequence[Mapping[str, Any]]
    total: int


class Knocked(Struct, frozen=True):
    """The answer to a knock: whether the person may come in, and whether the host is there to decide."""

    admitted: bool
    host: bool


class Complaint(Struct, frozen=True, forbid_unknown_fields=True):
    """A report as its sender writes it: about a seat, a watcher (by the name they talk under), or the
    table."""

    reason: ReportReason
    text: Annotated[str, Meta(max_length=MAX_REPORT_TEXT)] = ""
    seat: Annotated[int, Meta(ge=0, le=99)] | None = None
    watcher: Annotated[str, Meta(min_length=1, max_length=32)] | None = None

    def __post_init__(self) -> None:
        """Raises ValueError, which msgspec reports as an invalid field."""
        if self.seat is not None and self.watcher is not None:
            raise ValueError("A report is about a seat or a watcher, not both")


class RoomsError(Exception):
    """Base of the errors that the rooms raise instead of returning a place.

    RoomsError
    ├── NoSuchRoom      no room has this id or code
    ├── Elsewhere       this other hub owns the room, or is to take it
    ├── TableClosed     an operator closed the table
    ├── OtherVersion    this hub does not have the rules that the table is played by
    │   └── GameEnded      no hub has them any more, so its game has ended
    ├── TooManyReports  the table has been reported often enough; `wait` says when to try again
    ├── DoorCrowded     too many people ask to come in at this table
    ├── Unavailable     draining, or the store does not answer: perhaps it was done all the same
    │   ├── RulesElsewhere another hub may have the rules that the table is played by
    │   ├── HubFull        this hub has as many rooms as it can serve, or too much to do
    │   └── TooManyTables  its opener, or their network, has as many rooms as they may
    └── BadOptions      this game cannot be played with these seats or options
    """


class NoSuchRoom(RoomsError):
    pass


class Elsewhere(RoomsError):
    """`free_room`: the room's id if no live hub owns it, and the other hub is to take it."""

    def __init__(self, hub: HubIdentity, free_room: str | None = None) -> None:
        super().__init__(hub.incarnation)
        self.hub = hub
        self.free_room = free_room


class TableClosed(RoomsError):
    pass


class OtherVersion(RoomsError):
    """An unknown game, or rules of a version that cannot be continued, or a state that cannot be read."""


class GameEnded(OtherVersion):
    """The rules have become newer and could not go on with the game, which has ended without a result."""


class TooManyReports(RoomsError):
    """`wait`: seconds until the table may be reported again."""

    def __init__(self, wait: float) -> None:
        super().__init__(wait)
        self.wait = wait


class DoorCrowded(RoomsError):
    pass


class Unavailable(RoomsError):
    def __init__(self, advice: str) -> None:
        super().__init__(advice)
        self.advice = advice


class RulesElsewhere(Unavailable):
    """This hub's rules are newer and cannot go on with the game, but another hub may still have its rules."""


class HubFull(Unavailable):
    """`wait`: in how many seconds to try again."""

    def __init__(self, advice: str, wait: int = 60) -> None:
        super().__init__(advice)
        self.wait = wait


class TooManyTables(Unavailable):
    pass


class BadOptions(RoomsError):
    def __init__(self, refusal: Refusal, advice: str) -> None:
        super().__init__(f"{refusal.code} ({refusal.rule}): {advice}")
        self.refusal = refusal
        self.advice = advice


class Rooms(Protocol):
    """The rooms in this store, on any hub. All methods may raise `NoSuchRoom`, `Elsewhere`,
    `TableClosed`, `OtherVersion`, `Unavailable`.

    A `room` is a room's id or a table's code.
    """

    async def create(
        self,
        person: Person,
        game: str,
        seats: int,
        options: Mapping[str, Any],
        *,
        open: bool,
        play_now: bool,
        bots: str | None,
        grace: Grace | None = None,
        watch_delay: WatchDelay = "none",
        without_seat: bool = False,
        network: str | None = None,
    ) -> Placed:
        """A new room with its host seated; `bots` is the level to fill free seats with.

        `grace`: how long an absent person's seat waits; None for the usual time (hub/table/absence.py).
        `watch_delay`: how late people without a seat see the game (hub/table/watch_delay.py).
        `without_seat`: the person hosts the table without a seat.
        `network` is the creator's, None for this machine. Raises BadOptions, TooManyTables.
        """
        ...

    async def create_lesson(self, person: Person, game: str, network: str | None = None) -> Placed:
        """A new room for a game's lesson, which has begun (hub/table/lessons.py). Raises BadOptions,
        TooManyTables."""
        ...

    async def sit(
        self, room: str, person: Person, seat: int, network: str | None = None
    ) -> Placed | RefusedPlace:
        """A seat at this table. `network` is the person's, None for this machine. Raises TooManyTables."""
        ...

    async def enter(self, room: str, person: Person, network: str | None = None) -> Placed | RefusedPlace:
        """The seat this person already has, or a watcher's place (seat None)."""
        ...

    async def ask(self, room: str, person: Person, network: str | None) -> Knocked | RefusedPlace:
        """Asks the host to let this person in; repeat it while waiting. Raises DoorCrowded."""
        ...

    async def play_again(
        self, room: str, person: Person, wish: RematchWish, network: str | None, charge: Callable[[], None]
    ) -> NextTable | RefusedPlace:
        """The next table of a finished one; `wish` holds if this person is the first to press.

        `charge` is called before a table is created for this person, and may raise. Raises BadOptions,
        TooManyTables.
        """
        ...

    async def report(self, room: str, sender: Person, complaint: Complaint, at: int) -> Report | RefusedPlace:
        """Stores a report. `at`: seconds since 1970. Raises TooManyReports."""
        ...

    async def describe(self, room: str, person: str | None = None) -> Mapping[str, Any]:
        """The public description of a room; only `closed` and `code` for a person who has to ask to come
        in."""
        ...

    async def lobby(self, page: int) -> LobbyPage:
        """A page of the lobby: page 1 has the rooms that changed last."""
        ...

    async def record(self, room: str, person: str | None) -> bytes | Literal["running", "closed"] | None:
        """The record of a finished game; `running` before its end, None once it is gone.

        `closed` if the table may not be watched and this person (None: unknown) did not play.
        """
        ...

    def is_draining(self) -> bool: ...

    def find_problem(self) -> str | None:
        """A sentence that says what is wrong with the store; None if it answers."""
        ...

    def find_caution(self) -> str | None:
        """A sentence that says what a failover of the store would break; None if it would break nothing."""
        ...


def room_id(entropy: bytes) -> str:
    """A room's id: 16 random bytes as 22 characters of URL-safe base64. Raises ValueError otherwise."""
    if len(entropy) != 16:
        raise ValueError("a room id is made from 16 bytes")
    return base64.urlsafe_b64encode(entropy).rstrip(b"=").decode("ascii")


def room_code(entropy: bytes, *, open: bool) -> str:
    """A table's code, for reading out or typing, from at least 8 random bytes."""
    if len(entropy) < 8:
        raise ValueError("a code is made from at least 8 bytes")
    number = int.from_bytes(entropy, "big")
    letters = []
    for _ in range(OPEN_CODE_LENGTH if open else PRIVATE_CODE_LENGTH):
        number, letter = divmod(number, len(CODE_ALPHABET))
        letters.append(CODE_ALPHABET[letter])
    return "".join(letters)


def is_code(name: str) -> bool:
    """Whether this is a code rather than a room's id; case is ignored."""
    return len(name) in (OPEN_CODE_LENGTH, PRIVATE_CODE_LENGTH) and set(name.upper()) <= _CODE_LETTERS


_CODE_LETTERS: Final = frozenset(CODE_ALPHABET)


def socket_url(base: str, room: str, label: str | None = None) -> str:
    """The address for a room's sockets, where browsers reach the hubs at `base` (http or https).

    `label`: the owner's, by which a proxy may send the socket straight to it (docs/OPERATIONS.md).
    """
    return f"ws{base.removeprefix('http')}/ws/{f'{label}/' if label else ''}{room}"
