"""Everything that hubs have shown and promised to one client, and checks that the store keeps the promises.

A `Follower` is fed every message its socket gets and fails at the first one that breaks the protocol: a frame
out of order, a line that changes or vanishes, a second verdict. `settled` compares what all followers saw
with what the store holds at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, cast

import msgpack  # type: ignore[import-untyped]
import msgspec

from hub.store.store import Store
from hub.table import room as rooms
from hub.table.replay import Replay, ReplayConfig
from hub.table.room import Logged, Room
from hub.table.talk import MESSAGES_KEPT, TalkHistory
from hub.wire.messages import TalkMessage
from tests.harness.other_build import find_rules
from tests.harness.transcripts import Transcript, find_strangers, list_parts, replay_views

RECENT: Final = 80
"""The number of lines and talk messages a full view begins with."""
STEP_BACK: Final = 1000
"""The displayed time may go back by this many milliseconds when a pause takes effect late (G5)."""

_encode = msgspec.msgpack.Encoder(order="deterministic").encode


class Follower:
    """One client instance of a seat, over any number of sockets."""

    def __init__(self, ticket: str) -> None:
        self.ticket = ticket
        self.seat: int | None = None
        self.session: int | None = None
        self.run: str | None = None
        self.runs: list[str] = []
        """Every epoch it was welcomed into, in order."""
        self.frame = 0
        self.table_time = 0
        self.sections: dict[str, Any] = {}
        self.transcript = Transcript()
        self.lines: dict[int, Any] = {}
        self.talk: dict[str, Any] = {}
        """Talk messages, by their text."""
        self.remarks: list[Any] = []
        """The last talk at the table, phrases too, in the order in which it was heard."""
        self.commands: dict[tuple[int, int], dict[str, Any]] = {}
        """Every command ever sent, by (session, n)."""
        self.pending: dict[int, dict[str, Any]] = {}
        """Commands without a verdict, oldest first."""
        self.verdicts: dict[tuple[int, int], dict[str, Any]] = {}
        self._due: Counter[int] = Counter()
        """The number of verdicts due for each command on this socket."""
        self._n = -1
        self._fresh = True

    # --- outgoing ---

    def opened(self) -> bytes:
        """The first message on a new socket."""
        self._fresh = True
        self._due.clear()
        return pack({"t": "hello", "ticket": self.ticket, "session": self.session})

    def command(self, kind: str, /, **fields: Any) -> int:
        """Records a new command, to be sent, and returns its number."""
        assert self.session is not None
        self._n += 1
        message = {"t": kind, "session": self.session, "n": self._n, **fields}
        self.commands[self.session, self._n] = message
        self.pending[self._n] = message
        return self._n

    def packed(self, n: int) -> bytes:
        """A command as sent over the wire; it may be sent more than once."""
        assert self.session is not None
        self._due[n] += 1
        return pack(self.commands[self.session, n])

    # --- incoming ---

    def feed(self, data: bytes) -> dict[str, Any]:
        message: dict[str, Any] = msgpack.unpackb(data)
        match message["t"]:
            case "welcome":
                self._welcome(message)
            case "view":
                self._view(message)
            case "frame":
                assert message["n"] == self.frame + 1, "no gap in the frames of an epoch"
                self.frame += 1
                self._clock(message["now"])
                changed = message.get("sections", {})
                self.sections = {k: v for k, v in (self.sections | changed).items() if v is not None}
                self.transcript.show(changed)
                for line in message.get("lines", []):
                    assert line[0] == max(self.lines, default=0) + 1, "no gap in the lines"
                    self.lines[line[0]] = line
            case "talk":
                self._hear(message["message"])
            case "verdict":
                self._verdict(message)
            case "pong":
                self._clock(message["now"])
            case _:
                pass
        return message

    def _welcome(self, message: dict[str, Any]) -> None:
        assert self._fresh, "one welcome for each socket"
        if self.session is not None and message["session"] != self.session:
            self._n = -1  # the hub no longer knew this instance, so it begins a new one
            self.pending.clear()
        self.seat, self.session = message["seat"], message["session"]
        if self.run != message["epoch"]:
            epoch = int(message["epoch"].partition(":")[0])
            assert message["epoch"] not in self.runs, "an epoch that has ended does not come back"
            assert all(int(run.partition(":")[0]) < epoch for run in self.runs), "epochs rise (G3)"
            self.runs.append(message["epoch"])
            self.run, self.frame = message["epoch"], -1

    def _view(self, message: dict[str, Any]) -> None:
        # a busy hub sends watchers a whole view in place of changes (G8.19)
        assert self._fresh or self.seat is None, "one full view for each socket of a seat"
        self._fresh = False
        assert message["epoch"] == self.run
        assert message["n"] >= self.frame, "frame numbers continue within an epoch"
        self.frame = message["n"]
        self._clock(message["now"])
        self.sections = message["sections"]
        self.transcript.show_all(self.sections)
        shown = {line[0]: line for line in message["lines"]}
        top = max(self.lines, default=0)
        assert max(shown, default=0) >= top, "no line that was seen is lost (G6)"
        for number, line in shown.items():
            seen = self.lines.get(number, line)
            assert seen == line, f"no line that was seen changes (G1), but {seen} to {line} in run {self.run}"
        self.lines |= shown
        before, said = self.remarks, message["talk"]
        pushed_out = 0 if len(said) < RECENT else before.index(said[0]) if said[0] in before else len(before)
        kept = before[pushed_out:]
        assert kept == said[: len(kept)], "no talk that was heard is lost, and none changes (G6)"
        self.talk, self.remarks = {}, []
        for remark in said:
            self._hear(remark)

    def _hear(self, said: dict[str, Any]) -> None:
        if (text := said.get("text")) is not None:
            assert text not in self.talk, "no message is heard twice"
            self.talk[text] = said
        if said["channel"] == "table":  # what watchers say is not kept
            self.remarks = [*self.remarks[1 - RECENT :], said]

    def _verdict(self, message: dict[str, Any]) -> None:
        n = message["n"]
        assert self.session is not None
        assert self._due[n] > 0, "one verdict each time a command is sent (G2)"
        self._due[n] -= 1
        key = (self.session, n)
        if key in self.verdicts and "code" not in self.verdicts[key]:
            assert message.get("code") in (None, "TOO_OLD"), "the stored verdict (G2)"
        else:
            self.verdicts[key] = message
        self.pending.pop(n, None)

    def _clock(self, time: int) -> None:
        back = self.table_time - time
        assert back <= STEP_BACK, f"table time does not go back (G5), but by {back} ms, in run {self.run}"
        self.table_time = time

    # --- reading ---

    def applied(self, n: int, session: int | None = None) -> bool:
        """Whether the command was applied; fails if it has no verdict yet."""
        return "code" not in self.verdicts[session or self.session or 0, n]

    def code(self, n: int) -> str | None:
        """The code of the command's verdict; None if it was applied."""
        code = self.verdicts[self.session or 0, n].get("code")
        return None if code is None else str(code)

    def window(self, prefix: str) -> dict[str, Any] | None:
        """The first open window whose id begins with `prefix`."""
        for window in self.sections.get("windows", {"windows": []})["windows"]:
            if window["id"].startswith(prefix):
                return dict(window)
        return None

    def left(self, prefix: str) -> int:
        """The time left in a window, in milliseconds."""
        window = self.window(prefix)
        assert window is not None, f"no window {prefix}"
        return int(window["end"] - self.table_time if "end" in window else window["left"])

    def may(self, prompt: str) -> bool:
        """Whether this prompt is open to this seat."""
        prompts = self.sections.get("prompts", {"prompts": []})["prompts"]
        return any(one["id"] == prompt and self.seat in one["seats"] for one in prompts)

    @property
    def status(self) -> str:
        return str(self.sections["table"]["status"]) if self.sections else ""


