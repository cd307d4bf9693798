"""The codec: bytes of one WebSocket frame to a typed `ToHub` message, and messages to bytes.

Reading is strict (G8): `decode` only returns messages in the closed union whose maps have distinct text keys
and whose values are text, booleans, None and integers within +-(2^53 - 1), at most 16 levels deep. Everything
else is a `BadFrame` with a stable code.

Writing is deterministic (G4): equal messages give equal bytes, whatever order their maps were filled in. A
frame can also be put together from parts encoded earlier, so that what many viewers share is encoded once;
the result is the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias, get_args

import msgpack  # type: ignore[import-untyped]
import msgspec

from hub.wire.advice import shorten
from hub.wire.messages import (
    MAX_FRAME,
    SAFE_INTEGER,
    AskPromises,
    AudienceLine,
    Coach,
    Do,
    Hello,
    MakePromise,
    Manage,
    Note,
    Ping,
    Preview,
    Say,
    TalkMessage,
    ToClient,
    ToHub,
)

MAX_DEPTH = 16
"""Levels of maps and lists in one message, the message itself being the first."""
MAX_VALUES = 1024
"""The number of values in one message, across all levels."""

BAD_FRAMES: Final[Mapping[str, int | None]] = {
    "TOO_LARGE": 1009,
    "MALFORMED": 1007,
    "NOT_A_MAP": 1007,
    "TOO_DEEP": 1007,
    "TOO_MANY_VALUES": 1007,
    "DUPLICATE_KEY": 1007,
    "FORBIDDEN_VALUE": 1007,
    "UNSAFE_INTEGER": 1007,
    "UNKNOWN_KIND": None,
    "BAD_FIELDS": None,
}
"""Every code of a `BadFrame`, with the socket's close code, or None if the socket may stay open."""

MAX_ADVICE = 200
TOO_LARGE: Final = f"a message may have at most {MAX_FRAME} bytes"
TEXT_KEYS: Final = "the keys of a map must be text"


class BadFrame(Exception):
    """A frame that is not a message in this protocol.

    `code` is one of `BAD_FRAMES`; `advice` is a sentence for the author of the client; `close` is the code to
    close the socket with, or None if an `Error` is enough of an answer; `n` is the message's number, or None.
    """

    def __init__(self, code: str, advice: str, n: int | None = None) -> None:
        super().__init__(code, advice)
        self.code = code
        self.advice = shorten(advice, MAX_ADVICE)
        self.close = BAD_FRAMES[code]
        self.n = n


# --- reading ---

Kind: TypeAlias = (
    type[Hello]
    | type[Do]
    | type[Manage]
    | type[Say]
    | type[Note]
    | type[MakePromise]
    | type[AskPromises]
    | type[Preview]
    | type[Coach]
    | type[Ping]
)

KINDS: Final[Mapping[object, Kind]] = {kind.__struct_config__.tag: kind for kind in get_args(ToHub)}
"""Each kind of message by its tag: converting to one struct is much faster than converting to the union."""


def decode(data: bytes) -> ToHub:
    """The message in these bytes. Raises BadFrame, and nothing else."""
    if data.startswith(DO_HEAD):
        move = _plain_move(data)
        if move is not None:
            return move
    if len(data) > MAX_FRAME:
        raise BadFrame("TOO_LARGE", TOO_LARGE)
    try:
        message = msgpack.unpackb(
            data,
            object_pairs_hook=_distinct,
            strict_map_key=False,
            max_array_len=MAX_VALUES,
            max_map_len=MAX_VALUES,
        )
    except UNPACK_ERRORS as error:
        raise _unpacking(error, data) from None
    _inspect(message)
    tag = message.get("t")
    kind = KINDS.get(tag) if type(tag) is str else None
    if kind is None:
        unknown = "the field `t` does not name a kind of message that this hub knows"
        raise BadFrame("UNKNOWN_KIND", unknown, _number(message))
    try:
        return msgspec.convert(message, kind)
    except msgspec.ValidationError as error:
        raise BadFrame("BAD_FIELDS", str(error), _number(message)) from None


def _number(message: Mapping[object, object]) -> int | None:
    """The `n` of a message whose other fields are wrong; None if it has no valid one."""
    n = message.get("n")
    return n if type(n) is int and n >= 0 else None


UNPACK_ERRORS = (
    ValueError,
    TypeError,
    OverflowError,
    RecursionError,
    MemoryError,
    msgpack.UnpackException,
)
"""Everything `msgpack.unpackb` may raise on malformed input."""


DO_HEAD: Final = b"\x85\xa1t\xa2do"
_decode_do = msgspec.msgpack.Decoder(Do).decode


