"""The codec: its refusals, a hundred thousand damaged frames, and frames assembled from parts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.wire import codec
from hub.wire.codec import BAD_FRAMES, BadFrame, decode, encode
from hub.wire.messages import (
    MAX_FRAME,
    SAFE_INTEGER,
    AddBot,
    AudienceLine,
    Coach,
    CommitSalt,
    Do,
    Frame,
    Hello,
    Manage,
    Note,
    Ping,
    Preview,
    Ready,
    RevealSalt,
    Say,
    Start,
    SwapSeats,
    TalkMessage,
    ToHub,
    Verdict,
    View,
)

REAL: tuple[ToHub, ...] = (
    Hello(ticket="eyJzZWF0IjoyfQ.Zx81aw.kYq-0sV3", session=None),
    Hello(ticket="x" * 2048, session=SAFE_INTEGER),
    Do(session=3, n=17, prompt="round:4:bid", move={"move": "bid", "number": 7}),
    Do(session=0, n=0, prompt="a", move={}),
    Do(
        session=1,
        n=300,
        prompt="offer:7",
        move={
            "move": "propose",
            "to": 2,
            "give": [1, 70_000, -5, -40_000],
            "want": {"land": ["b", "ß"], "keep": [True, False, None]},
            "nested": [[[{"deep": [[0]]}]]],
        },
    ),
    Manage(session=3, n=18, act=Ready(ready=True)),
    Manage(session=3, n=18, act=CommitSalt("0123456789abcdef" * 4)),
    Manage(session=3, n=18, act=RevealSalt("0123456789abcdef" * 4, "f" * 64)),
    Manage(session=3, n=19, act=Start()),
    Manage(session=3, n=20, act=AddBot(seat=3, level="careful")),
    Manage(session=3, n=21, act=SwapSeats(a=0, b=99)),
    Say(session=1, n=2, channel="table", text="I will take seven if you take three"),
    Say(session=1, n=3, channel="watchers", phrase="almost.phrase.thanks"),
    Note(session=1, n=4, text="é" * 4096),
    Note(session=1, n=5, text=""),
    Preview(n=6, prompt="offer:7", move={"move": "accept"}),
    Coach(n=7, prompt="bid:1"),
    Ping(n=2**40),
)


def packed(value: object) -> bytes:
    data = msgpack.packb(value)
    assert isinstance(data, bytes)
    return data


def do(move: object) -> bytes:
    """A `Do` that is well-formed except perhaps for its move."""
    return packed({"t": "do", "session": 1, "n": 2, "prompt": "a", "move": move})


def spliced(move: bytes) -> bytes:
    """A well-formed `Do` with its move given as raw msgpack."""
    return do(None)[:-1] + move


def refusal(data: bytes) -> BadFrame:
    with pytest.raises(BadFrame) as caught:
        decode(data)
    return caught.value


@pytest.mark.parametrize("message", REAL, ids=lambda message: type(message).__name__)
def test_round_trip(message: ToHub) -> None:
    assert decode(encode(message)) == message


REFUSED: Mapping[str, tuple[str, bytes]] = {
    "an empty message": ("MALFORMED", b""),
    "cut short": ("MALFORMED", encode(REAL[2])[:-1]),
    "a second message": ("MALFORMED", encode(Ping(n=1)) * 2),
    "one extra byte": ("MALFORMED", encode(Ping(n=1)) + b"\xc0"),
    "the byte no format uses": ("MALFORMED", b"\xc1"),
    "text that is not UTF-8": ("MALFORMED", spliced(b"\x81\xa1a\xa2\xff\xfe")),
    "a lone surrogate": ("MALFORMED", spliced(b"\x81\xa1a\xa3\xed\xa0\x80")),
    "a key that is not UTF-8": ("MALFORMED", spliced(b"\x81\xa1\xff\x01")),
    "a list claiming four billion": ("MALFORMED", spliced(b"\x81\xa1a\xdd\xff\xff\xff\xff")),
    "a map claiming four billion": ("MALFORMED", spliced(b"\xdf\xff\xff\xff\xff")),
    "a text claiming four billion": ("MALFORMED", spliced(b"\x81\xa1a\xdb\xff\xff\xff\xff")),
    "a binary claiming four billion": ("MALFORMED", spliced(b"\x81\xa1a\xc6\xff\xff\xff\xff")),
    "an extension claiming four billion": ("MALFORMED", spliced(b"\x81\xa1a\xc9\xff\xff\xff\xff\x01")),
    "a timestamp of the wrong size": ("MALFORMED", spliced(b"\x81\xa1a\xc7\x02\xff\0\0")),
    "an integer as key": ("FORBIDDEN_VALUE", do({1: 2})),
    "nil as key": ("FORBIDDEN_VALUE", do({None: 2})),
    "true as key, deep within": ("FORBIDDEN_VALUE", do({"a": [{True: 1}]})),
    "a float as key": ("FORBIDDEN_VALUE", do({1.5: 2})),
    "a list as key": ("FORBIDDEN_VALUE", spliced(b"\x81\x91\x01\x02")),
    "a map as key": ("FORBIDDEN_VALUE", spliced(b"\x81\x81\xa1a\x01\x02")),
    "an extension as key": ("FORBIDDEN_VALUE", spliced(b"\x81\xc7\x01\x05x\x02")),
    "an integer as key, cut short": ("MALFORMED", do({1: 2})[:-1]),
    "a binary as key": ("FORBIDDEN_VALUE", do({b"a": 2})),
    "an empty binary as key": ("FORBIDDEN_VALUE", do({b"": 2})),
    "a map in a list with a binary key": ("FORBIDDEN_VALUE", do({"a": [{b"b": 1}]})),
    "a binary key at the top": ("FORBIDDEN_VALUE", packed({b"t": "ping", "n": 1})),
    "not a map": ("NOT_A_MAP", b"\x93\x01\x02\x03"),
    "nil": ("NOT_A_MAP", b"\xc0"),
    "an extension, alone": ("NOT_A_MAP", packed(msgpack.ExtType(5, b"x"))),
    "an empty map": ("UNKNOWN_KIND", b"\x80"),
    "a kind that only the hub sends": ("UNKNOWN_KIND", encode(Verdict(n=1))),
    "a kind that is a number": ("UNKNOWN_KIND", packed({"t": 5})),
    "a kind that is a list": ("UNKNOWN_KIND", packed({"t": ["ping"]})),
    "a duplicate key": ("DUPLICATE_KEY", b"\x83\xa1t\xa4ping\xa1n\x01\xa1n\x01"),
    "a duplicate key, deep within": ("DUPLICATE_KEY", spliced(b"\x81\xa1a\x91\x82\xa1b\x01\xa1b\x02")),
    "a duplicate key in another encoding": ("DUPLICATE_KEY", spliced(b"\x82\xa1b\x01\xd9\x01b\x02")),
    "a float": ("FORBIDDEN_VALUE", do({"a": 1.5})),
    "a float that is whole": ("FORBIDDEN_VALUE", packed({"t": "ping", "n": 1.0})),
    "a short float": ("FORBIDDEN_VALUE", spliced(b"\x81\xa1a\xca\x3f\x80\0\0")),
    "not a number": ("FORBIDDEN_VALUE", do({"a": float("nan")})),
    "infinity, in a list": ("FORBIDDEN_VALUE", do({"a": [float("-inf")]})),
    "a binary": ("FORBIDDEN_VALUE", do({"a": b"x"})),
    "an empty binary": ("FORBIDDEN_VALUE", do({"a": b""})),
    "a binary where text is meant": ("FORBIDDEN_VALUE", packed({"t": "hello", "ticket": b"x"})),
    "an extension": ("FORBIDDEN_VALUE", do({"a": msgpack.ExtType(5, b"x")})),
    "an empty extension": ("FORBIDDEN_VALUE", spliced(b"\x81\xa1a\xc7\x00\x05")),
    "a timestamp": ("FORBIDDEN_VALUE", do({"a": msgpack.Timestamp(1, 2)})),
    "an integer beyond 2^53": ("UNSAFE_INTEGER", do({"a": SAFE_INTEGER + 1})),
    "an integer far below": ("UNSAFE_INTEGER", do({"a": [[-(2**63)]]})),
    "an unsigned integer": ("UNSAFE_INTEGER", packed({"t": "ping", "n": 2**64 - 1})),
    "lists 17 deep": ("TOO_DEEP", spliced(b"\x81\xa1a" + b"\x91" * 14 + b"\x91\x01")),
    "maps 17 deep": ("TOO_DEEP", spliced(b"\x81\xa1a" * 15 + b"\x81\xa1a\x01")),
    "lists 600 deep": ("TOO_DEEP", spliced(b"\x81\xa1a" + b"\x91" * 600 + b"\x01")),
    "lists 60,000 deep": ("TOO_DEEP", b"\x91" * 60_000),
    "a list too long": ("TOO_MANY_VALUES", do({"a": [0] * 1025})),
    "a list as long as a frame": ("TOO_MANY_VALUES", do({"a": [0] * 65_000})),
    "a map too long": ("TOO_MANY_VALUES", do({str(i): 0 for i in range(1025)})),
    "a message with too many fields": ("TOO_MANY_VALUES", packed({str(i): 0 for i in range(1025)})),
    "a list too long, cut short": ("MALFORMED", do({"a": [0] * 1025})[:-1]),
    "a list too long, followed by more": ("MALFORMED", do({"a": [0] * 1025}) + b"\xc0"),
    "a list too long, alone": ("NOT_A_MAP", packed([0] * 1025)),
    "a list too long, of floats": ("TOO_MANY_VALUES", do({"a": [0.5] * 1025})),
    "a list too long under a key that is not text": ("FORBIDDEN_VALUE", do({7: [0] * 1025})),
    "lists too long within each other": ("MALFORMED", b"\xdd\x00\x00\xfd\xe8" * 13_000),
    "too many values in many lists": ("TOO_MANY_VALUES", do({str(i): [0] * 15 for i in range(64)})),
    "too long": ("TOO_LARGE", b"\x81" * (MAX_FRAME + 1)),
    "a missing field": ("BAD_FIELDS", packed({"t": "ping"})),
    "an extra field": ("BAD_FIELDS", packed({"t": "ping", "n": 1, "m": 1})),
    "a text where a number is meant": ("BAD_FIELDS", packed({"t": "ping", "n": "1"})),
    "true where a number is meant": ("BAD_FIELDS", packed({"t": "ping", "n": True})),
    "a negative count": ("BAD_FIELDS", packed({"t": "ping", "n": -1})),
    "a list for a move": ("BAD_FIELDS", do([])),
    "a text too long": ("BAD_FIELDS", packed({"t": "note", "session": 1, "n": 1, "text": "x" * 4097})),
    "an unknown act": (
        "BAD_FIELDS",
        packed({"t": "manage", "session": 1, "n": 1, "act": {"do": "bribe"}}),
    ),
    "an unknown channel": ("BAD_FIELDS", packed({"t": "say", "session": 1, "n": 1, "channel": "x"})),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_frames_are_refused(name: str) -> None:
    code, data = REFUSED[name]
    error = refusal(data)
    assert error.code == code
    assert error.close == BAD_FRAMES[code]
    assert 0 < len(error.advice) <= codec.MAX_ADVICE


@pytest.mark.parametrize(
    ("fields", "n"),
    [
        ({"t": "do", "n": 7}, 7),
        ({"t": "bribe", "n": SAFE_INTEGER}, SAFE_INTEGER),
        ({"t": "do"}, None),
        ({"t": "do", "n": -1}, None),
        ({"t": "do", "n": True}, None),
        ({"t": "do", "n": "7"}, None),
    ],
)
def test_a_bad_frame_knows_the_number_of_its_command(fields: dict[str, Any], n: int | None) -> None:
    """G1.4: a client learns which command will not get a verdict."""
    assert refusal(packed(fields)).n == n


def test_every_code_is_reached() -> None:
    assert {code for code, _ in REFUSED.values()} == set(BAD_FRAMES)


def test_values_at_the_bounds_are_accepted() -> None:
    deepest = b"\x81\xa1a" + b"\x91" * 13 + b"\x91\x01"  # the message, its move, and 14 lists
    for data in (
        spliced(deepest),
        do({"a": [SAFE_INTEGER, -SAFE_INTEGER]}),
        do({str(i): [0] * 15 for i in range(63)}),
        do({"a": [0] * (codec.MAX_VALUES - 6)}),
    ):
        assert isinstance(decode(data), Do)


def test_advice_has_a_maximum_length() -> None:
    error = refusal(packed({"t": "ping", "n": 1, "x" * 60_000: 1}))
    assert error.code == "BAD_FIELDS"
    assert len(error.advice) == codec.MAX_ADVICE


# --- a hundred thousand damaged frames, of which every run decodes a fifth (G8) ---

HEADS = bytes((0x80, 0x81, 0x8F, 0x90, 0x91, 0x9F, 0xA0, 0xA1, 0xBF, *range(0xC0, 0xE0), 0xE0, 0xFF))
"""First bytes that mark msgpack's formats."""


