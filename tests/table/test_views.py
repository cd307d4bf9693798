"""Views by section: only changes are sent, and they lead from one full view to the next (G4)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from msgspec.structs import replace

from games.almost.rules.game import ALMOST
from games.api import Millis, Outcome, Seat
from games.testing import random_play
from hub.table import actions, game_start, seating
from hub.table.room import Change, Room, position_of
from hub.table.salt_exchange import Exchange
from hub.table.views import _CACHED_SECTIONS as CACHED_SECTIONS
from hub.table.views import HostLists, Update, Views, table_section
from hub.wire import codec
from hub.wire import messages as m
from tests.games.testing.sample_game import Sample
from tests.table.almost_rooms import act, done, seated

SAMPLE: Final = Sample()
SEED: Final = b"\x5e" * 32
TABLES: Final[dict[str, tuple[Any, int, dict[str, Any]]]] = {
    "almost": (ALMOST, 4, {"timers": "fast"}),
    "almost with whispers": (ALMOST, 3, {"whispers": True, "discussion": "untilReady"}),
    "banbury": (ALMOST, 5, {"mode": "banbury", "banburyRounds": 3}),
    "a game with looks": (SAMPLE, 3, {"cards": 3}),
    "a game with looks, for two": (SAMPLE, 2, {"cards": 2, "timers": "fast"}),
}
NOBODY: Final = m.PresenceSection((False,) * 3, 0)


def waiting(game: Any, seats: int, options: Mapping[str, Any]) -> Room:
    chosen = msgspec.convert(options, game.Options)
    return actions.create(
        game, "r" * 22, "BCDFGH", seats, chosen, SEED, name_keys=[bytes(16)] * seats, open=True
    )


def rooms(game: Any, seats: int, options: Mapping[str, Any], style: random_play.Style) -> Iterator[Room]:
    """The states of a table that waits, starts, and plays a random game, with a pause now and then."""
    room = waiting(game, seats, options)
    yield room
    change = seating.sit(room, "ann", "Ann", 3, 0, Millis(0))
    assert isinstance(change, Change)
    yield change.room
    change = game_start.start(game, change.room, "easy", Millis(0))
    assert isinstance(change, Change)
    yield (room := change.room)
    chosen = msgspec.convert(options, game.Options)
    for i, one in enumerate(random_play.play(game, seats, chosen, b"views", style, 150)):
        room = replace(room, position=position_of(game, one.state))
        assert room.position is not None
        if isinstance(room.position.prompts, Outcome):
            yield replace(room, table=replace(room.table, status="finished"))
            return
        yield room
        if i % 7 == 3:
            yield replace(room, table=replace(room.table, status="paused", paused_for="host"))


class Client:
    """An audience's sections, according to the messages it was sent."""

    def __init__(self, whole: list[bytes]) -> None:
        self.sections = unpacked(whole)

    def take(self, sent: list[bytes]) -> None:
        for name, data in unpacked(sent).items():
            if data is None:
                assert name in self.sections, f"{name} was removed without having been there"
                del self.sections[name]
            else:
                assert self.sections.get(name) != data, f"{name} was sent unchanged"
                self.sections[name] = data


def unpacked(sections: list[bytes]) -> dict[str, Any]:
    """The sections by name; fails if a name occurs twice."""
    view = codec.encode_view("1:a", 0, 0, sections, [], [])
    shown: dict[str, Any] = msgpack.unpackb(view, object_pairs_hook=distinct)["sections"]
    return shown


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    assert len(mapping) == len(pairs), [name for name, _ in pairs]
    return mapping


def audiences(seats: int) -> list[Seat | None]:
    return [*map(Seat, range(seats)), None]


def nothing(update: Update) -> bool:
    return not update.shared and not update.per_audience


def show(views: Views, game: Any, room: Room, presence: m.PresenceSection, **how: Any) -> Update:
    update = views.render(game, room, presence, **how)
    views.show(update)
    return update


