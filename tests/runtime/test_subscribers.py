"""The followers of a room and the messages to each audience, without a store, a socket or an actor."""

from __future__ import annotations

from typing import Any

from games.almost.rules.game import ALMOST
from games.api import LogLine, Millis, Refusal, Seat
from hub.runtime.subscribers import RECENT, Subscribers
from hub.table import actions, game_start, log, seating
from hub.table.options import read_options
from hub.table.room import Change, Logged, Room, move
from hub.telemetry.metrics import Metrics
from hub.wire import messages as m
from tests.secrecy.in_process_hub import read

RULES: Any = ALMOST
NOW = Millis(70)


class Recorder:
    """A connection that records what it was sent."""

    def __init__(self, seat: int | None, person: str = "p9") -> None:
        self.seat = None if seat is None else Seat(seat)
        self.person = person
        self.name = f"Person {person}"
        self.code: int | None = None
        self.data: list[bytes] = []

    def send(self, data: bytes) -> None:
        self.data.append(data)

    def close(self, code: int) -> None:
        self.code = code

    def sent(self) -> list[dict[str, Any]]:
        """The messages since the last call."""
        messages = [message for data in self.data for message in read(data)]
        self.data.clear()
        return messages


def done(result: Change | Refusal) -> Room:
    assert isinstance(result, Change), result
    return result.room


def running(**options: Any) -> Room:
    """A room with three people whose game has begun."""
    chosen = read_options(RULES, {"discussion": "untilReady", "whispers": True, **options})
    room = actions.create(
        RULES, "r" * 22, "BCDFGH", 3, chosen, b"s" * 32, name_keys=[bytes(16)] * 3, open=True
    )
    for seat in range(3):
        room = done(seating.sit(room, f"p{seat}", f"Person {'ABC'[seat]}", seat, seat, NOW))
    return done(game_start.start(RULES, room, "normal", NOW))


class Followed:
    """A room and its subscribers, to whom its changes are rendered, shown and published."""

    def __init__(self, room: Room, *logged: Logged, talk: tuple[m.TalkMessage, ...] = ()) -> None:
        self.room = room
        self.notes = [""] * 3
        self.metrics = Metrics()
        self.subscribers = Subscribers(RULES, room, self.notes, logged, talk, self.metrics)

    def join(self, seat: int | None) -> Recorder:
        viewer = Recorder(seat)
        self.subscribers.add(viewer, b"", "1:hub", NOW)
        return viewer

    def joined(self, *seats: int | None) -> list[Recorder]:
        """Viewers who follow the room and have read their first view."""
        viewers = [self.join(seat) for seat in seats]
        for viewer in viewers:
            viewer.sent()
        return viewers

    def change(self, change: Change | Refusal) -> None:
        assert isinstance(change, Change), change
        update = self.subscribers.render(change.room, self.notes, change.affected_seats)
        lines = log.number_lines(self.room, change.logged)
        self.room = change.room
        self.subscribers.show(update)
        self.subscribers.publish(update, NOW, lines)

    def propose(self, seat: int) -> None:
        bids = {"move": "propose", "bids": [1, 2, 3]}
        self.change(move(RULES, self.room, Seat(seat), "plan:1", bids, NOW))


def talk(seat: int, to: int | None = None, text: str = "hello") -> m.TalkMessage:
    return m.TalkMessage(channel="table", name="Ann", at=NOW, seat=seat, to=to, text=text)


def texts(view: dict[str, Any]) -> list[str]:
    return [message["text"] for message in view["talk"]]


# --- followers ---


def test_connected_seats_and_watchers() -> None:
    followed = Followed(running())
    subscribers = followed.subscribers
    assert not subscribers
    ann, watcher = followed.join(0), followed.join(None)
    assert subscribers
    assert (subscribers.is_connected(0), subscribers.is_connected(1), subscribers.watchers) == (
        True,
        False,
        1,
    )
    subscribers.remove(ann)
    subscribers.remove(watcher)
    assert not subscribers


def test_a_newcomer_is_welcomed_with_the_whole_view() -> None:
    """G4.4: both are sent in one write, the welcome first."""
    followed = Followed(running())
    viewer = Recorder(0)
    followed.subscribers.add(viewer, b"\x82\x01\xc0", "1:hub", NOW)
    (data,) = viewer.data
    assert data.startswith(b"\x82\x01\xc0")
    (view,) = read(data[3:])
    assert (view["t"], view["epoch"], view["now"]) == ("view", "1:hub", NOW)
    assert {"table", "presence", "choices", "note"} <= view["sections"].keys()


def test_connections_of_a_seat_that_changed_hands_are_closed() -> None:
    """G4: nobody else is."""
    followed = Followed(running())
    viewers = [followed.join(seat) for seat in (0, 1, 2, None)]
    after = done(seating.free_seat(followed.room, 1, NOW, by_host=True))
    followed.subscribers.close_departed(followed.room.table, after.table)
    assert [viewer.code for viewer in viewers] == [None, 4010, None, None]


def test_watchers_are_disconnected_when_watching_is_closed() -> None:
    followed = Followed(running())
    viewers = [followed.join(seat) for seat in (0, None, None)]
    act = m.CloseWatching(closed=True)
    after = done(actions.manage(RULES, ("normal",), followed.room, Seat(0), act, NOW))
    followed.subscribers.close_departed(followed.room.table, after.table)
    assert [viewer.code for viewer in viewers] == [None, 4013, 4013]