def damage(data: bytes, chance: random.Random) -> bytes:
    """A real frame damaged in one to four ways."""
    damaged = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(damaged) + 1)
        match chance.randrange(10):
            case 0 if damaged:
                damaged[at - 1] ^= 1 << chance.randrange(8)
            case 1 if damaged:
                damaged[at - 1] = chance.choice(HEADS)
            case 2:
                del damaged[at : at + chance.randint(1, 4)]
            case 3:
                damaged[at:at] = chance.randbytes(chance.randint(1, 4))
            case 4:
                del damaged[at:]
            case 5:  # a piece of another message
                other = encode(chance.choice(REAL))
                start = chance.randrange(len(other))
                damaged[at : at + chance.randrange(8)] = other[start : start + chance.randint(1, 40)]
            case 6:  # a piece of itself, repeated
                start = chance.randrange(len(damaged) + 1)
                damaged[at:at] = damaged[start : start + chance.randint(1, 20)]
            case 7:  # deep or long
                damaged[at:at] = chance.choice(HEADS).to_bytes(1, "big") * chance.randint(1, 700)
            case 8 if damaged:  # one more entry
                damaged[0] = (damaged[0] + 1) & 0xFF
                damaged += chance.choice((b"\xa1n\x01", b"\xa4text\xa1x", b"\xa2zz\xc0"))
            case _:  # a forbidden value
                damaged[at:at] = chance.choice(
                    (b"\xcb\x7f\xf8" + bytes(6), b"\xcf" + b"\xff" * 8, b"\xc4\x01x", b"\xd6\xff\0\0\0\1")
                )
    return bytes(damaged)