@pytest.mark.parametrize(
    "style", [style for style in random_play.STYLES if style.moves], ids=lambda one: one.name
)
@pytest.mark.parametrize("name", TABLES)
def test_frames_lead_from_view_to_view(name: str, style: random_play.Style) -> None:
    """G4.1: this holds for every audience, whatever happens; unchanged sections are not sent, and a new
    owner's views are the same."""
    game, seats, options = TABLES[name]
    chance = random.Random(name)
    views, clients = Views(seats), None
    presence, notes = m.PresenceSection((False,) * seats, 0), [""] * seats
    peeked = gone = 0
    for room in rooms(game, seats, options, style):
        if chance.random() < 0.2:
            notes[chance.randrange(seats)] = chance.choice(("", "x", "Bea lies"))
        if chance.random() < 0.2:
            presence = m.PresenceSection(
                tuple(chance.random() < 0.5 for _ in range(seats)), chance.randrange(9)
            )
        live = room.table.status == "running"
        before = {viewer: views.list_sections(viewer) for viewer in audiences(seats)}
        update = views.render(game, room, presence, live=live, notes=notes)
        assert before == {
            viewer: views.list_sections(viewer) for viewer in audiences(seats)
        }  # G1: the shown views are unchanged until the update is shown
        views.show(update)
        if clients is None:
            clients = {viewer: Client(views.list_sections(viewer)) for viewer in audiences(seats)}
        else:
            for i, viewer in enumerate(audiences(seats)):
                clients[viewer].take([*update.shared, *update.per_audience.get(i, ())])
        sent = (*update.shared, *chain(*update.per_audience.values()))
        gone += any(part.endswith(b"\xc0") for part in sent)
        fresh = Views(seats)
        show(fresh, game, room, presence, live=live, notes=notes)
        for viewer in audiences(seats):
            assert (
                clients[viewer].sections
                == unpacked(views.list_sections(viewer))
                == unpacked(fresh.list_sections(viewer))
            )
        peeked += any("peeked" in client.sections for client in clients.values())
        assert nothing(show(views, game, room, presence, live=live, notes=notes))
        again = m.PresenceSection(presence.connected, presence.watchers)
        copied = replace(room, table=replace(room.table))
        assert nothing(show(views, game, copied, again, live=live, notes=[*notes]))
    if game is SAMPLE and style.name == "lively":
        assert peeked
        assert gone


@pytest.mark.parametrize("name", ["a game with looks", "a game with looks, for two"])
def test_peeks(name: str) -> None:
    """G4.4: only the peeking seat is shown the peek, and only while its window is running."""
    game, seats, options = TABLES[name]
    views, notes = Views(seats), [""] * seats
    presence = m.PresenceSection((True,) * seats, 0)
    seen = 0
    for room in rooms(game, seats, options, random_play.STYLES[0]):
        live = room.table.status == "running"
        show(views, game, room, presence, live=live, notes=notes)
        peek_open = room.position is not None and any(w.kind == "peek" for w in room.position.windows)
        peeking = [viewer for viewer in audiences(seats) if "peeked" in unpacked(views.list_sections(viewer))]
        assert len(peeking) == (1 if peek_open and live else 0)
        seen += len(peeking)
    assert seen


def test_only_sections_that_rooms_share_are_cached() -> None:
    """G8.9: only sections that other rooms may also show are kept, never anything specific to one room."""
    game, seats, options = TABLES["almost"]
    for room in rooms(game, seats, options, random_play.STYLES[0]):
        views = Views(seats)
        show(views, game, room, m.PresenceSection((False,) * seats, 0), live=True, notes=["secret"] * seats)
    names = {name for name, _ in CACHED_SECTIONS}
    assert not names & {"note", "table", "presence", "prompts", "windows", "result"}
    assert "secret" not in repr(CACHED_SECTIONS)


def test_bots_see_their_seats_sections_without_notes() -> None:
    """G4.6: they are shown the sections of their seat, without its notes."""
    game, seats, options = TABLES["almost"]
    views = Views(seats)
    *_, room = rooms(game, seats, options, random_play.STYLES[0])
    show(views, game, room, m.PresenceSection((False,) * seats, 0), live=True, notes=["secret"] * seats)
    for seat in map(Seat, range(seats)):
        shown = views.values(seat)
        assert set(shown) == set(unpacked(views.list_sections(seat))) - {"note"}
        assert unpacked(views.list_sections(seat))["note"] == {"text": "secret"}
        assert "secret" not in repr(shown)


