"""A game's texts: read once, from its own file and the kit's, and checked for the names in them."""

from __future__ import annotations

import pytest

from games import GAMES
from games.api import Refusal
from games.kit.texts import (
    BadMessage,
    argument_names,
    format_message,
    kit_texts,
    messages,
    read_catalogue,
    read_texts,
    refusal_text,
)


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("It is over.", ()),
        ("{seat} gives {other} the move.", ("seat", "other")),
        ("{count, plural, one {# card} other {# cards}}", ("count",)),
        (
            "{left, plural, one {{seat} has # left} other {{seat} has # left of {rounds}}}",
            ("left", "seat", "rounds"),
        ),
        (
            "{n, plural, =0 {none} other {{kind, select, coin {a coin} other {{what}}}}} for {seat}",
            ("n", "kind", "what", "seat"),
        ),
    ],
)
def test_the_arguments_of_a_message(message: str, names: tuple[str, ...]) -> None:
    assert argument_names(message) == names


@pytest.mark.parametrize("message", ["{seat", "seat}", "{}", "{a b}", "{count, plural, one {x}", "it's"])
def test_invalid_messages_are_refused(message: str) -> None:
    with pytest.raises(BadMessage):
        argument_names(message)


@pytest.mark.parametrize(
    ("message", "args", "sentence"),
    [
        ("It is over.", {}, "It is over."),
        ("{a} gives #{b} to {a}.", {"a": "Ann", "b": 2}, "Ann gives #2 to Ann."),
        ("{n, plural, one {# card} other {# cards}}!", {"n": 1}, "1 card!"),
        ("{n, plural, one {# card} other {# cards}}!", {"n": 6}, "6 cards!"),
        ("{n, plural, =0 {none} one {# of {m}} other {many}}", {"n": 0, "m": 3}, "none"),
        ("{n, plural, =0 {none} one {# of {m}} other {many}}", {"n": 1, "m": 3}, "1 of 3"),
        (
            "{kind, select, coin {a coin} other {{n, plural, other {#}}}}.",
            {"kind": "coin", "n": 2},
            "a coin.",
        ),
        ("{kind, select, coin {a coin} other {{n, plural, other {#}}}}.", {"kind": "card", "n": 2}, "2."),
        ("{n, plural, other {# {kind, select, other {of #}}}}", {"n": 7, "kind": ""}, "7 of 7"),
    ],
)
def test_messages_as_sentences(message: str, args: dict[str, int | str], sentence: str) -> None:
    assert format_message(message, args) == sentence


@pytest.mark.parametrize("message", ["{a b}", "{n, number, integer}"])
def test_a_message_that_cannot_be_formatted(message: str) -> None:
    with pytest.raises(BadMessage):
        format_message(message, {"a": 1, "n": 1})


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_of_a_game_can_be_a_sentence(game: str) -> None:
    texts = read_texts(f"games.{game}")
    for code, names in texts.refusals.items():
        for number in (1, 2):
            sentence = refusal_text(texts, Refusal(code, "GEN-1", dict.fromkeys(names, number)))
            assert sentence is not None
            assert not set("{}#") & set(sentence), sentence
    assert refusal_text(texts, Refusal("NO_SUCH_CODE", "GEN-1")) is None


@pytest.mark.parametrize("game", GAMES)
def test_every_message_of_a_game_can_be_read(game: str) -> None:
    found = [argument_names(message) for message in messages(read_catalogue(f"games.{game}"))]
    assert found


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_a_game_names_has_its_text(game: str) -> None:
    module = __import__(f"games.{game}.texts", fromlist=["TEXTS"])
    refusals = [value for value in vars(module).values() if isinstance(value, Refusal)]
    assert refusals, "name them in texts/__init__.py"
    for refusal in refusals:
        assert set(module.TEXTS.refusals[refusal.code]) == set(refusal.args), refusal.code


def test_the_kits_texts_come_after_a_games_own_and_give_way_to_them() -> None:
    texts = read_texts("games.almost")
    assert set(kit_texts("time_control").lines) < set(texts.lines)
    assert texts.catalogue["refusals"]["LOCKED"] == "Your number is locked. Unlock it first."
    assert list(texts.catalogue["options"])[-1] == "timers"
    assert texts.title == texts.catalogue["title"] == "Almost"


def test_only_what_is_served_is_in_the_catalogue() -> None:
    assert "ui" in read_catalogue("games.almost")
    assert "ui" not in read_texts("games.almost").catalogue
