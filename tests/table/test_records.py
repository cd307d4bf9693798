"""A record is verified, or rejected with one sentence that names the line (V1..V7 of docs/SPEC.md)."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Literal, TypeAlias

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from games import GAMES as REGISTRY
from hub.table import records
from hub.table.records import LogEntry, Rejected, ReplayConfig, ReplayError, Verified
from tests.toy import registry
from tests.whole_games import play, record_of

Change: TypeAlias = Callable[[list[dict[str, Any]]], object]

GAMES = registry()
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw()
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))

CONFIG = ReplayConfig("toy", 3, 2, {}, bytes(range(100, 132)), ("5a" * 32, ""), 2)
NAMES = (records.Name("Ann", "a1" * 16), records.Name("Béa", "b2" * 16))


def entry(
    kind: Literal["setup", "move", "extend", "expire"],
    at: int,
    seat: int | None = None,
    prompt: str | None = None,
    move: dict[str, Any] | None = None,
    window: str | None = None,
) -> LogEntry:
    return LogEntry(kind, seat, prompt, move, window, at)


def guess(number: int) -> dict[str, Any]:
    return {"move": "guess", "number": number}


SETUP = entry("setup", 5)
ANN = entry("move", 700, 0, "guess", guess(4))
BEA = entry("move", 800, 1, "guess", guess(1))
LONGER = entry("extend", 1005, 1, "longer", {"move": "longer"}, "w0")
EXPIRE = entry("expire", 2005, window="w1")
LOG = (SETUP, ANN, LONGER, EXPIRE)
HASHES = tuple(records.hash_name(bytes.fromhex(name.key), name.name) for name in NAMES)


CY = records.Name("Cy", "c3" * 16)
LATE = records.TakenSeat(1, 2, records.hash_name(bytes.fromhex(CY.key), CY.name))


def build(log: tuple[LogEntry, ...], key: Ed25519PrivateKey = KEY) -> bytes:
    return records.build(CONFIG, HASHES, NAMES, log, GAMES, key, [(LATE, CY)])


RECORD = build(LOG)
LINES = RECORD.splitlines()
CHAINED = LINES[:-1]


def check(data: bytes, key: bytes | None = PUBLIC) -> records.Report:
    return records.verify(data, GAMES, key)


def rejected(data: bytes, key: bytes | None = PUBLIC) -> Rejected:
    report = check(data, key)
    assert isinstance(report, Rejected), report
    text = str(report)
    assert text.count("\n") == 0
    assert len(text) < 300
    return report


# --- games that were abandoned ---


def build_abandoned(log: tuple[LogEntry, ...], key: Ed25519PrivateKey = KEY) -> bytes:
    return records.build(CONFIG, HASHES, NAMES, log, GAMES, key, abandoned=True)


def test_an_abandoned_game() -> None:
    """V9: everything before its end is checked as in any record, and its record says that it has none."""
    record = build_abandoned(LOG[:3])
    report = check(record)
    assert isinstance(report, Verified)
    assert (report.outcome, report.entries, report.names) == (None, 3, ("Ann", "Béa"))
    end = json.loads(record.splitlines()[-2])
    assert (end["outcome"], end["abandoned"]) == (None, True)
    assert "abandoned" not in json.loads(LINES[-2])
    at_once = check(build_abandoned(LOG[:1]))
    assert isinstance(at_once, Verified)
    assert at_once.entries == 1


def test_a_game_that_is_over_was_not_abandoned() -> None:
    """V9, V2"""
    with pytest.raises(ReplayError, match="not abandoned"):
        build_abandoned(LOG)
    with pytest.raises(ReplayError, match="not over"):
        build(LOG[:3])


def test_nobody_can_make_a_record_of_an_abandoned_game() -> None:
    """V4, V9: neither by cutting one off nor by taking the mark away, without a signature that shows it."""
    whole = build_abandoned(LOG[:3]).splitlines()
    cut = build_abandoned(LOG[:2], OTHER).splitlines()
    assert "different key" in str(rejected(b"\n".join(cut) + b"\n"))
    assert check(b"\n".join([*whole[:3], *whole[4:]]) + b"\n") != check(b"\n".join(whole) + b"\n")
    assert isinstance(check(b"\n".join([*whole[:3], *whole[4:]]) + b"\n"), Rejected)
    for old, new in ((b'"abandoned":true', b'"abandoned":false'), (b',"abandoned":true', b"")):
        rejected(b"\n".join(line.replace(old, new) for line in whole) + b"\n")


# --- valid records ---


def test_a_record_verifies() -> None:
    """V1"""
    report = check(RECORD)
    assert isinstance(report, Verified)
    assert (report.game, report.title, report.names) == ("toy", "Toy", ("Ann", "Béa"))
    assert (report.entries, report.draws) == (4, 2)
    assert (report.salts, report.restarts) == (("5a" * 32, ""), 2)
    assert report.public_key == PUBLIC
    assert report.key_given
    assert report.outcome is not None
    assert report.outcome.scores in ((0, 0), (0, 1), (1, 0), (1, 1))


def test_without_a_key_the_report_says_whose_it_is() -> None:
    """V6"""
    report = check(RECORD, None)
    assert isinstance(report, Verified)
    assert report.public_key == PUBLIC
    assert not report.key_given


def test_a_packed_record_verifies() -> None:
    assert isinstance(check(gzip.compress(RECORD)), Verified)


def test_a_record_is_the_same_every_time() -> None:
    """G7.1: the order of a move's keys makes no difference."""
    backwards = entry("move", 700, 0, "guess", {"number": 4, "move": "guess"})
    assert build((SETUP, backwards, LONGER, EXPIRE)) == RECORD