def pack(message: dict[str, Any]) -> bytes:
    data: bytes = msgpack.packb(message)
    return data


# --- what the store holds ---


async def stored_log(store: Store, room_id: str) -> list[Logged]:
    return [rooms.unpack_logged(entry) for entry in await store.log(room_id)]


async def stored_room(store: Store, room_id: str) -> Room:
    """The room as its next owner would find it: the snapshot, with the log since then applied."""
    head = store.keys.room(room_id)[0]
    snapshot, snapped = await cast(Any, store._client.hmget(head, "snapshot", "snapped"))
    beyond = [
        entry for at, entry in await store.log_with_ids(room_id) if int(at.split("-")[1]) > int(snapped)
    ]
    table = rooms.unpack_table(snapshot)
    rules = find_rules(table.game, table.version)
    room = rooms.unpack(snapshot, {table.game: rules})
    return rooms.play_on(rules, room, map(rooms.unpack_logged, beyond))


async def settled(store: Store, room_id: str, followers: Iterable[Follower]) -> Room:
    """Fails unless the store holds everything promised, and nothing twice; returns the stored room.

    Every command must have its verdict. G1, G6: everything that was seen is there. G2: every applied command
    has one effect, every other command none. G5: each window closed once, at its end, and time never ran
    backwards. G7: the log leads to the state, and every view that was shown is one of a replay.
    """
    room = await stored_room(store, room_id)
    log = await stored_log(store, room_id)
    talk = TalkHistory.restore(await store.talk(room_id))[1]
    compare(room, log, talk, tuple(followers))
    return room