def test_watchers_get_the_public_sections() -> None:
    """G4.3: they get no seat's private sections, and everything of the hub's that is not private."""
    game, seats, options = TABLES["a game with looks"]
    views, lists = (
        Views(seats),
        HostLists(m.KnocksSection((m.Visitor("1.1", "Wil"),)), m.WatchersSection((), 1)),
    )
    presence = m.PresenceSection((False,) * seats, 0)
    unseen: set[str] = set()
    for room in rooms(game, seats, options, random_play.STYLES[0]):
        show(views, game, room, presence, live=True, notes=["note"] * seats, host_lists=lists)
        public = {} if room.position is None else game.public(room.position.state)
        seen = set(unpacked(views.list_sections(None)))
        assert seen <= set(m.HUB_SECTIONS) - set(m.PRIVATE_SECTIONS) | set(public)
        unseen |= (set(unpacked(views.list_sections(Seat(0)))) - seen) & set(m.HUB_SECTIONS)
    assert unseen == set(m.PRIVATE_SECTIONS)


def test_the_table_section() -> None:
    """G4.8, G7.3: it never shows persons or generations; seed and salts only at the end; its hash always."""
    room = waiting(ALMOST, 3, {})
    change = seating.sit(room, "the id of ann", "Ann", 3, 1, Millis(0))
    assert isinstance(change, Change)
    table = replace(change.room.table, salts=("salt!",) * 3, game_seed=b"\x5f" * 32, restarts=2)
    for status in ("waiting", "running", "paused", "finished"):
        section = Views(3)
        show(
            section,
            ALMOST,
            replace(change.room, table=replace(table, status=status)),
            NOBODY,
            live=status == "running",
            notes=[""] * 3,
        )
        shown = unpacked(section.list_sections(None))["table"]
        text = repr(shown)
        assert "the id of ann" not in text
        assert ("salt!" in text) == (status == "finished")
        assert "5f5f" not in text
        assert ("5e5e" in text) == (status == "finished")
        assert shown["record"] == (status == "finished")
        assert shown["host"] == 1
        assert len(shown["seed_hash"]) == 64
        assert shown["salt_hashes"] is None
        assert shown["restarts"] == 2


def test_hashes_of_salts_are_shown_while_they_are_revealed() -> None:
    """G7.3: never who has revealed which salt."""
    room = waiting(ALMOST, 3, {})
    exchange = Exchange(("aa" * 32, "", "bb" * 32), ("5a17" * 16, "", ""), ("cc" * 32, "", ""))
    shown = table_section(replace(room.table, exchange=exchange))
    assert shown.salt_hashes == exchange.salt_hashes
    assert "5a17" not in repr(shown)
    assert "cccc" not in repr(shown)


def test_only_the_host_sees_who_is_at_the_door() -> None:
    """G4, R13: nobody else's view has the lists or changes with them; a former host's view loses them."""
    room = seated("ann", "bea", "cy")
    lists = HostLists(
        m.KnocksSection((m.Visitor("1.1", "Dan"),)), m.WatchersSection((m.Visitor("1.2", "Eve"),), 1)
    )
    views = Views(len(room.table.seats))
    notes = [""] * len(room.table.seats)
    for host in (0, 1):
        update = views.render(ALMOST, room, NOBODY, live=False, notes=notes, host_lists=lists)
        views.show(update)
        for seat in (Seat(0), Seat(1), Seat(2), None):
            packed = b"".join(views.list_sections(seat))
            assert (b"Dan" in packed, b"Eve" in packed) == (seat == host, seat == host)
        assert not {"knocks", "watchers"} & views.values(Seat(host)).keys(), "its bot decides without them"
        room = done(act(room, host, m.HandOver(seat=1 - host)))
    shown = views.render(ALMOST, room, NOBODY, live=False, notes=notes, host_lists=lists)
    views.show(shown)
    changed = views.render(ALMOST, room, NOBODY, live=False, notes=notes, host_lists=HostLists())
    assert (changed.shared, set(changed.per_audience)) == ([], {0})