def test_a_record_can_be_read() -> None:
    header, first, second = (json.loads(line) for line in LINES[:3])
    assert header["parley_record"] == 1
    assert header["options"] == {"sides": 6}
    assert header["seed_hash"] == sha256(CONFIG.seed).hexdigest()
    assert header["public_key"] == PUBLIC.hex()
    assert first["kind"] == "setup"
    assert first["draws"][0][:2] == ["target", 6]
    assert second["move"] == guess(4)
    assert header["name_hashes"] == [sha256(b"\xa1" * 16 + b"Ann").hexdigest(), HASHES[1]]
    assert json.loads(LINES[-2])["entries"] == 4
    assert json.loads(LINES[-1]) == {
        "names": [{"name": "Ann", "key": "a1" * 16}, {"name": "Béa", "key": "b2" * 16}],
        "latecomers": [{"name": "Cy", "key": "c3" * 16}],
    }
    assert header["latecomers"] == [{"seat": 1, "after": 2, "name_hash": LATE.name_hash}]


def test_the_chain_can_be_recomputed_from_its_description() -> None:
    """V3: docs/PROTOCOL.md alone is enough, without records.py."""
    value = bytes(32)
    for line in CHAINED:
        body, rest = line.split(b',"chain":"')
        value = sha256(value + body).digest()
        assert rest[:64].decode() == value.hex()
    signature = json.loads(CHAINED[-1])["signature"]
    KEY.public_key().verify(bytes.fromhex(signature), b"parley record 1\n" + value)


# --- names ---


def test_names_can_be_removed_and_the_record_stays_genuine() -> None:
    """V8: neither the name nor its key is left, and the chain, the signature and the other names stand."""
    removed = records.without_names(RECORD, {1})
    assert removed.splitlines()[:-1] == CHAINED
    assert "Béa".encode() not in removed
    assert b"b2" * 16 not in removed
    report = check(removed)
    assert isinstance(report, Verified), report
    assert report.names == ("Ann", None)
    assert report.outcome == check(RECORD).outcome  # type: ignore[union-attr]
    everybody = records.without_names(removed, range(2))
    assert everybody == records.without_names(RECORD, {0, 1, 7})
    report = check(everybody)
    assert isinstance(report, Verified), report
    assert report.names == (None, None)
    assert report.latecomers == ((LATE, "Cy"),)
    report = check(records.without_names(RECORD, (), {0}))
    assert isinstance(report, Verified), report
    assert (report.names, report.latecomers) == (("Ann", "Béa"), ((LATE, None),))
    assert records.without_names(RECORD, ()) == RECORD


def test_names_can_be_removed_from_a_packed_record() -> None:
    """V8"""
    removed = records.without_names(gzip.compress(RECORD), [0])
    assert gzip.decompress(removed) == records.without_names(RECORD, [0])


