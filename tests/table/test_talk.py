"""The part of a table's talk that is stored and restored."""

from __future__ import annotations

import pytest

from hub.table.talk import MESSAGES_KEPT, TalkHistory
from hub.wire.messages import TalkMessage


def said(text: str, seat: int = 0, to: int | None = None) -> TalkMessage:
    return TalkMessage(channel="table", name="Ann", at=0, seat=seat, to=to, text=text)


def stored(kept: TalkHistory, store: dict[bytes, bytes], *lines: TalkMessage) -> None:
    for line in lines:
        slot, value = kept.store(line)
        store[slot] = value


def test_stored_talk_is_restored_in_order() -> None:
    store: dict[bytes, bytes] = {}
    lines = [said(str(n), to=1 if n % 3 == 0 else None) for n in range(30)]
    stored(TalkHistory(), store, *lines)
    assert TalkHistory.restore(store)[1] == tuple(lines)


@pytest.mark.parametrize("lives", [1, 2, 7])
def test_each_audience_keeps_its_own_last_messages(lives: int) -> None:
    """This holds even when its talk has wrapped round its slots and a new owner continues from there."""
    store: dict[bytes, bytes] = {}
    for life in range(lives):
        kept, _ = TalkHistory.restore(store)
        for n in range(50):
            stored(kept, store, said(f"{life} {n}"), said("w", 1, 2), said("w", 2, 1), said("v", 0, 2))
    heard = [line.text for line in TalkHistory.restore(store)[1] if line.to is None]
    everything = [f"{life} {n}" for life in range(lives) for n in range(50)]
    assert heard == everything[-MESSAGES_KEPT:]
    assert len(store) <= 3 * MESSAGES_KEPT


def test_both_directions_of_a_whisper_are_one_audience() -> None:
    assert {TalkHistory().store(line)[0] for line in (said("a", 1, 3), said("b", 3, 1))} == {b"1-3:0"}


@pytest.mark.parametrize("damage", [{b"all:0": b"?"}, {b"all:0": b"\x92\x01\xc0"}])
def test_unreadable_talk_is_an_error(damage: dict[bytes, bytes]) -> None:
    with pytest.raises(ValueError, match=r"."):
        TalkHistory.restore(damage)
