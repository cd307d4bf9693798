"""Invalid WebSocket frames, each with the close code that answers it."""

from __future__ import annotations

from hub.wire import codec
from hub.wire.messages import MAX_FRAME, Error
from tests.wire_client import CLOSE, CONT, PING, TEXT, client_frame, close_payload

TOO_LARGE = codec.encode(Error("TOO_LARGE", codec.TOO_LARGE))
"""The message before a close with 1009."""

WRONG: dict[str, tuple[int, bytes]] = {
    "text": (1003, client_frame(b"hello", TEXT)),
    "text that is not UTF-8": (1003, client_frame(b"\xff\xfe", TEXT)),
    "text in fragments": (1003, client_frame(b"hel", TEXT, fin=False)),
    "text within a message": (1002, client_frame(b"a", fin=False) + client_frame(b"b", TEXT)),
    "unmasked": (1002, client_frame(b"hello", mask=None)),
    "unmasked, empty": (1002, client_frame(b"", mask=None)),
    "unmasked, 126 long": (1002, client_frame(b"x" * 126, mask=None)),
    "the first reserved bit": (1002, client_frame(b"hello", reserved=4)),
    "the second reserved bit": (1002, client_frame(b"hello", reserved=2)),
    "the third reserved bit": (1002, client_frame(b"hello", reserved=1)),
    "opcode 3": (1002, client_frame(b"", 3)),
    "opcode 7": (1002, client_frame(b"", 7)),
    "opcode 11": (1002, client_frame(b"", 11)),
    "opcode 15": (1002, client_frame(b"", 15)),
    "a ping in fragments": (1002, client_frame(b"", PING, fin=False)),
    "a ping of 126 bytes": (1002, client_frame(b"x" * 126, PING)),
    "a close of 126 bytes": (1002, client_frame(close_payload(1000, "x" * 124), CLOSE)),
    "a continuation without a start": (1002, client_frame(b"", CONT)),
    "a message within a message": (1002, client_frame(b"a", fin=False) + client_frame(b"b")),
    "a close of one byte": (1002, client_frame(b"\x03", CLOSE)),
    "a close within a message": (1002, client_frame(b"a", fin=False) + client_frame(b"", CLOSE)),
    "close code 0": (1002, client_frame(close_payload(0), CLOSE)),
    "close code 999": (1002, client_frame(close_payload(999), CLOSE)),
    "close code 1004": (1002, client_frame(close_payload(1004), CLOSE)),
    "close code 1005": (1002, client_frame(close_payload(1005), CLOSE)),
    "close code 1006": (1002, client_frame(close_payload(1006), CLOSE)),
    "close code 1015": (1002, client_frame(close_payload(1015), CLOSE)),
    "close code 2999": (1002, client_frame(close_payload(2999), CLOSE)),
    "close code 5000": (1002, client_frame(close_payload(5000), CLOSE)),
    "a close reason that is not UTF-8": (1007, client_frame(b"\x03\xe8\xff", CLOSE)),
    "one byte too long": (1009, client_frame(b"x" * (MAX_FRAME + 1))),
    "a megabyte": (1009, client_frame(b"x" * 2**20)),
    "said to be 2^63 - 1 long": (1009, client_frame(b"x", length=2**63 - 1)),
    "said to be 2^64 - 1 long": (1009, client_frame(b"x", length=2**64 - 1)),
    "a ping said to be huge": (1009, client_frame(b"x", PING, length=2**40)),
    "one byte too long, in fragments": (
        1009,
        client_frame(b"x" * MAX_FRAME, fin=False) + client_frame(b"x", CONT),
    ),
}
