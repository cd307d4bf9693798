"""The files of stored rooms and records."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import Struct

FOLDER: Final = Path(__file__).parent
"""Has a folder for each released version, with `<game>.room` and `<game>.parley.jsonl`."""
CHECKSUMS: Final = FOLDER / "SHA256SUMS"
KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
"""Signs the records."""


class StoredRoom(Struct, frozen=True):
    """What a store holds of a room. The last `behind` entries of its log are not in its snapshot."""

    seq: int
    at: int
    status: str
    code: str
    snapshot: bytes
    log: tuple[bytes, ...]
    behind: int
    talk: Mapping[bytes, bytes]
    notes: Mapping[int, bytes]
