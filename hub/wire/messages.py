"""Every message between a client and the hub, as closed unions. docs/PROTOCOL.md explains them.

Subprotocol `parley.v1.msgpack`: one msgpack map per binary WebSocket frame; the field `t` names the kind.
`ToHub` is what a client may send, `ToClient` what the hub may send. Times are milliseconds of table time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct

from games.api import Argument, Choice, Choices, Judgement, Outcome, TalkPolicy

SUBPROTOCOL = "parley.v1.msgpack"
MAX_FRAME = 65_536
"""The maximum size of a client's frame in bytes; a larger frame closes the socket with 1009."""
MAX_NOTES = 4096
"""The maximum number of characters, and of bytes, in a seat's notes."""
MAX_HOST_LISTS = 8192
"""The maximum size in bytes of the sections `knocks` and `watchers` together."""
MAX_VIEW = 16_384
"""The maximum size in bytes of one audience's full view, not counting a seat's notes and the host's lists."""
SAFE_INTEGER = 2**53 - 1

Count: TypeAlias = Annotated[int, Meta(ge=0, le=SAFE_INTEGER)]
Place: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=24)]
Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Bytes32: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes in lower-case hexadecimal."""
Text: TypeAlias = Annotated[str, Meta(min_length=1, max_length=500)]
Grace: TypeAlias = Literal["1min", "3min", "game"]
"""How long a seat waits for a person who is not connected before a substitute plays it: one minute or three
minutes of table time, or the whole game."""
WatchDelay: TypeAlias = Literal["none", "30s", "2min", "10min", "round"]
"""How late people without a seat see a game: not at all, by 30 seconds, two or ten minutes, or each round
once it is over."""


class In(Struct, frozen=True, forbid_unknown_fields=True, tag_field="t"):
    """Base of all messages from a client."""


class Out(Struct, frozen=True, tag_field="t", omit_defaults=True):
    """Base of all messages from the hub; fields at their default are omitted."""


# --- to the hub ---


class Hello(In, frozen=True, tag="hello"):
    """The first message on a socket. `session` is this client instance's number; None the first time."""

    ticket: Annotated[str, Meta(min_length=1, max_length=2048)]
    session: Count | None = None


class Do(In, frozen=True, tag="do"):
    """A move in the game, in answer to a prompt. (session, n) is the command's id (G2)."""

    session: Count
    n: Count
    prompt: Id
    move: Mapping[str, Any]


class Manage(In, frozen=True, tag="manage"):
    """An action on the table rather than in the game."""

    session: Count
    n: Count
    act: Act


class Say(In, frozen=True, tag="say"):
    """Talk: free text, or one of the game's phrases (a text key); with `to`, a whisper to that seat."""

    session: Count
    n: Count
    channel: Literal["table", "watchers"]
    text: Text | None = None
    phrase: Id | None = None
    to: Place | None = None


class Note(In, frozen=True, tag="note"):
    """Replaces the seat's private notebook; at most 4 KB of UTF-8."""

    session: Count
    n: Count
    text: Annotated[str, Meta(max_length=MAX_NOTES)]


class MakePromise(In, frozen=True, tag="promise"):
    """Promises something to the seats in `to`, or to everybody if it is empty (R30).

    `kind` and `terms` are the tag and the fields of one of the choices in `PromiseChoices`. Only its seats
    hear of a `private` promise, and at the end everybody does, if it is `told`.
    """

    session: Count
    n: Count
    kind: Id
    terms: Annotated[Mapping[Id, int | Id], Meta(max_length=8)] = {}
    to: Annotated[tuple[Place, ...], Meta(max_length=16)] = ()
    private: bool = False
    told: bool = True


class AskPromises(In, frozen=True, tag="ask_promises"):
    """Asks what this seat may promise. Answered by `PromiseChoices` or a refusal; changes nothing."""

    n: Count


class Preview(In, frozen=True, tag="preview"):
    """Asks what a move would do. Answered by `Previewed` or a refusal; changes nothing."""

    n: Count
    prompt: Id
    move: Mapping[str, Any]


