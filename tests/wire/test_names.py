"""Names and talk: what text may contain, and which names look alike (T6, R10)."""

from __future__ import annotations

import unicodedata

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hub.wire.messages import Name
from hub.wire.names import LONGEST_NAME, PROTOTYPES, choose_distinct_name, clean_name, clean_talk, fold_name


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("e\u0301", "é"),
        ("李", "李"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("x" * 24, "x" * 24),
        ("e\u0301" * 24, "é" * 24),
        ("O'Neill-7 (b)", "O'Neill-7 (b)"),
        ("❤️ Bo", "❤️ Bo"),
        ("👍🏽🇩🇪1️⃣", "👍🏽🇩🇪1️⃣"),
        ("ấm", "ấm"),
    ],
)
def test_names_are_cleaned(written: str, name: str) -> None:
    """T6"""
    assert clean_name(written) == name
    assert clean_name(name) == name
    assert msgspec.convert(name, Name) == name


@pytest.mark.parametrize(
    "written",
    [
        *("", " ", "   ", "x" * 25, "a\nb", "a\tb", "a\x00b", "a\x7fb", "a\x85b", "a\u2028b", "a\u2029b"),
        *("\u200b", "a\u200bb", "\u202eAnn", "\u2066Ann", "\ufeffAnn", "\u00adAnn", "\u061cAnn", "\ue000"),
        *("\ud800", "\u0301", "\u200d", "\u200d\u200d", "\u3000", "\u00a0", "\U000e0041nn", "\ufdd0"),
        *(
            "Ann\U000e0100",
            "Ann\u180b",
            "Ann\ufe0f",
            "A\u200dnn",
            "Ann\u200d",
            "🐙\u200d",
            "\u2800",
            "\u3164",
        ),
        *("\u115f", "\u1160", "\uffa0", "A\u2800", "A\u034fnn", "a\u0301\u0302\u0303", "Z\u0335\u0336\u0337"),
    ],
    ids=ascii,
)
def test_invalid_names_are_refused(written: str) -> None:
    """T6: a name contains nothing invisible, and nothing that reverses the direction of text."""
    assert clean_name(written) is None


@given(st.text(max_size=40))
@example("0\u1680")  # an unusual space, once kept at the end of names
@example("Ann\u00a0\u3000Lee")
def test_cleaning_a_name_again_changes_nothing(text: str) -> None:
    """T6"""
    name = clean_name(text)
    if name is not None:
        assert clean_name(name) == name
        assert 1 <= len(name) <= LONGEST_NAME
        visible = name.replace("\u200d", "")
        assert not any(unicodedata.category(letter) in ("Cc", "Cf", "Co", "Cs") for letter in visible)


# --- look-alikes ---


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *(("Ann", "Ꭺnn"), ("Ann", "Ann\u20dd"), ("Ann", "ANN"), ("Mark", "Ⅿark"), ("Mark", "rnark")),
        *(("scope", "ѕсоре"), ("Bob", "Ᏼob"), ("Lee", "𝐋𝐞𝐞"), ("Ilse", "llse"), ("Ilse", "ilse")),
        *(("Otto", "οττο"), ("Eve", "Ėvé"), ("Al", "A|"), ("Ann Lee", "AnnLee")),
    ],
)
def test_names_that_look_alike_fold_to_the_same_text(one: str, other: str) -> None:
    """R10"""
    assert fold_name(one) == fold_name(other)
    assert choose_distinct_name(other, [one]) == f"{other} 2"


def test_names_that_differ_fold_to_different_texts() -> None:
    """R10"""
    names = [
        "Ann",
        "Anna",
        "Bo",
        "Bea",
        "Ян",
        "李",
        "🐙",
        "🦊",
        "Name 1",
        "Name 2",
        "Eve",
        "Ewe",
        "مريم",
        "شيرين",
    ]
    assert len(set(map(fold_name, names))) == len(names)


def test_the_table_is_unicodes() -> None:
    """R10: known rows of confusables.txt, and its size, so that an update of the package is noticed."""
    rows = {
        "I": "l",
        "1": "l",
        "0": "O",
        "m": "rn",
        "а": "a",
        "Α": "A",
        "ո": "n",
        "ѕ": "s",
        "ℓ": "l",
    }
    assert {letter: PROTOTYPES.get(letter) for letter in rows} == rows
    assert not set("abcdefghijklnopqrstuvwxyz") & PROTOTYPES.keys()
    assert len(PROTOTYPES) == 6307


@given(st.lists(st.text(min_size=1, max_size=24).map(clean_name), max_size=6), st.text(max_size=24))
def test_a_chosen_name_is_a_name_that_looks_like_no_other(names: list[str | None], wish: str) -> None:
    """R10, T6"""
    others = [name for name in names if name]
    name = choose_distinct_name(clean_name(wish) or "Ann", others)
    assert clean_name(name) == name
    assert fold_name(name) not in set(map(fold_name, others))


# --- talk ---


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("I bid 3.", "I bid 3."),
        ("one\ntwo\r\n three", "one two  three"),
        ("a\u2028b\u2029c\x85d", "a b c d"),
        ("\x00a\x07b\x1b[31mc", "ab[31mc"),
        ("\u202egnp.exe", "gnp.exe"),
        ("\u2066a\u2069\u202ab\u202c", "ab"),
        ("o" + "\u0301" * 300, "o" + "\u0301" * 4),
        ("שלום \u200f!", "שלום \u200f!"),
        ("नमस्ते 👩‍👩‍👧", "नमस्ते 👩‍👩‍👧"),
    ],
)
def test_talk_is_cleaned(written: str, shown: str) -> None:
    """T6: talk keeps no control characters, and nothing that reverses the text around it."""
    assert clean_talk(written) == shown
    assert clean_talk(shown) == shown


@pytest.mark.parametrize(
    "written", ["\n", "\u202e", "\x00", " ", "\u200b", "\u2800", "\u3164", "\u0301", "\ud800"]
)
def test_talk_that_shows_nothing_is_refused(written: str) -> None:
    """T6"""
    assert clean_talk(written) is None
