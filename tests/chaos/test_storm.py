"""Short storms: people come and go at tables with bots, while hubs, stores and routes fail.

Whatever a storm must notice is also planted (and in test_planted_violations.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, cast, get_args

import pytest

from tests.chaos.storm import Plan, run
from tests.chaos.storm_figures import Figures, Keys
from tests.chaos.storm_fleet import Fleet
from tests.chaos.storm_owners import OwnerWatch
from tests.chaos.storm_people import Book, Reader, Wait
from tests.chaos.storm_report import Begun, Report, measure_recoveries
from tests.chaos.storm_schedule import Shape, TimedFault, plan_faults, plan_rolls
from tests.chaos.thinking_time import Reading, TableClock, Tenure
from tests.harness.follower import Follower, pack
from tests.harness.other_build import GO_ON

COUNTED: Final = ("applied", "sent again", "departures", "marks read", "views compared")
SHORT: Final = (
    TimedFault(1.0, "partition", "hub 0 to store", 0.5),
    TimedFault(1.2, "kill hub", "hub 1"),
    TimedFault(1.5, "lose replies", "hub 0 to hub 1", 0.5),
    TimedFault(2.5, "kill store", "store"),
    TimedFault(2.5, "freeze hub", "hub 0", 0.5),
)
"""A fault of each series, in pairs."""


@pytest.mark.timeout(120)
def test_a_short_storm_loses_and_doubles_nothing() -> None:
    """G1, G2, G3, G4, G5, G6, G7: one table of each game, on two hubs."""
    report = run(Plan(seconds=4.0, tables=5, seed=7, shape="one", hubs=2, faults=SHORT))
    assert report.problems == [], report
    assert report.counts["tables checked"] >= 5
    assert all(report.counts[f"faults: {fault.kind}"] for fault in SHORT)


@pytest.mark.at_length
@pytest.mark.timeout(600)
@pytest.mark.parametrize("shape", ["bundled", "one", "sentinel", "cluster"])
def test_a_storm_loses_doubles_and_leaks_nothing(shape: Shape) -> None:
    """G1, G2, G3, G4, G5, G6, G7, R8: every applied command once, every mark with its readers only."""
    report = run(Plan(seconds=45, tables=10, seed=12, shape=shape, age=6))
    assert report.problems == [], report
    assert report.counts["faults: kill hub"] > 3
    assert all(report.counts[name] for name in COUNTED)
    assert shape != "bundled" or report.counts["records verified"], "the quickest shape ends some games"


@pytest.mark.at_length
@pytest.mark.timeout(600)
def test_tables_go_back_without_a_fork_if_verdicts_wait_for_less_than_the_store_needs() -> None:
    """G6: what a failover loses, it loses for everybody, in a new epoch."""
    report = run(Plan(seconds=45, tables=10, seed=5, shape="sentinel", ack="everysec"))
    assert report.problems == [], report
    assert report.counts["views that had gone back"]
    assert report.counts["tables lost"] < report.counts["tables"] / 2


@pytest.mark.at_length
@pytest.mark.timeout(600)
def test_games_cross_to_newer_rules_while_people_play() -> None:
    """R34: hubs of two builds share the store until the last one has newer rules."""
    rolls = plan_rolls(2, ["hub 0", "hub 1"], gap=6.0, upgrades_at=1)
    report = run(Plan(seconds=30, tables=8, seed=5, shape="one", hubs=2, faults=rolls, games=GO_ON))
    assert report.problems == [], report
    assert report.counts["tables that newer rules went on with"]


def test_a_roll_restarts_one_hub_after_another() -> None:
    faults = plan_rolls(2, ["hub 0", "hub 1"], 5.0, "kill hub", upgrades_at=2)
    assert [(fault.at, fault.kind, fault.victim) for fault in faults] == [
        (5.0, "kill hub", "hub 0"),
        (10.0, "kill hub", "hub 1"),
        (15.0, "upgrade hub", "hub 0"),
        (20.0, "upgrade hub", "hub 1"),
    ]


def test_a_seed_always_gives_the_same_faults() -> None:
    hubs = ["hub 0", "hub 1", "hub 2"]
    for shape in get_args(Shape):
        faults = plan_faults(7, 600.0, shape, hubs)
        assert faults == plan_faults(7, 600.0, shape, hubs)
        assert faults != plan_faults(8, 600.0, shape, hubs)
        kinds = Counter(fault.kind for fault in faults)
        assert kinds["kill hub"] >= 75
        assert kinds["kill store"] + kinds["restart store"] + kinds["fail over"] >= 20
        assert {fault.victim for fault in faults} >= {*hubs, "store"}


def test_thinking_time_that_is_lost_is_noticed() -> None:
    """G5.4: it runs for a second past the last heartbeat, and from the take on."""
    tenures = {"1:a": Tenure(0.0, 12.0), "2:b": Tenure(15.0, 30.0)}
    for table_time, loss in ((3_500, 0.0), (4_500, 1000.0), (6_500, 3000.0)):
        clock = TableClock()
        clock.note("1:a", Reading(10.0, 10.1, 1_000))
        clock.note("1:a", Reading(10.5, 10.6, 1_100))  # no later time is shown while the room may be lost
        clock.note("1:a", Reading(14.0, 14.1, 1_100))
        clock.note("2:b", Reading(15.2, 15.5, table_time))
        (measured,) = clock.measure_losses(tenures)
        assert (measured.epoch, measured.milliseconds) == ("2:b", loss)


def test_an_owner_may_have_lived_on_between_two_looks() -> None:
    watch = OwnerWatch(cast(Fleet, None))
    watch.note({"R": "1:a:x"}, {"a": 1000}, 0.9, 1.0)
    watch.note({"R": "1:a:x"}, {"a": 1500}, 1.4, 1.5)
    watch.note({"R": "1:a:x"}, {"a": 1500}, 1.9, 2.0)
    watch.note({"R": "2:b:y"}, {"a": 2400, "b": 100}, 5.9, 6.0)
    assert watch.tenures["R"]["1:a:x"].beaten == pytest.approx(1.5 + 0.9)
    assert watch.tenures["R"]["2:b:y"] == Tenure(1.9, 6.0)


def test_a_wait_belongs_to_the_last_fault_before_it() -> None:
    faults = [Begun(1.0, "cut"), Begun(10.0, "kill hub")]
    waits = [Wait(9.8, 13.0), Wait(2.0, 2.5), Wait(3.0, 5.0)]
    assert measure_recoveries(waits, faults) == {"kill hub": [3.0], "cut": [4.0]}


@pytest.mark.parametrize("reader", [("ROOM", 1), ("ROOM", None), ("OTHER", 0), None])
def test_a_planted_mark_is_noticed_by_whoever_must_not_read_it(reader: tuple[str, int | None] | None) -> None:
    """G4"""
    book = Book(seed=1)
    mark = book.write_mark("ROOM", [0])
    book.search(f"a frame with {mark} in it".encode(), ("ROOM", 0), "seat 0")
    assert book.faults == []
    book.search(f"a frame with {mark} in it".encode(), reader, "somebody else")
    assert len(book.faults) == 1


def test_a_frame_that_differs_within_its_audience_is_noticed() -> None:
    """G4: frame 7 of an epoch is the same for all watchers, whatever the seats and other epochs get."""
    book = Book(seed=1)
    for epoch, seat, data in (
        ("1:a", None, b"x"),
        ("1:a", None, b"x"),
        ("1:a", 0, b"y"),
        ("2:b", None, b"z"),
    ):
        book.compare_frame("ROOM", epoch, seat, 7, data)
    assert book.faults == []
    book.compare_frame("ROOM", "1:a", None, 7, b"y")
    assert len(book.faults) == 1


FIGURES = Figures(90.0, 30.0, 10.0, 20.0, 3.0, 1.0, 5.0, 10.0)
ASLEEP = FIGURES._replace(rooms=0.0)
KEYS = Keys(Counter(heads=3), [], [])


@pytest.mark.parametrize(
    ("late", "alone", "keys"),
    [
        (FIGURES._replace(hub=120.0), ASLEEP, KEYS),
        (FIGURES._replace(descriptors=30.0), ASLEEP, KEYS),
        (FIGURES, ASLEEP._replace(connections=9.0), KEYS),
        (FIGURES, FIGURES, KEYS),
        (FIGURES, ASLEEP, KEYS._replace(unknown=["parley:stray"])),
        (FIGURES, ASLEEP, KEYS._replace(without_expiry=["parley:record:x"])),
        (FIGURES, ASLEEP, KEYS._replace(kinds=Counter(heads=4))),
    ],
)
def test_a_planted_leak_of_memory_descriptors_rooms_or_keys_is_noticed(
    late: Figures, alone: Figures, keys: Keys
) -> None:
    book = Book(seed=1)
    book.counts["tables"] = 3
    sound = Report("bundled", book, early=FIGURES, late=FIGURES, alone=ASLEEP, keys=KEYS)
    assert sound.problems == []
    planted = Report("bundled", book, early=FIGURES, late=late, alone=alone, keys=keys)
    assert len(planted.problems) == 1


SAID = {"channel": "table", "name": "Ann", "at": 1, "seat": 0, "text": "hi"}
PHRASE = {"channel": "table", "name": "Bea", "at": 2, "seat": 1, "phrase": "almost.trust_me"}


@pytest.mark.parametrize(
    "kept", [[], [SAID], [PHRASE], [PHRASE, SAID], [SAID, {**PHRASE, "at": 3}], [SAID, SAID, PHRASE]]
)
def test_talk_that_vanishes_changes_or_is_doubled_is_noticed(kept: list[dict[str, object]]) -> None:
    """G6: the view after a return holds what was heard before it, phrases too."""
    follower = Follower("ticket")
    connect(follower, [])
    for remark in (SAID, PHRASE):
        follower.feed(pack({"t": "talk", "message": remark}))
    connect(follower, [SAID, PHRASE])
    with pytest.raises(AssertionError, match="heard"):
        connect(follower, kept)


LINES = [[1, "line", {}, 1, False], [2, "line", {}, 2, False]]


@pytest.mark.parametrize(
    ("shape", "ack", "may_lose"),
    [
        ("one", None, False),
        ("one", "everysec", True),
        ("one", "fsync", False),
        ("sentinel", "fsync", True),
        ("sentinel", "replica", False),
        ("cluster", "replica:2", False),
    ],
)
def test_only_a_weaker_setting_lets_the_store_lose_anything(
    shape: Shape, ack: str | None, may_lose: bool
) -> None:
    assert Plan(seconds=1, tables=1, shape=shape, ack=ack).may_lose is may_lose


def test_a_store_that_may_lose_takes_back_what_was_shown_only_in_a_new_epoch() -> None:
    """G6: a table goes back in a new epoch and for everybody, and what the new owner shows is kept."""
    book = Book(seed=1, may_lose=True)
    reader = Reader("ticket", book, ("ROOM", 2))
    connect(reader, [SAID], "1:a", LINES)
    reader.command("say", text="said")
    reader.packed(0)
    reader.feed(pack({"t": "verdict", "n": 0}))
    connect(reader, [], "2:b", LINES[:1])
    connect(reader, [SAID], "2:c", LINES)  # the store has lost the second take
    assert book.counts["views that had gone back"] == 1
    assert reader.verdicts[1, 0]["code"] == "TOO_OLD"
    with pytest.raises(AssertionError, match="no line that was seen is lost"):
        connect(reader, [SAID], "2:c", LINES[:1])
    with pytest.raises(AssertionError, match="does not come back"):
        connect(reader, [SAID], "2:b", LINES)


def test_two_owners_of_a_room_at_the_same_time_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """G6: the former owner may be heard for a while, through a slow route; more is a fork."""
    now = 0.0
    monkeypatch.setattr("tests.chaos.storm_people.time.monotonic", lambda: now)
    for later, faults in ((9.0, 0), (11.0, 1)):
        book = Book(seed=1)
        for at, epoch in ((0.0, "1:a"), (5.0, "2:b"), (5.0 + later, "1:a"), (20.0, "2:b")):
            now = at
            book.note_epoch("ROOM", epoch)
        book.check_owners("ROOM")
        assert book.overlaps == [later]
        assert len(book.faults) == faults


def connect(
    follower: Follower, talk: list[dict[str, object]], epoch: str = "1:a", lines: Sequence[object] = ()
) -> None:
    """Feeds it the welcome and the view of a new socket."""
    follower.opened()
    follower.feed(pack({"t": "welcome", "epoch": epoch, "room": "ROOM", "seat": 2, "session": 1}))
    view = {"t": "view", "epoch": epoch, "n": 0, "now": 5, "sections": {}, "lines": [*lines], "talk": talk}
    follower.feed(pack(view))
