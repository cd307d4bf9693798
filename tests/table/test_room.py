"""A room as a value: windows in order (G5), moves, lines, and the room as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.almost.rules.game import Almost
from games.api import EVERYONE, Held, LogLine, Millis, Refusal, Running, Seat, Window, WindowId
from hub.table import actions, game_start
from hub.table import room as rooms
from hub.table.room import Change, Counts, Logged, Room
from tests.toy import Toy, registry

TOY = Toy()
RULES: Any = TOY


def new_room(seats: int = 3, **options: Any) -> Room:
    chosen = msgspec.convert(options, TOY.Options)
    return actions.create(
        RULES, "r" * 22, "BCDFGH", seats, chosen, b"s" * 32, name_keys=[bytes(16)] * seats, open=True
    )


def begun(seats: int = 3) -> Room:
    """A room with a game in which nobody has guessed yet; its window ends at 1000."""
    change = game_start.start(RULES, new_room(seats), "easy", Millis(0))
    assert isinstance(change, Change)
    return change.room


def apply_move(room: Room, seat: int, at: int = 0, **move: Any) -> Change:
    change = rooms.move(RULES, room, Seat(seat), "guess", move, Millis(at))
    assert isinstance(change, Change), change
    return change


# --- the seats a step affects ---


def test_a_step_that_names_seats_keeps_prompts_and_windows() -> None:
    """Prompts and windows are not computed again; a step that names no seats affects all of them."""
    rules: Any = Almost()
    options = msgspec.convert({"discussion": "none"}, rules.Options)
    waiting = actions.create(
        rules, "r" * 22, "BCDFGH", 3, options, b"s" * 32, name_keys=[bytes(16)] * 3, open=True
    )
    change = game_start.start(rules, waiting, "easy", Millis(0))
    affected_seats, kept = [], []
    for seat in range(3):
        assert isinstance(change, Change)
        before = change.room.position
        lock = {"move": "lock", "number": 1 + seat}
        change = rooms.move(rules, change.room, Seat(seat), "bid:1", lock, Millis(1))
        assert isinstance(change, Change)
        assert before is not None
        assert change.room.position is not None
        affected_seats.append(change.affected_seats)
        kept.append(
            change.room.position.prompts is before.prompts and change.room.position.windows is before.windows
        )
    assert affected_seats == [{0}, {1}, None]
    assert kept == [True, True, False]


# --- windows ---


class Clocks(Toy):
    """Rules with windows that end at given times; None is a held window."""

    def __init__(self, ends: Sequence[int | None]) -> None:
        self.ends = ends

    def windows(self, state: Any) -> tuple[Window, ...]:
        return tuple(
            Window(
                WindowId(f"w{i}"),
                "w",
                EVERYONE,
                frozenset(),
                Held(Millis(7)) if end is None else Running(Millis(end)),
                Millis(20),
            )
            for i, end in enumerate(self.ends)
        )

    def room(self) -> Room:
        rules: Any = self
        room = begun()
        assert room.position is not None
        return replace(room, position=rooms.position_of(rules, room.position.state))


ends = st.lists(st.one_of(st.none(), st.integers(0, 20)), max_size=8)


@given(ends, st.integers(0, 20))
def test_the_first_window_due(times: list[int | None], at: int) -> None:
    """G5.1, G5.2: windows are ordered by (end, index); a window is due at exactly the time of its end."""
    room = Clocks(times).room()
    running = [(end, i) for i, end in enumerate(times) if end is not None]
    expected = min(((end, i) for end, i in running if end <= at), default=None)
    due = rooms.due(room, Millis(at))
    assert (None if due is None else due.id) == (None if expected is None else f"w{expected[1]}")
    assert rooms.next_end(room) == min((end for end, _ in running), default=rooms.NEVER)


@pytest.mark.parametrize("status", ["waiting", "paused", "finished"])
def test_nothing_ends_while_time_stands_still(status: Any) -> None:
    """G5.6"""
    room = Clocks([5]).room()
    room = replace(room, table=replace(room.table, status=status))
    assert rooms.due(room, Millis(100)) is None
    assert rooms.next_end(room) == rooms.NEVER


def test_a_window_ends_with_its_default() -> None:
    """G5.3, G5.8: the default applies at the window's own end, however late that is noticed."""
    room = begun()
    window = rooms.due(room, Millis(5_000))
    assert window is not None
    change = rooms.close_window(RULES, room, window, frozenset())
    (logged,) = change.logged
    assert logged.entry is not None
    assert (logged.entry.kind, logged.entry.window, logged.entry.at, logged.at) == (
        "expire",
        "w0",
        1000,
        1000,
    )
    assert change.room.table.status == "finished"
    assert rooms.due(change.room, Millis(5_000)) is None
    assert change.room.counts.draws > room.counts.draws