def test_all_connections_are_closed() -> None:
    followed = Followed(running())
    viewers = [followed.join(seat) for seat in (0, 0, 1, None)]
    followed.subscribers.close_all(4001)
    assert {viewer.code for viewer in viewers} == {4001}


# --- frames ---


def test_each_audience_counts_its_own_frames() -> None:
    """G4.3: frames that a seat is not sent leave no gap in its numbers."""
    followed = Followed(running())
    ann, bea, watcher = followed.joined(0, 1, None)
    followed.change(move(RULES, followed.room, Seat(0), "ready:1", {"move": "ready"}, NOW))
    followed.propose(1)
    numbers = [[frame["n"] for frame in viewer.sent()] for viewer in (ann, bea, watcher)]
    for sequence in numbers:
        assert sequence == list(range(1, len(sequence) + 1))
    assert all(numbers)


def test_tabs_of_a_seat_are_sent_the_same_bytes() -> None:
    followed = Followed(running())
    one, other = followed.joined(0, 0)
    followed.propose(1)
    assert one.data == other.data != []
    assert one.data[0] is other.data[0], "the frame is encoded once"


def test_a_late_tab_continues_the_numbering_of_its_audience() -> None:
    followed = Followed(running())
    (first,) = followed.joined(0)
    followed.propose(1)
    late = followed.join(0)
    (frame,), (view,) = first.sent(), late.sent()
    assert view["n"] == frame["n"]
    followed.propose(2)
    assert first.sent() == late.sent() != []


def test_a_removed_connection_is_sent_nothing() -> None:
    followed = Followed(running())
    ann, bea = followed.joined(0, 1)
    followed.subscribers.remove(ann)
    followed.propose(2)
    assert ann.sent() == []
    assert bea.sent() != []
    assert followed.metrics.frames_out == 1


def test_an_empty_change_sends_no_frame() -> None:
    followed = Followed(running())
    viewers = followed.joined(0, None)
    followed.change(Change(followed.room))
    assert [viewer.sent() for viewer in viewers] == [[], []]


def test_lines_are_sent_only_to_their_audience() -> None:
    """G4.3: the lines are counted only for them."""
    followed = Followed(running())
    ann, bea, watcher = followed.joined(0, 1, None)
    lines = (LogLine("almost.secret", {}, frozenset({Seat(1)})), LogLine("almost.public", {}, None))
    update = followed.subscribers.render(followed.room, followed.notes, frozenset())
    followed.subscribers.show(update)
    numbered = log.number_lines(followed.room, (Logged(None, lines, NOW),))
    followed.subscribers.publish(update, NOW, numbered)
    keys = [[line[1] for frame in viewer.sent() for line in frame["lines"]] for viewer in (ann, bea, watcher)]
    assert keys == [["almost.public"], ["almost.secret", "almost.public"], ["almost.public"]]
    (view,) = followed.join(1).sent()
    assert [line[1] for line in view["lines"]][-2:] == ["almost.secret", "almost.public"]


def test_presence() -> None:
    """Everybody is sent the list of who is currently connected."""
    followed = Followed(running())
    ann, _ = followed.joined(0, None)
    followed.subscribers.tell_presence(followed.room, followed.notes, NOW)
    (frame,) = ann.sent()
    assert frame["sections"]["presence"] == {"connected": [True, False, False], "watchers": 1, "host": False}


# --- talk ---


def test_a_whisper_is_sent_only_to_its_two_seats() -> None:
    """GEN-12, G4: they are sent it at once, and again in later full views."""
    followed = Followed(running())
    viewers = followed.joined(0, 1, 2, None)
    followed.subscribers.say(talk(0, to=2, text="psst"))
    assert [len(viewer.sent()) for viewer in viewers] == [1, 0, 1, 0]
    views = [followed.join(seat).sent()[0] for seat in (0, 1, 2, None)]
    assert [texts(view) for view in views] == [["psst"], [], ["psst"], []]


def test_whispers_do_not_displace_talk_that_others_see() -> None:
    """G4: otherwise the amount of talk in a view would reveal them."""
    followed = Followed(running(), talk=(talk(1, text="first"),))
    for _ in range(RECENT):
        followed.subscribers.say(talk(0, to=2))
    assert texts(followed.join(1).sent()[0]) == ["first"]


def test_watchers_talk_among_themselves() -> None:
    """GEN-8: their talk is not kept."""
    followed = Followed(running())
    viewers = followed.joined(0, None, None)
    followed.subscribers.say_to_watchers(m.TalkMessage(channel="watchers", name="W", at=NOW, text="hi"))
    assert [len(viewer.sent()) for viewer in viewers] == [0, 1, 1]
    assert texts(followed.join(None).sent()[0]) == []


def test_a_stored_log_is_shown_with_its_numbers() -> None:
    """G6: the first views from a new owner end with the log's last lines."""
    room = running()
    change = actions.pause(room, "host", NOW)
    assert isinstance(change, Change)
    followed = Followed(change.room, *change.logged)
    (view,) = followed.join(0).sent()
    assert [(line[1], line[0]) for line in view["lines"]] == [
        ("table.paused", change.room.counts.lines + change.room.counts.own_lines[0])
    ]


def test_a_report_quotes_no_whisper_that_its_sender_did_not_hear() -> None:
    """G4"""
    followed = Followed(running())
    messages = [talk(0), talk(0, 2)]
    for message in messages:
        followed.subscribers.say(message)
    heard = [followed.subscribers.list_heard(seat, "p", 40) for seat in (Seat(0), Seat(1), Seat(2), None)]
    assert [len(lines) for lines in heard] == [2, 1, 2, 1]
