"""The nine characters that bots play as, three for each level, and the substitute for a person's seat.

A character's temper decides how it talks, trades and keeps its word, never how well it plays: the three of a
level are equally strong (`parley simulate` measures it). Every level has one that is reliable, one that is
shrewd and one that is fickle. Names are names, the same in every language; no text refers to a character
by a pronoun.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from hashlib import sha256
from typing import Final

from msgspec.structs import replace

from games.api import Character, Temper

CHARACTERS: Final = (
    Character("amara", "Amara", "easy", Temper(95, 20, 90, 30, 50)),
    Character("bruno", "Bruno", "easy", Temper(75, 65, 35, 60, 30)),
    Character("tavi", "Tavi", "easy", Temper(45, 50, 70, 10, 70)),
    Character("noor", "Noor", "normal", Temper(100, 30, 65, 50, 25)),
    Character("mateo", "Mateo", "normal", Temper(70, 55, 45, 80, 40)),
    Character("yuki", "Yuki", "normal", Temper(40, 80, 50, 20, 60)),
    Character("zofia", "Zofia", "hard", Temper(90, 45, 55, 90, 30)),
    Character("kwame", "Kwame", "hard", Temper(65, 70, 40, 65, 35)),
    Character("ravi", "Ravi", "hard", Temper(30, 85, 60, 25, 55)),
)
"""In the order of levels: first the reliable one, then the shrewd and the fickle one."""
BY_KEY: Final = {character.key: character for character in CHARACTERS}
NEUTRAL: Final = Temper(honesty=100, boldness=0, warmth=50, grudge=0, chatter=20)


def unnamed(level: str) -> Character:
    """The bot that continues a person's game, or that plays where no character is left."""
    return Character("", "", level, NEUTRAL)


def find_character(key: str | None, level: str) -> Character:
    """The character with this key, playing at this level; the substitute for None or an unknown key."""
    character = BY_KEY.get(key or "")
    return unnamed(level) if character is None else replace(character, level=level)


def choose_character(level: str, seated: Collection[str | None], secret: bytes) -> str | None:
    """The key of a character who is not yet at the table, drawn with a secret; None if all of them are.

    It is one of its level while any is left, then any other, who plays at this level.
    """
    free = [character for character in CHARACTERS if character.key not in seated]
    candidates = [character for character in free if character.level == level] or free
    if not candidates:
        return None
    number = int.from_bytes(sha256(secret).digest()[:8], "big")
    return candidates[number % len(candidates)].key


def cast_levels(levels: Sequence[str], secret: bytes) -> tuple[Character, ...]:
    """A character for each seat of a table of bots, in order."""
    seated: list[str | None] = []
    for seat, level in enumerate(levels):
        seated.append(choose_character(level, seated, b"%s %d" % (secret, seat)))
    return tuple(find_character(key, level) for key, level in zip(seated, levels, strict=True))
