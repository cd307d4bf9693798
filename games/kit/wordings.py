"""Bots' remarks in words that nobody at the table has used yet.

A remark's key is `<game>.bot.<intent>.<number>`. The intent is what the remark means, such as `askTurn`; its
wordings are numbered and true in the same positions; they have the same arguments, but not each names `to`.
A game may mark the number with the tone of the wording: `w` for warm, `b` for bold, as in `askTurn.w1`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from games.api import Argument, Dice, Remark, Seat, Spoken, Temper, Texts
from games.kit.memo import memoize

KIT: Final = "kit"
"""What the keys of lines begin with that the kit's texts have for every game."""
WARM: Final = 60
BOLD: Final = 65
"""From this warmth or boldness on, a character sounds warm or bold."""


def find_tone(temper: Temper) -> str:
    """How a character of this temper sounds: warm, bold or plain, as the keys of wordings mark it."""
    if temper.warmth >= WARM and temper.warmth > temper.boldness:
        return "w"
    return "b" if temper.boldness >= BOLD else ""


def rank_tone(key: str, tone: str) -> int:
    """How little a wording suits this tone: plain words suit everybody, other tones only as a last resort."""
    wording = key.rpartition(".")[2]
    if wording.startswith(tone) if tone else wording.isdigit():
        return 0
    return 1 if wording.isdigit() else 2


@memoize
def read_intent(key: str) -> str:
    """The intent of a remark; empty for a phrase or a promise."""
    parts = key.split(".")
    return parts[2] if len(parts) == 4 and parts[1] == "bot" else ""


class Meaning(NamedTuple):
    """Something to say, before it is put into words."""

    intent: str
    args: Mapping[str, Argument]
    is_private: bool = False
    """Whether only the seat `to` may hear it."""

    @property
    def listener(self) -> Seat | None:
        """The seat that it is whispered to; None if everybody may hear it."""
        to = self.args.get("to")
        return Seat(to) if self.is_private and isinstance(to, int) else None


class Wordings(Mapping[str, tuple[str, ...]]):
    """A game's remarks: by intent, the keys of its wordings. Raises ValueError for a key of another shape.

    With an `owner`, only those whose keys begin with it; otherwise all but the kit's. `suits`: which of them.
    """

    def __init__(
        self, texts: Texts, owner: str | None = None, suits: Callable[[str], bool] = lambda key: True
    ) -> None:
        self._keys: dict[str, tuple[str, ...]] = {}
        self._texts = texts
        for key in filter(suits, texts.remarks):
            begins = key.partition(".")[0]
            if begins != owner if owner is not None else begins == KIT:
                continue
            intent = read_intent(key)
            if not intent:
                raise ValueError(f"a remark is called <game>.bot.<intent>.<number>, not {key}")
            self._keys[intent] = (*self._keys.get(intent, ()), key)

    def __getitem__(self, intent: str) -> tuple[str, ...]:
        return self._keys[intent]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def list_shown(self, key: str, args: Mapping[str, Argument]) -> Mapping[str, Argument]:
        """The arguments that the text of a remark shows: an answer need not name whom it answers."""
        names = self._texts.remarks.get(key) or ()
        return {name: value for name, value in args.items() if name in names}

    def list_keys(self, intents: Iterable[str]) -> frozenset[str]:
        """The keys of all wordings of these intents."""
        return frozenset(key for intent in intents for key in self._keys[intent])


class UsedWords:
    """What was said at a table, as far as a bot remembers: it repeats no line, of its own or of another."""

    def __init__(self, messages: Iterable[Spoken]) -> None:
        self._args: dict[str, list[Mapping[str, Argument]]] = {}
        """By key, the arguments of each time it was said."""
        for message in messages:
            self._args.setdefault(message.key, []).append(message.args)

    def choose(
        self,
        wordings: Wordings,
        meanings: Sequence[Meaning],
        dice: Dice,
        rank: Callable[[str], int] = lambda key: 0,
    ) -> Remark | None:
        """One of these meanings in a wording that was used least; None if all of them have been said.

        Among those used as often, it is one whose key has the lowest rank.
        """
        fresh = [
            Remark(key, meaning.args, meaning.listener)
            for meaning in meanings
            for key in wordings[meaning.intent]
            if not self._has_said(wordings, key, meaning.args)
        ]
        if not fresh:
            return None
        ranks = [(self._count(remark.key), rank(remark.key)) for remark in fresh]
        rarest = [remark for remark, each in zip(fresh, ranks, strict=True) if each == min(ranks)]
        return rarest[dice.below("words", len(rarest))]

    def _has_said(self, wordings: Wordings, key: str, args: Mapping[str, Argument]) -> bool:
        shown = wordings.list_shown(key, args)
        return any(wordings.list_shown(key, earlier) == shown for earlier in self._args.get(key, ()))

    def _count(self, key: str) -> int:
        return len(self._args.get(key, ()))
