"""A short storm: people come and go at tables with bots, while hub and store are killed again and again.

Whatever it must notice is also planted.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.chaos.storm import Plan, Report, run
from tests.chaos.storm_figures import Figures, Keys
from tests.chaos.storm_people import Book
from tests.harness.follower import Follower, pack


@pytest.mark.at_length
@pytest.mark.timeout(600)
def test_a_storm_loses_doubles_and_leaks_nothing() -> None:
    """G1, G2, G3, G4, G6, G7, R8: every applied command once, every mark with its readers only."""
    report = run(Plan(seconds=45, tables=10, seed=12, every=6, age=6))
    assert report.problems == [], report
    assert sum(times for name, times in report.counts.items() if name.startswith("kills")) > 3
    counted = ("applied", "sent again", "departures", "marks read", "records verified")
    assert all(report.counts[name] for name in counted)


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
    counts = Counter(tables=3)
    assert Report(counts, [], FIGURES, FIGURES, ASLEEP, KEYS).problems == []
    assert len(Report(counts, [], FIGURES, late, alone, keys).problems) == 1


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


def connect(follower: Follower, talk: list[dict[str, object]]) -> None:
    """Feeds it the welcome and the view of a new socket."""
    follower.opened()
    follower.feed(pack({"t": "welcome", "epoch": "1:a", "room": "ROOM", "seat": 2, "session": 1}))
    view = {"t": "view", "epoch": "1:a", "n": 0, "now": 5, "sections": {}, "lines": [], "talk": talk}
    follower.feed(pack(view))