@pytest.mark.parametrize("data", [b"", b"{}\n", b"hello", b'{"names":1}\n', LINES[0] + b"\n"])
def test_names_cannot_be_removed_from_anything_else(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        records.without_names(data, {0})


def test_a_hash_does_not_give_its_name_away() -> None:
    """V8: without its key, a guessed name cannot be tested, since another key gives another hash."""
    assert records.hash_name(bytes(16), "Ann") != HASHES[0] != sha256(b"Ann").hexdigest()
    assert b"Ann" not in b"".join(CHAINED)


ANN_NAME, BEA_NAME = (json.loads(LINES[-1])["names"][seat] for seat in (0, 1))


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ({"names": [{**ANN_NAME, "name": "Bob"}, BEA_NAME]}, "not the name of seat 0"),
        ({"names": [BEA_NAME, ANN_NAME]}, "not the name of seat 0"),
        ({"names": [ANN_NAME, {**BEA_NAME, "key": "b3" * 16}]}, "not the name of seat 1"),
        ({"names": [ANN_NAME, {**BEA_NAME, "key": "B2" * 16}]}, "the key is not 16 bytes"),
        ({"names": [ANN_NAME, {**BEA_NAME, "key": ""}]}, "the key is not 16 bytes"),
        ({"names": [ANN_NAME, {"name": "Béa"}]}, "cannot be read"),
        ({"names": [ANN_NAME, "Béa"]}, "cannot be read"),
        ({"names": [ANN_NAME]}, "one name, or null, for each seat"),
        ({"names": [ANN_NAME, BEA_NAME, None]}, "one name, or null, for each seat"),
        ({"names": [ANN_NAME, BEA_NAME], "more": 1}, "cannot be read"),
        ({"names": [{"key": ANN_NAME["key"], "name": "Ann"}, None]}, "not written the way"),
        ({"names": [{**ANN_NAME, "name": "\ud800"}, None]}, "cannot be read"),
        ({}, "cannot be read"),
    ],
)
def test_changed_names(names: Any, sentence: str) -> None:
    """V8: a name in a record must be the one whose hash was signed."""
    data = json.dumps({**names, "latecomers": [None]}, separators=(",", ":"), ensure_ascii=True).encode()
    report = rejected(b"\n".join((*CHAINED, data)) + b"\n")
    assert sentence in report.reason
    assert report.line == len(LINES)