def alter(data: bytes, chance: random.Random) -> bytes:
    """A real frame with changed values, not bytes: always valid msgpack, and often a valid message."""
    message = msgpack.unpackb(data)
    for _ in range(chance.randint(1, 2)):
        place = message
        while inner := [value for value in place.values() if isinstance(value, dict) and value]:
            if chance.random() < 0.2:
                break
            place = chance.choice(inner)
        if place:
            chance.choice(CHANGES)(place, chance.choice(sorted(place)), chance)
    return packed(message)


def put(value: object) -> Callable[[dict[str, Any], str, random.Random], None]:
    def change(place: dict[str, Any], key: str, chance: random.Random) -> None:
        place[key] = value

    return change


def drop(place: dict[str, Any], key: str, chance: random.Random) -> None:
    del place[key]


def rename(place: dict[str, Any], key: str, chance: random.Random) -> None:
    place[chance.choice(("t", "n", "move", "prompt", "text", "zz", ""))] = place.pop(key)


CHANGES: tuple[Callable[[dict[str, Any], str, random.Random], None], ...] = (
    *map(put, (None, True, 0, -1, 5, SAFE_INTEGER, 2**60, 1.5, "", "x", "do", "x" * 600, b"x", [], {})),
    put(msgpack.Timestamp(1)),
    put([{"a": [1, "b", None]}]),
    put([[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]),
    put([[0] * 600, [0] * 600]),
    drop,
    rename,
)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.at_length) for seed in range(2, 10))]
)
def test_fuzz(seed: int) -> None:
    chance = random.Random(f"codec {seed}")
    frames = [encode(message) for message in REAL]
    seen: Counter[str] = Counter()
    for i in range(10_000):
        data = (damage if i % 2 else alter)(chance.choice(frames), chance)
        try:
            message = decode(data)
        except BadFrame as error:
            seen[error.code] += 1
        else:
            assert decode(encode(message)) == message
            seen["message"] += 1
    # every kind of error occurred, and enough messages were still valid
    assert set(seen) | {"TOO_LARGE"} == {*BAD_FRAMES, "message"}
    assert seen["message"] > 500