class Coach(In, frozen=True, tag="coach"):
    """Asks for advice about an open prompt. Answered by `Coached` or a refusal; changes nothing."""

    n: Count
    prompt: Id


class Ping(In, frozen=True, tag="ping"):
    """Measures the round trip and asks for table time. Answered by `Pong`."""

    n: Count


ToHub: TypeAlias = Hello | Do | Manage | Say | Note | MakePromise | AskPromises | Preview | Coach | Ping


# --- table actions (`Manage.act`) ---

VoteKind: TypeAlias = Literal["pause", "resume", "bot", "remove", "end"]


class TableAction(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of the table actions. docs/PROTOCOL.md says who may use which."""


class Ready(TableAction, frozen=True, tag="ready"):
    """The seat is ready to start, or no longer is. The last one starts the game if no seat is free."""

    ready: bool


class CommitSalt(TableAction, frozen=True, tag="commit_salt"):
    """Fixes, by its SHA-256, the random salt that this client will add to the game's seed."""

    salt_hash: Bytes32


class RevealSalt(TableAction, frozen=True, tag="reveal_salt"):
    """Reveals the salt. `next_hash` fixes another one, in case somebody else does not reveal theirs."""

    salt: Bytes32
    next_hash: Bytes32


class Start(TableAction, frozen=True, tag="start"):
    """Host: start the game; bots fill the free seats."""


class AddBot(TableAction, frozen=True, tag="add_bot"):
    """Host: put a bot of this level in a free seat."""

    seat: Place
    level: Id


class FreeSeat(TableAction, frozen=True, tag="free_seat"):
    """Host, or the seat itself: free the seat. In a game, a bot takes it over. Its tickets become void."""

    seat: Place


class SwapSeats(TableAction, frozen=True, tag="swap_seats"):
    """Host, before the start: exchange two seats."""

    a: Place
    b: Place


class TakeBack(TableAction, frozen=True, tag="take_back"):
    """The person in this seat takes over again from the substitute."""


class StandIn(TableAction, frozen=True, tag="stand_in"):
    """The person in this seat asks for a substitute, which plays until `TakeBack`."""


class Pause(TableAction, frozen=True, tag="pause"):
    """Host: stop table time."""


class Resume(TableAction, frozen=True, tag="resume"):
    """Host, or anybody seated while no host is connected: restart table time."""


class HandOver(TableAction, frozen=True, tag="hand_over"):
    """Host: make the person in this seat the host."""

    seat: Place


class Lock(TableAction, frozen=True, tag="lock"):
    """Host: close the table to new players, or open it again."""

    locked: bool


class CloseWatching(TableAction, frozen=True, tag="close_watching"):
    """Host: close the table to watchers, or open it again."""

    closed: bool


class HearWatchers(TableAction, frozen=True, tag="hear_watchers"):
    """Host of a private table, before the start: let watchers talk to the table, or no longer."""

    on: bool


class Admission(TableAction, frozen=True, tag="admission"):
    """Host: admit newcomers one by one, or let in everybody who has the invitation."""

    on: bool


class Admit(TableAction, frozen=True, tag="admit"):
    """Host: let in a person who asked to come in; `id` is from section `knocks`."""

    id: Id


class Refuse(TableAction, frozen=True, tag="refuse"):
    """Host: keep out a person who asked to come in; `id` is from section `knocks`."""

    id: Id


class RemoveWatcher(TableAction, frozen=True, tag="remove_watcher"):
    """Host: remove a watcher, and admit newcomers one by one; `id` is from section `watchers`."""

    id: Id


class DelayWatching(TableAction, frozen=True, tag="delay_watching"):
    """Host, before the start: choose how late people without a seat see the game."""

    delay: WatchDelay


class TakeLatecomers(TableAction, frozen=True, tag="take_latecomers"):
    """Host: let people take over seats that bots play, or stop that."""

    on: bool


class OfferSeat(TableAction, frozen=True, tag="offer_seat"):
    """The person in this seat lets somebody take it over while they are away, or no longer."""

    on: bool


class SkipToEnd(TableAction, frozen=True, tag="skip_to_end"):
    """The person in this seat, who is out, lets the bots finish without waiting."""


class GoOn(TableAction, frozen=True, tag="go_on"):
    """At a lesson: let the bot whose turn it is make its move. `step`: how many steps are done."""

    step: Count


class CallVote(TableAction, frozen=True, tag="call_vote"):
    """Call a vote of the table, on the seat `seat` if the vote is about one."""

    kind: VoteKind
    seat: Place | None = None


class Vote(TableAction, frozen=True, tag="vote"):
    """Vote for or against; `number` is from section `vote`."""

    number: Count
    yes: bool


Act: TypeAlias = (
    Ready
    | CommitSalt
    | RevealSalt
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
    | DelayWatching
    | HearWatchers
    | Admission
    | Admit
    | Refuse
    | RemoveWatcher
    | TakeLatecomers
    | OfferSeat
    | SkipToEnd
    | GoOn
    | CallVote
    | Vote
)


# --- to the client ---


class Welcome(Out, frozen=True, tag="welcome"):
    """The hello was accepted. `epoch` identifies this ownership of the room; a full `View` follows.

    `session` is for commands: a host without a `seat` has one, a watcher has none.

    `build` names the browser client that this hub serves; None if it serves none.
    """

    epoch: str
    room: str
    seat: int | None
    session: int | None
    build: str | None = None


class AudienceLine(Struct, frozen=True, array_like=True):
    """A log line: its number for this audience, text key, arguments and table time.

    `restricted`: not everybody may read it.
    """

    number: int
    key: str
    args: Mapping[str, Argument]
    at: int
    restricted: bool = False


class View(Out, frozen=True, tag="view"):
    """An audience's full view, up to and including frame `n` of this epoch."""

    epoch: str
    n: int
    now: int
    sections: Mapping[str, Any]
    lines: tuple[AudienceLine, ...]
    talk: tuple[TalkMessage, ...]


class Frame(Out, frozen=True, tag="frame"):
    """The changes for an audience: whole sections (None if removed) and new log lines."""

    n: int
    now: int
    sections: Mapping[str, Any] = {}
    lines: tuple[AudienceLine, ...] = ()


class TalkMessage(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing said: `text` or `phrase`. `seat` is None for a watcher; `to` is the seat a whisper is for.

    `bot`: a bot said it, which may be playing for a person; `name` is then the bot's. Its `phrase` may be a
    key of the catalogue's `remarks`, with these `args`.
    """

    channel: Literal["table", "watchers"]
    name: str
    at: int
    seat: int | None = None
    to: int | None = None
    text: str | None = None
    phrase: str | None = None
    args: Mapping[str, Argument] = {}
    bot: bool = False


class Talk(Out, frozen=True, tag="talk"):
    message: TalkMessage


class Verdict(Out, frozen=True, tag="verdict"):
    """The answer to a command: applied if `code` is None, otherwise refused."""

    n: int
    code: str | None = None
    rule: str | None = None
    args: Mapping[str, Argument] = {}


class Previewed(Out, frozen=True, tag="previewed"):
    n: int
    data: Any
    breaks: tuple[str, ...] = ()
    """The ids of the seat's own promises that the move would break."""


class PromiseChoices(Out, frozen=True, tag="promise_choices"):
    """What a seat may promise; a field `to` says to which one seat such a promise may be made."""

    n: int
    choices: tuple[Choice, ...]


class Coached(Out, frozen=True, tag="coached"):
    """A key in the group `coach` of the game's texts, with its arguments; None if there is nothing to say."""

    n: int
    key: str | None = None
    args: Mapping[str, Argument] = {}


class Pong(Out, frozen=True, tag="pong"):
    n: int
    now: int


class Error(Out, frozen=True, tag="error"):
    """Reports a problem with this socket or its last frame. If it is fatal, the hub closes the socket.

    `n` is the frame's, if it had one: a command with this number has no other answer.
    """

    code: str
    advice: str
    n: int | None = None


ToClient: TypeAlias = (
    Welcome | View | Frame | Talk | Verdict | Previewed | Coached | PromiseChoices | Pong | Error
)


# --- the hub's own sections in every view, in addition to the game's ---


StopReason: TypeAlias = Literal["store", "round"]


class SeatInfo(Struct, frozen=True):
    """One seat as everyone sees it. `substitute`: a bot is playing for a person who is absent.

    `asked`: that person wants the bot. `vacant`: nobody holds the seat. `offered`: somebody may take it over
    while its person is away. `held`: it is kept for somebody who plays again and has not come yet.
    `character`: the key of the one as which its bot plays; `name` is then the character's.
    """

    name: str | None
    colour: int
    bot: str | None
    substitute: bool
    ready: bool
    vacant: bool
    offered: bool
    asked: bool
    held: bool
    character: str | None


class TableSection(Struct, frozen=True):
    """Section `table`: everything about the table except the game itself.

    `grace`, `watch_delay`: see `Grace` and `WatchDelay`.

    `salt_hashes` are those of the salts being revealed before the start, empty for seats that take no part.
    `salts` and `seed` are shown at the end. `abandoned`: the table ended the game, which has no result.
    `restarts`: how often the exchange of salts was repeated. `previous`: the finished room whose people play
    again here. `skipping`: bots play without waiting, since every person with a seat is out. `host`: the
    host's seat; None if there is no host, or if the host has no seat. `host_name`: the name of a host without
    a seat, otherwise None. `lesson`: how many steps of its lesson are done; None if it is no lesson.
    """

    room: str
    code: str
    game: str
    options: Mapping[str, Any]
    open: bool
    locked: bool
    watching: bool
    hears_watchers: bool
    admission: bool
    takes_latecomers: bool
    status: Literal["waiting", "running", "paused", "finished"]
    paused_for: Literal["host", "vote", "empty", "fault"] | None
    abandoned: bool
    host: int | None
    host_name: str | None
    seats: tuple[SeatInfo, ...]
    seed_hash: str
    seed: str | None
    salt_hashes: tuple[str, ...] | None
    salts: tuple[str, ...] | None
    restarts: int
    record: bool
    previous: str | None
    grace: Grace
    watch_delay: WatchDelay
    skipping: bool
    lesson: int | None = None


class PresenceSection(Struct, frozen=True):
    """Section `presence`: which seats have a person connected, and how many people are watching.

    `host`: whether a host without a seat is connected, who is not counted in `watchers`.
    """

    connected: tuple[bool, ...]
    watchers: int
    host: bool = False


class Visitor(Struct, frozen=True, array_like=True):
    """Somebody without a seat, as the host sees them: an id that is valid at this table only, and a name."""

    id: str
    name: str


class KnocksSection(Struct, frozen=True):
    """Section `knocks` (the host only): the people who ask to come in; missing if there are none."""

    knocks: tuple[Visitor, ...]


class WatchersSection(Struct, frozen=True):
    """Section `watchers` (the host only): the people watching, as many as fit, and how many there are.

    Missing if there are none.
    """

    watchers: tuple[Visitor, ...]
    count: int


class VoteSection(Struct, frozen=True):
    """Section `vote`, while a vote runs: `caller` called it, and it is about the seat `seat`, if any.

    `yes` and `no` votes were cast, and it takes `needed` to pass. `left`: milliseconds, when the section was
    sent. In a seat's own view, `may_vote` says whether it has a vote, and `own` how it has voted.
    """

    number: int
    kind: VoteKind
    seat: int | None
    caller: int
    yes: int
    no: int
    needed: int
    left: int
    may_vote: bool
    own: bool | None


class PromptInfo(Struct, frozen=True):
    id: str
    kind: str
    seats: tuple[int, ...]
    window: str | None


class PromptsSection(Struct, frozen=True):
    """Section `prompts`: what the table is waiting for, limited to what this audience is allowed to know."""

    prompts: tuple[PromptInfo, ...]


class WindowInfo(Struct, frozen=True, omit_defaults=True):
    """A running window has `end`, a held one has `left`; `span` is its whole length.

    `sections` names the sections a client must forget when the window closes or the connection is lost.
    """

    id: str
    kind: str
    concerns: tuple[int, ...]
    span: int
    end: int | None = None
    left: int | None = None
    extend: str | None = None
    sections: tuple[str, ...] = ()


class WindowsSection(Struct, frozen=True, omit_defaults=True):
    """Section `windows`. While `live` is false, table time is stopped at the frame's `now`.

    `stopped_by` says what has stopped a running game's time: `store` if the hub cannot reach its store,
    `round` for watchers who see each round only once it is over.
    """

    live: bool
    windows: tuple[WindowInfo, ...]
    stopped_by: StopReason | None = None


class ChoicesSection(Struct, frozen=True):
    """Section `choices` (seats only): the legal moves, by prompt."""

    choices: Choices


class NoteSection(Struct, frozen=True):
    """Section `note` (seats only): the seat's private notebook."""

    text: str


class PromiseInfo(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A promise of the seat `by`, as `MakePromise` made it at table time `at`.

    `judgement`: None as long as it is open. `excused`: what the seat has last done about it was done by a
    substitute, or somebody else has taken the seat since. `cost`, of a broken one: what the move that broke
    it has added to each seat's standing.
    """

    id: str
    by: int
    kind: str
    terms: Mapping[str, int | str]
    at: int
    to: tuple[int, ...] = ()
    private: bool = False
    told: bool = True
    judgement: Judgement | None = None
    excused: bool = False
    cost: tuple[int, ...] | None = None


class PromisesSection(Struct, frozen=True):
    """Section `promises`: those this audience may know of, the oldest first; missing before the first one."""

    promises: tuple[PromiseInfo, ...]


class OutSeatsSection(Struct, frozen=True):
    """Section `out_seats`: the seats that the rules ask nothing more in this game or round.

    Missing if there are none.
    """

    seats: tuple[int, ...]


class ResultSection(Struct, frozen=True):
    """Section `result`: the outcome, once there is one."""

    outcome: Outcome


class RematchSection(Struct, frozen=True):
    """Section `rematch`, once the game is over: the seats that may press *Play again*, and that have.

    The rest is the next table as the first press chose it, None before that. `rotated`: everybody moves up
    one seat there.
    """

    seats: tuple[int, ...]
    pressed: tuple[int, ...]
    room: str | None = None
    code: str | None = None
    game: str | None = None
    rotated: bool = False


HUB_SECTIONS: Mapping[str, type[Struct]] = {
    "table": TableSection,
    "presence": PresenceSection,
    "knocks": KnocksSection,
    "watchers": WatchersSection,
    "vote": VoteSection,
    "prompts": PromptsSection,
    "windows": WindowsSection,
    "choices": ChoicesSection,
    "talk_policy": TalkPolicy,
    "note": NoteSection,
    "promises": PromisesSection,
    "out_seats": OutSeatsSection,
    "result": ResultSection,
    "rematch": RematchSection,
}
"""The hub's sections with their types. No game may use these names."""

PRIVATE_SECTIONS: tuple[str, ...] = ("choices", "note", "knocks", "watchers")
"""The hub's sections that watchers never get."""


# --- why a socket closes, and why a command is refused ---

CLOSE_CODES: Mapping[int, str] = {
    1001: "the hub is shutting down; reconnect",
    1003: "only binary frames are accepted",
    1007: "a frame was not a valid msgpack message",
    1009: "a frame was larger than 65536 bytes",
    1013: "the hub cannot serve this table now; try again soon",
    4000: "the first message must be a valid `hello`, within ten seconds",
    4001: "the room has a new owner: reconnect",
    4003: "the ticket is not valid, or no longer valid",
    4004: "no such room",
    4008: "too many messages",
    4009: "this client reads too slowly; reconnect",
    4010: "the seat was taken from this person",
    4011: "this person has too many sockets open, and this was the oldest",
    4012: "the table was made by another version of Parley and cannot be opened here",
    4013: "the table has too many watchers, or is closed to them",
    4014: "this person or network is banned from this hub for some time",
    4015: "the host has removed this person from the table",
    4016: "this hub's operator closed the table",
    4017: "this person continues on another device",
    4018: "newer rules could not go on with this game, so it ended without a result",
}

HUB_REFUSALS: Mapping[str, str] = {
    "STALE_PROMPT": "that prompt is not open to you, or no longer open (GEN-4)",
    "BAD_SALT": "this salt does not have the hash that was fixed for this seat",
    "BAD_MOVE": "the move is not one of this game's moves, or the message is not for a seat to send",
    "TOO_OLD": "this command is too old to be answered again (G2)",
    "BUSY": "too many commands are waiting; try again",
    "NOT_SEATED": "watchers cannot do this",
    "NOT_HOST": "only the host may do this",
    "NOT_NOW": "the table's status does not allow this",
    "NOT_OUT": "this seat is still in the game: only whoever is out may skip to the end",
    "OTHERS_PLAY": "another person is still in the game: nobody may skip to the end",
    "NOT_IN_LESSON": "this lesson asks for another move, or this cannot be done in a lesson",
    "NO_SUCH_SEAT": "there is no such seat, or this cannot be done to it",
    "NO_SUCH_PERSON": "this person has left, or no longer asks to come in",
    "NO_ROUNDS": "this game has no rounds to wait for",
    "NO_SUCH_LEVEL": "this game's bot has no such level",
    "SEAT_TAKEN": "somebody else is sitting there",
    "VOTE_NEEDED": "at this table only a vote can do this: `call_vote`",
    "VOTE_RUNNING": "another vote is running",
    "CALLED_LATELY": "this seat called a vote lately: try again after the `seconds` in `args`",
    "TOO_FEW_VOTERS": "too few people could vote for this",
    "NO_SUCH_VOTE": "this vote is over",
    "NO_VOTE": "the vote is about this seat, which has none",
    "TALK_CLOSED": "talk is closed now",
    "WATCHERS_UNHEARD": "this table does not hear its watchers: talk to the other watchers",
    "OPEN_TABLE": "strangers may watch an open table: play at a private one to hear the watchers",
    "PHRASES_ONLY": "only the game's phrases are allowed now",
    "NO_SUCH_PHRASE": "that is not one of the phrases allowed now",
    "NOTHING_SAID": "the message has no visible characters",
    "WHISPERS_OFF": "whispers are not allowed now",
    "NO_SUCH_PROMISE": "this cannot be promised now: ask what can be with `ask_promises`",
    "PROMISED_ALREADY": "this seat has promised this to one of these seats already, and it is still open",
    "CONTRADICTION": "this seat could not keep both this and a promise of its own that is still open",
    "TOO_MANY_OPEN": "this seat has as many open promises as it may have, which is `most` in `args`",
    "TOO_MANY_PROMISES": "this seat has made as many promises as it may in a game, which is `most` in `args`",
    "NOTES_LOCKED": "notes are locked now",
    "TOO_LONG": "notes are limited to 4 KB",
    "PAUSED": "the table is paused",
    "TOO_MANY_MOVES": "this seat has added as much to the log as it may: it can still talk, write notes, "
    "`stand_in`, leave and, as host, remove people",
    "SLOW_DOWN": "too many messages in a short time",
    "NOTHING_TO_SHOW": "this game has no preview for that move",
    "BOT_PLAYS": "a bot is playing this seat; take it back first",
    "BROKEN": "the rules failed on this command; the table is unchanged and the error was logged",
}