@pytest.mark.parametrize(
    "most",
    [
        pytest.param(12, id="some bytes"),
        pytest.param(10_000, id="bytes at length", marks=pytest.mark.at_length),
    ],
)
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.at_length) for n in (1, 3, 4)), 2])
@pytest.mark.parametrize("key", REGISTRY)
def test_a_whole_game_of_each(key: str, seed: int, most: int) -> None:
    """V1, V2: the record of a game played with the rules alone verifies, and any changed byte is detected.

    Every 1009th byte is changed, or about `most` bytes evenly spread over a longer record.
    """
    seeded = sha256(f"{key} {seed}".encode()).digest()
    game = REGISTRY[key].game
    seats = game.seats[min(seed, len(game.seats) - 1)]
    setting, log, outcome = play(REGISTRY[key], seats, game.Options(), seeded)
    record = record_of(setting, log, REGISTRY, KEY)
    report = records.verify(record, REGISTRY, PUBLIC)
    assert isinstance(report, Verified), report
    assert (report.outcome, report.entries) == (outcome, len(log))
    for i in range(seed, len(record), max(1009, len(record) // most)):
        changed = record[:i] + bytes([record[i] ^ 1]) + record[i + 1 :]
        assert isinstance(records.verify(changed, REGISTRY, PUBLIC), Rejected)


# --- damaged and forged records ---


@pytest.mark.parametrize("flip", [0x01, 0x20, 0xFF])
def test_any_byte_changed(flip: int) -> None:
    """V3: a change to any single byte is detected, with or without the hub's key."""
    for i in range(len(RECORD)):
        changed = RECORD[:i] + bytes([RECORD[i] ^ flip]) + RECORD[i + 1 :]
        for key in (PUBLIC, None):
            report = check(changed, key)
            assert isinstance(report, Rejected), (i, report)


def test_any_byte_dropped_or_doubled() -> None:
    """V3"""
    for i in range(len(RECORD)):
        rejected(RECORD[:i] + RECORD[i + 1 :])
        rejected(RECORD[:i] + RECORD[i : i + 1] + RECORD[i:])


def test_any_cut_tail() -> None:
    """V5"""
    for i in range(len(RECORD)):
        rejected(RECORD[:i])


@pytest.mark.parametrize("tail", [b"\n", b" ", b"{}\n", LINES[-1] + b"\n", RECORD])
def test_trailing_bytes(tail: bytes) -> None:
    """V5"""
    rejected(RECORD + tail)


def test_dropped_and_swapped_entries_name_the_line() -> None:
    """V3"""
    for i in range(1, len(CHAINED) - 1):
        gone = rejected(b"\n".join(LINES[:i] + LINES[i + 1 :]) + b"\n")
        assert gone.line == i + 1
        swapped = LINES.copy()
        swapped[i], swapped[i - 1] = swapped[i - 1], swapped[i]
        rejected(b"\n".join(swapped) + b"\n")


def forge(change: Change, key: Ed25519PrivateKey = OTHER) -> bytes:
    """The record with its lines changed, then chained and signed again as the format requires."""
    rows = [json.loads(line) for line in CHAINED]
    rows[0]["public_key"] = key.public_key().public_bytes_raw().hex()
    change(rows)
    value, out = bytes(32), []
    for row in rows:
        row.pop("chain", None)
        row.pop("signature", None)
        body = json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode()[:-1]
        value = sha256(value + body).digest()
        out.append(body + b',"chain":"' + value.hex().encode() + b'"}')
    signature = key.sign(b"parley record 1\n" + value).hex().encode()
    out[-1] = out[-1][:-1] + b',"signature":"' + signature + b'"}'
    return b"\n".join((*out, LINES[-1])) + b"\n"


def nothing(rows: list[dict[str, Any]]) -> None:
    pass


def test_forge_can_forge() -> None:
    """Checks the helper: with no changes and the hub's own key, its output is identical to the record."""
    assert forge(nothing, KEY) == RECORD


def late(**changes: Any) -> dict[str, Any]:
    return {"seat": 1, "after": 2, "name_hash": LATE.name_hash, **changes}


def put(line: int, name: str, value: Any) -> Change:
    return lambda rows: rows[line].update({name: value})


FORGERIES: dict[str, tuple[int, str, Change]] = {
    "a changed move": (3, "does not lead to this state", put(2, "move", guess(5))),
    "an illegal move": (3, "refuse this move", put(2, "move", guess(6))),
    "no move of the game": (3, "not a move of Toy", put(2, "move", {"move": "shout"})),
    "a move of another shape": (3, "not a move of Toy", put(2, "move", {**guess(4), "more": 1})),
    "another seat": (3, "does not lead to this state", put(2, "seat", 1)),
    "a seat that is not there": (3, "was not open to seat 7", put(2, "seat", 7)),
    "another ask": (3, "was not open", put(2, "prompt", "raise")),
    "a later move": (3, "had run out at 1005", put(2, "at", 1005)),
    "a move before the setup": (3, "earlier", put(2, "at", 4)),
    "a draw": (2, "not the draws that follow", put(1, "draws", [["target", 6, 9]])),
    "a draw left out": (2, "not the draws that follow", lambda rows: rows[1].pop("draws")),
    "a draw too many": (3, "not the draws that follow", put(2, "draws", [["more", 6, 1]])),
    "a state": (2, "does not lead to this state", put(1, "state", "00" * 32)),
    "an early window": (5, "did not end there", put(4, "at", 2004)),
    "a late window": (5, "did not end there", put(4, "at", 2006)),
    "an unknown window": (5, "did not end there", put(4, "window", "x")),
    "a longer window of another seat": (4, "cannot extend", put(3, "seat", 0)),
    "another move at the window's end": (4, "not how seat 1", put(3, "move", guess(1))),
    "a window in a move": (3, "has no 'window'", put(2, "window", "w0")),
    "a seat in a setup": (2, "has no 'seat'", put(1, "seat", 0)),
    "a move without a seat": (3, "needs 'seat'", lambda rows: rows[2].pop("seat")),
    "a score": (6, "how the game ended", put(5, "outcome", {"winners": [0, 1], "scores": [1, 1], "over": 1})),
    "a number of entries": (6, "how the game ended", put(5, "entries", 5)),
    "a seed": (1, "not the one whose hash was shown", put(0, "seed", "11" * 32)),
    "a seed that is none": (1, "the seed is not 32 bytes", put(0, "seed", "11" * 31 + "XY")),
    "a salt": (2, "not the draws that follow", put(0, "salts", ["5b" * 32, ""])),
    "a salt that is free text": (1, "the salt is not 32 bytes", put(0, "salts", ["Ann", ""])),
    "fewer restarts than none": (1, "cannot be read", put(0, "restarts", -1)),
    "salts missing": (1, "one salt for each seat", put(0, "salts", ["5a" * 32])),
    "a hash of a name missing": (1, "one hash of a name", put(0, "name_hashes", HASHES[:1])),
    "a hash of a name that is none": (1, "not 32 bytes", put(0, "name_hashes", ["Ann", HASHES[1]])),
    "another hash of a name": (7, "not the name of seat 0", put(0, "name_hashes", [HASHES[1], HASHES[1]])),
    "a latecomer in no seat": (1, "no seat can", put(0, "latecomers", [late(seat=2)])),
    "a latecomer before the start": (1, "no seat can", put(0, "latecomers", [late(after=0)])),
    "a latecomer after the end": (1, "no seat can", put(0, "latecomers", [late(after=5)])),
    "a latecomer missing": (7, "each latecomer", put(0, "latecomers", [])),
    "another latecomer": (7, "the latecomer in seat 1", put(0, "latecomers", [late(name_hash=HASHES[0])])),
    "a latecomer with a plain name": (1, "not 32 bytes", put(0, "latecomers", [late(name_hash="Cy")])),
    "the number of seats": (1, "cannot be played by 9", put(0, "seats", 9)),
    "an option": (2, "not the draws that follow", put(0, "options", {"sides": 7})),
    "an option nobody has": (1, "the options are not those of Toy", put(0, "options", {"size": 7})),
    "options that cannot be played": (1, "cannot be played with these", put(0, "options", {"sides": 1})),
    "an option left to its default": (1, "not written the way", put(0, "options", {})),
    "the rules' version": (
        1,
        "version 2 of the rules of Toy, but this Parley has version 3",
        put(0, "version", 2),
    ),
    "the game": (1, "no game called 'chess'", put(0, "game", "chess")),
    "the format": (1, "cannot be read", put(0, "parley_record", 2)),
    "a member more": (3, "cannot be read", put(2, "mood", "bad")),
    "a member at its default": (3, "not written the way", put(2, "window", None)),
    "numbers that skip": (3, "entry 2 should be here, not 3", put(2, "n", 3)),
    "a dropped entry": (3, "entry 2 should be here", lambda rows: rows.pop(2)),
    "an end cut off": (5, "holds no outcome", lambda rows: rows.pop(5)),
    "a second setup": (3, "first and only once", lambda rows: rows[2].update({"kind": "setup"})),
    "another kind": (3, "cannot be read", put(2, "kind", "cheat")),
    "a NaN": (3, "cannot be read", put(2, "at", float("nan"))),
    "a huge number": (3, "cannot be read", put(2, "at", 10**400)),
    "deep nesting": (3, "not a move of Toy", put(2, "move", {"move": "guess", "number": [[[]]]})),
}


@pytest.mark.parametrize(("line", "sentence", "change"), FORGERIES.values(), ids=FORGERIES)
@pytest.mark.parametrize("key", [KEY, OTHER], ids=["by the hub", "by a stranger"])
def test_a_changed_record_with_a_valid_chain(
    line: int, sentence: str, change: Change, key: Ed25519PrivateKey
) -> None:
    """V2, V4: anything that does not follow from the rules is detected, even if the hub itself signed it."""
    if "holds no outcome" in sentence:
        rows = [json.loads(text) for text in CHAINED]
        change(rows)
        report = rejected(b"\n".join((*CHAINED[: len(rows)], LINES[-1])) + b"\n", None)
    else:
        report = rejected(forge(change, key), None)
    assert sentence in report.reason
    assert report.line == line


def test_a_changed_record_with_the_old_signature() -> None:
    """V3: the old signature does not cover it."""
    forged = forge(put(0, "name_hashes", ["00" * 32, HASHES[1]]), KEY)
    forged = forged[: forged.rindex(b',"signature"')] + RECORD[RECORD.rindex(b',"signature"') :]
    report = rejected(forged)
    assert "the signature does not match" in report.reason
    assert report.line == len(CHAINED)


def test_a_stranger_can_sign_a_game_of_his_own_but_not_as_the_hub() -> None:
    """V6: a legal game, chained and signed again, verifies, but with a key that is not the hub's."""
    forged = build((SETUP, ANN, BEA), OTHER)
    verdict = check(forged, None)
    assert isinstance(verdict, Verified)
    assert verdict.public_key == OTHER.public_key().public_bytes_raw()
    report = rejected(forged, PUBLIC)
    assert "a different key" in report.reason
    assert verdict.public_key.hex() in report.reason


def test_unknown_version_of_the_rules() -> None:
    """V7"""
    report = records.verify(RECORD, registry(4), PUBLIC)
    assert isinstance(report, Rejected)
    assert report.reason == "it was played with version 3 of the rules of Toy, but this Parley has version 4"


GARBAGE = {
    "nothing": b"",
    "a line": b"\n",
    "text": b"hello",
    "zeros": bytes(1000),
    "the first bytes alone": b'{"parley_record":',
    "deep nesting": b'{"parley_record":' + b"[" * 100_000 + b"\n\n\n",
    "bad nesting": b'{"parley_record":' + b"[" * 9000 + LINES[0][-75:] + b"\n{}\n{}\n",
    "bad UTF-8": b'{"parley_record":1,"game":"\xff"}\n{}\n{}\n',
    "a huge file": b'{"parley_record":' + bytes(records.LARGEST),
    "a gzip of nothing": gzip.compress(b""),
    "half a gzip file": gzip.compress(RECORD)[:-20],
    "a gzip file with a tail": gzip.compress(RECORD) + b"tail",
    "two gzip files": gzip.compress(RECORD) * 2,
    "a damaged gzip file": gzip.compress(RECORD)[:40] + bytes(20) + gzip.compress(RECORD)[60:],
}
BOMBS = {
    "alone": (b"", 300 * 1024 * 1024, 1),
    "that begins like a record": (RECORD, records.LARGEST, 9),
}
"""What a gzip file begins with, how many zeros follow, and how much it is compressed."""


@pytest.mark.parametrize("data", GARBAGE.values(), ids=GARBAGE)
def test_garbage(data: bytes) -> None:
    """V5"""
    rejected(data)


@pytest.mark.parametrize(("start", "zeros", "level"), BOMBS.values(), ids=BOMBS)
def test_a_gzip_bomb(start: bytes, zeros: int, level: int) -> None:
    """V5"""
    rejected(gzip.compress(start + bytes(zeros), level))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_several_changes(data: st.DataObject) -> None:
    """V3: a record spliced with itself or with noise is rejected."""
    at, to = sorted(data.draw(st.tuples(*[st.integers(0, len(RECORD))] * 2)))
    noise = data.draw(st.binary(max_size=20) | st.builds(lambda i: RECORD[i : i + 80], st.integers(0, 900)))
    changed = RECORD[:at] + noise + RECORD[to:]
    assert isinstance(check(changed), Verified if changed == RECORD else Rejected)


# --- logs that cannot become a record ---


@pytest.mark.parametrize(
    ("log", "sentence"),
    [
        ((), "not over"),
        ((SETUP, ANN), "not over"),
        ((ANN, SETUP), "the setup comes first"),
        ((SETUP, ANN, BEA, EXPIRE), "the game was over before it"),
        ((SETUP, EXPIRE), "did not end there"),
    ],
)
def test_a_log_that_does_not_play_makes_no_record(log: tuple[LogEntry, ...], sentence: str) -> None:
    with pytest.raises(ReplayError, match=sentence):
        build(log)
