"""Bots' remarks in words that nobody at the table has used yet."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from games import GAMES
from games.api import Millis, Seat, Spoken
from games.dice import Dice
from games.kit.texts import kit_texts
from games.kit.wordings import Meaning, UsedWords, Wordings, read_intent

TEXTS = replace(
    kit_texts("base"),
    remarks=dict.fromkeys(("odd.bot.ask.1", "odd.bot.ask.2", "odd.bot.no.1"), ("to",)),
)
WORDINGS = Wordings(TEXTS)
TO_ONE, TO_TWO = Meaning("ask", {"to": 1}), Meaning("ask", {"to": 2})


def said(key: str, to: int) -> Spoken:
    return Spoken(Seat(0), None, key, {"to": to}, Millis(0), bot=True)


def test_phrases_and_promises_have_no_intent() -> None:
    keys = ("odd.bot.ask.2", "odd.say.ask", "promise.ask", "odd.bot.ask")
    assert [read_intent(key) for key in keys] == ["ask", "", "", ""]


def test_remarks_are_grouped_by_intent() -> None:
    assert dict(WORDINGS) == {"ask": ("odd.bot.ask.1", "odd.bot.ask.2"), "no": ("odd.bot.no.1",)}
    assert WORDINGS.list_keys(("ask", "no")) == TEXTS.remarks.keys()
    with pytest.raises(ValueError, match=r"odd\.ask\.1"):
        Wordings(replace(TEXTS, remarks={"odd.ask.1": ()}))


@pytest.mark.parametrize("game", GAMES)
def test_the_wordings_of_an_intent_have_the_same_arguments(game: str) -> None:
    """Except that not each names the seat that it is said to."""
    texts = GAMES[game].game.texts
    for keys in Wordings(texts).values():
        assert len({frozenset(texts.remarks[key]) - {"to"} for key in keys}) == 1, keys


@pytest.mark.parametrize("seed", range(8))
def test_nothing_is_said_twice_and_every_wording_is_used_alike(seed: int) -> None:
    dice = Dice(b"%d" % seed)
    used = UsedWords([said("odd.bot.ask.1", 1)])
    for meaning in (TO_ONE, TO_TWO):
        remark = used.choose(WORDINGS, [meaning], dice)
        assert remark is not None
        assert (remark.key, remark.args) == ("odd.bot.ask.2", meaning.args)
    worn = UsedWords([said("odd.bot.ask.1", 1), said("odd.bot.ask.2", 1)])
    assert worn.choose(WORDINGS, [TO_ONE], dice) is None
    assert worn.choose(WORDINGS, [TO_TWO], dice) is not None