def test_an_absent_seat_uses_its_extension() -> None:
    """G5.8, GEN-6: the first absent seat with an extension left uses it; then the default applies."""
    room = apply_move(begun(), 0, move="guess", number=1).room
    window = rooms.due(room, Millis(1000))
    assert window is not None
    assert window.concerns == {1, 2}
    for absent in (frozenset[Seat](), frozenset({Seat(0)})):
        change = rooms.close_window(RULES, room, window, absent)
        assert change.logged[0].entry is not None
        assert change.logged[0].entry.kind == "expire"
    change = rooms.close_window(RULES, room, window, frozenset({Seat(2), Seat(1), Seat(0)}))
    entry = change.logged[0].entry
    assert entry is not None
    assert (entry.kind, entry.seat, entry.window, entry.at, entry.move) == (
        "extend",
        1,
        "w0",
        1000,
        {"move": "longer"},
    )
    longer = rooms.due(change.room, Millis(2000))
    assert longer is not None
    assert rooms.due(change.room, Millis(1999)) is None
    again = rooms.close_window(RULES, change.room, longer, frozenset({Seat(1)}))
    assert again.logged[0].entry is not None
    assert again.logged[0].entry.kind == "expire"


# --- moves ---


def test_a_move() -> None:
    """G7.1: state, log and dice advance together."""
    room = begun()
    change = apply_move(room, 1, 300, move="guess", number=4)
    assert change.room.position is not None
    assert change.room.position.state.guesses == (None, 4, None)
    assert change.room.counts.entries == room.counts.entries + 1
    (logged,) = change.logged
    assert logged.entry is not None
    assert (logged.entry.seat, logged.entry.prompt, logged.entry.move) == (
        1,
        "guess",
        {"move": "guess", "number": 4},
    )
    assert room.position is not None
    assert room.position.state.guesses == (None, None, None)


