"""What was said at the table: what a remark or phrase is about, and what it answers.

A bot's remark has a key such as `shares.bot.noHearts.2`, or `shares.bot.noHearts.p1` if only one kind
of character uses this wording.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from games.api import Argument, Spoken
from games.kit.wordings import Wordings
from games.shares.rules.pieces import COMPANIES
from games.shares.texts import TEXTS

REMARKS: Final = TEXTS.remarks
WORDINGS: Final = Wordings(TEXTS)
PREFIX: Final = "shares.bot."
PHRASE: Final = "shares.say."
PROPOSALS: Final = ("askRaise", "askFloor", "askStart", "askLower", "askLeave", "deal", "counter")
"""Remarks that propose something to another seat."""
TRUCES: Final = ("deal", "askLeave")
"""Proposals to leave a tower alone."""
FLOORS: Final = ("askRaise", "askFloor", "askStart")
"""Proposals to raise a tower."""
Args: TypeAlias = Mapping[str, Argument]


def read_intent(key: str) -> str:
    """What a remark or phrase is about: its key without the wording or the company."""
    if key.startswith(PREFIX):
        return key.removeprefix(PREFIX).partition(".")[0]
    name = key.removeprefix(PHRASE)
    return name[:-1] if name[-1:] in COMPANIES else name


def read_company(key: str) -> str | None:
    return key[-1] if key.startswith(PHRASE) and key[-1] in COMPANIES else None


def read_voice(key: str) -> str | None:
    """Whose wording it is: `b` for bold, `p` for polite, `c` for chatty characters; None if anybody's."""
    return key.removeprefix(PREFIX).partition(".")[2].rstrip("0123456789") or None


def identify(key: str, args: Args) -> tuple[str, str]:
    """What can be read: without the seat that it is for, if the text does not name it."""
    names = REMARKS.get(key, tuple(args))
    return key, repr(sorted((name, value) for name, value in args.items() if name in names))


def find_proposal(messages: Sequence[Spoken], answer: Spoken) -> Spoken | None:
    """The last proposal to the seat that gives this answer."""
    for said in reversed(messages[: messages.index(answer)]):
        if said.addressee == answer.seat and read_intent(said.key) in PROPOSALS:
            return said
    return None
