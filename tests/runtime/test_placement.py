"""The ids and codes of rooms."""

from __future__ import annotations

import pytest

from hub.runtime.placement import (
    CODE_ALPHABET,
    room_code,
    room_id,
)
from hub.runtime.verdicts import ADVICE


def test_room_ids_and_codes() -> None:
    assert len(room_id(bytes(range(16)))) == 22
    assert room_code(bytes(8), open=True) != room_code(bytes([255] * 8), open=True)
    assert set(room_code(bytes(range(8)), open=True)) <= set(CODE_ALPHABET)
    assert not set(CODE_ALPHABET) & set("AEIOUY0123456789")
    assert [len(room_code(bytes(8), open=open)) for open in (True, False)] == [6, 8]
    with pytest.raises(ValueError, match="16 bytes"):
        room_id(bytes(15))
    with pytest.raises(ValueError, match="8 bytes"):
        room_code(bytes(7), open=True)


def test_advice_says_what_to_do() -> None:
    """A sentence states the reason, then what the person can do."""
    for code, advice in ADVICE.items():
        assert ": " in advice, code