REFUSED: dict[str, tuple[str, int, str, Any]] = {
    "an ask that is not open": ("STALE_PROMPT", 0, "nothing", {"move": "guess", "number": 1}),
    "an ask that is not open to this seat": ("STALE_PROMPT", 1, "guess", {"move": "guess", "number": 1}),
    "no such move": ("BAD_MOVE", 0, "guess", {"move": "dance"}),
    "no tag": ("BAD_MOVE", 0, "guess", {"number": 1}),
    "a field of another type": ("BAD_MOVE", 0, "guess", {"move": "guess", "number": "1"}),
    "a field too many": ("BAD_MOVE", 0, "guess", {"move": "guess", "number": 1, "x": 1}),
    "what the rules refuse": ("NOT_ON_THE_DIE", 0, "guess", {"move": "guess", "number": 9}),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_moves(name: str) -> None:
    """GEN-3, GEN-4: a preview of the same move is refused in the same way."""
    code, seat, prompt, move = REFUSED[name]
    room = apply_move(begun(), 1, move="guess", number=2).room
    for refusal in (
        rooms.move(RULES, room, Seat(seat), prompt, move, Millis(0)),
        rooms.preview(PREVIEWING, room, Seat(seat), prompt, move, Millis(0)),
    ):
        assert isinstance(refusal, Refusal)
        assert refusal.code == code
        assert refusal.rule


class _Previewing(Toy):
    def preview(self, state: Any, seat: Seat, move: Any) -> None:
        return None


PREVIEWING: Any = _Previewing()


def test_no_moves_before_the_start_nor_after_the_end() -> None:
    """GEN-4"""
    over = begun()
    for seat in range(3):
        over = apply_move(over, seat, move="guess", number=1).room
    assert over.table.status == "finished"
    for room in (new_room(), over):
        assert not rooms.is_prompt_open(room, Seat(0), "guess")
        for refusal in (
            rooms.move(RULES, room, Seat(0), "guess", {"move": "guess", "number": 1}, Millis(0)),
            rooms.preview(RULES, room, Seat(0), "guess", {"move": "guess", "number": 1}, Millis(0)),
        ):
            assert refusal == Refusal("STALE_PROMPT", "GEN-4")


def test_a_preview_that_shows_nothing() -> None:
    move = {"move": "guess", "number": 1}
    refusal = rooms.preview(PREVIEWING, begun(), Seat(0), "guess", move, Millis(0))
    assert refusal == Refusal("NOTHING_TO_SHOW", "GEN-3")


# --- lines ---


audiences = st.one_of(st.none(), st.frozensets(st.integers(0, 2).map(Seat), max_size=3))


@given(st.lists(audiences, max_size=12))
def test_lines_are_counted_per_audience(to: list[frozenset[Seat] | None]) -> None:
    """G4.2: the lines shown to one seat are counted separately from those of others."""
    before = Counts(0, 0, 0, (0, 0, 0), (0, 0, 0), ((), (), ()))
    counts = rooms.count_lines(before, tuple(LogLine("x", {}, one) for one in to), 7, 8, before.sessions)
    assert counts.lines == to.count(None)
    for seat in range(3):
        assert counts.own_lines[seat] == sum(one is not None and seat in one for one in to)
    assert (counts.draws, counts.entries) == (7, 8)


# --- the room as bytes ---


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5)), max_size=6), st.integers(0, 40))
def test_a_room_survives_storing(guesses: list[tuple[int, int]], n: int) -> None:
    """G6: packing and unpacking change nothing; a packer that has packed other rooms gives the same bytes."""
    games = {key: entry.game for key, entry in registry().items()}
    snapshots = rooms.Snapshots()
    room, number = rooms.attach(new_room(), Seat(0), None)
    sessions = rooms.remember(room.counts.sessions, Seat(0), number, n)
    room = replace(room, counts=replace(room.counts, sessions=sessions))
    assert rooms.unpack(snapshots.pack(room), games) == room
    room = replace(begun(), counts=replace(begun().counts, sessions=room.counts.sessions))
    for seat, guess in guesses:
        change = rooms.move(RULES, room, Seat(seat), "guess", {"move": "guess", "number": guess}, Millis(1))
        if isinstance(change, Change):
            room = change.room
            for logged in change.logged:
                assert rooms.unpack_logged(rooms.pack_logged(logged)) == logged
        assert rooms.unpack(snapshots.pack(room), games) == room
        assert snapshots.pack(room) == rooms.Snapshots().pack(room)


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(0, 5), st.booleans()), max_size=8), st.integers(0, 8)
)
def test_a_room_is_played_on_from_its_snapshot(moves: list[tuple[int, int, bool]], stored: int) -> None:
    """G2, G6, G7: a snapshot and the log since then give exactly the same room, including its verdicts."""
    games = {key: entry.game for key, entry in registry().items()}
    room = begun()
    for seat in range(3):
        room, _ = rooms.attach(room, Seat(seat), None)
    snapshot, beyond = rooms.Snapshots().pack(room), []
    for n, (seat, guess, late) in enumerate(moves):
        window = rooms.due(room, Millis(1000)) if late else None
        if window is not None:
            change: Change | Refusal = rooms.close_window(RULES, room, window, frozenset())
        else:
            move = {"move": "guess", "number": guess}
            change = rooms.move(RULES, room, Seat(seat), "guess", move, Millis(1), (1, n))
        if not isinstance(change, Change) or not change.played:
            continue  # refused, or the end, which is stored as a snapshot
        room = change.room
        beyond += [rooms.pack_logged(logged) for logged in change.logged]
        if n == stored:
            snapshot, beyond = rooms.Snapshots().pack(room), []
    stored_room = rooms.unpack(snapshot, games)
    assert rooms.play_on(RULES, stored_room, map(rooms.unpack_logged, beyond)) == room


def test_a_log_that_other_rules_would_play_differently() -> None:
    """Nobody gets a game that differs from what they were shown."""
    before = begun()
    change = apply_move(before, 0, move="guess", number=3)
    (logged,) = change.logged
    assert rooms.play_on(RULES, before, [logged]) == change.room
    other_line = replace(logged, lines=(LogLine("toy.other", {}, None),))
    assert logged.entry is not None
    unknown = replace(logged, entry=replace(logged.entry, move={"move": "shout"}))
    elsewhere = Logged(None, (), 0)
    for entry in (other_line, unknown, elsewhere):
        with pytest.raises(ValueError, match=r"these rules|without a game"):
            rooms.play_on(RULES, before, [entry])


def test_a_room_stored_under_other_rules() -> None:
    """An unknown game, and an older version that cannot be carried over."""
    data = rooms.Snapshots().pack(begun())
    with pytest.raises(KeyError):
        rooms.unpack(data, {})

    class Newer(Toy):
        version = 4

        def upgrade(self, version: int, data: Any) -> Any:
            return None if version < 3 else msgspec.convert(data, Toy.State)

    newer: Any = Newer()
    assert rooms.unpack(data, {"toy": newer}).table.version == 4
    old = replace(begun(), table=replace(begun().table, version=2))
    with pytest.raises(ValueError, match="version 2"):
        rooms.unpack(rooms.Snapshots().pack(old), {"toy": newer})
