"""The characters allowed in names and talk, and names that look alike.

Names follow Unicode's advice on security (UTS 39): no character in them is invisible, and names that people
cannot tell apart have the same skeleton.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from typing import Final

import regex

LONGEST_NAME: Final = 24
OPERATOR_NAME: Final = "Operator"
"""The name under which a hub's operator watches a table."""
MAX_MARKS: Final = 2
"""The maximum number of marks on one letter of a name."""
MAX_MARKS_IN_TALK: Final = 4
"""More than any language needs; stacked marks would cover the lines above."""

_EMOJI: Final = regex.compile(
    r"(?:\p{Regional_Indicator}{2}"
    r"|[0-9#*]\ufe0f?\u20e3"
    r"|\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?"
    r"(?:\u200d\p{Extended_Pictographic}\ufe0f?\p{Emoji_Modifier}?)*)"
)
"""One emoji (UTS 51); inside it, joiners and variation selectors are not invisible."""
_INVISIBLE: Final = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{C}\p{Zl}\p{Zp}\u2800]")
"""Code points that are invisible, or change how others are displayed; U+2800 is an empty braille pattern."""
_STACKED: Final = regex.compile(rf"\p{{M}}{{{MAX_MARKS + 1},}}")
_VISIBLE: Final = regex.compile(r"[^\p{M}\p{Z}]")
_IGNORED: Final = regex.compile(r"[\p{Default_Ignorable_Code_Point}\p{M}\s]")

_NO_LETTERS: Final = regex.compile(r"^\P{L}+|\P{L}+$")

_LINE_BREAKS: Final = regex.compile(r"[\t\n\v\f\r\x85\u2028\u2029]+")
_CONTROLS: Final = regex.compile(r"[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that override the direction of the text around them."""
_STACKED_IN_TALK: Final = regex.compile(rf"(\p{{M}}{{{MAX_MARKS_IN_TALK}}})\p{{M}}+")
_SHOWN: Final = regex.compile(r"[^\p{Default_Ignorable_Code_Point}\p{M}\p{C}\p{Z}\u2800]")


def clean_name(text: str) -> str | None:
    """A name as it is displayed: NFC, single plain spaces, 1 to 24 characters, at least one of them visible.

    Returns None if the text cannot be a name: it contains control, format, private or unassigned characters
    (line breaks, changes of direction), something invisible outside an emoji, or more than two marks on a
    letter.
    """
    letters = regex.sub(r"\p{Zs}+", " ", unicodedata.normalize("NFC", text)).strip(" ")
    if not 1 <= len(letters) <= LONGEST_NAME:
        return None
    invisible = _INVISIBLE.search(_EMOJI.sub("", letters))
    stacked = _STACKED.search(unicodedata.normalize("NFD", letters))
    return None if invisible or stacked or not _VISIBLE.search(letters) else letters


def clean_talk(text: str) -> str | None:
    """A message on one line, without control characters or overrides of direction; None if nothing is left.

    Marks beyond four on one letter are dropped, since they would cover other messages.
    """
    line = _CONTROLS.sub("", _LINE_BREAKS.sub(" ", text))
    line = _STACKED_IN_TALK.sub(r"\1", line).strip()
    return line if _SHOWN.search(line) else None


# --- which names look alike ---


def choose_distinct_name(name: str, others: Iterable[str]) -> str:
    """The name, numbered if it looks like one of the others (R10)."""
    used = {fold_name(other) for other in others}
    candidate, i = name, 2
    while fold_name(candidate) in used:
        candidate, i = f"{name[: LONGEST_NAME - 3].rstrip()} {i}", i + 1
    return candidate


def is_reserved(name: str) -> bool:
    """Whether people would take this for the operator's name, even with numbers or punctuation around it."""
    return _RESERVED in (fold_name(name), fold_name(_NO_LETTERS.sub("", name)))


@lru_cache(maxsize=4096)
def fold_name(name: str) -> str:
    """Folds names that people would confuse to the same text.

    This is the skeleton of UTS 39 section 4, taken further: letters that differ only in case, marks or spaces
    are the same, and so are i, l and 1, o and 0, s, 5 and $.
    """
    letters = _IGNORED.sub("", unicodedata.normalize("NFKD", name))
    for _ in range(2):  # the capital of a look-alike may itself look like another letter
        letters = unicodedata.normalize("NFKD", _skeleton(letters)).casefold()
    return _IGNORED.sub("", letters).translate(_ALIKE)


def _skeleton(letters: str) -> str:
    return "".join(PROTOTYPES.get(letter, letter) for letter in letters.translate(_MORE_PROTOTYPES))


_ALIKE: Final = str.maketrans("l1|05$", "iiioss")
_MORE_PROTOTYPES: Final = str.maketrans(
    "βεζκμτχ" + "вкмнт" + "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "bezkmtx" + "bkmht" + "abcdefghijklmnoprstuvwyz",
)
"""Greek, Cyrillic and small capital letters that look Latin to people, but are not in Unicode's table."""


def _load_prototypes() -> Mapping[str, str]:
    """Each confusable character with its prototype (Unicode's confusables.txt).

    The package lists each pair in both directions, the confusable character's entry before its prototype's.
    A character has one prototype, and no prototype is itself confusable with another.
    """
    table = resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8")
    pairs: Mapping[str, list[Mapping[str, str]]] = json.loads(table)
    order = {letter: i for i, letter in enumerate(pairs)}
    prototypes: dict[str, str] = {}
    for letter, partners in pairs.items():
        partner = partners[0]["c"]
        if len(partners) == 1 and (len(pairs[partner]) > 1 or order[letter] < order[partner]):
            prototypes[_strip_marks(letter)] = _strip_marks(partner)
    return {letter: prototype for letter, prototype in prototypes.items() if len(letter) == 1}


def _strip_marks(text: str) -> str:
    """The text without the direction marks that the table puts around right-to-left letters."""
    return text.replace("\u200e", "")


PROTOTYPES: Final = _load_prototypes()
_RESERVED: Final = fold_name(OPERATOR_NAME)