# --- writing ---

names = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=40)
integers = st.integers(-SAFE_INTEGER, SAFE_INTEGER)
texts = st.text(max_size=40)
values = st.recursive(
    st.none() | st.booleans() | integers | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=20,
)
sections = st.dictionaries(names, values, max_size=20)
counts = st.integers(0, SAFE_INTEGER)
arguments = st.dictionaries(names, integers | texts | st.none() | st.lists(integers, max_size=3), max_size=3)
lines = st.lists(st.builds(AudienceLine, counts, names, arguments, counts), max_size=20).map(tuple)
channels = st.sampled_from(["table", "watchers"])
talk = st.lists(
    st.builds(
        TalkMessage,
        channel=channels,
        name=texts,
        at=counts,
        seat=st.none() | counts,
        to=st.none() | counts,
        text=st.none() | texts,
        phrase=st.none() | texts,
    ),
    max_size=20,
).map(tuple)


def encoded(data: Mapping[str, object]) -> list[bytes]:
    pack = msgspec.msgpack.Encoder(order="deterministic").encode
    return [pack(name) + pack(data[name]) for name in sorted(data)]


numbered_frames = given(n=st.integers(0, 2**32 - 1), time=counts, sections=sections, lines=lines)


@settings(deadline=None, max_examples=30)
@numbered_frames
def test_a_frame_assembled_from_parts_is_the_same_message(**parts: Any) -> None:
    check_frame(**parts)