def compare(
    room: Room, log: Sequence[Logged], talk: Sequence[TalkMessage], followers: Sequence[Follower]
) -> None:
    """Fails unless a stored room, its log and its talk are what these clients were shown and promised."""
    _times(log)
    _replayed(room, log)
    views = replay_views(room, log, {follower.seat for follower in followers})
    for follower in followers:
        assert not follower.pending, "every command has its verdict"
        readable = _readable(log, follower.seat)
        wrong = [number for number, line in follower.lines.items() if readable.get(number) != line]
        assert not wrong, f"seat {follower.seat} saw lines that are not those of the log (G1, G6): {wrong}"
        strangers = list(find_strangers(follower.transcript.views, views[follower.seat]))
        assert not strangers, f"seat {follower.seat} saw what no replay shows (G1, G4, G7): {strangers}"
    _effects(log, talk, followers)


def _readable(log: Sequence[Logged], seat: int | None) -> dict[int, Any]:
    """The lines of the whole log that this audience may read, numbered from 1, as they are sent."""
    lines = [
        [line.key, msgspec.to_builtins(line.args), entry.at, line.to is not None]
        for entry in log
        for line in entry.lines
        if line.to is None or (seat is not None and seat in line.to)
    ]
    return {number: [number, *line] for number, line in enumerate(lines, start=1)}


def _times(log: Sequence[Logged]) -> None:
    times = [entry.at for entry in log]
    assert times == sorted(times), "table time never goes back"
    closed = Counter(entry.entry.window for entry in log if entry.entry and entry.entry.kind == "expire")
    assert set(closed.values()) <= {1}, f"each window closes once (G5.3): {closed.most_common(1)}"


def _replayed(room: Room, log: Sequence[Logged]) -> None:
    """G7: the log can be replayed, and its last state is the stored one."""
    entries = sum(logged.entry is not None for logged in log)
    assert entries == room.counts.entries, "no entry is lost or doubled (G6)"
    if not entries:
        return
    table = room.table
    seats, digest = len(table.seats), b""
    for part in list_parts(table, log):
        assert part.crossing is None or digest == sha256(part.crossing.state).digest()
        config = ReplayConfig(table.game, part.rules.version, seats, table.options, table.seed, table.salts)
        replay = Replay(config, part.rules, part.crossing)
        for entry in part.entries:
            replay.play(entry)
        digest = replay.digest
    assert room.position is not None
    assert digest == sha256(_encode(room.position.state)).digest()


def _effects(log: Sequence[Logged], talk: Sequence[TalkMessage], followers: Sequence[Follower]) -> None:
    """G2: as many effects as applied commands, for each kind of command with distinguishable effects."""
    wanted: Counter[Any] = Counter()
    maybe: Counter[Any] = Counter()
    for follower in followers:
        for key, message in follower.commands.items():
            effect = _effect(follower.seat, message)
            wanted[effect] += key in follower.verdicts and "code" not in follower.verdicts[key]
            # The hub forgot this instance: it sent no verdict, or it cannot tell what became of the command.
            maybe[effect] += follower.verdicts.get(key, {"code": "TOO_OLD"}).get("code") == "TOO_OLD"
    effects: Counter[Any] = Counter(("say", said.text) for said in talk)
    for logged in log:
        entry = logged.entry
        if entry is not None and entry.kind == "move" and logged.command is not None:
            effects["do", entry.seat, *logged.command, entry.prompt, _unordered(entry.move)] += 1
        effects.update(("manage", line.key) for line in logged.lines)
    instances = {(follower.seat, session) for follower in followers for session, _ in follower.commands}
    for effect in effects:
        unsent = effect[0] == "do" and effect[1:3] in instances and effect not in wanted
        assert not unsent, f"{effect} is in the log, and nobody sent it"
    forgets = len(talk) >= MESSAGES_KEPT
    for effect, times in wanted.items():
        if effect is not None:
            least = 0 if effect[0] == "say" and forgets else times
            if effect[0] == "manage":  # locking a locked table shows nothing; it is unlocked at first
                least = min(times, 1) if effect[1] == "table.locked" else 0
            assert least <= effects[effect] <= times + maybe[effect], effect


def _effect(seat: int | None, message: dict[str, Any]) -> Any:
    match message["t"]:
        case "do":
            move = _unordered(message["move"])
            return "do", seat, message["session"], message["n"], message["prompt"], move
        case "say":
            return "say", message["text"]
        case "manage" if message["act"]["do"] == "lock":
            return "manage", "table.locked" if message["act"]["locked"] else "table.unlocked"
        case _:
            return None


def _unordered(move: Mapping[str, Any] | None) -> str:
    return repr(sorted((move or {}).items()))
