"""V7, V10: the records of games that several versions of their rules have played."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games import api
from hub.table import records
from hub.table.records import LogEntry, RecordedCrossing, Rejected, Report, Verified
from hub.table.replay import Replay, ReplayError
from hub.verify_cli import _describe_entries, count_recomputed
from tests.table.test_records import CONFIG, HASHES, KEY, LOG, NAMES
from tests.toy import Bot, Toy, ToyState

OPTIONS = {"sides": 6}


class NewerToy(Toy):
    """Toy, which can go on with games of older rules."""

    def upgrade(self, version: int, data: Mapping[str, Any]) -> ToyState | None:
        return msgspec.convert(data, ToyState)


def rules(version: int) -> dict[str, api.Registration]:
    game = NewerToy()
    game.version = version
    return {"toy": api.Registration(game, Bot())}  # type: ignore[arg-type]


def build(
    version: int, *crossings: RecordedCrossing, log: tuple[LogEntry, ...] = LOG, abandoned: bool = True
) -> bytes:
    """The record that a hub with this version of the rules writes; version 3 began the game."""
    config = msgspec.structs.replace(CONFIG, options=OPTIONS)
    return records.build(
        config, HASHES, NAMES, log, rules(version), KEY, crossings=crossings, abandoned=abandoned
    )


def check(record: bytes, version: int) -> Report:
    return records.verify(record, rules(version))


def test_unknown_draws_at_a_crossing() -> None:
    """V10: if nobody has stored the state there, nobody knows the draws either; the older rules find them."""
    unknown = RecordedCrossing(4, 4, 0, "")
    for writer in (3, 4):
        record = build(writer, unknown)
        for version in (3, 4):
            report = check(record, version)
            assert isinstance(report, Verified), report


def test_known_draws_at_a_crossing() -> None:
    """V10: they are compared, and a hub that can see that they are wrong writes no record."""
    replay = Replay(CONFIG, rules(3)["toy"].game)
    for entry in LOG[:2]:
        replay.play(entry)
    state = pack(replay._state)
    report = check(build(3, RecordedCrossing(2, 4, replay.draws, state), log=LOG[:3]), 4)
    assert isinstance(report, Verified), report
    with pytest.raises(ReplayError, match="draws before a crossing"):
        build(3, RecordedCrossing(2, 4, replay.draws + 1, state))


def test_none_of_the_versions_that_played() -> None:
    """V7: a hub with other rules can write the record, but nobody with them can check it."""
    record = build(6, RecordedCrossing(2, 4, 0, ""), RecordedCrossing(4, 5, 0, ""))
    report = check(record, 6)
    assert isinstance(report, Rejected)
    assert report.reason == (
        "it was played with versions 3, 4 and 5 of the rules of Toy, but this Parley has version 6"
    )
    assert isinstance(check(record, 3), Verified)


FORGED = st.builds(
    ToyState,
    st.integers(-1, 7),
    st.integers(-1, 1100),
    st.integers(-1, 7),
    st.integers(-1, 2),
    st.lists(st.none() | st.integers(-1, 7), max_size=4).map(tuple),
)


@pytest.mark.parametrize("examples", [60, pytest.param(200, marks=pytest.mark.at_length)])
def test_a_forged_state_at_a_crossing(examples: int) -> None:
    """V5, V10: no rules have led to it, so they may raise anything when they go on."""
    settings(max_examples=examples, deadline=None)(check_forged)()


@given(FORGED | st.dictionaries(st.text(), st.booleans()) | st.booleans())
@example(ToyState(0, 1005, 0, 0, (4, None)))
def check_forged(state: object) -> None:
    report = check(build(5, RecordedCrossing(2, 4, 1, pack(state))), 4)
    if state == ToyState(0, 1005, 0, 0, (4, None)):
        assert isinstance(report, Rejected)
        assert str(report) == "line 5: the rules cannot go on with the state at a crossing before it"


def pack(state: object) -> str:
    return msgspec.msgpack.encode(state, order="deterministic").hex()


def forge(outcome: api.Outcome, **changes: Any) -> bytes:
    """A record of which version 4 played no entry, with this outcome, its first line changed, and signed."""
    lines = build(5, RecordedCrossing(len(LOG), 4, 0, "")).splitlines()
    header, *rows = [msgspec.json.decode(line) for line in lines[:-2]]
    bodies = [{**header, **changes}, *rows, {"outcome": outcome, "entries": len(rows)}]
    chain, forged = bytes(32), []
    for body in bodies:
        body.pop("chain", None)
        line, chain = records._chain_line(msgspec.json.encode(body), chain)
        forged.append(line)
    signature = KEY.sign(records.SIGNED + chain).hex().encode()
    forged[-1] = forged[-1][:-1] + b',"signature":"' + signature + b'"}'
    return b"\n".join([*forged, lines[-1], b""])


@pytest.mark.parametrize(
    ("outcome", "changes", "reason"),
    [
        (api.Outcome((), (1,)), {}, "one score for each seat"),
        (api.Outcome((), (1, 2), 0), {}, "one score for each seat"),
        (api.Outcome((api.Seat(2),), (1, 2)), {}, "winners must be seats"),
        (api.Outcome((api.Seat(-1),), (1, 2)), {}, "winners must be seats"),
        (api.Outcome((api.Seat(1),) * 2, (1, 2)), {}, "winners must be seats"),
        (api.Outcome((), ()), {"seats": 0}, "cannot be played by 0 players"),
        (api.Outcome((), (0,) * 50_000), {"seats": 50_000}, "cannot be played by 50000 players"),
        (api.Outcome((), (1, 2)), {"salts": []}, "one salt for each seat"),
        (api.Outcome((), (1, 2)), {"version": 0}, "begin with 1"),
    ],
)
def test_what_nobody_recomputes_has_its_shape(
    outcome: api.Outcome, changes: dict[str, Any], reason: str
) -> None:
    """V5: the rest of the report relies on it."""
    report = check(forge(outcome, **changes), 4)
    assert isinstance(report, Rejected)
    assert reason in report.reason


def test_a_record_of_which_nothing_was_recomputed() -> None:
    """V7: it is not said to be as the rules require."""
    scores = (2**63, -(2**63))
    report = check(forge(api.Outcome((api.Seat(0),), scores)), 4)
    assert isinstance(report, Verified), report
    described = _describe_entries(report)
    assert described == f"Signed: Toy, {len(LOG)} entries, none of which could be recomputed."
    assert count_recomputed(report) == 0
