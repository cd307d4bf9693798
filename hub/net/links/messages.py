"""What hubs send each other over a link. Only a link's two ends read this; browsers never see it.

A WebSocket message on a link holds everything that one end has sent in one tick: a msgpack array of the
messages below. The version is in the subprotocol, so that hubs of different builds never misread each other.
It rises with every change to the messages, because their fields have places and no names.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

LINK_SUBPROTOCOL: Final = "parley.link.v1"


class _Message(Struct, frozen=True, array_like=True, gc=False):
    pass


# --- from the front ---


class Open(_Message, frozen=True, tag=0):
    """A client's socket for this room. The front numbers its channels; a number is never used twice."""

    channel: int
    room: str
    remote: str | None
    """The client's address, by which the owner counts its limits."""


class FromClient(_Message, frozen=True, tag=1):
    """A message from the client, as it came."""

    channel: int
    data: bytes


class Gone(_Message, frozen=True, tag=2):
    """The client's socket is gone, with this close code; the channel ends."""

    channel: int
    code: int


class Request(_Message, frozen=True, tag=3):
    """An HTTP request, as it came. `target` is the path with its query, as sent."""

    n: int
    method: str
    scheme: str
    target: str
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    remote: str | None


# --- from the owner ---


class ToClients(_Message, frozen=True, tag=4):
    """Framed bytes for the clients of these channels: what they share crosses the link once."""

    channels: tuple[int, ...]
    data: bytes


class Join(_Message, frozen=True, tag=5):
    """The client has a seat, or is one of the crowd of watchers (`Transport.join_seats`, `join_crowd`)."""

    channel: int
    place: Literal["seats", "crowd"]


class Read(_Message, frozen=True, tag=6):
    """Whether the front shall read from the client: its site has sent too much, or may send again."""

    channel: int
    on: bool


class Close(_Message, frozen=True, tag=7):
    """Closes the client's socket."""

    channel: int
    code: int
    reason: str


class Abort(_Message, frozen=True, tag=8):
    """Cuts the client's connection."""

    channel: int


class Response(_Message, frozen=True, tag=9):
    """The answer to `Request` n. `elsewhere`: this hub does not own the room either."""

    n: int
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    elsewhere: bool


ToOwner: TypeAlias = Open | FromClient | Gone | Request
ToFront: TypeAlias = ToClients | Join | Read | Close | Abort | Response

encode = msgspec.msgpack.Encoder().encode
decode_to_owner = msgspec.msgpack.Decoder(list[ToOwner]).decode
decode_to_front = msgspec.msgpack.Decoder(list[ToFront]).decode
