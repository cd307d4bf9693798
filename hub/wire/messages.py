"""Every message between a client and the hub, as closed unions (docs/PROTOCOL.md tells the story).

Subprotocol `parley.v1.msgpack`: one msgpack map per binary WebSocket frame; the field `t` names the kind.
`ToHub` is what a client may send, `ToClient` what the hub may answer. Times are milliseconds of table time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from games.api import Argument, Choices, Outcome, TalkPolicy

SUBPROTOCOL = "parley.v1.msgpack"
MAX_FRAME = 65_536
"""Bytes of one client frame; a larger one closes the socket with 1009."""
MOST_NOTES = 4096
"""Characters, and bytes, of a seat's own notes."""
MAX_VIEW = 16_384
"""Bytes of one audience's whole view, but for a seat's own notes."""
SAFE_INTEGER = 2**53 - 1

Count: TypeAlias = Annotated[int, Meta(ge=0, le=SAFE_INTEGER)]
Place: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=24)]
Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]


class In(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t"):
    """Base of what a client sends."""


class Out(Struct, frozen=True, tag_field="t", omit_defaults=True):
    """Base of what the hub sends; fields at their default are left out."""


# --- to the hub ---


class Hello(In, frozen=True, tag="hello"):
    """The first message of a socket. `session` is this client instance's number, None the first time."""

    ticket: Annotated[str, Meta(min_length=1, max_length=2048)]
    session: Count | None = None


class Do(In, frozen=True, tag="do"):
    """A move of the game, answering the prompt it names. (session, n) is the command's id (G2)."""

    session: Count
    n: Count
    prompt: Id
    move: Mapping[str, Any]


class Manage(In, frozen=True, tag="manage"):
    """Something done to the table, not in the game."""

    session: Count
    n: Count
    act: Act


class Say(In, frozen=True, tag="say"):
    """Talk: free text, or a phrase the game offers (a catalogue key); `to` one seat: a whisper."""

    session: Count
    n: Count
    channel: Literal["table", "watchers"]
    text: Text | None = None
    phrase: Id | None = None
    to: Place | None = None


class Note(In, frozen=True, tag="note"):
    """The seat's private notebook, whole; at most 4 KB of UTF-8."""

    session: Count
    n: Count
    text: Annotated[str, Meta(max_length=MOST_NOTES)]


class Preview(In, frozen=True, tag="preview"):
    """What would this move do? Answered by `Previewed` or a refusing `Verdict`; changes nothing."""

    n: Count
    prompt: Id
    move: Mapping[str, Any]


class Ping(In, frozen=True, tag="ping"):
    """Answered by `Pong`, to learn the round trip and the table's time."""

    n: Count


ToHub: TypeAlias = Hello | Do | Manage | Say | Note | Preview | Ping


# --- what may be done to a table (`Manage.act`) ---


class TableAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of the acts. Who may do which: docs/PROTOCOL.md."""


class Ready(TableAction, frozen=True, tag="ready"):
    """I am (not) ready to start; a salt of mine goes into the dice before the start."""

    ready: bool
    salt: Annotated[str, Meta(max_length=64)] = ""


class Start(TableAction, frozen=True, tag="start"):
    """Host: start; free seats are filled with bots."""


class AddBot(TableAction, frozen=True, tag="add_bot"):
    """Host: put a bot of this level on a free seat."""

    seat: Place
    level: Id


class FreeSeat(TableAction, frozen=True, tag="free_seat"):
    """Host, or the seat itself: free it while waiting; in play its bot plays on and its tickets are void."""

    seat: Place


class SwapSeats(TableAction, frozen=True, tag="swap_seats"):
    """Host, waiting: two seats change places."""

    a: Place
    b: Place


class TakeBack(TableAction, frozen=True, tag="take_back"):
    """The person of a seat kept by its bot plays again."""


class StandIn(TableAction, frozen=True, tag="stand_in"):
    """A seated person lets the seat's bot play until taken back."""


class Pause(TableAction, frozen=True, tag="pause"):
    """Host: table time stands still."""


class Resume(TableAction, frozen=True, tag="resume"):
    """Host: table time runs again."""


class HandOver(TableAction, frozen=True, tag="hand_over"):
    """Host: the person on this seat is host from now on."""

    seat: Place


class Lock(TableAction, frozen=True, tag="lock"):
    """Host: nobody else may (or: may again) sit down."""

    locked: bool


class CloseWatching(TableAction, frozen=True, tag="close_watching"):
    """Host: nobody may (or: may again) watch."""

    closed: bool


Act: TypeAlias = (
    Ready
    | Start
    | AddBot
    | FreeSeat
    | SwapSeats
    | TakeBack
    | StandIn
    | Pause
    | Resume
    | HandOver
    | Lock
    | CloseWatching
)


# --- to the client ---


class Welcome(Out, frozen=True, tag="welcome"):
    """The session is open. `epoch` names this ownership of the room; a whole `View` follows."""

    epoch: str
    room: str
    seat: int | None
    session: int | None


class AudienceLine(Struct, frozen=True, array_like=True):
    """A line of the log: its number for this audience, catalogue key, arguments, table time."""

    number: int
    key: str
    args: Mapping[str, Argument]
    at: int


class View(Out, frozen=True, tag="view"):
    """The whole view of an audience, up to and including frame `n` of this epoch."""

    epoch: str
    n: int
    now: int
    sections: Mapping[str, Any]
    lines: tuple[AudienceLine, ...]
    talk: tuple[TalkMessage, ...]


class Frame(Out, frozen=True, tag="frame"):
    """What changed for an audience: sections anew (None: gone), and new lines of the log."""

    n: int
    now: int
    sections: Mapping[str, Any] = {}
    lines: tuple[AudienceLine, ...] = ()


class TalkMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A message of the talk: `text` or `phrase`. `seat` is None for a watcher; `to`: who hears a whisper."""

    channel: Literal["table", "watchers"]
    name: str
    at: int
    seat: int | None = None
    to: int | None = None
    text: str | None = None
    phrase: str | None = None


class Talk(Out, frozen=True, tag="talk"):
    message: TalkMessage


class Verdict(Out, frozen=True, tag="verdict"):
    """The one answer to a command: applied (`code` is None), or refused: a code and, if any, a rule id."""

    n: int
    code: str | None = None
    rule: str | None = None
    args: Mapping[str, Argument] = {}


class Previewed(Out, frozen=True, tag="previewed"):
    n: int
    data: Any


class Pong(Out, frozen=True, tag="pong"):
    n: int
    now: int


class Moved(Out, frozen=True, tag="moved"):
    """This room lives elsewhere: connect there with the same ticket. The socket closes with 4001."""

    url: str


class Error(Out, frozen=True, tag="error"):
    """Something is wrong with this socket or its last frame; where it must close, it closes right after."""

    code: str
    advice: str


ToClient: TypeAlias = Welcome | View | Frame | Talk | Verdict | Previewed | Pong | Moved | Error


# --- the hub's own sections of every view, beside the game's ---


class SeatInfo(Struct, frozen=True):
    """One seat as everybody sees it. `substitute`: the bot plays for the absent person."""

    name: str | None
    colour: int
    bot: str | None
    substitute: bool
    ready: bool


class TableSection(Struct, frozen=True):
    """Section `table`: everything about the table that is not the game."""

    room: str
    code: str
    game: str
    options: Mapping[str, Any]
    open: bool
    locked: bool
    watching: bool
    status: Literal["waiting", "running", "paused", "finished"]
    paused_for: Literal["host", "empty", "fault"] | None
    host: int | None
    seats: tuple[SeatInfo, ...]
    seed_hash: str
    seed: str | None
    record: bool


class PresenceSection(Struct, frozen=True):
    """Section `presence`: which seats have a person connected, and how many watch."""

    connected: tuple[bool, ...]
    watchers: int


class PromptInfo(Struct, frozen=True):
    id: str
    kind: str
    seats: tuple[int, ...]
    window: str | None


class PromptsSection(Struct, frozen=True):
    """Section `prompts`: what the table waits for, as far as this audience may know."""

    prompts: tuple[PromptInfo, ...]


class WindowInfo(Struct, frozen=True, omit_defaults=True):
    """A running window has `end`, one that stands still has `left`; `span` is its whole length.

    `shows` names the sections to forget with it, and when the line is lost.
    """

    id: str
    kind: str
    concerns: tuple[int, ...]
    span: int
    end: int | None = None
    left: int | None = None
    extend: str | None = None
    sections: tuple[str, ...] = ()


class WindowsSection(Struct, frozen=True):
    """Section `windows`. While `live` is false, table time stands still at the frame's `now`."""

    live: bool
    windows: tuple[WindowInfo, ...]


class ChoicesSection(Struct, frozen=True):
    """Section `choices` (seats only): the legal moves, by prompt."""

    choices: Choices


class NoteSection(Struct, frozen=True):
    """Section `note` (seats only): the seat's own notebook."""

    text: str


class ResultSection(Struct, frozen=True):
    """Section `result`: the outcome, once there is one."""

    outcome: Outcome


HUB_SECTIONS: Mapping[str, type[Struct]] = {
    "table": TableSection,
    "presence": PresenceSection,
    "prompts": PromptsSection,
    "windows": WindowsSection,
    "choices": ChoicesSection,
    "talk_policy": TalkPolicy,
    "note": NoteSection,
    "result": ResultSection,
}
"""Section names no game may use, with their types."""


# --- why a socket closes, and why a command is refused ---

CLOSE_CODES: Mapping[int, str] = {
    1001: "the hub is going away; reconnect",
    1003: "only binary frames are understood",
    1007: "a frame was not valid msgpack of this protocol",
    1008: "this origin may not connect",
    1009: "a frame was larger than 65536 bytes",
    1013: "the hub cannot serve this table now; try again soon",
    4000: "the first message must be a valid `hello`, within ten seconds",
    4001: "the room lives elsewhere, or its owner changed: reconnect as told",
    4003: "the ticket is not valid, or no longer",
    4004: "no such room",
    4008: "too many messages",
    4009: "this client does not read fast enough; reconnect",
    4010: "the seat was taken from this person",
    4011: "this seat was opened in too many other places; this was the oldest",
    4013: "the table is full, or closed to watchers",
}

HUB_REFUSALS: Mapping[str, str] = {
    "STALE_PROMPT": "that prompt is not open to you, or not any more (GEN-4)",
    "BAD_MOVE": "the move is not one of this game's moves",
    "TOO_OLD": "a command this old cannot be answered again (G2)",
    "BUSY": "too many commands wait at this table; try again",
    "NOT_SEATED": "watchers cannot do this",
    "NOT_HOST": "only the host may do this",
    "NOT_NOW": "the table's status does not allow this",
    "NO_SUCH_SEAT": "there is no such seat, or it is not of that kind",
    "SEAT_TAKEN": "somebody else sits there",
    "TALK_CLOSED": "talk is closed now",
    "PHRASES_ONLY": "only the game's phrases may be said now",
    "NOTES_LOCKED": "notes are locked now",
    "TOO_LONG": "notes may hold 4 KB",
    "PAUSED": "the table is paused",
    "SLOW_DOWN": "too many of these in a short time",
    "NOTHING_TO_SHOW": "this game has no preview of that move",
    "BOT_PLAYS": "the seat's bot plays; take the seat back first",
    "BROKEN": "the rules failed on this; the table is unchanged and the fault was logged",
    "UNAVAILABLE": "the store cannot be reached; the command was not applied",
}
