"""The ids and codes of rooms."""

from __future__ import annotations

import pytest

from hub.runtime.placement import (
    CODE_ALPHABET,
    room_code,
    room_id,
)


def test_room_ids_and_codes() -> None:
    assert len(room_id(bytes(range(16)))) == 22
    assert room_code(bytes(8)) != room_code(bytes([255] * 8))
    assert set(room_code(bytes(range(8)))) <= set(CODE_ALPHABET)
    assert not set(CODE_ALPHABET) & set("AEIOUY0123456789")
    with pytest.raises(ValueError, match="16 bytes"):
        room_id(bytes(15))
    with pytest.raises(ValueError, match="8 bytes"):
        room_code(bytes(7))