def _plain_move(data: bytes) -> Do | None:
    """A fast path for the most common message: a move with plain fields, encoded as we would encode it.

    If it encodes to exactly these bytes again, no field occurs twice and no value was converted. The values
    in the move are checked here. Returns None if the message is not that simple, or not a message at all.
    """
    try:
        do = _decode_do(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    for value in do.move.values():
        if type(value) is not str and (type(value) is not int or not -SAFE_INTEGER <= value <= SAFE_INTEGER):
            return None
    return do if len(do.move) < MAX_PLAIN and _in_order(do) == data else None


MAX_PLAIN: Final = 16
"""A plain move has fewer fields than this."""
_in_order = msgspec.msgpack.Encoder().encode
"""Keeps the order of a map's keys."""


class _DuplicateKey(ValueError):
    pass


def _distinct(pairs: list[tuple[object, object]]) -> dict[object, object]:
    """A msgpack map whose keys are all different."""
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _DuplicateKey
    return members


def _unpacking(error: Exception, data: bytes) -> BadFrame:
    """The BadFrame for an error from msgpack, whose own messages are not used: they vary between versions."""
    match error:
        case _DuplicateKey():
            return BadFrame("DUPLICATE_KEY", "a map has the same key twice")
        case TypeError():  # a key that cannot be hashed
            return BadFrame("FORBIDDEN_VALUE", TEXT_KEYS)
        case msgpack.StackError() | RecursionError():
            return BadFrame("TOO_DEEP", f"a message may be at most {MAX_DEPTH} levels deep")
        case UnicodeDecodeError():
            return BadFrame("MALFORMED", "a string is not valid UTF-8")
        case msgpack.ExtraData():
            return BadFrame("MALFORMED", "bytes follow the message: send one message per frame")
        case _:
            return _too_long(data) or BadFrame("MALFORMED", "the frame is not msgpack: encode one whole map")


def _too_long(data: bytes) -> BadFrame | None:
    """The BadFrame for a message with a list or map that is too long for msgpack's limits; None for others.

    msgspec has no such limits, but reserves no memory for items that have not arrived.
    """
    try:
        _inspect(_decode_any(data))
    except BadFrame as error:
        return error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    return None


_decode_any = msgspec.msgpack.Decoder().decode


def _inspect(message: object) -> None:
    """Raises BadFrame unless this is a map with only values that this protocol allows, at every level."""
    if not isinstance(message, dict):
        raise BadFrame("NOT_A_MAP", "a frame must hold one msgpack map")
    level: list[Iterable[object]] = [_members(message)]
    values = len(message)
    for _ in range(MAX_DEPTH):
        if values > MAX_VALUES:
            raise BadFrame("TOO_MANY_VALUES", f"a message may hold at most {MAX_VALUES} values")
        below: list[Iterable[object]] = []
        for members in level:
            for value in members:
                if isinstance(value, str) or value is None:
                    continue
                if isinstance(value, int):
                    if not -SAFE_INTEGER <= value <= SAFE_INTEGER:
                        raise BadFrame("UNSAFE_INTEGER", "integers must be within +-(2^53 - 1)")
                    continue
                if isinstance(value, dict):
                    below.append(_members(value))
                elif isinstance(value, list):
                    below.append(value)
                else:
                    raise BadFrame("FORBIDDEN_VALUE", "floats, binary values and extensions are not allowed")
                values += len(value)
        if not below:
            return
        level = below
    raise BadFrame("TOO_DEEP", f"a message may be at most {MAX_DEPTH} levels deep")


def _members(container: dict[object, object]) -> Iterable[object]:
    """The values of a map. Raises BadFrame unless its keys are text."""
    for key in container:
        if not isinstance(key, str):
            raise BadFrame("FORBIDDEN_VALUE", TEXT_KEYS)
    return container.values()


# --- writing ---

_encoder = msgspec.msgpack.Encoder(order="deterministic")
_encode = _encoder.encode


def encode(message: ToClient | ToHub) -> bytes:
    """The bytes of a message, with maps and sets in key order."""
    return _encode(message)


def encode_line(line: AudienceLine) -> bytes:
    """A log line, as it appears in frames and views."""
    return _encode(line)


def encode_talk(message: TalkMessage) -> bytes:
    """A talk message, as it appears in views."""
    return _encode(message)


def frame_before_number(at: int, sections: Sequence[bytes], lines: Sequence[bytes] = ()) -> bytes:
    """A `Frame` at table time `at` without its number: the same for all audiences with the same content.

    The caller appends the number in `NUMBER` bytes. `sections` (name and data) and `lines` are encoded.
    """
    if not lines and len(sections) == 1:  # nearly always
        return b"\x84\xa1t\xa5frame\xa3now%b\xa8sections\x81%b\xa1n\xce" % (_encode(at), sections[0])
    start = _map_head(3 + bool(sections) + bool(lines)) + b"\xa1t\xa5frame\xa3now" + _encode(at)
    if sections:
        start += b"\xa8sections" + _map_head(len(sections)) + b"".join(sections)
    if lines:
        start += b"\xa5lines" + _list_head(len(lines)) + b"".join(lines)
    return start + b"\xa1n\xce"


NUMBER: Final = 4
"""Bytes of a frame's number, big-endian (msgpack spec, "uint 32"): every number takes the same space."""


def encode_view(
    epoch: str,
    n: int,
    at: int,
    sections: Sequence[bytes],
    lines: Sequence[bytes],
    talk: Sequence[bytes],
) -> bytes:
    """The bytes of a `View` at table time `at`, from encoded sections, lines and talk."""
    head = b"\xa1t\xa4view\xa5epoch" + _encode(epoch) + b"\xa1n" + _encode(n) + b"\xa3now" + _encode(at)
    parts = [
        _map_head(7),
        head,
        b"\xa8sections",
        _map_head(len(sections)),
        *sections,
        b"\xa5lines",
        _list_head(len(lines)),
        *lines,
        b"\xa4talk",
        _list_head(len(talk)),
        *talk,
    ]
    return b"".join(parts)


def verdict_applied(n: int) -> bytes:
    """The bytes of `Verdict(n)`: applied."""
    return b"\x82\xa1t\xa7verdict\xa1n" + _encode(n)


def _map_head(size: int) -> bytes:
    """The head of a msgpack map with `size` entries (msgpack spec, "map format family")."""
    return _SMALL_MAPS[size] if size < 16 else b"\xde" + size.to_bytes(2, "big")


_SMALL_MAPS: Final = tuple(bytes((0x80 | size,)) for size in range(16))


def _list_head(size: int) -> bytes:
    """The head of a msgpack list with `size` items (msgpack spec, "array format family")."""
    return bytes((0x90 | size,)) if size < 16 else b"\xdc" + size.to_bytes(2, "big")