@pytest.mark.at_length
@settings(deadline=None, max_examples=500)
@numbered_frames
def test_many_frames_assembled_from_parts_are_the_same_messages(**parts: Any) -> None:
    check_frame(**parts)


def check_frame(n: int, time: int, sections: dict[str, object], lines: tuple[AudienceLine, ...]) -> None:
    parts = encoded(sections)
    start = codec.frame_before_number(time, parts, [codec.encode_line(line) for line in lines])
    frame = start + n.to_bytes(codec.NUMBER, "big")
    whole = encode(Frame(n=n, now=time, sections=sections, lines=lines))
    assert msgpack.unpackb(frame) == msgpack.unpackb(whole)


views = given(epoch=texts, n=counts, time=counts, sections=sections, lines=lines, talk=talk)


@settings(deadline=None, max_examples=30)
@views
def test_a_view_assembled_from_parts_has_the_same_bytes(**parts: Any) -> None:
    check_view(**parts)


@pytest.mark.at_length
@settings(deadline=None, max_examples=500)
@views
def test_many_views_assembled_from_parts_have_the_same_bytes(**parts: Any) -> None:
    check_view(**parts)


def check_view(
    epoch: str,
    n: int,
    time: int,
    sections: dict[str, object],
    lines: tuple[AudienceLine, ...],
    talk: tuple[TalkMessage, ...],
) -> None:
    whole = encode(View(epoch=epoch, n=n, now=time, sections=sections, lines=lines, talk=talk))
    assert whole == codec.encode_view(
        epoch,
        n,
        time,
        encoded(sections),
        [codec.encode_line(line) for line in lines],
        [codec.encode_talk(said) for said in talk],
    )


@pytest.mark.parametrize("size", [0, 1, 15, 16, 255, 256, 65_535])
def test_frames_of_many_parts_are_the_same_message(size: int) -> None:
    """Covers the sizes at which msgpack's maps and lists change from short to long forms."""
    sections = {f"s{i:06}": i for i in range(size)}
    lines = tuple(AudienceLine(i, "k", {}, i) for i in range(size))
    frame = codec.frame_before_number(2, encoded(sections), [codec.encode_line(line) for line in lines])
    whole = encode(Frame(n=1, now=2, sections=sections, lines=lines))
    assert msgpack.unpackb(frame + b"\0\0\0\1") == msgpack.unpackb(whole)


@given(n=counts)
def test_the_prepared_verdict_equals_the_encoded_one(n: int) -> None:
    assert codec.verdict_applied(n) == encode(Verdict(n=n))


def test_the_order_of_a_map_does_not_leak() -> None:
    """G4: the order in which a map was built must not leak."""
    forth = Frame(n=1, now=2, sections={"a": {"x": 1, "y": {"q", "r", "s"}}, "b": 2})
    back = Frame(n=1, now=2, sections={"b": 2, "a": {"y": {"s", "r", "q"}, "x": 1}})
    assert encode(forth) == encode(back)
